import type { TenantType } from "@herdwise/contract";

/** Who is calling, read anew from the database on each request, so that a permission taken away is gone at once. */
export interface Session {
  id: string;
  accountId: string;
  account: string;
  tenantId: string;
  tenantType: TenantType;
  membershipId: string;
  roleAliases: readonly string[];
  /** Button codes that the roles grant. */
  permissions: ReadonlySet<string>;
  /** An administrator reset the password: until it was changed the session may do nothing else. */
  mustChangePassword: boolean;
}

/** Finds the session of an access token. `undefined`: unknown, expired, or ended. */
export type Authenticate = (accessToken: string) => Promise<Session | undefined>;
