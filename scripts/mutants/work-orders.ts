import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const suite: Tests = { files: ["tests/api/work-orders.test.ts"] };
const pages: Tests = { files: ["apps/server/src/modules/work-orders/desk-pages.test.ts"] };
const module = "apps/server/src/modules/work-orders";

export const workOrderMutants: Mutant[] = [
  ...faultsIn("apps/server/src/processes/process.service.ts", suite, [
    [
      "work orders: what somebody else changed is changed again",
      "if (version !== undefined && version !==",
      "if (version === -1 && version !==",
    ],
    ["work orders: anything may happen in any state", "if (state === undefined) throw", "if (state === null) throw"],
    [
      "work orders: nothing is written to the trail",
      "await audit(parts, by, { ...row, title: hooks.title(row) }, what);",
      "",
    ],
  ]),
  ...faultsIn(`${module}/order-process.ts`, suite, [
    ["work orders: urging has no end", "if (row.urges >= mostUrges) return", "if (row.urges < 0) return"],
    ["work orders: urging has no pause", "return from && refuse", "return from?.getTime() === 0 && refuse"],
    ["work orders: an old one is opened again", "(isPastReopening(row, now()) ?", "(row.urges < 0 ?"],
    [
      "work orders: one that is taken is taken again",
      "row.assigneeId === null ? undefined : refuse",
      'row.assigneeId !== "" ? undefined : refuse',
    ],
    [
      "work orders: the time goes on while the customer is asked",
      'if (state === "waiting_customer" && row.solveDueTime !== null)',
      'if (state === "waiting_customer" && row.solveDueTime === undefined)',
    ],
    ["work orders: photos of others are left out without a word", "!== photos.length)", "< 0)"],
  ]),
  ...faultsIn(`${module}/entry.repository.ts`, suite, [
    ["work orders: customers read the desk's notes", "and (not e.internal or ${internal})", ""],
    ["work orders: photos of others are taken", "and f.account_id = ${owner.accountId}", ""],
  ]),
  ...faultsIn(`${module}/work-order.repository.ts`, suite, [
    [
      "work orders: orders of other customers are found",
      'select ${orderColumns} from ${orderTables} where w.id = ${id} and ${inScope(scope, "w")}`.execute(db);\n      return rows[0];',
      "select ${orderColumns} from ${orderTables} where w.id = ${id}`.execute(db);\n      return rows[0];",
    ],
    [
      "work orders: orders of other customers are listed",
      'const where = [inOneTenant(scope, "w"), named(keyword)];',
      "const where = [named(keyword)];",
    ],
    [
      "work orders: two may change one at once",
      'and ${inScope(scope, "w")} for update`',
      'and ${inScope(scope, "w")}`',
    ],
    ["work orders: suggestions are public unasked", "w.state = 'adopted' and w.published`", "w.state = 'adopted'`"],
    [
      "work orders: the same form makes two",
      "on conflict (created_by, request_key) do nothing returning id",
      "returning id",
    ],
  ]),
  ...faultsIn(`${module}/desk.service.ts`, suite, [
    ["work orders: one is handed to strangers", "if (person === undefined) throw", 'if (accountId === "") throw'],
    ["work orders: one is merged across customers", "into.tenantId !== row.tenantId || ", ""],
  ]),
  ...faultsIn(`${module}/desk.repository.ts`, suite, [
    ["work orders: people are told again and again", "${due.where} and not ${sql.ref(`w.${mark}`)}", "${due.where}"],
  ]),
  ...faultsIn("apps/server/src/database/migrations/0190_desk_pages.sql", pages, [
    [
      "desk pages: an order is found by a name that is gone",
      "where tenant_id = new.tenant_id for share",
      "where tenant_id = new.tenant_id",
    ],
    ["desk pages: what is gone is counted", "set count = held.count - gone.count", "set count = held.count"],
  ]),
  ...faultsIn("apps/server/src/database/pages.ts", pages, [
    ["desk pages: the last page is as long as any", "Math.min(limit, left), backwards: true", "limit, backwards: true"],
    ["desk pages: a deep page is counted from the wrong end", "descending !== backwards", "descending"],
  ]),
  ...faultsIn(`${module}/desk.repository.ts`, pages, [
    [
      "desk pages: a span is read from its beginning",
      "offset: offset - place.before",
      "offset: offset - place.before + (place.before > 0 ? 1 : 0)",
    ],
  ]),
];
