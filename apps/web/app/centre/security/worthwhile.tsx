import {
  type ContactState,
  phoneWithdraw,
  type SessionRow,
  sessionRemove,
  type UnfamiliarLogIn,
  unfamiliarAnswer,
} from "@herdwise/contract";
import { type ReactNode, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { StateMark } from "../kind/state-mark.tsx";
import styles from "./security.module.css";

type SafePart = "password" | "phone" | "email";

interface Thing {
  id: string;
  state: "major" | "minor";
  title: string;
  text: string;
  action: ReactNode;
}

/** What is worth doing for the account, the most urgent first. */
function useWorthwhile({
  contact,
  unfamiliar,
  onAnswer,
  onForeign,
  onOpen,
  onStop,
}: {
  contact: ContactState;
  unfamiliar: readonly UnfamiliarLogIn[];
  onAnswer: (logIn: UnfamiliarLogIn) => void;
  onForeign: (logIn: UnfamiliarLogIn) => void;
  onOpen: (part: SafePart) => void;
  onStop: (id: string) => void;
}): Thing[] {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { waiting } = contact;
  return [
    ...unfamiliar.map((logIn): Thing => {
      const time = dayTime(parseWireDateTime(logIn.createTime));
      const from = [logIn.device || t("未知设备"), logIn.address].join(" · ");
      return logIn.foreign
        ? {
            id: logIn.id,
            state: "major",
            title: t("{time} 的登录不是您，密码还没改", { time }),
            text: t("{from}。改了密码，那里就不能再登录。", { from }),
            action: (
              <Button kind="primary" onPress={() => onOpen("password")}>
                {t("去改密码")}
              </Button>
            ),
          }
        : {
            id: logIn.id,
            state: "major",
            title: t("{time} 有一次没见过的登录，是您吗？", { time }),
            text: t("{from}。您的账号以前没从这个网络登录过。", { from }),
            action: (
              <span className={styles.answers}>
                <Button onPress={() => onAnswer(logIn)}>{t("是我")}</Button>
                <Button kind="primary" onPress={() => onForeign(logIn)}>
                  {t("不是我")}
                </Button>
              </span>
            ),
          };
    }),
    waiting && {
      id: "waiting",
      state: "major" as const,
      title: t("手机号 {time} 换成 {phone}", {
        time: dayTime(parseWireDateTime(waiting.effectiveTime)),
        phone: waiting.phone,
      }),
      text: t("凭身份证核对提出的。如果不是您，请马上停止并改密码。"),
      action: (
        <Button kind="danger" onPress={() => onStop(waiting.id)}>
          {t("停止更换")}
        </Button>
      ),
    },
    contact.phone !== "" &&
      !contact.phoneProven && {
        id: "unproven",
        state: "minor" as const,
        title: t("手机号还没有验证过"),
        text: t("用短信登录一次就算验证，之后才能用它找回密码"),
        action: null,
      },
    contact.email === "" && {
      id: "email",
      state: "minor" as const,
      title: t("没有绑邮箱。手机丢了，就只能走人工找回"),
      text: t("人工找回要 1 到 3 个工作日"),
      action: <Button onPress={() => onOpen("email")}>{t("绑邮箱")}</Button>,
    },
  ].filter((thing) => thing !== undefined && thing !== false);
}

interface WorthwhileProps {
  contact: ContactState;
  unfamiliar: readonly UnfamiliarLogIn[];
  sessions: readonly SessionRow[];
  onChanged: () => void;
  onOpen: (part: SafePart) => void;
}

/** How safe the account is in one sentence, and what is next. */
export function Worthwhile({ contact, unfamiliar, sessions, onChanged, onOpen }: WorthwhileProps) {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<UnfamiliarLogIn>();
  const act = async (work: () => Promise<unknown>, said: string): Promise<void> => {
    if (busy) return;
    setBusy(true);
    try {
      await work();
      showToast({ kind: "ok", text: said });
    } catch {
      // A refusal shows as a toast.
    } finally {
      setBusy(false);
      onChanged();
    }
  };
  const things = useWorthwhile({
    contact,
    unfamiliar,
    onAnswer: ({ id }) =>
      void act(() => call(unfamiliarAnswer, { body: { id, mine: true } }), "记下了，以后从这个网络登录不再问"),
    onForeign: setAsking,
    onOpen,
    onStop: (id) => void act(() => call(phoneWithdraw, { body: { id } }), "手机号不更换了"),
  });
  const others = sessions.filter(({ current }) => !current);
  const urgent = things.filter(({ state }) => state === "major").length;
  const [next] = things;
  return (
    <>
      <p className={styles.sentence} role="status">
        <StateMark state={urgent > 0 ? "major" : "ok"}>
          {urgent > 0
            ? t("有 {count} 件事要您马上看，先从第一件开始。", { count: urgent })
            : next
              ? t("账号目前安全，还有 {count} 件事值得做。", { count: things.length })
              : t("账号目前安全，没有要做的事。")}
        </StateMark>
      </p>
      {next && (
        <section className={`card ${styles.worth}`} aria-label={t("值得做的事")}>
          <ul>
            {things.map(({ id, state, title, text, action }) => (
              <li key={id}>
                <StateMark state={state}>
                  <span className={styles.worthText}>
                    <b>{title}</b>
                    <small>{text}</small>
                  </span>
                </StateMark>
                {action}
              </li>
            ))}
          </ul>
        </section>
      )}
      {asking && (
        <Confirm
          title={t("这次登录不是您？")}
          action={t("不是我，去改密码")}
          onConfirm={async () => {
            if (others.length > 0) await call(sessionRemove, { query: { ids: others.map(({ id }) => id).join(",") } });
            await call(unfamiliarAnswer, { body: { id: asking.id, mine: false } });
            onChanged();
            onOpen("password");
          }}
          onClose={() => setAsking(undefined)}
        >
          <p>{t("接下来会这样：")}</p>
          <ul className={styles.follows}>
            <li>
              {others.length > 0
                ? t("其他 {count} 处登录现在就结束，这一台不受影响", { count: others.length })
                : t("现在只有这一台登录着，没有别处要结束")}
            </li>
            <li>{t("然后请您改密码，旧密码就不能再用")}</li>
          </ul>
        </Confirm>
      )}
    </>
  );
}
