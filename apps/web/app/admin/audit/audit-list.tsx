import type { AuditAction, AuditEntry } from "@herdwise/contract";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { actionNames } from "../../shared/resource/change-list.tsx";
import styles from "./audit.module.css";
import { AuditChanges } from "./audit-changes.tsx";
import { resourceTitles } from "./audit-words.ts";

function RowTitle({ entry }: { entry: AuditEntry }) {
  return entry.rowTitle === "" ? <span className="num">{entry.rowId}</span> : <Translated text={entry.rowTitle} />;
}

/** Entries as a table. */
export function AuditTable({ entries }: { entries: readonly AuditEntry[] }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <div className="tbl-wrap">
      <table className={`tbl ${styles.table}`}>
        <thead>
          <tr>
            <th scope="col">{t("时间")}</th>
            <th scope="col">{t("操作人")}</th>
            <th scope="col">{t("动作")}</th>
            <th scope="col">{t("对象")}</th>
            <th scope="col">{t("改动")}</th>
          </tr>
        </thead>
        <tbody>
          {entries.map((entry) => (
            <tr key={entry.id}>
              <td className="num mut">{dayTime(parseWireDateTime(entry.createTime))}</td>
              <td>
                {entry.actorName}
                <span className="mut num">{entry.remoteAddress}</span>
              </td>
              <td>{t(actionNames[entry.action as AuditAction] ?? entry.action)}</td>
              <th scope="row">
                <RowTitle entry={entry} />
                <span className="mut">{t(resourceTitles.get(entry.resource) ?? entry.resource)}</span>
              </th>
              <td>
                <AuditChanges entry={entry} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Entries as cards, for a phone. */
export function AuditCards({ entries }: { entries: readonly AuditEntry[] }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <ul className={styles.cards}>
      {entries.map((entry) => (
        <li key={entry.id}>
          <header>
            <b>
              <RowTitle entry={entry} />
            </b>
            <span>{t(actionNames[entry.action as AuditAction] ?? entry.action)}</span>
          </header>
          <p className="mut">{t(resourceTitles.get(entry.resource) ?? entry.resource)}</p>
          <AuditChanges entry={entry} />
          <p className="mut num">
            {entry.actorName} · {entry.remoteAddress} · {dayTime(parseWireDateTime(entry.createTime))}
          </p>
        </li>
      ))}
    </ul>
  );
}
