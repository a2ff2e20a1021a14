import type { RemittanceFailure } from "@herdwise/contract";

/** A small amount to a public account. */
export interface RemittanceOrder {
  /** Names it: the same one again is the same remittance. */
  id: string;
  accountName: string;
  bankName: string;
  branchName: string;
  /** 12 digits. */
  bankCode: string;
  bankAccount: string;
  /** fen */
  amountFen: number;
}

/** Where a remittance is, as the bank says. */
export type RemittanceStanding =
  | { state: "unknown" }
  | { state: "sent"; reference: string }
  /** `arrivals`: how often; a bank's mistake when more than once. */
  | { state: "arrived"; reference: string; arrivals: number }
  | { state: "failed"; reference: string; failure: Exclude<RemittanceFailure, "tries"> };

/** A bank, or what stands in for one. */
export interface RemittanceProvider {
  /** Nothing is really sent. */
  readonly sandbox: boolean;
  /**
   * Hands an order over. Once, however often it is called with the same id.
   * @throws {RemittanceFault} when the bank can't be asked; whether it took the order is not known then
   */
  send(order: RemittanceOrder): Promise<RemittanceStanding>;
  /**
   * @param order as it was handed over, and when
   * @throws {RemittanceFault} when the bank can't be asked
   */
  standing(order: RemittanceOrder & { sentAt: Date }): Promise<RemittanceStanding>;
}

/** The bank could not be asked. The text names no account. */
export class RemittanceFault extends Error {
  override readonly name = "RemittanceFault";
}
