import { type BodyOf, mostOwnAlarmRules, type OwnAlarmRuleVersion, type ownAlarmRuleSubmit } from "@herdwise/contract";
import { type DeviceKind, deviceKinds, otherDevicesOf, ownRuleProblems } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { OwnRuleRepository, OwnRuleVersionRow } from "./own-rule.repository.ts";
import type { RuleScope } from "./rule.repository.ts";
import { severityOf, severityRank } from "./severity.ts";

export interface OwnRuleDependencies {
  repository: Pick<OwnRuleRepository, "list" | "history" | "beside" | "named">;
  inTransaction<T>(
    work: (transaction: { rules: OwnRuleRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  hasPlace(scope: TenantScope, place: RuleScope, id: string): Promise<boolean>;
  /** Puts a change into force: on this server before the answer, on others soon after. */
  inForce(tenantId: string): Promise<void>;
  nextId: () => string;
}

type OtherDevice = OwnAlarmRuleVersion["others"][number];

const view = (
  { createdAt, severity, ...row }: OwnRuleVersionRow,
  devices: ReadonlyMap<string, OtherDevice>,
): OwnAlarmRuleVersion => ({
  ...row,
  others: otherDevicesOf(row.rule).flatMap((id) => devices.get(id) ?? []),
  rule: { ...row.rule, parts: [...row.rule.parts] },
  severity: severityOf(severity),
  atMs: createdAt.getTime(),
});

const told = ({ name, enabled, scope, scopeId, severity, raiseAfterS, clearAfterS, rule }: OwnRuleVersionRow): string =>
  JSON.stringify({ name, enabled, scope, scopeId, severity, raiseAfterS, clearAfterS, ...rule });

/**
 * Refuses a rule that can't be evaluated with the values of its devices, naming the faulty part.
 * @returns kinds of the other devices that it reads, by device id
 */
export async function requireJudgeable(
  repository: Pick<OwnRuleRepository, "beside">,
  scope: TenantScope,
  { kind, scope: place, scopeId, rule }: Pick<OwnRuleVersionRow, "kind" | "scope" | "scopeId" | "rule">,
): Promise<ReadonlyMap<string, DeviceKind>> {
  const otherIds = otherDevicesOf(rule);
  if (otherIds.length > 0 && place !== "device") throw refuse("alarm_rule.one_device", { field: "scopeId" });
  const beside = await repository.beside(scope, scopeId, otherIds);
  const others = new Map(beside.map((other) => [other.id, deviceKinds[other.kind]]));
  const [problem] = ownRuleProblems(deviceKinds[kind], rule, others);
  if (problem?.field === "deviceId") {
    throw refuse("alarm_rule.not_beside", {
      field: `rule.parts.${problem.part}.deviceId`,
      values: { part: problem.part + 1 },
    });
  }
  if (problem !== undefined) {
    throw refuse("alarm_rule.part", {
      field: `rule.parts.${problem.part}.${problem.field}`,
      values: { part: problem.part + 1 },
    });
  }
  // A rule with nothing but a time of day would hold every day.
  if (rule.parts.every(({ type }) => type === "during")) {
    throw refuse("alarm_rule.only_time", { field: "rule.parts.0.type" });
  }
  // Its alarms belong to this device, so the rule must read it.
  if (rule.parts.every((part) => part.type === "during" || part.deviceId !== undefined)) {
    throw refuse("alarm_rule.own_device", { field: "rule.parts.0.deviceId" });
  }
  return others;
}

/** Rules that farms write themselves, with all versions. */
export function createOwnRules({ repository, inTransaction, hasPlace, inForce, nextId }: OwnRuleDependencies) {
  const write = async (
    scope: TenantScope,
    previousId: string | undefined,
    change: (
      previous: OwnRuleVersionRow | undefined,
    ) => Omit<OwnRuleVersionRow, "id" | "ruleId" | "personName" | "createdAt">,
  ): Promise<{ id: string; ruleId: string }> => {
    const written = await inTransaction(async ({ rules, audit }) => {
      await rules.lock(scope);
      const held = await rules.list(scope);
      const previous = previousId === undefined ? undefined : await rules.version(scope, previousId);
      if (previousId !== undefined) {
        if (previous === undefined || previous.removed) throw refuse("alarm_rule.unknown");
        if (held.find(({ ruleId }) => ruleId === previous.ruleId)?.id !== previousId)
          throw refuse("alarm_rule.changed");
      } else if (held.filter(({ removed }) => !removed).length >= mostOwnAlarmRules) {
        throw refuse("alarm_rule.too_many", { values: { most: mostOwnAlarmRules } });
      }
      const id = nextId();
      const row = { ...change(previous), id, ruleId: previous?.ruleId ?? id, previousId: previousId ?? null };
      await rules.insert(scope, row);
      const after = { ...row, personName: "", createdAt: new Date(0) };
      const action = row.removed ? "remove" : previous === undefined ? "create" : "update";
      const changes = [
        { field: "rule", before: previous === undefined ? "" : told(previous), after: row.removed ? "" : told(after) },
      ];
      const record = { resource: "own_alarm_rule", rowId: row.ruleId, rowTitle: row.name, action, changes } as const;
      await audit.append(scope.tenantId, scope, [record], nextId);
      return { id, ruleId: row.ruleId };
    });
    await inForce(scope.tenantId);
    return written;
  };

  const shown = async (scope: TenantScope, rows: readonly OwnRuleVersionRow[]): Promise<OwnAlarmRuleVersion[]> => {
    const ids = new Set(rows.flatMap(({ rule }) => otherDevicesOf(rule)));
    const devices = new Map((await repository.named(scope, [...ids])).map((device) => [device.id, device]));
    return rows.map((row) => view(row, devices));
  };

  return {
    list: async (scope: TenantScope) =>
      shown(
        scope,
        (await repository.list(scope)).filter(({ removed }) => !removed),
      ),
    history: async (scope: TenantScope, ruleId: string) => shown(scope, await repository.history(scope, ruleId)),

    async submit(scope: TenantScope, { previousId, severity, ...body }: BodyOf<typeof ownAlarmRuleSubmit>) {
      if (!(await hasPlace(scope, body.scope, body.scopeId))) throw refuse("alarm_rule.place");
      await requireJudgeable(repository, scope, body);
      return write(scope, previousId, (previous) => {
        // Its alarms belong to the kind, so a rule for another kind must be a new rule.
        if (previous !== undefined && previous.kind !== body.kind) throw refuse("alarm_rule.kind", { field: "kind" });
        return { ...body, removed: false, severity: severityRank(severity) };
      });
    },

    async remove(scope: TenantScope, previousId: string): Promise<void> {
      await write(scope, previousId, (previous) => {
        if (previous === undefined) throw refuse("alarm_rule.unknown");
        const { id: _id, ruleId: _ruleId, personName: _personName, createdAt: _createdAt, ...row } = previous;
        return { ...row, removed: true };
      });
    },
  };
}
export type OwnRules = ReturnType<typeof createOwnRules>;
