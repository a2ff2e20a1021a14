import { sql } from "kysely";

/** What is left of an account that is in no tenant any more: the row stays for what points at it, its name is free, nothing is personal. */
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
