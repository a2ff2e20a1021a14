import {
  type AccountEvent,
  type AccountEventGroup,
  type AccountEventKind,
  accountEventDays,
  accountEventPage,
} from "@herdwise/contract";
import { realNameItems } from "@herdwise/contract/real-name-checks";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { type Translate, useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { NewerOlder } from "../kind/newer-older.tsx";
import styles from "./security.module.css";

const rows = 8;
const groups: readonly { id: AccountEventGroup | ""; name: string }[] = [
  { id: "", name: "全部" },
  { id: "log_in", name: "登录" },
  { id: "change", name: "改动" },
  { id: "shown", name: "谁看过" },
];

/** What happened, in words; `{detail}` is filled from the event. */
const words: Readonly<Record<AccountEventKind, { text: string; mark?: MarkName }>> = {
  log_in: { text: "登录" },
  log_in_locked: { text: "密码连续输错，密码登录锁了 30 分钟", mark: "major" },
  session_ended: { text: "结束了 {detail} 处登录" },
  password_changed: { text: "修改了密码" },
  password_reset: { text: "用短信重置了密码" },
  phone_proven: { text: "为更换手机号证明了身份" },
  phone_waiting: { text: "提出换成 {detail}，等待生效", mark: "minor" },
  phone_withdrawn: { text: "停止了更换手机号" },
  contact_by_staff: { text: "管理员更改了联系方式" },
  phone_changed: { text: "手机号换成 {detail}" },
  phone_taken_back: { text: "凭旧号撤回，手机号恢复为 {detail}", mark: "major" },
  email_changed: { text: "邮箱换成 {detail}" },
  email_removed: { text: "解绑了邮箱" },
  grant_given: { text: "授权给{detail}" },
  grant_ended: { text: "收回了{detail}的授权" },
  data_exported: { text: "导出了自己的数据", mark: "minor" },
  data_fetched: { text: "下载了自己的数据", mark: "minor" },
  closing_asked: { text: "提出注销", mark: "major" },
  closing_taken_back: { text: "取回了注销" },
  closing_answered: { text: "客服答复了注销", mark: "notice" },
  card_bound: { text: "绑了尾号 {detail} 的银行卡", mark: "minor" },
  card_verified: { text: "验证了银行卡" },
  card_default: { text: "把尾号 {detail} 的卡设为默认收款", mark: "minor" },
  card_unbound: { text: "解绑了尾号 {detail} 的银行卡", mark: "minor" },
  token_made: { text: "新建了访问令牌“{detail}”", mark: "minor" },
  token_ended: { text: "停用了访问令牌“{detail}”" },
  data_shown: { text: "集团的审核员看过{detail}全号", mark: "notice" },
};

const labels = new Map([
  ...[...realNameItems.personal, ...realNameItems.enterprise].map(
    ({ field, label }) => [field as string, label] as const,
  ),
  ["bankCard", "银行卡"],
  ["phone", "手机号"],
  ["email", "邮箱"],
  ["name", "姓名"],
  ["address", "地址"],
  ["idNumber", "证件号"],
  ["export", "导出的联系方式"],
]);

/** What was looked at, and why where somebody had to say. */
function shownText(t: Translate, detail: string): string {
  const [field = "", reason] = detail.split("|", 2);
  const of = t(labels.get(field) ?? field);
  return reason === undefined
    ? t("集团的审核员看过{detail}全号", { detail: of })
    : t("集团的客服看过{detail}，原因：{reason}", { detail: of, reason });
}

/** What happened with the account: log-ins, changes, and who of the group looked at personal data. */
export function History() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [group, setGroup] = useState<AccountEventGroup | "">("");
  const [current, setCurrent] = useState(1);
  const { value, error, reload } = useLoad(`account events ${group} ${current}`, (signal) =>
    call(accountEventPage, { query: { current, size: rows, ...(group && { group }) }, signal, quiet: true }),
  );
  const textOf = ({ kind, detail }: AccountEvent): string =>
    kind === "data_shown" ? shownText(t, detail) : t(words[kind].text, { detail });
  return (
    <section className="card" aria-labelledby="history-title">
      <header className={styles.head}>
        <h2 id="history-title">{t("记录")}</h2>
        <span className="age">{t("{count} 天", { count: accountEventDays })}</span>
        <span className="spacer" />
        <fieldset className="seg" aria-label={t("记录的类别")}>
          {groups.map(({ id, name }) => (
            <button
              key={id}
              type="button"
              aria-pressed={group === id}
              onClick={() => {
                setGroup(id);
                setCurrent(1);
              }}
            >
              {t(name)}
            </button>
          ))}
        </fieldset>
      </header>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("记录")} kept={value !== undefined} />}
      {!value && !error && (
        <p className="calm" role="status">
          <span className="visually-hidden">{t("正在加载")}</span>
          <Skeleton width={18} />
        </p>
      )}
      {value?.records.length === 0 && (
        <p className="safe-none">
          {group === "shown"
            ? t("没有人看过您的证件号和账号全号。")
            : t("{count} 天内没有这类记录。", { count: accountEventDays })}
        </p>
      )}
      {value && value.records.length > 0 && (
        <ul className={styles.events}>
          {value.records.map((event) => {
            const { mark } = words[event.kind];
            return (
              <li key={event.id} data-mark={mark}>
                <time className="num">{dayTime(parseWireDateTime(event.createTime))}</time>
                <span>
                  {mark && <Mark name={mark} />}
                  {textOf(event)}
                </span>
                <small>
                  {event.device === "" && event.address === ""
                    ? t("系统")
                    : [event.device || t("未知设备"), event.address].filter(Boolean).join(" · ")}
                </small>
              </li>
            );
          })}
        </ul>
      )}
      {value && <NewerOlder current={current} pages={value.pages} onChange={setCurrent} />}
    </section>
  );
}
