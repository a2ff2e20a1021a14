import {
  type BodyOf,
  type deskAnswer,
  type deskArrive,
  type deskAssign,
  type deskComplete,
  type deskDecide,
  type deskMerge,
  type deskNote,
  type deskOrderPage,
  type deskPublish,
  type deskRedirect,
  type deskRemote,
  type deskShip,
  isWorkOrderOver,
  plainText,
  type QueryOf,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import { type Act, act, type OrderParts } from "./act.ts";
import type { DeskRepository } from "./desk.repository.ts";
import type { EntryRepository } from "./entry.repository.ts";
import { mayNow, orderOf } from "./present.ts";
import { contentOf, deskLink } from "./tell.ts";
import type { OrderRow, WorkOrderRepository } from "./work-order.repository.ts";
import { deskRight, detailOf, requireWords, toCustomer } from "./work-order.service.ts";

export interface DeskDependencies {
  orders: WorkOrderRepository;
  entries: EntryRepository;
  desk: DeskRepository;
  inOne: <T>(work: (parts: OrderParts) => Promise<T>) => Promise<T>;
  calendar: ServiceCalendar;
  /** What the public page shows has changed; called after the commit. */
  onPublished: () => void;
  nextId: () => string;
  now: () => number;
}

/** Other orders that a detail shows. */
const mostRelated = 5;
/** Orders of which the figures know how long they took. */
const mostTimes = 2000;

type DeskAct = Omit<Act, "party" | "told"> & {
  version: number;
  /** What the customer is told; absent where it is none of the customer's business. */
  title?: string;
  told?: Act["told"];
};

/** The group's desk. Its scopes reach every tenant: only the group's staff get one. */
export function createDeskService(dependencies: DeskDependencies) {
  const { orders, desk, inOne, calendar, onPublished, nextId, now } = dependencies;
  const isMine = (row: OrderRow, scope: TenantScope) => row.assigneeId === scope.accountId;

  const take = (scope: TenantScope, { title, told, ...what }: DeskAct) =>
    inOne((parts) =>
      act(
        parts,
        scope,
        {
          ...what,
          party: () => "desk",
          async told(row) {
            if (title !== undefined) await parts.tell(row.createdBy, title, ...toCustomer(row));
            await told?.(row, parts);
          },
        },
        { nextId, now },
      ),
    );

  /** Who answers what nobody has in hand, has it in hand. */
  const takenBy = (scope: TenantScope) => (row: OrderRow) =>
    row.assigneeId === null ? { assigneeId: scope.accountId } : {};

  return {
    async page(scope: TenantScope, query: QueryOf<typeof deskOrderPage>) {
      const request = pageRequest(query, []);
      const { queue, type, assignee } = query;
      const { rows, total } = await desk.page(
        scope,
        { queue, type, assignee, keyword: query.keyword?.trim() },
        request,
      );
      return pageOfRows(
        rows.map((row) => ({ ...orderOf(row, isMine(row, scope)), tenantId: row.tenantId })),
        total,
        request,
      );
    },

    async detail(scope: TenantScope, id: string) {
      const row = await orders.find(scope, id);
      if (row === undefined) throw refuse("work_order.not_found");
      const related = await desk.related(scope, row, mostRelated);
      return {
        ...orderOf(row, isMine(row, scope)),
        ...(await detailOf(row, scope, dependencies, { internal: true })),
        may: mayNow(row, "desk", now()),
        tenantId: row.tenantId,
        assigneeId: row.assigneeId ?? "",
        related: related.map((one) => orderOf(one, isMine(one, scope))),
      };
    },

    async figures(scope: TenantScope) {
      const [figures, people, times] = await Promise.all([
        desk.figures(scope),
        desk.people(scope, deskRight),
        desk.times(scope, mostTimes),
      ]);
      /** Half took less, in minutes of service, as the promised times are. */
      const medianTo = async (end: "firstAnsweredAt" | "solvedAt"): Promise<number | undefined> => {
        const pairs = times.flatMap((one): [Date, Date][] => {
          const to = one[end];
          return to === null ? [] : [[one.createdAt, to]];
        });
        const minutes = (await calendar.minutesOfEach(pairs)).toSorted((x, y) => x - y);
        const middle = minutes[Math.floor(minutes.length / 2)];
        return middle === undefined ? undefined : Math.round(middle);
      };
      const given = <Value>(value: Value | null | undefined, name: string) =>
        value === null || value === undefined ? {} : { [name]: value };
      return {
        mine: figures?.mine ?? 0,
        unassigned: figures?.unassigned ?? 0,
        overdue: figures?.overdue ?? 0,
        waiting: figures?.waiting ?? 0,
        open: figures?.open ?? 0,
        ages: [figures?.age0 ?? 0, figures?.age1 ?? 0, figures?.age2 ?? 0, figures?.age3 ?? 0],
        ...given(await medianTo("firstAnsweredAt"), "firstAnswerMinutes"),
        ...given(await medianTo("solvedAt"), "solutionMinutes"),
        ...given(figures?.firstInTime, "firstInTime"),
        ...given(figures?.solvedInTime, "solvedInTime"),
        ...given(figures?.rating, "rating"),
        people: people.map(({ rating, ...person }) => ({ ...person, ...(rating !== null && { rating }) })),
      };
    },

    /** @throws {Refusal} 409 with who has it */
    claim: (scope: TenantScope, { id, version }: { id: string; version: number }) =>
      take(scope, {
        id,
        version,
        event: "claim",
        change(row) {
          if (row.assigneeId !== null) throw refuse("work_order.taken", { values: { name: row.assignee } });
          return { assigneeId: scope.accountId };
        },
        title: "有人在处理了",
      }),

    assign: (scope: TenantScope, { id, version, accountId, body }: BodyOf<typeof deskAssign>) =>
      inOne(async (parts) => {
        const person = (await parts.desk.people(scope, deskRight)).find((one) => one.id === accountId);
        if (person === undefined) throw refuse("work_order.nobody", { field: "accountId" });
        return act(
          parts,
          scope,
          {
            id,
            version,
            event: "assign",
            party: () => "desk",
            // The words are for the colleague; who has it now, customers see beside the order.
            entry: { body: plainText(body ?? "", { lines: true }), internal: true, details: { other: person.name } },
            change: () => ({ assigneeId: accountId }),
            async told(row) {
              if (accountId !== scope.accountId)
                await parts.tell(accountId, "有工单转给您", contentOf(row), deskLink(row));
            },
          },
          { nextId, now },
        );
      }),

    answer: (scope: TenantScope, { id, version, body, photos, ask }: BodyOf<typeof deskAnswer>) =>
      take(scope, {
        id,
        version,
        event: ask ? "ask" : "answer",
        entry: { body: requireWords(body) },
        photos,
        change: takenBy(scope),
        title: ask ? "客服在等您答复" : "客服答复了",
      }),

    note: (scope: TenantScope, { id, version, body, photos }: BodyOf<typeof deskNote>) =>
      take(scope, { id, version, event: "note", entry: { body: requireWords(body), internal: true }, photos }),

    ship: (scope: TenantScope, { id, version, items, carrier, tracking = "", body }: BodyOf<typeof deskShip>) =>
      take(scope, {
        id,
        version,
        event: "ship",
        entry: {
          body: plainText(body ?? "", { lines: true }),
          details: { items: plainText(items), carrier: plainText(carrier), tracking: plainText(tracking) },
        },
        change: takenBy(scope),
        title: "配件寄出了",
      }),

    arrive: (scope: TenantScope, { id, version, body }: BodyOf<typeof deskArrive>) =>
      take(scope, {
        id,
        version,
        event: "arrive",
        entry: { body: plainText(body ?? "", { lines: true }) },
        change: takenBy(scope),
        title: "工厂收到了您寄回的设备",
      }),

    remote: (scope: TenantScope, { id, version, minutes, body }: BodyOf<typeof deskRemote>) =>
      take(scope, {
        id,
        version,
        event: "remote",
        entry: { body: requireWords(body), details: { minutes } },
        change: takenBy(scope),
        title: "远程指导有记录了",
      }),

    redirect: (scope: TenantScope, { id, version, repairMode, body }: BodyOf<typeof deskRedirect>) =>
      take(scope, {
        id,
        version,
        event: "redirect",
        entry: { body: plainText(body ?? "", { lines: true }), details: { other: repairMode } },
        change: () => ({ repairMode }),
        title: "维修方式改了",
      }),

    complete: (scope: TenantScope, { id, version, body }: BodyOf<typeof deskComplete>) =>
      take(scope, {
        id,
        version,
        event: "complete",
        entry: { body: requireWords(body) },
        change: (row) => ({ solved: true, ...takenBy(scope)(row) }),
        title: "处理完成，请评价",
      }),

    async merge(scope: TenantScope, { id, version, intoNumber }: BodyOf<typeof deskMerge>) {
      const intoId = await desk.idOf(scope, intoNumber.trim().toUpperCase());
      if (intoId === undefined || intoId === id) throw refuse("work_order.no_target", { field: "intoNumber" });
      return inOne(async (parts) => {
        // Both are locked in the order of their ids, so that two merges of the same pair do not wait for each other.
        const [first, second] = [id, intoId].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
        await parts.orders.find(scope, first as string, true);
        await parts.orders.find(scope, second as string, true);
        const into = await parts.orders.find(scope, intoId);
        return act(
          parts,
          scope,
          {
            id,
            version,
            event: "merge",
            party: () => "desk",
            entry: { details: { other: into?.number ?? "" } },
            change(row) {
              if (!into || into.tenantId !== row.tenantId || into.type !== row.type || isWorkOrderOver(into.state))
                throw refuse("work_order.no_target", { field: "intoNumber" });
              return { mergedInto: into.id };
            },
            async told(row) {
              if (!into) return;
              await parts.entries.add(scope, into.id, {
                id: nextId(),
                what: "absorb",
                side: "desk",
                accountId: scope.accountId,
                details: { other: row.number },
              });
              await parts.tell(row.createdBy, "并入了另一张工单", contentOf(row), toCustomer(into)[1]);
            },
          },
          { nextId, now },
        );
      });
    },

    async decide(scope: TenantScope, { id, version, adopted, body, published }: BodyOf<typeof deskDecide>) {
      const moved = await take(scope, {
        id,
        version,
        event: adopted ? "adopt" : "reject",
        entry: { body: requireWords(body) },
        change: (row) => ({ solved: true, published: adopted && published === true, ...takenBy(scope)(row) }),
        title: adopted ? "您的建议被采纳了" : "您的建议有答复了",
      });
      if (adopted && published) onPublished();
      return moved;
    },

    async publish(scope: TenantScope, { id, version, published }: BodyOf<typeof deskPublish>) {
      const moved = await take(scope, {
        id,
        version,
        event: "publish",
        entry: { internal: true, details: { other: published ? "shown" : "hidden" } },
        change: () => ({ published }),
      });
      onPublished();
      return moved;
    },
  };
}
export type DeskService = ReturnType<typeof createDeskService>;
