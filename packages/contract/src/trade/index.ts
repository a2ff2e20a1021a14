export { declarationProcess, declarations } from "./declarations.ts";
export * from "./order-view.ts";
export { orderProcess, orders } from "./orders.ts";
export { paymentProcess, payments } from "./payments.ts";
export { offers, planProcess, plans } from "./plans.ts";
export { settlementProcess, settlements } from "./settlements.ts";
export * from "./shared.ts";
export { weighingProcess, weighings } from "./weighings.ts";
