import { useTranslate } from "../../shared/language/use-language.ts";
import { known, useListAddress } from "../../shared/lists/list-address.ts";
import { AlarmHead } from "./alarm-head.tsx";
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
      <AlarmHead title="告警规则" />
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
