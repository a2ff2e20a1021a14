import type { JudgedBy } from "@herdwise/contract";
import {
  type AlarmRule,
  alarmRuleOf,
  changedRules,
  type DeviceKind,
  deviceKinds,
  kindOfGroup,
  otherDevicesOf,
  type WrittenRule,
} from "@herdwise/device-kinds";
import type { FollowedDevice } from "./alarm-log.repository.ts";
import { type GroupRule, reachOfParts } from "./group-rules.service.ts";
import type { Masking, OwnRuleRow, RuleChange, RuleRepository, RuleScope } from "./rule.repository.ts";
import { severityOf } from "./severity.ts";

export interface RuleBookDependencies {
  repository: RuleRepository;
  onError(error: unknown): void;
}

/** A device with its place, which decides which changes apply. */
export type PlacedDevice = Pick<FollowedDevice, "id" | "tenantId" | "kind" | "farmId" | "houseId" | "unitId">;

/** Interval in ms at which changes by other servers are read, in case their message was lost. */
const readMs = 30_000;

/** Places of a device, the nearest first. */
const placesOf = (device: PlacedDevice): [RuleScope, string | null][] => [
  ["device", device.id],
  ["unit", device.unitId],
  ["house", device.houseId],
  ["farm", device.farmId],
  ["tenant", "0"],
];

const keyOf = (tenantId: string, scope: RuleScope, scopeId: string): string => `${tenantId}/${scope}/${scopeId}`;

const changed = ({ ruleId, enabled, severity, raiseAfterS, thresholds }: RuleChange) => ({
  ruleId,
  enabled,
  thresholds,
  ...(severity !== null && { severity: severityOf(severity) }),
  ...(raiseAfterS !== null && { raiseAfterS }),
});

/** Id of a farm's own rule in alarms. */
const ownRuleId = (ruleId: string): string => `own-${ruleId}`;

