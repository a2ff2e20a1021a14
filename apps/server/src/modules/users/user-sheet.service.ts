import { parse } from "node:path";
import type { ReplyOf, UserChange, userImport } from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import type { SentFile } from "../../http/sent-file.ts";
import { headingsOf, sentRows, sheetAnswer } from "../../sheet-answers.ts";
import { inTenant, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { FileService } from "../files/index.ts";
import type { UserFilter, UserRepository } from "./user.repository.ts";
import type { UserService } from "./user.service.ts";

type Received = Parameters<FileService["withReceived"]>[0];

export interface UserSheetDependencies {
  users: Pick<UserService, "all">;
  files: Pick<FileService, "withDraft" | "withReceived">;
  accountKey(account: string): string;
  inTransaction<T>(
    work: (to: {
      users: Pick<UserService, "submit">;
      repository: Pick<UserRepository, "idsByName" | "memberNamed">;
      audit: Pick<AuditRepository, "append">;
    }) => Promise<T>,
  ): Promise<T>;
  nextId: () => string;
}

/** Columns of the family, in their order (wire.md 3.1). */
const columns = [
  { key: "tenantId", header: "租户编号", width: 12 },
  { key: "userTypeName", header: "用户平台名称", width: 12 },
  { key: "account", header: "账户", width: 18 },
  { key: "name", header: "昵称", width: 14 },
  { key: "realName", header: "姓名", width: 14 },
  { key: "email", header: "邮箱", width: 22 },
  { key: "phone", header: "手机", width: 16 },
  { key: "roleName", header: "角色名称", width: 18 },
  { key: "deptName", header: "部门名称", width: 18 },
  { key: "postName", header: "岗位名称", width: 18 },
  { key: "birthday", header: "生日", width: 14 },
] as const;
const title = "用户数据表";
/** People of one import: each needs a hash of a password, which takes time on purpose. */
const mostImported = 1000;
const mostExported = 10_000;
const userTypes: Readonly<Record<string, number>> = { WEB: 1, APP: 2, OTHER: 3 };
const splits = /[,，、]/;

/** Users as sheets, with the columns of the family. */
export function createUserSheetService({ users, files, accountKey, inTransaction, nextId }: UserSheetDependencies) {
  const named = (words: string | undefined, ids: ReadonlyMap<string, string>, what: string): string | undefined => {
    if (words === undefined) return undefined;
    return words
      .split(splits)
      .map((word) => word.trim())
      .filter((word) => word !== "")
      .map((name) => {
        const id = ids.get(name);
        if (id === undefined) throw refuse("users.sheet_name", { values: { name, what } });
        return id;
      })
      .join(",");
  };

  return {
    /** Phones and e-mail addresses are masked. @throws {Refusal} 400 for more than one sheet holds */
    async export(scope: TenantScope, query: UserFilter & { tenantId?: string | undefined }): Promise<SentFile> {
      const { account, realName, ...others } = query;
      const found = await users.all(scope, { ...others, accountPart: account, realNamePart: realName }, mostExported);
      if (found.total > mostExported) throw refuse("users.export_limit", { values: { max: mostExported } });
      const rows = found.users.map((user) => ({
        ...Object.fromEntries(columns.map(({ key }) => [key, String(user[key])])),
        birthday: user.birthday.slice(0, 10),
      }));
      return sheetAnswer(files, { name: "用户数据", title, columns, rows });
    },

    template: (): Promise<SentFile> => sheetAnswer(files, { name: "用户数据模板", title, columns, rows: [] }),

    /**
     * Adds the users of a sheet, all or none.
     * @param covers whether a member of that name is changed; its phone and e-mail stay, which need a proof
     * @throws {Refusal} 400 naming the row that is wrong
     */
    async import(scope: TenantScope, file: Received, covers: boolean): Promise<ReplyOf<typeof userImport>> {
      if (parse(file.name).ext === "") throw refuse("upload.sheet_wanted");
      const rows = await sentRows(files, file, { headings: headingsOf(columns, "account"), maxRows: mostImported });
      return inTransaction(async ({ users: to, repository, audit }) => {
        const result = { added: 0, changed: 0, passwords: [] as { account: string; password: string }[] };
        const ofTenants = new Map<string, readonly ReadonlyMap<string, string>[]>();
        for (const { rowNumber, cells } of rows) {
          try {
            const within = inTenant(scope, cells.tenantId);
            let ids = ofTenants.get(within.tenantId);
            if (ids === undefined) {
              ids = [
                await repository.idsByName(within, "roles"),
                await repository.idsByName(within, "departments"),
                await repository.idsByName(within, "posts"),
              ];
              ofTenants.set(within.tenantId, ids);
            }
            const [roles = new Map(), departments = new Map(), posts = new Map()] = ids;
            const account = cells.account ?? "";
            const held = await repository.memberNamed(within, accountKey(account));
            if (held !== undefined && !covers) throw refuse("users.account_taken", { values: { name: account } });
            const [roleId, deptId, postId] = [
              named(cells.roleName, roles, "角色"),
              named(cells.deptName, departments, "部门"),
              named(cells.postName, posts, "岗位"),
            ];
            const userType = userTypes[(cells.userTypeName ?? "WEB").toUpperCase()];
            const { name, realName, birthday, email, phone } = cells;
            const change: UserChange = {
              tenantId: within.tenantId,
              ...(held !== undefined && { id: held }),
              ...(held === undefined && {
                account,
                ...(email !== undefined && { email }),
                ...(phone !== undefined && { phone }),
              }),
              ...(name !== undefined && { name }),
              ...(realName !== undefined && { realName }),
              ...(birthday !== undefined && { birthday }),
              ...(userType !== undefined && { userType }),
              ...(roleId !== undefined && { roleId }),
              ...(deptId !== undefined && { deptId }),
              ...(postId !== undefined && { postId }),
            };
            const { id, password } = await to.submit(scope, change, async () => undefined);
            if (held === undefined) result.added += 1;
            else result.changed += 1;
            if (password !== undefined) result.passwords.push({ account, password });
            await audit.append(
              within.tenantId,
              scope,
              [{ resource: "user", rowId: id, rowTitle: account, action: "import", changes: [] }],
              nextId,
            );
          } catch (error) {
            if (!(error instanceof Refusal)) throw error;
            throw refuse("users.sheet", { values: { row: rowNumber, problem: error.message } });
          }
        }
        return result;
      });
    },
  };
}
export type UserSheetService = ReturnType<typeof createUserSheetService>;
