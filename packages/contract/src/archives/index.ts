import { calendarPeriods } from "./calendar-periods.ts";
import { invoiceTypes } from "./invoice-types.ts";
import { saleFields } from "./sale-fields.ts";
import { saleRegions } from "./sale-regions.ts";
import { serviceDepartments } from "./service-departments.ts";
import { slaughterhouses } from "./slaughterhouses.ts";

export { serviceDepartments } from "./service-departments.ts";

/** What sales and service refer to. Each is served and has its screen by standing in this list, in the order of the menu. */
export const archives = [
  saleFields,
  saleRegions,
  serviceDepartments,
  slaughterhouses,
  invoiceTypes,
  calendarPeriods,
] as const;
