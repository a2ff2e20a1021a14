import { alarmHandleCode, alarmPushPath, alarmUnwoken, type SendServices } from "@herdwise/contract";
import { Link } from "react-router";
import { screens } from "../../screens.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./roster.module.css";
import { serviceFaults } from "./service-faults.ts";

/** Screens of the steps that mend it, by their menus. */
const mends = [
  { menuCode: "alarm_push", text: "看今晚谁会被叫醒", hash: "#roster" },
  { menuCode: "self_safe", text: "验证手机", hash: "" },
  { menuCode: "self_members", text: "添加成员", hash: "" },
] as const;

/** What is wrong with services, for a first screen: that nobody set up calls beside an SMS service that works is told by the roster. */
const pressingFaults = ({ sms, voice }: SendServices): string[] =>
  serviceFaults({ sms, voice: voice === "missing" && sms === "works" ? "works" : voice });

/** What to do about it: of services that are missing only who runs the portal can mend anything. */
function Mends({ faults, ofGroup }: { faults: readonly string[]; ofGroup: boolean }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const nobodyReachable = faults.length > 1;
  const ways = mends.flatMap(({ menuCode, text, hash }) => {
    const screen = screens.find((one) => one.menuCode === menuCode);
    return screen && nodeOfScreen(menu, screen) ? [{ text, to: `${screen.path}${hash}` }] : [];
  });
  const ask = screens.find(({ menuCode }) => menuCode === "after_sales_add");
  return (
    <p className={styles.mends}>
      {faults.length > 0 &&
        (ofGroup ? (
          <span>{t("请在服务器上配置服务，或给服务充值；运维手册写明了怎么做。")}</span>
        ) : (
          <>
            <span>{t("服务由集团开通和充值，请告诉集团。")}</span>
            {ask && nodeOfScreen(menu, ask) && (
              <Link className="btn" to={ask.path}>
                {t("告诉集团")}
              </Link>
            )}
          </>
        ))}
      {!ofGroup &&
        !nobodyReachable &&
        ways.map(({ text, to }) => (
          <Link key={to} className="btn" to={to}>
            {t(text)}
          </Link>
        ))}
    </p>
  );
}

/** Above everything else: farms for whose critical alarms nobody would be woken, and services that can't wake anybody. Nothing where all is well. */
export function UnwokenBanner() {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const granted = permissions.has(alarmHandleCode);
  const { value, error, reload } = useLoad(granted ? "alarm unwoken" : undefined, (signal) =>
    call(alarmUnwoken, { signal, quiet: true }),
  );
  if (error && !value) return <LoadingProblem error={error} onRetry={reload} what={t("谁会被叫醒")} />;
  if (!value || value.total === 0) return null;
  const ofGroup = user.tenant_type === "group";
  const faults = pressingFaults(value.services);
  const { count, farms } = value;
  if (count === 0 && faults.length === 0) return null;
  const more = count - farms.length;
  return (
    <section className={styles.banner} aria-labelledby="unwoken-title">
      <h2 id="unwoken-title" className="state critical">
        <Mark name="critical" />
        {count > 0 ? t("今晚有 {count} 个场区的紧急告警叫不醒任何人", { count }) : t("紧急告警少了一种叫醒人的办法")}
      </h2>
      {count > 0 && (
        <ul className={styles.farms}>
          {farms.map(({ farmId, farmName, tenantName }) => (
            <li key={farmId}>
              {ofGroup ? (
                <>
                  <Translated text={tenantName} />
                  {" · "}
                  <Translated text={farmName} />
                </>
              ) : (
                <Link to={`${alarmPushPath}?farm=${farmId}#roster`}>
                  <Translated text={farmName} />
                </Link>
              )}
            </li>
          ))}
          {more > 0 && <li>{t("另有 {count} 个场区", { count: more })}</li>}
        </ul>
      )}
      {faults.map((fault) => (
        <p key={fault}>{t(fault)}</p>
      ))}
      {count > 0 && faults.length < 2 && (
        <p>
          {ofGroup
            ? t("这些场区没有人验证过手机，或都选了不收短信。请联系他们。")
            : t("没有人验证过手机，或都选了不收短信。验证一部手机，或添加一个人。")}
        </p>
      )}
      <Mends faults={faults} ofGroup={ofGroup} />
    </section>
  );
}
