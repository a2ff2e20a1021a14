import type { DeviceStatus, FoundKind, FoundThing } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { screenAt } from "../../screens.ts";
import { stateWords as contractStates } from "../../shared/contracts/words.ts";
import { type IconName, iconOf } from "../../shared/icons/icon.tsx";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { stateWords as orderStates } from "../../shared/work-orders/words.ts";
import { statusMarks, statusNames } from "../devices/device-words.ts";

/** A thing of the server that this person has a screen for. */
export interface ServerThing {
  readonly key: string;
  readonly kind: string;
  readonly icon: IconName;
  readonly id: string;
  readonly name: string;
  readonly code: string;
  readonly within: readonly string[];
  readonly state: StateFace | undefined;
  readonly to: string;
}

const deviceStates = Object.fromEntries(
  (Object.keys(statusNames) as DeviceStatus[]).map((status) => [
    status,
    { word: statusNames[status], mark: statusMarks[status].mark as StateFace["mark"] },
  ]),
);
const states: Readonly<Record<string, Readonly<Partial<Record<string, StateFace>>>>> = {
  device: deviceStates,
  work_order: orderStates,
  after_sales: orderStates,
  complaint: orderStates,
  suggestion: orderStates,
  contract: contractStates,
};

/** Makes things to open of what the server found; what no screen of this person shows is left out. */
export function useServerThings(): (kind: FoundKind) => ServerThing[] {
  const { menu } = useAccess();
  const isOpen = (address: string): boolean => {
    const screen = screenAt(address.replace(/[?#].*$/, ""));
    return screen !== undefined && nodeOfScreen(menu, screen) !== undefined;
  };
  return ({ kind, icon, things, states: ofProcess }) =>
    things.flatMap((thing: FoundThing): ServerThing[] => {
      const to = thing.opens.find(isOpen);
      if (to === undefined) return [];
      const { id, name, code, within } = thing;
      const state = (ofProcess ?? states[kind])?.[thing.state];
      return [{ key: `${kind}:${thing.key}`, kind, icon: iconOf(icon), id, name, code, within, state, to }];
    });
}
