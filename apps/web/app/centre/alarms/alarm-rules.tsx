import { alarmPath } from "@herdwise/contract";
import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import { KindRules } from "./kind-rules.tsx";
import { Maskings } from "./maskings.tsx";
import { OwnRules } from "./own-rules.tsx";
import styles from "./rules.module.css";

const tabs = ["kinds", "own", "masks"] as const;
const tabNames = { kinds: "设备规则", own: "自定义规则", masks: "屏蔽" } as const;
const parts = { kinds: KindRules, own: OwnRules, masks: Maskings } as const;

/** When alarms are raised: rules of the kinds, rules of one's own, and when nobody is told. */
export function AlarmRules() {
  const t = useTranslate();
  const [search, change] = useListAddress("rule");
  const tab = known(search.get("tab"), tabs) ?? "kinds";
  const Part = parts[tab];
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("告警规则")}</h1>
        <span className="spacer" />
        <Link className="btn" to={alarmPath}>
          <Icon name="bell" small />
          {t("告警中心")}
        </Link>
      </div>
      <nav className={styles.tabs} aria-label={t("告警规则")}>
        {tabs.map((one) => (
          <button
            key={one}
            type="button"
            aria-current={one === tab ? "page" : undefined}
            onClick={() => change({ tab: one === "kinds" ? undefined : one, rule: undefined, kind: undefined })}
          >
            {t(tabNames[one])}
          </button>
        ))}
      </nav>
      <Part />
    </>
  );
}
