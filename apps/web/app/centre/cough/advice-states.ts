import type { CoughAdvice } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";

interface AdviceLook {
  state: UnitState;
  name: string;
  /** In the head of a tile. */
  short?: string;
}

/** What each verdict of the butler is shown as, on its own screen, on the overview and on the page of a unit. */
export const adviceStates: Readonly<Record<CoughAdvice["state"], AdviceLook>> = {
  "act-now": { state: "critical", name: "马上处理", short: "马上去" },
  act: { state: "major", name: "今天处理", short: "今天去" },
  watch: { state: "minor", name: "盯着" },
  unknown: { state: "offline", name: "听不到" },
  calm: { state: "ok", name: "正常" },
};

const learning: AdviceLook = { state: "empty", name: "还在学" };

/** What is shown of a unit: nothing is called normal before it is known what is usual there. */
export const lookOf = ({ state, baseline }: Pick<CoughAdvice, "state" | "baseline">): AdviceLook =>
  state === "calm" && baseline === undefined ? learning : adviceStates[state];
