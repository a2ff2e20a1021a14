import { healthDetail } from "@herdwise/contract";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./first-day.module.css";

/** What a new installation still lacks, for administrators: each line says why it matters and goes when it is done. */
export function FirstDay() {
  const t = useTranslate();
  const language = useLanguage();
  const { permissions } = useAccess();
  const { value } = useLoad(permissions.has("health_view") ? "first-day" : undefined, (signal) =>
    call(healthDetail, { query: {}, signal, quiet: true }),
  );
  const lacking = value?.findings.filter(({ firstDay, state }) => firstDay && state !== "ok" && state !== "off") ?? [];
  if (lacking.length === 0) return null;
  return (
    <section className={`card ${styles.card}`} aria-labelledby="first-day-title">
      <header>
        <h2 id="first-day-title">{t("开张前还差 {count} 件", { count: lacking.length })}</h2>
        <span className="mut">{t("办好一件少一件")}</span>
        <span className="spacer" />
        <Link className="link" to="/system/health">
          {t("全部检查")}
        </Link>
      </header>
      <ul className={`plain ${styles.list}`}>
        {lacking.map(({ id, state, title, text, mend, link }) => (
          <li key={id}>
            <span className={`state ${state}`}>
              <Mark name={state} />
            </span>
            <div>
              <Link className="link" to={link ?? "/system/health"}>
                {title[language]}
              </Link>
              <p>{text[language]}</p>
              {mend && <p>{mend[language]}</p>}
            </div>
          </li>
        ))}
      </ul>
    </section>
  );
}
