import { type AlarmRule, deviceKinds, withThresholds } from "@herdwise/device-kinds";
import type { FollowedDevice } from "./alarm-log.repository.ts";
import type { Masking, RuleChange, RuleRepository, RuleScope } from "./rule.repository.ts";
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

/** The rules of each device as its farm wants them, and what is masked. Held in memory; they are few. */
export function createRuleBook({ repository, onError }: RuleBookDependencies) {
  let changes = new Map<string, RuleChange[]>();
  let maskings = new Map<string, Masking[]>();
  let timer: NodeJS.Timeout | undefined;

  const read = async (): Promise<void> => {
    const [changeRows, maskingRows] = await Promise.all([repository.changes(), repository.maskings()]);
    changes = Map.groupBy(changeRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
    maskings = Map.groupBy(maskingRows, ({ tenantId, scope, scopeId }) => keyOf(tenantId, scope, scopeId));
  };

  const at = <Row>(held: ReadonlyMap<string, Row[]>, device: PlacedDevice): Row[] =>
    held.size === 0
      ? []
      : placesOf(device).flatMap(([scope, scopeId]) =>
          scopeId === null ? [] : (held.get(keyOf(device.tenantId, scope, scopeId)) ?? []),
        );

  return {
    /** The kind's rules with what was changed nearest to the device; one that is switched off is left out. */
    rulesOf(device: PlacedDevice): readonly AlarmRule[] {
      const { alarmRules } = deviceKinds[device.kind];
      const own = at(changes, device).filter(({ kind }) => kind === device.kind);
      if (own.length === 0) return alarmRules;
      return alarmRules.flatMap((rule) => {
        const nearest = own.find(({ ruleId }) => ruleId === rule.id);
        if (nearest === undefined) return [rule];
        return nearest.enabled ? [changed(rule, nearest)] : [];
      });
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
