import { type AlarmRule, alarmRuleOf, deviceKinds, withThresholds } from "@herdwise/device-kinds";
import type { FollowedDevice } from "./alarm-log.repository.ts";
import type { Masking, OwnRuleRow, RuleChange, RuleRepository, RuleScope } from "./rule.repository.ts";
import { severityOf } from "./severity.ts";

export interface RuleBookDependencies {
  repository: RuleRepository;
  onError(error: unknown): void;
}

/** Where a device stands, for what was changed there. */
export type PlacedDevice = Pick<FollowedDevice, "id" | "tenantId" | "kind" | "farmId" | "houseId" | "unitId">;

/** Changes of others are read this often where the message of them was lost, ms. */
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

const changed = (rule: AlarmRule, { severity, raiseAfterS, thresholds }: RuleChange): AlarmRule => ({
  ...withThresholds(rule, thresholds),
  ...(severity !== null && { severity: severityOf(severity) }),
  ...(raiseAfterS !== null && { raiseAfterS }),
});

/** Rules that farms wrote are known by it in alarms. */
const ownRuleId = (ruleId: string): string => `own-${ruleId}`;

/** The rules of each device as its farm wants them, and what is masked. Held in memory; they are few. */
export function createRuleBook({ repository, onError }: RuleBookDependencies) {
  let changes = new Map<string, RuleChange[]>();
  let maskings = new Map<string, Masking[]>();
  let own = new Map<string, (Pick<OwnRuleRow, "kind"> & { rule: AlarmRule })[]>();
  let timer: NodeJS.Timeout | undefined;

  let reading = Promise.resolve();
  const readNow = async (): Promise<void> => {
    const [changeRows, maskingRows, ownRows] = await Promise.all([
      repository.changes(),
      repository.maskings(),
      repository.own(),
    ]);
    changes = Map.groupBy(changeRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
    maskings = Map.groupBy(maskingRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
    own = new Map();
    for (const { tenantId, scope, scopeId, kind, ruleId, severity, rule, ...row } of ownRows) {
      const key = keyOf(tenantId, scope, scopeId);
      const made = alarmRuleOf(deviceKinds[kind], {
        ...row,
        ...rule,
        id: ownRuleId(ruleId),
        severity: severityOf(severity),
      });
      own.set(key, [...(own.get(key) ?? []), { kind, rule: made }]);
    }
  };

  // One after the other, so that what was read earlier never replaces what was read later.
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

  return {
    /** The kind's rules with what was changed nearest to the device, and those that its farm wrote; one that is switched off is left out. */
    rulesOf(device: PlacedDevice): readonly AlarmRule[] {
      const { alarmRules } = deviceKinds[device.kind];
      const written = at(own, device).filter(({ kind }) => kind === device.kind);
      const changedHere = at(changes, device).filter(({ kind }) => kind === device.kind);
      if (changedHere.length === 0 && written.length === 0) return alarmRules;
      const declared = alarmRules.flatMap((rule) => {
        const nearest = changedHere.find(({ ruleId }) => ruleId === rule.id);
        if (nearest === undefined) return [rule];
        return nearest.enabled ? [changed(rule, nearest)] : [];
      });
      return [...declared, ...written.map(({ rule }) => rule)];
    },

    maskedAt: (device: PlacedDevice, ruleId: string, atMs: number): boolean =>
      at(maskings, device).some(
        ({ ruleIds, startsAt, endsAt }) =>
          (ruleIds.length === 0 || ruleIds.includes(ruleId)) && startsAt.getTime() <= atMs && atMs < endsAt.getTime(),
      ),

    read,
    async start(): Promise<void> {
      await read();
      timer = setInterval(() => void read().catch(onError), readMs);
    },
    stop: () => clearInterval(timer),
  };
}
export type RuleBook = ReturnType<typeof createRuleBook>;
