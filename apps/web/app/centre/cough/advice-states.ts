import type { CoughAdvice } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";

/** What each verdict of the butler is shown as, on its own screen and on the overview. */
export const adviceStates: Readonly<Record<CoughAdvice["state"], { state: UnitState; name: string }>> = {
  "act-now": { state: "critical", name: "马上处理" },
  act: { state: "major", name: "今天处理" },
  watch: { state: "minor", name: "盯着" },
  unknown: { state: "offline", name: "听不到" },
  calm: { state: "ok", name: "正常" },
};
