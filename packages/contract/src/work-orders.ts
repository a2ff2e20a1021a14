import { type Static, type TProperties, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { DateTime, Empty, EpochMs, Id, mostFound, pageOf, pageQuery } from "./scalars.ts";
import { type WorkOrderType, workOrderEvents, workOrderStates, workOrderTypes } from "./work-order-states.ts";

export * from "./work-order-states.ts";

/** Ways of repairing a device (product.md 4). */
export const repairModes = ["remote", "return_factory"] as const;
export type RepairMode = (typeof repairModes)[number];

/** Categories of complaints and suggestions. */
export const workOrderCategories = ["product", "service", "delivery", "price", "website", "other"] as const;
export type WorkOrderCategory = (typeof workOrderCategories)[number];

/** Most pictures of one entry. */
export const mostWorkOrderPhotos = 6;
/** Months that a customer's list shows; a search covers older orders, too (product.md 5). */
export const workOrderMonths = 6;
/** Hours until an order may be urged again, and the most times that it may be urged. */
export const urgeHours = 2;
export const mostUrges = 5;
/** Days after completion in which an order may be reopened. */
export const reopenDays = 15;
/** Days after completion after which an unrated order is closed automatically. */
export const closeDays = 7;
/** Deadlines of the first answer and of the solution, in minutes of service time. */
export const workOrderMinutes: Readonly<Record<WorkOrderType, { first: number; solution: number }>> = {
  after_sales: { first: 120, solution: 480 },
  complaint: { first: 240, solution: 1350 },
  suggestion: { first: 4500, solution: 4500 },
};

const PhotoName = Type.String({
  pattern: "^upload/[0-9]{8}/[0-9a-f-]{36}\\.(jpg|png|mp4)$",
  description: "of a shared picture or film that the caller uploaded, as the upload answered it",
});
const Photos = Type.Optional(Type.Array(PhotoName, { maxItems: mostWorkOrderPhotos }));
const Words = Type.String({ minLength: 1, maxLength: 2000 });
const Title = Type.String({ minLength: 2, maxLength: 60 });
const Version = Type.Integer({ minimum: 1, maximum: 1_000_000, description: "as it was shown" });

/** An order as lists show it. */
export const WorkOrder = Type.Object({
  id: Id,
  number: Type.String({ description: "for people, for example SH-260403-014" }),
  type: Type.Enum(workOrderTypes),
  state: Type.Enum(workOrderStates),
  title: Type.String(),
  category: Type.String({ description: `of a complaint or suggestion: ${workOrderCategories.join(", ")}; else ""` }),
  repairMode: Type.String({ description: `of after-sales: ${repairModes.join(", ")}; else ""` }),
  productId: Type.String({ description: 'kind of the device; "" for none' }),
  deviceName: Type.String(),
  place: Type.String({ description: 'farm, house and unit, with " / " between them' }),
  customer: Type.String({ description: "name of the tenant" }),
  raiser: Type.String(),
  assignee: Type.String({ description: 'who of the desk has it; "" for nobody' }),
  mine: Type.Boolean({ description: "the caller has it (desk), or raised it (customer)" }),
  createTime: DateTime,
  updateTime: DateTime,
  firstDueTime: DateTime,
  firstAnswerTime: DateTime,
  /** Deadline of the solution; "" while it is paused. */
  solveDueTime: DateTime,
  solveTime: DateTime,
  overdue: Type.Boolean(),
  urges: Type.Integer({ minimum: 0 }),
  rating: Type.Integer({ minimum: 0, maximum: 5, description: "0 while it is not rated" }),
  version: Type.Integer(),
});
export type WorkOrder = Static<typeof WorkOrder>;

/** One event or message in the history of an order. */
export const WorkOrderEntry = Type.Object({
  id: Id,
  what: Type.Enum(["raise", "absorb", ...workOrderEvents] as const),
  side: Type.Enum(["customer", "desk", "clock"] as const),
  name: Type.String({ description: 'who it was; "" for the clock' }),
  body: Type.String(),
  internal: Type.Boolean({ description: "only the desk sees it" }),
  photos: Type.Array(Type.String()),
  /** Shipment: items, carrier, tracking number. */
  items: Type.String(),
  carrier: Type.String(),
  tracking: Type.String(),
  /** Name of the other person, or number of the other order, that the entry is about. */
  other: Type.String(),
  rating: Type.Integer({ minimum: 0, maximum: 5 }),
  minutes: Type.Integer({ minimum: 0, description: "length of a remote session; 0 where there was none" }),
  createTime: DateTime,
});
export type WorkOrderEntry = Static<typeof WorkOrderEntry>;

/** State of the device when the order was raised, the same for both sides and never changed. */
export const WorkOrderSnapshot = Type.Object({
  startMs: EpochMs,
  endMs: EpochMs,
  deviceId: Id,
  deviceName: Type.String(),
  serialNumber: Type.String(),
  kind: DeviceKindId,
  firmwareVersion: Type.String(),
  status: Type.String(),
  place: Type.String(),
  /** Mode of its unit; "" for a device without a unit. */
  mode: Type.String({ description: "normal, empty, washing" }),
  headCount: Type.Optional(Type.Integer()),
  /** Values over the last 24 hours in steps of at least 10 minutes, those of alarms first. */
  series: Type.Array(
    Type.Object({
      key: Type.String(),
      points: Type.Array(Type.Tuple([Type.Number({ description: "ms since 1970" }), Type.Number()])),
    }),
  ),
  alarms: Type.Array(
    Type.Object({
      ruleId: Type.String(),
      ruleName: Type.String({ description: 'of a rule of the farm\'s own; else ""' }),
      severity: Type.Enum(["WARN", "MINOR", "MAJOR", "CRITICAL"] as const),
      raisedMs: EpochMs,
      endedMs: Type.Optional(EpochMs),
    }),
  ),
});
export type WorkOrderSnapshot = Static<typeof WorkOrderSnapshot>;

/** A period of service time within the deadline of an order. */
const ServiceWindow = Type.Object({ startTime: DateTime, endTime: DateTime });

export const WorkOrderDetail = Type.Object({
  ...WorkOrder.properties,
  description: Type.String(),
  orderNumber: Type.String(),
  deviceId: Type.String(),
  /** Events that the caller may cause now. */
  may: Type.Array(Type.Enum(workOrderEvents)),
  /** Time from which it may be urged again; "" where it may be at once. */
  urgeTime: DateTime,
  /** Minutes of service time until the solution is due; negative when overdue; absent while the deadline is paused. */
  minutesLeft: Type.Optional(Type.Integer()),
  /** Minutes of service time allowed for the solution. */
  minutesOfAll: Type.Integer(),
  windows: Type.Array(ServiceWindow),
  /** Id of the order that continues this one; "" for none. */
  mergedInto: Type.String(),
  /** Whether it is shown on the public page. */
  published: Type.Boolean(),
  entries: Type.Array(WorkOrderEntry),
  snapshot: Type.Optional(WorkOrderSnapshot),
});
export type WorkOrderDetail = Static<typeof WorkOrderDetail>;

const Moved = Type.Object({ id: Id, state: Type.Enum(workOrderStates), version: Type.Integer() });

const base = "/api/muyuan-work-order";
const view = permission("work_order_view");
const submit = permission("work_order_submit");
const own = { owner: "tenant", personal: {}, form: "envelope" } as const;

/** Operations on orders of one type; customers see each type as a separate thing. */
function thing<Fields extends TProperties>(path: string, words: string, fields: Fields) {
  return {
    page: {
      ...own,
      method: "GET",
      path: `${base}/${path}/page`,
      summary: `${words} of the session's tenant, first what waits for the customer, then what is due first, then what is closed: those of the last ${workOrderMonths} months and all that are open; a keyword reaches all.`,
      access: view,
      rate: "read",
      query: Type.Object({
        ...pageQuery,
        state: Type.Optional(Type.Enum(["open", "completed", ...workOrderStates.slice(0, 3)] as const)),
        keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of number, title or device" })),
        deviceId: Type.Optional(Id),
      }),
      body: Empty,
      reply: pageOf(WorkOrder),
    },
    detail: {
      ...own,
      method: "GET",
      path: `${base}/${path}/detail`,
      summary: `One of the ${words.toLowerCase()} with its timeline, without what the desk notes for itself.`,
      access: view,
      rate: "read",
      query: Type.Object({ id: Id }),
      body: Empty,
      reply: WorkOrderDetail,
    },
    submit: {
      ...own,
      method: "POST",
      path: `${base}/${path}/submit`,
      summary: `Raises one of the ${words.toLowerCase()}; the same key again is the same order.`,
      access: submit,
      rate: "guarded",
      query: Empty,
      body: Type.Object({
        title: Title,
        description: Words,
        requestKey: Type.Optional(Type.String({ minLength: 8, maxLength: 64, pattern: "^[0-9A-Za-z-]+$" })),
        ...fields,
      }),
      reply: Type.Object({ id: Id, number: Type.String() }),
    },
  } as const;
}

const Category = Type.Enum(workOrderCategories);
const OrderNumber = Type.Optional(Type.String({ maxLength: 40 }));
const afterSales = thing("after-sales", "After-sales orders", {
  repairMode: Type.Enum(repairModes),
  productId: Type.Optional(DeviceKindId),
  /** With a device, its last 24 hours are stored with the order. */
  deviceId: Type.Optional(Id),
  orderNumber: OrderNumber,
  photos: Photos,
});
const complaint = thing("complaint", "Complaints", { category: Category, orderNumber: OrderNumber, photos: Photos });
const suggestion = thing("suggestion", "Suggestions", { category: Category, photos: Photos });

export const afterSalesPage = afterSales.page satisfies Endpoint;
export const afterSalesDetail = afterSales.detail satisfies Endpoint;
export const afterSalesSubmit = afterSales.submit satisfies Endpoint;
export const complaintPage = complaint.page satisfies Endpoint;
export const complaintDetail = complaint.detail satisfies Endpoint;
export const complaintSubmit = complaint.submit satisfies Endpoint;
export const suggestionPage = suggestion.page satisfies Endpoint;
export const suggestionDetail = suggestion.detail satisfies Endpoint;
export const suggestionSubmit = suggestion.submit satisfies Endpoint;

/** Base of an operation of a customer on an order of its own tenant. */
const step = <Fields extends TProperties>(verb: string, summary: string, fields: Fields) =>
  ({
    ...own,
    method: "POST",
    path: `${base}/order/${verb}`,
    summary,
    access: submit,
    rate: "write",
    query: Empty,
    body: Type.Object({ id: Id, ...fields }),
    reply: Moved,
  }) as const;

export const workOrderReply = step("reply", "Says something to the desk; a waiting order goes on.", {
  body: Words,
  photos: Photos,
}) satisfies Endpoint;
export const workOrderUrge = step(
  "urge",
  `Asks the desk to hurry, every ${urgeHours} hours and ${mostUrges} times at most.`,
  {},
) satisfies Endpoint;
export const workOrderReceive = step("receive", "Says that what was sent has arrived.", {}) satisfies Endpoint;
export const workOrderCancel = step("cancel", "Takes an order back.", {
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const workOrderRate = step("rate", "Rates a completed order and closes it.", {
  rating: Type.Integer({ minimum: 1, maximum: 5 }),
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const workOrderReopen = step(
  "reopen",
  `Opens a completed order again within ${reopenDays} days, with what is still wrong.`,
  { body: Words, photos: Photos },
) satisfies Endpoint;

/** Orders that wait for a customer, or for the desk. */
export const workOrderSummary = {
  ...own,
  method: "GET",
  path: `${base}/order/summary`,
  summary:
    "How many orders of the session's tenant are open, wait for an answer of the customer's, are late or wait for a rating.",
  access: view,
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Object({
    open: Type.Integer(),
    /** The newest orders that wait for the customer. */
    waiting: Type.Array(WorkOrder),
    toRate: Type.Array(WorkOrder),
    late: Type.Array(WorkOrder),
  }),
} satisfies Endpoint;

const group = { access: permission("work_order_desk"), owner: "group", personal: {}, form: "envelope" } as const;

export const workOrderQueues = ["mine", "unassigned", "overdue", "waiting", "open", "all"] as const;
export type WorkOrderQueue = (typeof workOrderQueues)[number];

/** A row of the desk's lists. */
export const DeskOrder = Type.Object({ ...WorkOrder.properties, tenantId: Type.String() });
export type DeskOrder = Static<typeof DeskOrder>;

export const deskOrderPage = {
  ...group,
  method: "GET",
  path: `${base}/desk/page`,
  summary: `The desk's queues, what is due first at the top; \`all\` has the newest first, of a keyword at most ${mostFound}.`,
  rate: "read",
  query: Type.Object({
    ...pageQuery,
    queue: Type.Enum(workOrderQueues),
    type: Type.Optional(Type.Enum(workOrderTypes)),
    assignee: Type.Optional(Id),
    keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of number, title, customer or device" })),
  }),
  body: Empty,
  reply: pageOf(DeskOrder),
} satisfies Endpoint;

export const DeskOrderDetail = Type.Object({
  ...WorkOrderDetail.properties,
  tenantId: Type.String(),
  assigneeId: Type.String(),
  /** Other orders of the same customer or device, newest first. */
  related: Type.Array(WorkOrder),
});
export type DeskOrderDetail = Static<typeof DeskOrderDetail>;

export const deskOrderDetail = {
  ...group,
  method: "GET",
  path: `${base}/desk/detail`,
  summary: "An order with its whole timeline, the desk's own notes among it.",
  rate: "read",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeskOrderDetail,
} satisfies Endpoint;

/** A member of the desk with the number of orders in hand. */
export const DeskPerson = Type.Object({
  id: Id,
  name: Type.String(),
  open: Type.Integer(),
  overdue: Type.Integer(),
  /** Number of orders completed within 30 days. */
  completed: Type.Integer(),
  rating: Type.Optional(Type.Number({ description: "mean within 30 days" })),
});
export type DeskPerson = Static<typeof DeskPerson>;

export const DeskFigures = Type.Object({
  mine: Type.Integer(),
  unassigned: Type.Integer(),
  overdue: Type.Integer(),
  waiting: Type.Integer(),
  open: Type.Integer(),
  /** Number of open orders by age: under 1 day, to 3 days, to 7 days, older. */
  ages: Type.Array(Type.Integer()),
  /** Median minutes of service time until the first answer and until the solution, within 30 days. */
  firstAnswerMinutes: Type.Optional(Type.Integer()),
  solutionMinutes: Type.Optional(Type.Integer()),
  /** Share that met the deadline within 30 days, 0 to 1. */
  firstInTime: Type.Optional(Type.Number()),
  solvedInTime: Type.Optional(Type.Number()),
  rating: Type.Optional(Type.Number()),
  people: Type.Array(DeskPerson),
});
export type DeskFigures = Static<typeof DeskFigures>;

export const deskFigures = {
  ...group,
  method: "GET",
  path: `${base}/desk/figures`,
  summary:
    "What waits for the desk, how old it is, who has how much, and how fast and well it answered within 30 days.",
  rate: "read",
  query: Empty,
  body: Empty,
  reply: DeskFigures,
} satisfies Endpoint;

/** Base of an operation of the desk on an order that it was shown. */
const act = <Fields extends TProperties>(verb: string, summary: string, fields: Fields) =>
  ({
    ...group,
    method: "POST",
    path: `${base}/desk/${verb}`,
    summary,
    rate: "write",
    query: Empty,
    body: Type.Object({ id: Id, version: Version, ...fields }),
    reply: Moved,
  }) as const;

export const deskClaim = act("claim", "Takes an order that nobody has.", {}) satisfies Endpoint;
export const deskAssign = act("assign", "Hands an order to somebody of the desk, with a note for them.", {
  accountId: Id,
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const deskAnswer = act(
  "answer",
  "Answers the customer; `ask` lets the time stand still until the customer replies.",
  {
    body: Words,
    photos: Photos,
    ask: Type.Optional(Type.Boolean()),
  },
) satisfies Endpoint;
export const deskNote = act("note", "Notes something that only the desk sees.", {
  body: Words,
  photos: Photos,
}) satisfies Endpoint;
export const deskShip = act("ship", "Writes down what was sent to the customer.", {
  items: Type.String({ minLength: 1, maxLength: 200 }),
  carrier: Type.String({ minLength: 1, maxLength: 40 }),
  tracking: Type.Optional(Type.String({ maxLength: 40 })),
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const deskArrive = act("arrive", "Writes down that a returned device has come to the factory.", {
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const deskRemote = act("remote", "Writes down a remote session and what came of it.", {
  minutes: Type.Integer({ minimum: 1, maximum: 600 }),
  body: Words,
}) satisfies Endpoint;
export const deskRedirect = act("redirect", "Changes the way of repair.", {
  repairMode: Type.Enum(repairModes),
  body: Type.Optional(Type.String({ maxLength: 500 })),
}) satisfies Endpoint;
export const deskComplete = act("complete", "Says that it is solved, and how.", { body: Words }) satisfies Endpoint;
export const deskMerge = act("merge", "Lets an order go on in another one of the same customer.", {
  intoNumber: Type.String({ minLength: 5, maxLength: 20 }),
}) satisfies Endpoint;
export const deskDecide = act("decide", "Answers a suggestion: adopted or not, and why.", {
  adopted: Type.Boolean(),
  body: Words,
  /** For an adopted suggestion: show it on the public page. */
  published: Type.Optional(Type.Boolean()),
}) satisfies Endpoint;
export const deskPublish = act("publish", "Shows an adopted suggestion on the public page, or takes it off.", {
  published: Type.Boolean(),
}) satisfies Endpoint;

/** An adopted suggestion as the public sees it, without names. */
export const PublicSuggestion = Type.Object({
  id: Id,
  category: Type.Enum(workOrderCategories),
  title: Type.String(),
  content: Type.String(),
  answer: Type.String(),
  answerTime: DateTime,
});
export type PublicSuggestion = Static<typeof PublicSuggestion>;

const everybody = { access: publicAccess, owner: "nobody", personal: {}, form: "envelope", rate: "read" } as const;
const Language = Type.Optional(Type.Enum(["zh", "en"] as const));

export const publicSuggestionPage = {
  ...everybody,
  method: "GET",
  path: `${base}/skip-secure/suggestion/page`,
  summary: "Adopted suggestions that the group shows, newest first.",
  query: Type.Object({ ...pageQuery, language: Language }),
  body: Empty,
  reply: pageOf(PublicSuggestion),
} satisfies Endpoint;

export const publicSuggestion = {
  ...everybody,
  method: "GET",
  path: `${base}/skip-secure/suggestion/detail`,
  summary: "One of the adopted suggestions that the group shows.",
  query: Type.Object({ id: Id, language: Language }),
  body: Empty,
  reply: PublicSuggestion,
} satisfies Endpoint;
