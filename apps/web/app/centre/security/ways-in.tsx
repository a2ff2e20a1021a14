import { type ContactState, type Profile, type RealNameDetail, realNameDetail } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import type { Loading } from "../../shared/api/use-load.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon, type IconName } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { StateMark } from "../kind/state-mark.tsx";
import { ChangeEmail } from "./change-email.tsx";
import { ChangePassword } from "./change-password.tsx";
import { ChangePhone } from "./change-phone.tsx";
import styles from "./security.module.css";

const dayMs = 86_400_000;
const parts = ["password", "phone", "email"] as const;
type Part = (typeof parts)[number];

interface RowProps {
  icon: IconName;
  name: string;
  text: ReactNode;
  state: UnitState;
  word: string;
  action: ReactNode;
  children?: ReactNode;
}

/** One way in or back, how it stands, and what may be done with it. */
function Row({ icon, name, text, state, word, action, children }: RowProps) {
  return (
    <li data-open={children !== undefined || undefined}>
      <div className={styles.row}>
        <span className={styles.sign}>
          <Icon name={icon} />
        </span>
        <div>
          <b>{name}</b>
          <small>{text}</small>
        </div>
        <StateMark state={state}>{word}</StateMark>
        {action}
      </div>
      {children}
    </li>
  );
}

function realNameRow({ status, open, application }: RealNameDetail): { state: UnitState; word: string; text: string } {
  if (status !== "none" && open)
    return { state: "ok", word: "已核", text: status === "personal" ? "个人认证在用" : "企业认证在用" };
  if (application) return { state: "notice", word: "在办", text: "申请在审核，结果发到消息里" };
  if (status !== "none") return { state: "major", word: "已暂停", text: "营业执照到期，新的业务暂停" };
  return { state: "minor", word: "没有", text: "绑定设备、申报和竞价前要先认证" };
}

/** Password, phone, e-mail and authentication: what lets a person in, and back in. */
export function WaysIn({
  profile,
  contact,
  onChanged,
}: {
  profile: Loading<Profile>;
  contact: Loading<ContactState>;
  onChanged: () => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { permissions } = useAccess();
  const [query, change] = useAddressValues();
  const open = parts.find((part) => part === query.get("open"));
  const show = (part: Part | undefined): void => change({ open: part });
  const mayAuthenticate = permissions.has("real_name_submit");
  const realName = useLoad(mayAuthenticate ? "real name state" : undefined, (signal) =>
    call(realNameDetail, { signal, quiet: true }),
  );
  const done = (): void => {
    show(undefined);
    onChanged();
  };
  const toggle = (part: Part, word: string) => (
    <Button aria-expanded={open === part} onPress={() => show(open === part ? undefined : part)}>
      {open === part ? t("收起") : t(word)}
    </Button>
  );
  const held = contact.value;
  const problem = profile.error ?? contact.error;
  const reload = (): void => {
    profile.reload();
    contact.reload();
  };
  const changed = parseWireDateTime(profile.value?.passwordTime ?? "");
  const days = changed === undefined ? undefined : Math.floor((Date.now() - Number(changed)) / dayMs);
  const real = realName.value && realNameRow(realName.value);
  return (
    <section className="card" aria-labelledby="ways-title">
      <header>
        <h2 id="ways-title">{t("登录与找回")}</h2>
      </header>
      {problem && <LoadingProblem error={problem} onRetry={reload} what={t("登录与找回")} kept={held !== undefined} />}
      <ul className={styles.rows} aria-busy={!held && !problem}>
        <Row
          icon="key"
          name={t("密码")}
          text={
            days === undefined ? (
              <Skeleton width={10} />
            ) : days === 0 ? (
              t("今天改过")
            ) : (
              t("{count} 天前改过", { count: days })
            )
          }
          state="ok"
          word={t("可以")}
          action={toggle("password", "修改")}
        >
          {open === "password" ? <ChangePassword onChanged={onChanged} onClose={() => show(undefined)} /> : undefined}
        </Row>
        {held ? (
          <>
            <Row
              icon="phone"
              name={t("手机")}
              text={
                held.phone === ""
                  ? t("登录、告警和找回密码都要用它")
                  : t("{phone}，登录、告警和找回密码都用它", { phone: held.phone })
              }
              state={held.phone === "" ? "major" : held.phoneProven ? "ok" : "minor"}
              word={held.phone === "" ? t("没有") : held.phoneProven ? t("已验证") : t("未验证")}
              action={held.waiting ? <span /> : toggle("phone", "换号")}
            >
              {open === "phone" && !held.waiting ? (
                <ChangePhone contact={held} onChanged={done} onClose={() => show(undefined)} />
              ) : undefined}
            </Row>
            <Row
              icon="chat"
              name={t("邮箱")}
              text={held.email === "" ? t("手机不在手边时，用它找回密码") : held.email}
              state={held.email === "" || !held.emailProven ? "minor" : "ok"}
              word={held.email === "" ? t("没有") : held.emailProven ? t("已验证") : t("未验证")}
              action={toggle("email", held.email === "" ? "绑定" : "换邮箱")}
            >
              {open === "email" ? (
                <ChangeEmail contact={held} onChanged={done} onClose={() => show(undefined)} />
              ) : undefined}
            </Row>
          </>
        ) : (
          !problem &&
          (["phone", "chat"] as const).map((icon) => (
            <li key={icon}>
              <div className={styles.row}>
                <span className={styles.sign}>
                  <Icon name={icon} />
                </span>
                <Skeleton width={14} />
              </div>
            </li>
          ))
        )}
        {real && (
          <Row
            icon="badge"
            name={t("本人核验")}
            text={t(real.text)}
            state={real.state}
            word={t(real.word)}
            action={
              <Link className="btn" to="/selfCenter/realName">
                {t("查看")}
              </Link>
            }
          />
        )}
      </ul>
      {profile.value && (
        <p className={styles.since}>
          {t("账号 {account}，{time} 开通", {
            account: profile.value.account,
            time: dayTime(parseWireDateTime(profile.value.createTime)),
          })}
        </p>
      )}
    </section>
  );
}
