import type { RemittanceOrder, RemittanceProvider, RemittanceStanding } from "./remittance.ts";

/** How long an ordinary one takes, ms. */
export const sandboxArrivalMs = 2000;
/** How long a late one takes, ms. */
export const sandboxLateMs = 2 * 3_600_000;

/**
 * No bank: what becomes of a remittance is told by the end of the account number, and nothing is kept, so that it is the same on
 * each server and after each restart. `…9001` another name, `…9002` a private account, `…9003` no such account, `…9004` comes after
 * two hours, `…9005` comes twice, `…9006` never comes.
 */
export function sandboxRemittance(now: () => number): RemittanceProvider {
  const referenceOf = ({ id }: RemittanceOrder) => `SB${id.slice(-10)}`;
  const standing = (order: RemittanceOrder & { sentAt: Date }): RemittanceStanding => {
    const reference = referenceOf(order);
    const failures = { "9001": "name_mismatch", "9002": "not_public", "9003": "no_account" } as const;
    const ending = order.bankAccount.slice(-4);
    const takesMs = ending === "9004" ? sandboxLateMs : ending === "9006" ? Number.POSITIVE_INFINITY : sandboxArrivalMs;
    if (now() - order.sentAt.getTime() < takesMs) return { state: "sent", reference };
    if (ending in failures) return { state: "failed", reference, failure: failures[ending as keyof typeof failures] };
    return { state: "arrived", reference, arrivals: ending === "9005" ? 2 : 1 };
  };
  return {
    sandbox: true,
    send: async (order) => ({ state: "sent", reference: referenceOf(order) }),
    standing: async (order) => standing(order),
  };
}
