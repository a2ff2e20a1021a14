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
  type WorkOrderEvent,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { DeskRepository } from "./desk.repository.ts";
import type { EntryRepository } from "./entry.repository.ts";
import { addEntry, answerOf, type OrderParts, type OrderProcess, type OrderStep } from "./order-process.ts";
import { orderOf } from "./present.ts";
import { customerLink } from "./tell.ts";
import type { OrderRow, WorkOrderRepository } from "./work-order.repository.ts";
import { deskRight, detailOf, requireWords } from "./work-order.service.ts";

export interface DeskDependencies {
  process: OrderProcess;
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

/** An order as the desk saw it. */
interface Shown {
  id: string;
  version: number;
}

/** The group's desk. Its scopes reach every tenant: only the group's staff get one. */
export function createDeskService(dependencies: DeskDependencies) {
  const { process, orders, desk, inOne, calendar, onPublished, nextId } = dependencies;
  const isMine = (row: OrderRow, scope: TenantScope) => row.assigneeId === scope.accountId;

  const step = async (
    scope: TenantScope,
    { id, version }: Shown,
    event: WorkOrderEvent,
    change: OrderStep | ((row: OrderRow) => OrderStep),
  ) =>
    answerOf(
      await inOne((parts) =>
        process.act(parts, {
          by: scope,
          party: "desk",
          row: id,
          version,
          event,
          take: (row) => ({ change: typeof change === "function" ? change(row) : change }),
        }),
      ),
    );

  /** A step by which whoever takes it has in hand what nobody had. */
  const inHand = (scope: TenantScope, shown: Shown, event: WorkOrderEvent, change: OrderStep) =>
    step(scope, shown, event, (row) => ({
      ...change,
      ...(row.assigneeId === null && { assigneeId: scope.accountId }),
    }));
  const linesOf = (body = ""): string => plainText(body, { lines: true });

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
        may: await process.may({}, scope, row, "desk"),
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
    claim: (scope: TenantScope, shown: Shown) => step(scope, shown, "claim", { assigneeId: scope.accountId }),

    assign: (scope: TenantScope, { id, version, accountId, body }: BodyOf<typeof deskAssign>) =>
      inOne(async (parts) => {
        const person = (await parts.desk.people(scope, deskRight)).find((one) => one.id === accountId);
        if (person === undefined) throw refuse("work_order.nobody", { field: "accountId" });
        // The words are for the colleague; who has it now, customers see beside the order.
        const entry = { body: linesOf(body), internal: true, details: { other: person.name } };
        return answerOf(
          await process.act(parts, {
            by: scope,
            party: "desk",
            row: id,
            version,
            event: "assign",
            take: () => ({
              change: { assigneeId: accountId, entry },
              said: { to: accountId === scope.accountId ? [] : [accountId] },
            }),
          }),
        );
      }),

    answer: (scope: TenantScope, { body, photos, ask, ...shown }: BodyOf<typeof deskAnswer>) =>
      inHand(scope, shown, ask ? "ask" : "answer", { entry: { body: requireWords(body) }, photos }),

    note: (scope: TenantScope, { body, photos, ...shown }: BodyOf<typeof deskNote>) =>
      step(scope, shown, "note", { entry: { body: requireWords(body), internal: true }, photos }),

    ship(scope: TenantScope, { items, carrier, tracking = "", body, ...shown }: BodyOf<typeof deskShip>) {
      const details = { items: plainText(items), carrier: plainText(carrier), tracking: plainText(tracking) };
      return inHand(scope, shown, "ship", { entry: { body: linesOf(body), details } });
    },

    arrive: (scope: TenantScope, { body, ...shown }: BodyOf<typeof deskArrive>) =>
      inHand(scope, shown, "arrive", { entry: { body: linesOf(body) } }),

    remote: (scope: TenantScope, { minutes, body, ...shown }: BodyOf<typeof deskRemote>) =>
      inHand(scope, shown, "remote", { entry: { body: requireWords(body), details: { minutes } } }),

    redirect: (scope: TenantScope, { repairMode, body, ...shown }: BodyOf<typeof deskRedirect>) =>
      step(scope, shown, "redirect", { repairMode, entry: { body: linesOf(body), details: { other: repairMode } } }),

    complete: (scope: TenantScope, { body, ...shown }: BodyOf<typeof deskComplete>) =>
      inHand(scope, shown, "complete", { solved: true, entry: { body: requireWords(body) } }),

    async merge(scope: TenantScope, { id, version, intoNumber }: BodyOf<typeof deskMerge>) {
      const intoId = await desk.idOf(scope, intoNumber.trim().toUpperCase());
      if (intoId === undefined || intoId === id) throw refuse("work_order.no_target", { field: "intoNumber" });
      return inOne(async (parts) => {
        // Both are locked in the order of their ids, so that two merges of the same pair do not wait for each other.
        const [first, second] = [id, intoId].sort((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1));
        await parts.orders.find(scope, first as string, true);
        await parts.orders.find(scope, second as string, true);
        const into = await parts.orders.find(scope, intoId);
        return answerOf(
          await process.act(parts, {
            by: scope,
            party: "desk",
            row: id,
            version,
            event: "merge",
            async take(row) {
              if (!into || into.tenantId !== row.tenantId || into.type !== row.type || isWorkOrderOver(into.state))
                throw refuse("work_order.no_target", { field: "intoNumber" });
              await addEntry(parts, scope, into.id, {
                id: nextId(),
                what: "absorb",
                side: "desk",
                details: { other: row.number },
              });
              return {
                change: { mergedInto: into.id, entry: { details: { other: into.number } } },
                said: { link: customerLink(into) },
              };
            },
          }),
        );
      });
    },

    async decide(scope: TenantScope, { adopted, body, published, ...shown }: BodyOf<typeof deskDecide>) {
      const moved = await inHand(scope, shown, adopted ? "adopt" : "reject", {
        solved: true,
        published: adopted && published === true,
        entry: { body: requireWords(body) },
      });
      if (adopted && published) onPublished();
      return moved;
    },

    async publish(scope: TenantScope, { published, ...shown }: BodyOf<typeof deskPublish>) {
      const details = { other: published ? "shown" : "hidden" };
      const moved = await step(scope, shown, "publish", { published, entry: { internal: true, details } });
      onPublished();
      return moved;
    },
  };
}
export type DeskService = ReturnType<typeof createDeskService>;
