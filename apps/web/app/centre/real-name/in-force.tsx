import type { RealNameApplication, RealNameDetail } from "@herdwise/contract";
import { licenceWithoutEnd } from "@herdwise/contract/real-name-checks";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { labelOf, valueWord } from "../../shared/real-name/words.ts";
import styles from "./real-name.module.css";

/** From this many days before its end on a licence is worth a warning. */
const warnDays = 30;

/** What is in force, and what its licence asks for. */
export function InForce({
  detail,
  current,
  onApply,
}: {
  detail: RealNameDetail;
  current: RealNameApplication;
  /** Absent while an application is under way. */
  onApply?: (kind: "personal" | "enterprise") => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { daysLeft = warnDays + 1 } = detail;
  const suspended = current.state === "suspended" || daysLeft < 0;
  const ending = !suspended && daysLeft <= warnDays;
  return (
    <>
      {(suspended || ending) && (
        <section className={`card ${styles.ending}`} aria-labelledby="ending-title">
          <span className="state major">
            <Mark name="major" />
          </span>
          <div>
            <h2 id="ending-title">
              {suspended ? t("营业执照已到期，新业务暂停") : t("营业执照还有 {count} 天到期", { count: daysLeft })}
            </h2>
            <p>
              {t("{day} 之后不能绑新设备、申报和竞价。已绑的设备、监控和告警不停。", { day: current.licenceUntil })}
            </p>
          </div>
          {onApply && (
            <Button kind="primary" onPress={() => onApply("enterprise")}>
              {t("传新执照")}
            </Button>
          )}
        </section>
      )}
      <section className="card" aria-labelledby="in-force-title">
        <header>
          <h2 id="in-force-title">{t("认证主体")}</h2>
          <span className="spacer" />
          <span className={`state ${suspended ? "major" : "ok"}`}>
            <Mark name={suspended ? "major" : "ok"} />
            {t(suspended ? "已暂停" : current.kind === "enterprise" ? "企业已通过" : "个人已通过")}
          </span>
        </header>
        <dl className={styles.facts}>
          {current.items
            .filter(({ value }) => value !== "")
            .map((item) => (
              <div key={item.field}>
                <dt>{t(labelOf(current.kind, item.field))}</dt>
                <dd className="num">
                  <span {...(item.value === licenceWithoutEnd ? {} : { lang: "zh-CN" })}>{valueWord(item, t)}</span>
                  {item.field === "licenceUntil" && item.value !== licenceWithoutEnd && ending && (
                    <span className="state major"> {t("还有 {count} 天", { count: daysLeft })}</span>
                  )}
                </dd>
              </div>
            ))}
          <div>
            <dt>{t("通过时间")}</dt>
            <dd className="num">{dayTime(parseWireDateTime(current.decideTime))}</dd>
          </div>
        </dl>
        {onApply && (
          <div className={styles.inDock}>
            <span>{t("改任何一项都要重新审核，期间现有认证有效。")}</span>
            <span className={styles.space} />
            {current.kind === "personal" && (
              <Button kind="primary" onPress={() => onApply("enterprise")}>
                {t("升级为企业")}
              </Button>
            )}
            <Button onPress={() => onApply(current.kind)}>{t("变更资料")}</Button>
          </div>
        )}
      </section>
    </>
  );
}
