import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const folder = "apps/server/src/modules/prices";
const api: Tests = { files: ["tests/api/prices.test.ts"] };

export const priceMutants: Mutant[] = [
  ...faultsIn(`${folder}/price-desk.service.ts`, api, [
    [
      "prices: whoever entered or proposed a price confirms it",
      "if (row.enteredBy === scope.accountId) throw",
      'if (row.enteredBy === "") throw',
    ],
    [
      "prices: an outlier is confirmed without the price that was looked at",
      'if (entry?.state !== "waiting" || entry.fen !== fen) throw heldBy(entry);\n          requireOther',
      'if (entry?.state !== "waiting") throw heldBy(entry);\n          requireOther',
    ],
    [
      "prices: a publication does not look again at what was entered ahead",
      'entry.state === "ready" && !confirmed',
      'entry.state === "waiting" && !confirmed',
    ],
    [
      "prices: a correction is made from an older sight",
      "if (entry.fen !== (oldFen ?? null)) throw heldBy(entry);",
      "",
    ],
  ]),
  ...faultsIn(`${folder}/price.repository.ts`, api, [
    [
      "prices: a day is published before its time",
      "where d.publish_at <= ${at}\n           and exists",
      "where ${at}::timestamptz is not null\n           and exists",
    ],
  ]),
  ...faultsIn(`${folder}/price-alert.repository.ts`, api, [
    ["prices: an alert is told at each publication", "where h.id = a.id and h.armed = h.beyond", "where h.id = a.id"],
    [
      "prices: an alert of somebody else is removed",
      'delete from price_alerts a where ${ofAccount(owner, "a")} and a.id',
      'delete from price_alerts a where (${ofAccount(owner, "a")} or true) and a.id',
    ],
  ]),
  ...faultsIn(`${folder}/price-figures.ts`, api, [
    [
      "prices: who is late moves the change of a mean",
      "return later === undefined || earlier === undefined ? [] : [later - earlier];",
      "return [(later ?? 0) - (earlier ?? 0)];",
    ],
  ]),
  ...faultsIn("apps/server/src/modules/sheets/csv-writer.ts", api, [
    ["prices: a reason is a formula in the CSV", "guarded(value.toWellFormed())", "value.toWellFormed()"],
  ]),
];
