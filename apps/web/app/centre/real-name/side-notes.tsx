import type { RealNameApplication } from "@herdwise/contract";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { HistoryLines } from "../../shared/process/history-lines.tsx";
import { eventWords } from "../../shared/real-name/words.ts";
import styles from "./real-name.module.css";

const opens: readonly { what: string; how: string }[] = [
  { what: "绑定设备", how: "按序列号或扫码" },
  { what: "申报与竞价", how: "买卖生猪，竞价保证金" },
  { what: "签合同", how: "用认证的主体" },
];

/** What an authentication is good for. */
export function WhatItOpens({ open, kind }: { open: boolean; kind: "none" | "personal" | "enterprise" }) {
  const t = useTranslate();
  const lines = [
    ...opens.map((line) => ({ ...line, on: open })),
    { what: "开专票", how: "只限企业", on: open && kind === "enterprise" },
  ];
  return (
    <section className="card" aria-labelledby="opens-title">
      <header>
        <h2 id="opens-title">{t(open ? "已经打开的" : "通过后能做的")}</h2>
      </header>
      <ul className={styles.opens}>
        {lines.map(({ what, how, on }) => (
          <li key={what}>
            {on ? (
              <span className="state ok">
                <Mark name="ok" />
              </span>
            ) : (
              <Icon name="lock" small />
            )}
            <span>
              <b>{t(what)}</b>
              <small>{t(how)}</small>
            </span>
          </li>
        ))}
      </ul>
      <p className={styles.foot}>{t("看监控、收告警、报修一直都能用。")}</p>
    </section>
  );
}

/** What happened so far, newest first. */
export function History({ of }: { of: RealNameApplication }) {
  const t = useTranslate();
  return (
    <section className="card" aria-labelledby="history-title">
      <header>
        <h2 id="history-title">{t("经过")}</h2>
      </header>
      <HistoryLines
        lines={of.events.map(({ what, fields, ...event }) => ({
          ...event,
          text:
            what === "rejected" && fields.length > 0
              ? t("退回了 {count} 项", { count: fields.length })
              : t(eventWords[what]),
        }))}
      />
    </section>
  );
}

/** Who sees what was typed. */
export function Privacy() {
  const t = useTranslate();
  return (
    <p className={styles.privacy}>
      <Icon name="lock" small />
      <span>{t("证件号、电话和账号加密存放，屏幕上打码。图片只有您和审核员看得到。审核员看全号会留下记录。")}</span>
    </p>
  );
}
