import { type BodyOf, fieldsOf, type userExportRows, userSheet } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { readSomeIds } from "../../ids.ts";
import { makeSheetFile, reachedScopeOf, rowsByParts } from "../../resources/index.ts";
import { inTenant, reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { SheetValue } from "../sheets/index.ts";
import type { UserCursor } from "./user.repository.ts";
import type { UserService } from "./user.service.ts";
import { placesOf } from "./user-import.ts";
import type { UserSheetRepository } from "./user-sheet.repository.ts";

type Order = BodyOf<typeof userExportRows>;

export interface UserExportDependencies {
  users: Pick<UserService, "after">;
  sheets: Pick<UserSheetRepository, "users" | "named">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
}

const kind = "user.export";
const rowsAtOnce = 500;
const mostChosen = 500;
const placeColumns = [
  ["roleName", "roleId"],
  ["deptName", "deptId"],
  ["postName", "postId"],
] as const;
const columns = fieldsOf(userSheet).map(([key, { label }]) => ({ key, header: label, width: 18 }));

/** Exports users to a sheet that an import takes back; phones and e-mail addresses are masked, and a mask changes nothing. */
export function createUserExport({ users, sheets, jobs, files }: UserExportDependencies) {
  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, where = {}, ids },
    of,
  ) => {
    const reached = reachedScopeOf(reach);
    const scope = inTenant(reached, where.tenantId);
    const filter = ids === undefined ? where : { ids: readSomeIds(ids, "users.none", mostChosen) };
    async function* rows() {
      const parts = rowsByParts(of, 0, rowsAtOnce, (last: { cursor: UserCursor } | undefined) =>
        users.after(scope, filter, last?.cursor, rowsAtOnce),
      );
      const tenants = new Map<string, Record<(typeof placeColumns)[number][0], ReadonlyMap<string, string>>>();
      for await (const { user } of parts) {
        let names = tenants.get(user.tenantId);
        if (names === undefined) {
          const { roleName, deptName, postName } = await placesOf(sheets, inTenant(reached, user.tenantId));
          names = { roleName: new Map(roleName), deptName: new Map(deptName), postName: new Map(postName) };
          tenants.set(user.tenantId, names);
        }
        const cells: Record<string, SheetValue> = {
          tenantId: user.tenantId,
          userType: user.userTypeName,
          account: user.account,
          name: user.name,
          realName: user.realName,
          email: user.email,
          phone: user.phone,
          birthday: user.birthday.slice(0, 10),
        };
        for (const [column, ids] of placeColumns)
          cells[column] = user[ids]
            .split(",")
            .flatMap((id) => names[column].get(id) ?? [])
            .join(",");
        yield cells;
      }
    }
    return makeSheetFile(files, of, { name: "用户数据.xlsx", columns, rows: rows() });
  };

  return {
    job: { kind, retries: 1, timeoutS: 1800, run } as const,

    /** @throws {Refusal} 404 where the scope reaches none of the chosen users */
    async export(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      // Refused at once instead of by a failing job; ids of nobody whom the scope reaches begin none.
      if (order.ids !== undefined) {
        const ids = readSomeIds(order.ids, "users.none", mostChosen);
        if ((await users.after(scope, { ids }, undefined, 1)).length === 0) throw refuse("row.not_found");
      }
      return { jobId: await jobs.submit(scope, kind, "导出用户", { ...order, scope: reachOf(scope) }) };
    },
  };
}
export type UserExport = ReturnType<typeof createUserExport>;
