import { date, number, text } from "../resource/index.ts";

/** What a row keeps of a transfer on the bank's statement. */
export const transferFields = {
  bankReference: text("银行流水号", { max: 40, search: true }),
  receivedOn: date("到账日", { filter: true, column: true }),
} as const;

/** What is asked of whoever found a transfer on the bank's statement. @param max largest amount in fen */
export const transferAsks = (max: number) => ({
  amountFen: number("金额", { required: true, min: 1, max, decimals: 2, unit: "元" }),
  bankReference: text("银行流水号", { required: true, max: 40 }),
  receivedOn: date("到账日", { required: true }),
});
