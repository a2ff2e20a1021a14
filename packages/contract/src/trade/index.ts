export { declarationProcess, declarations } from "./declarations.ts";
export { orderProcess, orders } from "./orders.ts";
export { paymentProcess, payments } from "./payments.ts";
export * from "./plan-board.ts";
export * from "./plan-conflicts.ts";
export { offers, planProcess, plans } from "./plans.ts";
export { settlementProcess, settlements } from "./settlements.ts";
export * from "./shared.ts";
export { weighingProcess, weighings } from "./weighings.ts";
