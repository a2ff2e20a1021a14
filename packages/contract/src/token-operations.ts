import type { Endpoint } from "./endpoint.ts";
import { endpoints } from "./endpoints.ts";
import type { TokenScope } from "./personal-tokens.ts";

/**
 * Operations that a scope of a personal access token opens, by their names; all others stay closed to tokens. A scope gives nothing
 * that the person may not do: the permission and the owner of each operation are asked as for a session.
 */
export const tokenOperations: Readonly<Record<TokenScope, readonly string[]>> = {
  "farms:read": [
    "farmTree",
    "farm_page",
    "farm_detail",
    "pig_house_page",
    "pig_house_detail",
    "unit_page",
    "unit_detail",
    "unitOverview",
    "structureList",
    "inventoryPage",
    "inventoryDetail",
    "inventoryHistory",
  ],
  "devices:read": ["devicePage", "deviceDetail", "deviceCounts", "deviceLatest", "kindOverview", "deviceEventPage"],
  "history:read": ["telemetryHistory", "telemetrySeries", "telemetryDownload", "deviceGlance"],
  "alarms:read": ["alarmPage", "alarmOpen", "alarmCounts", "alarmDetail", "alarmStatistics", "alarmRuleList"],
  "alarms:write": ["alarmAcknowledge", "alarmComment", "alarmClose"],
  "orders:read": [
    "sale_order_page",
    "sale_order_detail",
    "sale_order_steps",
    "orderView",
    "declaration_page",
    "declaration_detail",
    "declaration_steps",
    "transit_page",
    "transit_detail",
    "transitTrack",
    "settlement_page",
    "settlement_detail",
  ],
  "work-orders:read": [
    "afterSalesPage",
    "afterSalesDetail",
    "complaintPage",
    "complaintDetail",
    "suggestionPage",
    "suggestionDetail",
    "workOrderSummary",
  ],
  "contracts:read": ["contractPage", "contractDetail", "contractHistory", "contractVersion", "contractSummary"],
};

const callOf = ({ method, path }: Pick<Endpoint, "method" | "path">): string => `${method} ${path}`;

let scopes: ReadonlyMap<string, TokenScope> | undefined;
/** Made at the first use: the server names a few operations, the web app none. @throws for a name that no operation has */
const scopesByCall = (): ReadonlyMap<string, TokenScope> => {
  scopes ??= new Map(
    (Object.entries(tokenOperations) as [TokenScope, readonly string[]][]).flatMap(([scope, names]) =>
      names.map((name) => {
        const endpoint = endpoints[name];
        if (endpoint === undefined) throw new Error(`${scope} names the operation ${name}, which does not exist`);
        return [callOf(endpoint), scope] as const;
      }),
    ),
  );
  return scopes;
};

/** The scope that a personal access token needs for an operation; undefined where no token opens it. */
export const tokenScopeOf = (endpoint: Pick<Endpoint, "method" | "path">): TokenScope | undefined =>
  scopesByCall().get(callOf(endpoint));
