import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const root = join(import.meta.dirname, "..");
const filesWith = (pattern: RegExp, ...places: string[]): string[] =>
  globSync(places, { cwd: root })
    .filter((path) => !path.includes(".test.") && pattern.test(readFileSync(join(root, path), "utf8")))
    .toSorted();
const named = (lists: Readonly<Record<string, string>>): string[] => Object.keys(lists).toSorted();

/** A statement that counts rows beside a page of them, or leaves out those before it. */
const pagedStatement = /\boffset \$\{|\.offset\(|count\(\*\) over/i;

/** Statements that no list is made from, with the reason. */
const otherStatements = {
  "apps/server/src/database/pages.ts": "the page statement itself",
  "apps/server/src/database/seeds/demo-maintenance.ts": "the example data",
  "apps/server/src/modules/alarms/own-rule.repository.ts": "the first devices that a rule reaches, and how many",
  "apps/server/src/modules/announcements/announcement.repository.ts": "the next people to remind, and how many",
  "apps/server/src/modules/content/article.repository.ts": "the public site and its search of texts",
  "apps/server/src/modules/customers/customer.repository.ts": "the worst alarms on the page of one customer",
  "apps/server/src/modules/group-start/start.repository.ts": "the worst customers of the first screen, and how many",
  "apps/server/src/modules/outbox/outbox.repository.ts": "where the kept part of the outbox ends",
  "apps/server/src/modules/trade/plan-board.repository.ts": "the first fields of a week's board, and how many",
};
test("every list of the server is read by the page statement", () => {
  expect(filesWith(pagedStatement, "apps/server/src/{modules,resources,database}/**/*.ts")).toEqual(
    named(otherStatements),
  );
});

test("every list of the web app is a list of the kit", () => {
  const paged = filesWith(/<Pager\b/, "apps/web/app/{account,admin,centre,shared}/**/*.tsx");
  expect(paged.filter((path) => path !== "apps/web/app/shared/resource/list.tsx")).toEqual([]);
});

/** Tables that show no list, with the reason. */
const otherTables = {
  "apps/web/app/admin/contracts/batch-screen.tsx": "a sample row of a sheet",
  "apps/web/app/admin/health/slow-statements.tsx": "what the statements of one server cost",
  "apps/web/app/admin/prices/price-grid.tsx": "grid of prices that are typed into its cells",
  "apps/web/app/admin/sale-report/report.route.tsx": "sums of a report",
  "apps/web/app/admin/visits/visits.route.tsx": "the values of a chart",
  "apps/web/app/centre/alarms/alarm-history.tsx": "the values of charts",
  "apps/web/app/centre/alarms/alarm-roster.tsx": "who is on duty, a week by days",
  "apps/web/app/centre/commissioning/record-screen.tsx": "a record as it is printed",
  "apps/web/app/centre/compare/compare.route.tsx": "units beside each other",
  "apps/web/app/centre/environment/gear-table.tsx": "what runs in a house",
  "apps/web/app/centre/farms/inventory-panel.tsx": "tab inside a page",
  "apps/web/app/centre/farms/tree-sheet.tsx": "sheet that is imported",
  "apps/web/app/centre/home/group-start.tsx": "what waits at each desk, farms by region",
  "apps/web/app/centre/kind/analysis.route.tsx": "the values of a chart",
  "apps/web/app/centre/kind/device-overview.tsx": "page of a device",
  "apps/web/app/centre/kind/device-own.tsx": "the sensors of one device",
  "apps/web/app/centre/kind/device-parameters.tsx": "tab inside a page",
  "apps/web/app/centre/kind/grid-card.tsx": "card inside a page",
  "apps/web/app/centre/kind/parameter-editor.tsx": "what a change of settings does",
  "apps/web/app/centre/kind/place-figures-list.tsx": "places of the overview",
  "apps/web/app/centre/kind/records-card.tsx": "card inside a page",
  "apps/web/app/centre/kind/register.route.tsx": "a day's values by hour",
  "apps/web/app/centre/kind/time-history.tsx": "the values of a chart",
  "apps/web/app/centre/kind/unit-list.tsx": "live values of the overview",
  "apps/web/app/centre/messages/channel-settings.tsx": "switches by kind and way",
  "apps/web/app/centre/reports/report.route.tsx": "a report",
  "apps/web/app/centre/sale-plans/board-table.tsx": "plans of a week, fields by days",
  "apps/web/app/centre/sell-days/sell-days.route.tsx": "days that were worked out",
  "apps/web/app/centre/statements/statement.route.tsx": "a customer's statement, and the sums of a month",
  "apps/web/app/centre/trace/trace.route.tsx": "contacts of one trace",
  "apps/web/app/shared/chart/heat-map.tsx": "the values of a chart",
  "apps/web/app/shared/imports/problem-sheet.tsx": "sheet that is imported",
  "apps/web/app/shared/kit/scroll-table.tsx": "the frame of a table that scrolls",
  "apps/web/app/shared/resource/conflict-dialog.tsx": "two versions of a row",
  "apps/web/app/shared/resource/resource-table.tsx": "the table of the list itself",
  "apps/web/app/shared/trade/bidding/award.tsx": "the bidders of one lot",
  "apps/web/app/shared/trade/bidding/room-tables.tsx": "bids of one lot as they come",
  "apps/web/app/shared/trade/order-detail.tsx": "the weights of an order's vehicles",
  "apps/web/app/shared/trade/setting-boards.tsx": "a setting as a week or as categories by modes",
  "apps/web/app/shared/trade/setting-screens.tsx": "what a setting would have meant for past sales",
  "apps/web/app/shared/trade/settlement-part.tsx": "the arithmetic of a settlement",
  "apps/web/app/shared/trade/vehicle-matrix.tsx": "the vehicles of an order by their conditions",
  "apps/web/app/shared/work-orders/snapshot.tsx": "values at one moment",
  "apps/web/app/site/day-curve.tsx": "public site",
  "apps/web/app/site/home-market.tsx": "public site",
  "apps/web/app/site/market-page.tsx": "public site",
  "apps/web/app/site/market-trend.tsx": "public site",
  "apps/web/app/site/service-pages.tsx": "public site",
};
test("every table is that of the list, or shows no list", () => {
  expect(filesWith(/<(table|ScrollTable)\b/, "apps/web/app/**/*.tsx")).toEqual(named(otherTables));
});
