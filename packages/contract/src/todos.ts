import { type Static, Type } from "typebox";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { EpochMs } from "./scalars.ts";

/**
 * What may wait for a member of a customer: the right to do it, and the list that has all of it. Rights are written out, because
 * this file is loaded with every screen and declarations of trade are not.
 */
export const todoKinds = {
  work_order_answer: { right: "work_order_submit", list: "/workOrder/orderService" },
  work_order_late: { right: "work_order_submit", list: "/workOrder/orderService" },
  transit_papers: { right: "transit_edit", list: "/order/transit" },
  payment: { right: "payment_view", list: "/order/payment" },
  deposit: { right: "deposit_view", list: "/order/deposit" },
  counter_offer: { right: "declaration_edit", list: "/order/declaration" },
  contract: { right: "contract_sign", list: "/selfCenter/contractManage" },
  real_name: { right: "real_name_submit", list: "/selfCenter/realName" },
  licence: { right: "real_name_submit", list: "/selfCenter/realName" },
  access_request: { right: "access_request_edit", list: "/selfCenter/accessRequest" },
  maintenance: { right: "maintenance_edit", list: "/selfCenter/pigFarmArchitecture/maintenance" },
  vaccination: { right: "vaccination_plan_edit", list: "/selfCenter/vet/vaccinationPlan" },
  invoice_returned: { right: "invoice_edit", list: "/order/invoice" },
  work_order_rate: { right: "work_order_submit", list: "/workOrder/orderService" },
} as const;
export type TodoKind = keyof typeof todoKinds;
export const todoKindNames = Object.keys(todoKinds) as TodoKind[];

/**
 * Days before the end of a licence and before a maintenance is due from which they are told. A vaccination is told from its day on, as
 * its list counts it; one that no injector reported is told for so many days after it.
 */
export const todoDays = { licence: 30, maintenance: 7, papers: 2, vaccination: 0, vaccinationAfter: 7 } as const;
/** Most that one answer names; the counts are of all. */
export const mostTodos = 12;

const Todo = Type.Object({
  kind: Type.Enum(todoKindNames),
  /** Of the row that is to be opened. */
  id: Type.String(),
  /** Its number, title or name, as somebody wrote it; "" where the kind says everything. */
  title: Type.String(),
  /** Type of a work order, kind of a payment, state of an authentication; "" for others. */
  variant: Type.String(),
  sinceMs: EpochMs,
  dueMs: Type.Optional(EpochMs),
  /** Its time is over, by the database's clock. */
  late: Type.Boolean(),
});
export type Todo = Static<typeof Todo>;

export const todoList = {
  access: signedIn,
  owner: "tenant",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  path: "/api/muyuan-desk/todo/list",
  summary: "What waits for the caller in the own customer: late first, then by its day, and how many of each kind.",
  query: Type.Object({}),
  body: Type.Object({}),
  reply: Type.Object({
    todos: Type.Array(Todo),
    counts: Type.Array(
      Type.Object({
        kind: Type.Enum(todoKindNames),
        variant: Type.String(),
        count: Type.Integer({ minimum: 1 }),
        late: Type.Integer({ minimum: 0 }),
      }),
    ),
  }),
} satisfies Endpoint;
export type TodoList = Static<typeof todoList.reply>;

/** Right to the start of the group's staff. */
export const groupStartCode = "group_start_view";

export const deskCounts = {
  access: permission(groupStartCode),
  owner: "group",
  rate: "read",
  personal: {},
  form: "envelope",
  method: "GET",
  path: "/api/muyuan-desk/start/counts",
  summary:
    "How many wait at each desk of the group that the caller may open, by the screen of its list; none where nothing waits.",
  query: Type.Object({}),
  body: Type.Object({}),
  reply: Type.Array(Type.Object({ list: Type.String(), count: Type.Integer({ minimum: 1 }) })),
} satisfies Endpoint;
