import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/trade";
const sale: Tests = { files: ["tests/api/trade.test.ts"] };
const steps: Tests = { files: ["tests/api/trade-steps.test.ts"] };

export const tradeMutants: Mutant[] = [
  ...faultsIn(`${folder}/plans.ts`, sale, [
    ["trade: more vehicles than slots", "if (over > 0) return", "if (over > 1e9) return"],
    [
      "trade: a plan is published without a price",
      "if (lacksPrice({ mode, pricePerKg })) return",
      'if (mode === "") return',
    ],
  ]),
  ...faultsIn(`${folder}/trade.repository.ts`, sale, [
    [
      "trade: more heads are sold than planned",
      "taken + ${heads} between 0 and heads",
      "taken + ${heads} between 0 and heads * 2",
    ],
    [
      "trade: approvals of a day do not wait for each other",
      "await sql`select pg_advisory_xact_lock(hashtext(${`sale plans ${plan.field} ${plan.day}`}))`.execute(db);",
      "",
    ],
    [
      "trade: a withdrawal period ends before the loading day",
      "g.on_day + d.withdrawal_days >= ${day}",
      "g.on_day + d.withdrawal_days > ${day} + 900",
    ],
  ]),
  ...faultsIn(`${folder}/declarations.ts`, sale, [
    [
      "trade: customers without authentication order",
      "if (!(await isAuthenticated(by, parts.db))) throw",
      "if (!isAuthenticated) throw",
    ],
    ["trade: the model limits no heads", "Number(asks.heads) > most ||", "Number(asks.heads) > 1e9 ||"],
    [
      "trade: anybody takes part",
      "if (!(await mayTakePart(parts.trade, by, model.participants, day)))",
      "if (mayTakePart === undefined)",
    ],
  ]),
  ...faultsIn(`${folder}/transfers.ts`, sale, [["trade: any amount pays", "if (said !== due) {", "if (said < 0) {"]]),
  ...faultsIn(`${folder}/context.ts`, sale, [
    ["trade: people confirm what they did themselves", "hands.includes(account) ?", 'hands.includes("") ?'],
  ]),
  ...faultsIn(`${folder}/orders.ts`, sale, [
    ["trade: heads of a cancelled order stay taken", "await parts.trade.take(tradeSystem, row.plan, -row.heads);", ""],
    [
      "trade: an order is cancelled while its money is confirmed",
      "(await trade.isRecorded(tradeSystem, id)) ?",
      "id === tradeSystem.because ?",
    ],
    ["trade: an order is completed with a payment open", ".open.length > 0 ?", ".open.length > 99 ?"],
  ]),
  ...faultsIn(`${folder}/settlements.ts`, sale, [
    ["trade: settlements know no bands", "...(bands.length > 0 && { bands }),", ""],
  ]),
  ...faultsIn(`${folder}/settlements.ts`, steps, [
    ["trade: customers confirm their settlements", '(by.tenantId === row.tenantId ? undefined : "desk")', '"desk"'],
  ]),
];
