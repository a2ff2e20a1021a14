import { sql } from "kysely";

/**
 * Values of an account that is in no tenant any more: the row stays for references to it, its login name is free, and nothing
 * personal remains.
 */
export const emptiedAccount = {
  account: sql<string>`'removed-' || id`,
  accountKey: sql<string>`'removed-' || id`,
  realName: "",
  nickName: "",
  avatar: "",
  passwordHash: "",
  status: 0,
  birthday: null,
  sex: 3,
  emailEncrypted: "",
  phoneEncrypted: "",
  phoneIndex: null,
  phoneVerifiedAt: null,
  emailVerifiedAt: null,
  demoNote: null,
  removedAt: sql<Date>`now()`,
  updatedAt: sql<Date>`now()`,
};
