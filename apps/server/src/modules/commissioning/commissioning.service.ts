import type {
  BodyOf,
  CommissioningAct,
  commissioningActSubmit,
  commissioningUnitPage,
  QueryOf,
} from "@herdwise/contract";
import { type Refusal, refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { type Reason, reasons } from "../../http/reasons.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import { type TenantScope, withEveryRow } from "../../tenant-scope.ts";
import { takeAct } from "./acts.ts";
import type { CommissioningRepository, ItemRow } from "./commissioning.repository.ts";
import { planOf } from "./plan.ts";
import { listView } from "./present.ts";
import type { ReceiverRepository } from "./receiver.repository.ts";
import { hashOf, recordOf } from "./record.ts";
import type { CommissioningParts, CommissioningProcess } from "./steps.ts";
import type { Trials } from "./trials.ts";
import type { UnitStandingRepository } from "./unit-standing.repository.ts";

/** Tries with the code of one test alarm. */
const codeTries = [{ max: 5, windowS: 600 }];

export interface CommissioningDependencies {
  lists: CommissioningRepository;
  people: ReceiverRepository;
  units: UnitStandingRepository;
  process: CommissioningProcess;
  inTransaction: <T>(work: (parts: CommissioningParts) => Promise<T>) => Promise<T>;
  trials: Trials;
  /** Gives machines back to their controller. */
  release: (scope: TenantScope, item: ItemRow) => Promise<void>;
  store: Store;
  now: () => number;
  nextId: () => string;
}

/** Commissioning lists: what is answered on site, and what is signed in the end. */
export function createCommissioningService(dependencies: CommissioningDependencies) {
  const { lists, people, units, process, inTransaction, trials, release, store, now, nextId } = dependencies;

  /** @throws {Refusal} for a list that the scope does not reach */
  const detail = async (scope: TenantScope, id: string) => {
    const row = await lists.find(scope, id);
    if (row === undefined) throw refuse("commissioning.not_found");
    return listView(row, await lists.items(scope, id));
  };

  /** Does an action unless it was done before, or a later one stands. */
  const doAct = async (
    scope: TenantScope,
    act: CommissioningAct,
    atMs: number,
  ): Promise<{ outcome: "done" | "already" } | { outcome: "refused"; reason: Reason }> => {
    const { itemId, key } = act;
    const listId = await lists.listOf(scope, itemId);
    if (listId === undefined) return { outcome: "refused", reason: "commissioning.not_found" };
    if (act.type === "code" && !(await spend(store, `commissioning:code:${itemId}`, codeTries)))
      return { outcome: "refused", reason: "rate.spent" };
    return inTransaction(async (parts) => {
      const row = await parts.lists.find(scope, listId, true);
      const items = await parts.lists.items(scope, listId);
      const item = items.find(({ id }) => id === itemId);
      if (row === undefined || item === undefined) return { outcome: "refused", reason: "commissioning.not_found" };
      if (item.actKey === key) return { outcome: "done" };
      if (item.actedMs !== null && item.actedMs > atMs) return { outcome: "already" };
      const isBusy = items.some(({ id, check, result }) => id !== itemId && check === "probe" && result === "running");
      if (act.type === "warm" && isBusy) return { outcome: "refused", reason: "commissioning.one_at_a_time" };
      const taken = takeAct(scope, act, item, items, atMs);
      if ("refused" in taken) return { outcome: "refused", reason: taken.refused };
      const change = { ...taken, id: itemId, by: scope.accountId, act: { key, atMs } };
      const event = taken.result === "running" ? "begin_trial" : "answer";
      await process.act(parts, {
        by: scope,
        party: "crew",
        row,
        event,
        take: () => ({ change: { item: change }, audited: auditOf(item, taken.result) }),
      });
      return { outcome: "done" };
    });
  };

  const auditOf = (item: ItemRow, result: string = item.result) => [
    { field: "check", before: null, after: [item.check, item.deviceName, item.part].filter(Boolean).join(" ") },
    { field: "result", before: item.result, after: result },
  ];

  /** Writes what a trial found. @returns false where somebody else answered meanwhile */
  const settle = async (
    scope: TenantScope,
    listId: string,
    item: ItemRow,
    all: readonly ItemRow[],
    party: "crew" | "clock",
  ) => {
    const found = await trials.find(scope, item, all);
    if (found.result === "running") return;
    if (item.check === "machines") await release(scope, item);
    await inTransaction(async (parts) => {
      const row = await parts.lists.find(scope, listId, true);
      const now = (await parts.lists.items(scope, listId)).find(({ id }) => id === item.id);
      if (row?.state !== "open" || now?.result !== item.result || now.startMs !== item.startMs) return;
      await process.act(parts, {
        by: scope,
        party,
        row,
        event: "answer",
        take: () => ({
          change: { item: { id: item.id, by: scope.accountId, said: "", ...found } },
          audited: auditOf(item, found.result),
        }),
      });
    });
  };

  /** Ends the trials of a list whose outcome is known. */
  const settleAll = async (scope: TenantScope, id: string, party: "crew" | "clock" = "crew"): Promise<void> => {
    const items = await lists.items(scope, id);
    for (const item of items) if (item.result === "running") await settle(scope, id, item, items, party);
  };

  return {
    detail,
    settle,
    settleAll,

    async unitPage(scope: TenantScope, query: QueryOf<typeof commissioningUnitPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await units.page(scope, query, request);
      return pageOfRows(rows, total, request);
    },

    async ofUnit(scope: TenantScope, unitId: string) {
      const unit = await units.ofUnit(scope, unitId);
      if (unit === undefined) throw refuse("commissioning.not_found");
      return unit;
    },

    /** @returns the open list of the unit, begun now where there was none */
    async begin(scope: TenantScope, unitId: string): Promise<{ id: string }> {
      const unit = await lists.unit(scope, unitId);
      if (unit === undefined) throw refuse("commissioning.not_found");
      if (unit.devices.length === 0) throw refuse("commissioning.no_devices");
      const id = nextId();
      const isNew = await inTransaction(async (parts) => {
        if (!(await parts.lists.insert(scope, { id, unitId, items: planOf(unit.devices) }, nextId))) return false;
        const row = { id, tenantId: unit.tenantId, title: unit.name };
        await process.audit(parts, scope, row, { event: "begin", before: null, after: "open" });
        return true;
      });
      const held = isNew ? id : await lists.openOf(scope, unitId);
      if (held === undefined) throw refuse("commissioning.not_found");
      return { id: held };
    },

    /** @param sentMs when they were sent by the phone's clock, which may differ from the server's */
    async act(scope: TenantScope, { acts, sentMs = now() }: BodyOf<typeof commissioningActSubmit>) {
      const outcomes = [];
      for (const act of acts) {
        const atMs = now() - Math.max(0, sentMs - act.atMs);
        const done = await doAct(scope, act, atMs).catch((error: unknown) => {
          const { reason } = error as Partial<Refusal>;
          if (reason === undefined || !(reason in reasons)) throw error;
          return { outcome: "refused" as const, reason };
        });
        const text = "reason" in done ? reasons[done.reason].zh : "";
        outcomes.push({ key: act.key, outcome: done.outcome, text });
      }
      return outcomes;
    },

    async look(scope: TenantScope, id: string) {
      await detail(scope, id);
      await settleAll(scope, id);
      return detail(scope, id);
    },

    /** @throws {Refusal} for everybody but the person whom the test alarm was sent to */
    async confirm(session: TenantScope, itemId: string): Promise<void> {
      // Who is asked whether an alarm arrives need not reach the unit by a data scope.
      const scope = withEveryRow(session);
      const listId = await people.sentTo(scope, itemId);
      if (listId === undefined) throw refuse("commissioning.not_found");
      await inTransaction(async (parts) => {
        const item = (await parts.lists.items(scope, listId)).find(({ id }) => id === itemId);
        if (item === undefined) throw refuse("commissioning.not_found");
        await process.act(parts, {
          by: scope,
          party: "crew",
          row: listId,
          event: "answer",
          take: () => ({
            change: { item: { id: itemId, result: "passed", reason: "", by: scope.accountId } },
            audited: auditOf(item, "passed"),
          }),
        });
      });
    },

    /** @throws {Refusal} while a check is open, or when it changed since it was shown */
    async sign(scope: TenantScope, { id, version }: { id: string; version: number }) {
      await inTransaction(async (parts) => {
        await process.act(parts, {
          by: scope,
          party: "crew",
          row: id,
          event: "sign",
          version,
          async take(row) {
            const items = await parts.lists.items(scope, id);
            const open = items.filter(({ result }) => result === "open" || result === "running").length;
            if (open > 0) throw refuse("commissioning.unanswered", { values: { count: open } });
            const name = await people.nameOf(scope);
            const body = recordOf(row, items, { name, atMs: now() });
            const hash = hashOf(body);
            return {
              change: { signed: { body, hash, accountId: scope.accountId, name } },
              audited: [{ field: "hash", before: null, after: hash.toString("hex") }],
            };
          },
        });
      });
      return detail(scope, id);
    },

    async discard(scope: TenantScope, { id, version }: { id: string; version: number }) {
      // Machines that a trial switched on go back to their controller.
      for (const item of await lists.items(scope, id))
        if (item.result === "running" && item.check === "machines") await release(scope, item);
      await inTransaction(async (parts) => {
        await process.act(parts, { by: scope, party: "crew", row: id, event: "discard", version });
      });
      return {};
    },
  };
}
export type CommissioningService = ReturnType<typeof createCommissioningService>;
