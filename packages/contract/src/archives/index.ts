import { calendarPeriods } from "./calendar-periods.ts";
import { invoiceTypes } from "./invoice-types.ts";
import { saleFields } from "./sale-fields.ts";
import { saleRegions } from "./sale-regions.ts";
import { serviceDepartments } from "./service-departments.ts";
import { slaughterhouses } from "./slaughterhouses.ts";

export { serviceDepartments } from "./service-departments.ts";

/** Archives of sales and service, in the order of the menu; each one listed here is served and has a screen. */
export const archives = [
  saleFields,
  saleRegions,
  serviceDepartments,
  slaughterhouses,
  invoiceTypes,
  calendarPeriods,
] as const;
