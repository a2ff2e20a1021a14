import { Link } from "react-router";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./cancel.module.css";

/** The way out, last of all. */
export function Closing() {
  const t = useTranslate();
  const { permissions } = useAccess();
  return (
    <section className={`card ${styles.way}`} aria-labelledby="closing-title">
      <h2 id="closing-title">{t("注销")}</h2>
      <p>{t("7 天冷静期，3 个工作日内答复，清除前都能取回。")}</p>
      <div>
        <Link className="btn danger" to="/selfCenter/safeManage?view=cancel">
          {t("看注销账号会影响什么")}
        </Link>
        {permissions.has("customer_close") && (
          <Link className="btn" to="/selfCenter/safeManage?view=cancel&kind=tenant">
            {t("注销整个企业")}
          </Link>
        )}
      </div>
    </section>
  );
}
