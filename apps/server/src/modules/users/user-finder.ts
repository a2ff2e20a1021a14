import { userDetail, userPage } from "@herdwise/contract";
import type { Finder } from "../../finder.ts";
import type { UserRepository } from "./user.repository.ts";

/** Finds people, as the list of users has them. */
export const userFinder = (users: Pick<UserRepository, "page">): Finder => ({
  kind: "user",
  name: "用户",
  icon: "person",
  page: userPage,
  detail: userDetail,
  read: async (scope, membershipIds) =>
    (await users.page(scope, { membershipIds }, { offset: 0, limit: membershipIds.length, orders: [] })).rows.map(
      (row) => ({
        key: row.membershipId,
        id: row.id,
        name: row.realName || row.nickName || row.account,
        code: row.account,
        state: "",
        within: row.tenantId === scope.tenantId ? [] : [row.tenantName],
        opens: ["/system/user", "/selfCenter/members"].map((path) => `${path}?user=${row.id}@${row.tenantId}`),
      }),
    ),
});