/** The rules of each device with its farm's changes, and the masking windows; kept in memory, because they are few. */
export function createRuleBook({ repository, onError }: RuleBookDependencies) {
  let changes = new Map<string, RuleChange[]>();
  let maskings = new Map<string, Masking[]>();
  let own = new Map<string, { kind: OwnRuleRow["kind"]; written: WrittenRule; rule: AlarmRule }[]>();
  let groups: ReadonlyMap<string, GroupRule> = new Map();
  let timer: NodeJS.Timeout | undefined;

  const writtenOf = ({ ruleId, name, severity, raiseAfterS, clearAfterS, rule }: OwnRuleRow): WrittenRule => ({
    ...rule,
    id: ownRuleId(ruleId),
    name,
    severity: severityOf(severity),
    raiseAfterS,
    clearAfterS,
  });

  /** Rules over several devices; a rule with a missing device is left out. */
  const groupsOf = async (rows: readonly OwnRuleRow[]): Promise<Map<string, GroupRule>> => {
    const ids = new Set(rows.flatMap(({ rule }) => otherDevicesOf(rule)));
    const kinds = new Map((await repository.kindsOf([...ids])).map(({ id, kind }) => [id, deviceKinds[kind]]));
    const made = new Map<string, GroupRule>();
    for (const row of rows) {
      const otherIds = otherDevicesOf(row.rule);
      const others = new Map(otherIds.flatMap((id) => (kinds.has(id) ? [[id, kinds.get(id) as DeviceKind]] : [])));
      if (others.size < otherIds.length) continue;
      const kind = kindOfGroup(deviceKinds[row.kind], others);
      made.set(row.ruleId, {
        id: row.ruleId,
        versionId: row.id,
        tenantId: row.tenantId,
        deviceId: row.scopeId,
        otherIds,
        kind,
        rule: alarmRuleOf(kind, writtenOf(row)),
        reachMs: reachOfParts(row.rule.parts),
      });
    }
    return made;
  };

  let reading = Promise.resolve();
  const readNow = async (): Promise<void> => {
    const [changeRows, maskingRows, ownRows] = await Promise.all([
      repository.changes(),
      repository.maskings(),
      repository.own(),
    ]);
    changes = Map.groupBy(changeRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
    maskings = Map.groupBy(maskingRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
    const isGroup = ({ rule }: OwnRuleRow): boolean => otherDevicesOf(rule).length > 0;
    const nextGroups = await groupsOf(ownRows.filter(isGroup));
    own = new Map();
    for (const row of ownRows.filter((one) => !isGroup(one))) {
      const key = keyOf(row.tenantId, row.scope, row.scopeId);
      const written = writtenOf(row);
      const rule = alarmRuleOf(deviceKinds[row.kind], written);
      own.set(key, [...(own.get(key) ?? []), { kind: row.kind, written, rule }]);
    }
    const versions = (of: ReadonlyMap<string, GroupRule>) => [...of.values()].map(({ versionId }) => versionId).join();
    // The same map while nothing changed, because the code that judges the rules compares it often.
    if (versions(nextGroups) !== versions(groups)) groups = nextGroups;
  };

  // Reads run one after another, so that an older result never replaces a newer one.
  const read = (): Promise<void> => {
    reading = reading.catch(() => undefined).then(readNow);
    return reading;
  };

  const at = <Row>(held: ReadonlyMap<string, Row[]>, device: PlacedDevice): Row[] =>
    held.size === 0
      ? []
      : placesOf(device).flatMap(([scope, scopeId]) =>
          scopeId === null ? [] : (held.get(keyOf(device.tenantId, scope, scopeId)) ?? []),
        );

  /** Changes of a kind's rules that apply to a device, the nearest first. */
  const changesAt = (device: PlacedDevice) =>
    at(changes, device)
      .filter(({ kind }) => kind === device.kind)
      .map(changed);

  const writtenAt = (device: PlacedDevice) => at(own, device).filter(({ kind }) => kind === device.kind);

  return {
    /** The kind's rules with the changes nearest to the device, and the farm's own rules; disabled rules are left out. */
    rulesOf(device: PlacedDevice): readonly AlarmRule[] {
      const written = writtenAt(device);
      const declared = changedRules(deviceKinds[device.kind], changesAt(device));
      return written.length === 0 ? declared : [...declared, ...written.map(({ rule }) => rule)];
    },

    /** Differences from the kind that a page needs to judge a device; undefined where there are none. */
    judgedBy({ parameters, ...device }: PlacedDevice & Pick<FollowedDevice, "parameters">): JudgedBy | undefined {
      const rules = changesAt(device).filter(
        ({ ruleId }, index, all) => all.findIndex((change) => change.ruleId === ruleId) === index,
      );
      const written = writtenAt(device).map(({ written: { parts, ...rule } }) => ({ ...rule, parts: [...parts] }));
      const masked = at(maskings, device).map(({ ruleIds, startsAt, endsAt }) => ({
        ruleIds,
        startsMs: startsAt.getTime(),
        endsMs: endsAt.getTime(),
      }));
      const differs = [rules, written, masked, Object.keys(parameters)].some(({ length }) => length > 0);
      return differs ? { rules, written, masked, parameters } : undefined;
    },

    maskedAt: (device: PlacedDevice, ruleId: string, atMs: number): boolean =>
      at(maskings, device).some(
        ({ ruleIds, startsAt, endsAt }) =>
          (ruleIds.length === 0 || ruleIds.includes(ruleId)) && startsAt.getTime() <= atMs && atMs < endsAt.getTime(),
      ),

    /** Rules over several devices by id; the map is replaced when one changed. */
    groups: () => groups,
    /** Ids in alarms of the rules over several devices that belong to a device. */
    groupRulesAt: (deviceId: string): string[] =>
      [...groups.values()].flatMap((group) => (group.deviceId === deviceId ? [group.rule.id] : [])),

    read,
    async start(): Promise<void> {
      await read();
      timer = setInterval(() => void read().catch(onError), readMs);
    },
    stop: () => clearInterval(timer),
  };
}
export type RuleBook = ReturnType<typeof createRuleBook>;
