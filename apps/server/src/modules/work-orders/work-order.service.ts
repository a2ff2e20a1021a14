import {
  type afterSalesPage,
  type afterSalesSubmit,
  type BodyOf,
  type complaintSubmit,
  openWorkOrderStates,
  plainText,
  type publicSuggestion,
  type publicSuggestionPage,
  type QueryOf,
  type suggestionSubmit,
  type WorkOrderEvent,
  type WorkOrderParty,
  type WorkOrderType,
  type workOrderCancel,
  type workOrderCategories,
  workOrderMinutes,
  workOrderMonths,
  type workOrderRate,
  type workOrderReopen,
  type workOrderReply,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDate } from "../../http/present.ts";
import { rowNumber } from "../../row-number.ts";
import type { SystemScope, TenantScope } from "../../tenant-scope.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { EntryRepository } from "./entry.repository.ts";
import { addEntry, answerOf, type OrderParts, type OrderProcess, type OrderStep } from "./order-process.ts";
import { entryOf, orderOf, urgeableFrom } from "./present.ts";
import type { SnapshotService } from "./snapshot.service.ts";
import { contentOf, deskLink } from "./tell.ts";
import type { OrderRow, PublishedSuggestion, WorkOrderRepository } from "./work-order.repository.ts";

/** Right of the group's desk; who holds it is told of what nobody has in hand. */
export const deskRight = "work_order_desk";

export interface WorkOrderDependencies {
  process: OrderProcess;
  orders: WorkOrderRepository;
  entries: EntryRepository;
  inOne: <T>(work: (parts: OrderParts) => Promise<T>) => Promise<T>;
  calendar: ServiceCalendar;
  snapshots: SnapshotService;
  /** The people of the desk. */
  deskPeople: () => Promise<readonly string[]>;
  /** For what everybody may read. */
  shown: SystemScope;
  nextId: () => string;
  now: () => number;
}

/** Who acts for a customer. */
export interface Customer {
  scope: TenantScope;
  /** Holds the right to all orders of the customer, as if raised by this person. */
  managing: boolean;
}

const prefixes: Readonly<Record<WorkOrderType, string>> = { after_sales: "SH", complaint: "TS", suggestion: "JY" };
/** Items of the customer's summary. */
const summarized = 5;
/** Stretches of service that a detail shows. */
const mostWindows = 24;

/** A detail as both sides see it, without what only one of them does. */
export async function detailOf(
  row: OrderRow,
  scope: TenantScope,
  { entries, calendar, now }: Pick<WorkOrderDependencies, "entries" | "calendar" | "now">,
  { internal }: { internal: boolean },
) {
  const at = new Date(now());
  const minutesOfAll = workOrderMinutes[row.type].solution;
  const until = new Date(Math.max(row.solveDueTime?.getTime() ?? 0, (row.solveTime ?? at).getTime()));
  const [timeline, snapshot, windows, minutesLeft] = await Promise.all([
    entries.list(scope, row.id, { internal }),
    entries.snapshot(scope, row.id),
    calendar.windows(row.createTime, until, mostWindows),
    row.solveDueTime === null ? undefined : calendar.minutesBetween(row.solveTime ?? at, row.solveDueTime),
  ]);
  return {
    description: row.description,
    orderNumber: row.orderNumber,
    deviceId: row.deviceId ?? "",
    urgeTime: urgeableFrom(row, now()) ?? null,
    ...(minutesLeft !== undefined && { minutesLeft: Math.round(minutesLeft) }),
    minutesOfAll,
    windows: windows.map(({ start, end }) => ({ startTime: start, endTime: end })),
    mergedInto: row.mergedInto ?? "",
    published: row.published,
    entries: timeline.map(entryOf),
    ...(snapshot && { snapshot }),
  };
}

