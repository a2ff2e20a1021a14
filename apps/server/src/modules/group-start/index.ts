import {
  customerRules,
  deskCounts,
  deskKeys,
  desks,
  deviceRegistry,
  groupStart,
  type Outgoing,
  permissionOf,
} from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { startRepository } from "./start.repository.ts";

/** Customers that are named; the list has all of them. */
const mostCustomers = 8;
/** Rights that open what is published today. */
const outgoingRights: readonly (readonly [Outgoing["kind"], string])[] = [
  ["price", "price_view"],
  ["article", "article_view"],
  ["announcement", "announcement_view"],
];

const ms = (at: Date | null): number | null => at?.getTime() ?? null;

/** The first screen of the group's staff: each sees the desks and figures whose lists they may open. */
export function createGroupStartModule({ kysely, now }: Platform): ServerModule {
  const look = startRepository(kysely);
  return {
    routes(router) {
      router.on(deskCounts, async ({ scope, session }) => {
        const open = deskKeys.filter((desk) => session.permissions.has(desks[desk].right));
        const counts = open.length === 0 ? [] : await look.counts(scope, open);
        return counts
          .filter(({ count }) => count > 0)
          .map(({ desk, count }) => ({ list: desks[desk].list.replace(/\?.*/, ""), count }));
      });
      router.on(groupStart, async ({ scope, session }) => {
        const may = (right: string): boolean => session.permissions.has(right);
        const waiting = [];
        for (const desk of deskKeys) {
          if (!may(desks[desk].right)) continue;
          const { oldest, due, lateSince, unassigned, ...row } = await look.desk(scope, desk);
          const assigns = desk === "work_order" || desk === "site_form";
          waiting.push({
            desk,
            ...row,
            oldestMs: ms(oldest),
            dueMs: ms(due),
            lateSinceMs: ms(lateSince),
            unassigned: assigns ? unassigned : null,
          });
        }
        const seesDevices = may(permissionOf(deviceRegistry, "view"));
        const seesCustomers = may("customer_view");
        const customers = seesCustomers ? await look.customers(scope, customerRules, mostCustomers) : [];
        return {
          atMs: now(),
          desks: waiting,
          unheard: seesDevices ? await look.unheard(scope) : null,
          regions: seesDevices ? await look.places(scope, "region") : [],
          departments: seesDevices ? await look.places(scope, "department") : [],
          customers: customers.map(({ since, all: _, ...row }) => ({ ...row, sinceMs: since.getTime() })),
          customersAtRisk: customers[0]?.all ?? 0,
          contractsEnding: may(desks.contract.right) ? await look.contractsEnding(scope) : null,
          outgoing: (await look.outgoing(outgoingRights.flatMap(([kind, right]) => (may(right) ? [kind] : [])))).map(
            ({ at, ...row }) => ({ ...row, atMs: at.getTime() }),
          ),
        };
      });
    },
  };
}
