import type { FoundKind } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { useMemo } from "react";
import type { ApiError } from "../../shared/api/api-error.ts";
import type { IconName } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { matching, mutedIn } from "./finding.ts";
import { useRecent } from "./recent.ts";
import { type ServerThing, useServerThings } from "./things.tsx";
import { useFound, useKept } from "./use-found.ts";
import { type LocalThing, useMayMute, useScreens } from "./use-screens.ts";

/** A place whose alarms are to be muted. */
export interface MutedPlace {
  readonly scope: "farm" | "house" | "unit";
  readonly scopeId: string;
  readonly name: string;
}

/** A line of the palette. */
export interface Row {
  readonly key: string;
  readonly icon: IconName;
  readonly name: string;
  /** Number, code or serial number. */
  readonly code?: string;
  /** Where it is. */
  readonly note: string;
  readonly state?: StateFace | undefined;
  readonly to?: string | undefined;
  readonly act?: (() => void) | undefined;
  /** Choosing it asks how long. */
  readonly mutes?: MutedPlace;
}

export interface Group {
  readonly id: string;
  readonly name: string;
  readonly rows: readonly Row[];
}

export interface Groups {
  groups: readonly Group[];
  isWaiting: boolean;
  error: ApiError | undefined;
  /** Notes what was opened. */
  note: (key: string) => void;
}

/** Lines of a group of this browser; the server's things come below them, so that no line moves when they arrive. */
const mostLocal = { screen: 6, action: 5, setting: 4 } as const;
const mostAtFirst = { screen: 8, action: 4, setting: 0 } as const;
const localNames = { screen: "页面与列表", action: "操作", setting: "设置" } as const;
const localGroups = ["screen", "action", "setting"] as const;
const mutedScopes: Readonly<Record<string, MutedPlace["scope"]>> = { farm: "farm", pig_house: "house", unit: "unit" };

const localRow = ({ key, icon, name, note, to, act }: LocalThing): Row => ({ key, icon, name, note, to, act });

/** What the palette shows for what is typed: what was opened last, and what this browser and the server find. */
export function useGroups(typed: string): Groups {
  const t = useTranslate();
  const nameOf = useNames();
  const screens = useScreens(typed);
  const mayMute = useMayMute();
  const muted = mayMute ? mutedIn(typed) : undefined;
  const { kinds, isWaiting, error } = useFound(muted ?? typed);
  const [recent, note] = useRecent();
  const isEmpty = typed.trim() === "";
  const known = useMemo(() => new Map(screens.map((one) => [one.key, one])), [screens]);
  const ofServer = recent.filter((key) => !known.has(key) && /^[a-z_]+:\d+$/.test(key));
  const kept = useKept(isEmpty ? ofServer : []);
  const thingsOf = useServerThings();

  const serverRow = ({ key, icon, name, code, within, state, to }: ServerThing): Row => ({
    key,
    icon,
    name: nameOf(name),
    code: code === name ? "" : code,
    note: within.filter(Boolean).map(nameOf).join(" › "),
    state,
    to,
  });
  const muteRow = (thing: ServerThing): Row | undefined => {
    const scope = mutedScopes[thing.kind];
    if (scope === undefined) return undefined;
    const name = nameOf(thing.name);
    return {
      ...serverRow(thing),
      key: `mute-${thing.key}`,
      icon: "bell",
      name: t("屏蔽 {name}", { name }),
      to: undefined,
      mutes: { scope, scopeId: thing.id, name },
    };
  };
  const withRows = (group: Group): Group[] => (group.rows.length > 0 ? [group] : []);
  const localOf = (found: readonly LocalThing[], most: Readonly<Record<LocalThing["group"], number>>): Group[] =>
    localGroups.flatMap((id) =>
      withRows({
        id,
        name: t(localNames[id]),
        rows: found
          .filter(({ group }) => group === id)
          .slice(0, most[id])
          .map(localRow),
      }),
    );
  const groupOf = (kind: FoundKind): Group[] =>
    withRows({ id: kind.kind, name: t(kind.name), rows: thingsOf(kind).map(serverRow) });

  if (isEmpty) {
    const keptRows = new Map(kept.kinds.flatMap(thingsOf).map((thing) => [thing.key, serverRow(thing)]));
    const rows = recent.flatMap((key) => {
      const local = known.get(key);
      return local ? [localRow(local)] : (keptRows.get(key) ?? []);
    });
    const actions = screens.filter(({ key }) => !recent.includes(key));
    // What was opened last takes the place of what would be shown at random; until it is here nothing stands below to be moved.
    const others = kept.isWaiting ? [] : localOf(actions, mostAtFirst);
    return {
      groups: [...withRows({ id: "recent", name: t("最近打开"), rows }), ...others],
      isWaiting: kept.isWaiting,
      error: undefined,
      note,
    };
  }
  if (muted !== undefined) {
    const rows = kinds.flatMap(thingsOf).flatMap((thing) => muteRow(thing) ?? []);
    return { groups: withRows({ id: "mute", name: t("操作"), rows }), isWaiting, error, note };
  }
  const local = matching(screens, typed, ({ names }) => names);
  return { groups: [...localOf(local, mostLocal), ...kinds.flatMap(groupOf)], isWaiting, error, note };
}