/** The customers' side: raising orders and what becomes of them. */
export function createWorkOrderService(dependencies: WorkOrderDependencies) {
  const { process, orders, inOne, calendar, snapshots, deskPeople, shown, nextId, now } = dependencies;
  const partyOf =
    ({ scope, managing }: Customer) =>
    (row: OrderRow): WorkOrderParty =>
      managing || row.createdBy === scope.accountId ? "raiser" : "member";

  const found = async (scope: TenantScope, type: WorkOrderType, id: string): Promise<OrderRow> => {
    const row = await orders.find(scope, id);
    if (row === undefined || row.type !== type) throw refuse("work_order.not_found");
    return row;
  };

  const step = async (by: Customer, id: string, event: WorkOrderEvent, change: OrderStep = {}) =>
    answerOf(
      await inOne((parts) =>
        process.act(parts, { by: by.scope, party: partyOf(by), row: id, event, take: () => ({ change }) }),
      ),
    );

  interface Raised {
    title: string;
    description: string;
    requestKey?: string | undefined;
    category?: (typeof workOrderCategories)[number];
    repairMode?: string;
    productId?: string | undefined;
    deviceId?: string | undefined;
    orderNumber?: string | undefined;
    photos?: readonly string[] | undefined;
  }

  const raise = async (scope: TenantScope, type: WorkOrderType, body: Raised) => {
    const requestKey = body.requestKey ?? null;
    const before = requestKey && (await orders.raisedBy(scope, requestKey));
    if (before) return before;
    const title = plainText(body.title);
    const description = plainText(body.description, { lines: true });
    if (title.length < 2) throw refuse("work_order.title", { field: "title" });
    if (description === "") throw refuse("work_order.words", { field: "description" });
    // Read before the transaction: it takes a moment.
    const snapshot = body.deviceId === undefined ? undefined : await snapshots.take(scope, body.deviceId);
    const at = new Date(now());
    const minutes = workOrderMinutes[type];
    const firstDue = await calendar.afterMinutes(at, minutes.first);
    const solveDue = await calendar.afterMinutes(at, minutes.solution);
    const people = await deskPeople();
    const made = await inOne(async (parts) => {
      const day = wireDate(at);
      const number = rowNumber(prefixes[type], day, await parts.orders.nextNumber(type, day));
      const id = nextId();
      const isNew = await parts.orders.insert(scope, {
        id,
        type,
        number,
        title,
        description,
        category: body.category ?? "",
        repairMode: body.repairMode ?? "",
        productId: snapshot?.kind ?? body.productId ?? "",
        deviceId: body.deviceId ?? null,
        deviceName: snapshot?.deviceName ?? "",
        place: snapshot?.place ?? "",
        orderNumber: plainText(body.orderNumber ?? ""),
        requestKey,
        firstDue,
        solveDue,
      });
      if (!isNew) return undefined;
      const entry = { id: nextId(), what: "raise", side: "customer", body: description } as const;
      await addEntry(parts, scope, id, entry, body.photos);
      if (snapshot) await parts.entries.keepSnapshot(scope, id, snapshot);
      const words = { after_sales: "有新的售后工单", complaint: "有新的投诉", suggestion: "有新的建议" } as const;
      await parts.tell({
        to: people,
        title: words[type],
        content: contentOf({ number, title }),
        link: deskLink({ id }),
      });
      const raised = { id, tenantId: scope.tenantId, title: number };
      await process.audit(parts, scope, raised, { event: "raise", before: null, after: "pending" });
      return { id, number };
    });
    // Two of the same form at once: the other one was first.
    return made ?? (await orders.raisedBy(scope, requestKey ?? "")) ?? { id: "0", number: "" };
  };

  return {
    async page(by: Customer, type: WorkOrderType, query: QueryOf<typeof afterSalesPage>) {
      const request = pageRequest(query, []);
      const { state, keyword, deviceId } = query;
      const since = new Date(now());
      since.setUTCMonth(since.getUTCMonth() - workOrderMonths);
      const states =
        state === undefined
          ? undefined
          : state === "open"
            ? openWorkOrderStates
            : state === "completed"
              ? (["completed", "closed", "adopted", "rejected", "cancelled", "merged"] as const)
              : [state];
      const { rows, total } = await orders.page(
        by.scope,
        { type, states, keyword: keyword?.trim(), deviceId, since: keyword?.trim() ? undefined : since },
        request,
      );
      return pageOfRows(
        rows.map((row) => orderOf(row, row.createdBy === by.scope.accountId)),
        total,
        request,
      );
    },

    async detail(by: Customer & { maySubmit: boolean }, type: WorkOrderType, id: string) {
      const { scope } = by;
      const row = await found(scope, type, id);
      return {
        ...orderOf(row, row.createdBy === scope.accountId),
        ...(await detailOf(row, scope, dependencies, { internal: false })),
        may: by.maySubmit ? await process.may({}, scope, row, partyOf(by)(row)) : [],
      };
    },

    raiseAfterSales: (scope: TenantScope, body: BodyOf<typeof afterSalesSubmit>) => raise(scope, "after_sales", body),
    raiseComplaint: (scope: TenantScope, body: BodyOf<typeof complaintSubmit>) => raise(scope, "complaint", body),
    raiseSuggestion: (scope: TenantScope, body: BodyOf<typeof suggestionSubmit>) => raise(scope, "suggestion", body),

    reply: (by: Customer, { id, body, photos }: BodyOf<typeof workOrderReply>) =>
      step(by, id, "reply", { entry: { body: requireWords(body) }, photos }),

    urge: (by: Customer, id: string) => step(by, id, "urge", { urged: true }),

    receive: (by: Customer, id: string) => step(by, id, "receive"),

    cancel: (by: Customer, { id, body }: BodyOf<typeof workOrderCancel>) =>
      step(by, id, "cancel", { entry: { body: plainText(body ?? "", { lines: true }) } }),

    rate: (by: Customer, { id, rating, body }: BodyOf<typeof workOrderRate>) =>
      step(by, id, "rate", { rating, entry: { body: plainText(body ?? "", { lines: true }), details: { rating } } }),

    reopen: (by: Customer, { id, body, photos }: BodyOf<typeof workOrderReopen>) =>
      step(by, id, "reopen", { reopened: true, entry: { body: requireWords(body) }, photos }),

    async summary(scope: TenantScope) {
      const { open, ...lists } = await orders.summary(scope, summarized);
      const views = (rows: readonly OrderRow[]) => rows.map((row) => orderOf(row, row.createdBy === scope.accountId));
      return { open, waiting: views(lists.waiting), toRate: views(lists.toRate), late: views(lists.late) };
    },

    async publicPage({ language = "zh", ...query }: QueryOf<typeof publicSuggestionPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await orders.published(shown, { language }, request);
      return pageOfRows(rows.map(publicOf), total, request);
    },

    /** Suggestions that the site shows, for the site map. */
    async publicAll(limit: number) {
      const { rows } = await orders.published(shown, { language: "zh" }, { offset: 0, limit });
      return rows.map(({ id, answerTime }) => ({ id, answerTime }));
    },

    async publicOne({ id, language = "zh" }: QueryOf<typeof publicSuggestion>) {
      const { rows } = await orders.published(shown, { id, language }, { offset: 0, limit: 1 });
      const [row] = rows;
      if (row === undefined) throw refuse("work_order.not_found");
      return publicOf(row);
    },
  };
}
export type WorkOrderService = ReturnType<typeof createWorkOrderService>;

const publicOf = (row: PublishedSuggestion) => ({
  id: row.id,
  category: row.category as (typeof workOrderCategories)[number],
  title: row.title,
  content: row.content,
  answer: row.answer,
  answerTime: row.answerTime,
});

/** @throws {Refusal} where nothing but spaces was said */
export function requireWords(body: string): string {
  const words = plainText(body, { lines: true });
  if (words === "") throw refuse("work_order.words", { field: "body" });
  return words;
}
