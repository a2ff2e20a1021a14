import { type Refusal, refuse } from "../../http/errors.ts";
import type { Reason } from "../../http/reasons.ts";
import type { SessionCheck } from "../../http/session-streams.ts";
import type { DatabaseHandle, ResourceContext } from "../../resources/index.ts";
import { accountOf, type SystemScope, systemScope, type TenantScope } from "../../tenant-scope.ts";

/** What the processes of trade work with. */
export interface TradeContext extends ResourceContext {
  /** Accounts of the group that hold a right; they are told what waits for them. @param db the transaction that asks */
  readonly deskOf: (right: string, db: DatabaseHandle) => Promise<readonly string[]>;
  readonly sessionCheck: Pick<SessionCheck, "watch">;
  /** Whether a customer passed the real-name authentication. @param db the transaction that asks */
  readonly isAuthenticated: (scope: TenantScope, db: DatabaseHandle) => Promise<boolean>;
}

/** Plans, payments and weighings are looked up for whoever may take a step of an order. */
export const tradeSystem: SystemScope = systemScope("a step of a sale reads what it depends on");

/** Refuses a step that needs another person than those who had the row in hand. */
export const byAnother = (
  hands: readonly (string | null)[],
  by: TenantScope | SystemScope,
  reason: Reason,
): Refusal | undefined => {
  const account = accountOf(by);
  return account !== null && hands.includes(account) ? refuse(reason) : undefined;
};

/** A path of a customer's screen, with a row open. */
export const customerLink =
  (path: string | undefined) =>
  ({ id }: { id: string }): string =>
    `${path ?? ""}?row=${id}`;
