import type { PasswordRule } from "@herdwise/contract";
import { createPace } from "../../breather.ts";
import { refuse } from "../../http/errors.ts";
import { type ImportRepository, makeSheetFile, ownScopeOf, rangesOf } from "../../resources/index.ts";
import { inTenant, reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { Passwords } from "../identity/index.ts";
import { md5, randomPassword } from "./random-password.ts";
import type { UserSheetRepository } from "./user-sheet.repository.ts";

export interface FirstPasswordDependencies {
  sheets: UserSheetRepository;
  imports: Pick<ImportRepository, "rowNumbers">;
  inTransaction<T>(
    work: (to: { sheets: UserSheetRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ): Promise<T>;
  hashRandom: Passwords["hashRandom"];
  /** What new passwords must have now. */
  passwordRule: () => PasswordRule;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  nextId: () => string;
}

const kind = "user.first-passwords";
const columns = [
  { key: "account", header: "账户", width: 22 },
  { key: "realName", header: "姓名", width: 16 },
  { key: "password", header: "首次密码", width: 20 },
];

/**
 * First passwords of the users of an import: drawn when somebody asks for their sheet, so that none is kept that can be read. Asking
 * again draws new ones for those who have not signed in since.
 */
export function createFirstPasswords({
  sheets,
  imports,
  inTransaction,
  hashRandom,
  passwordRule,
  jobs,
  files,
  nextId,
}: FirstPasswordDependencies) {
  const run: BackgroundJobDefinition<{ importId: string; scope: TenantReach }>["run"] = async (
    { importId, scope: reach },
    of,
  ) => {
    const scope = ownScopeOf(reach);
    return inTransaction(async (to) => {
      let done = 0;
      const rest = createPace();
      async function* rows() {
        for (const [first, last] of rangesOf(await imports.rowNumbers(scope, importId))) {
          of.signal.throwIfAborted();
          const part = (await to.sheets.newcomers(scope, importId, first, last)).map((user) => ({
            ...user,
            password: randomPassword(passwordRule()),
          }));
          await to.sheets.setFirstPasswords(
            scope,
            part.map(({ id, password }) => ({ id, hash: hashRandom(md5(password)) })),
          );
          done += part.length;
          await of.progress(done, 0);
          yield* part;
          await rest();
        }
      }
      const made = await makeSheetFile(files, of, { name: "首次密码.xlsx", columns, rows: rows() });
      if (done === 0) throw refuse("users.no_newcomers");
      const changes = [{ field: "password", before: "", after: "told" }];
      await to.audit.append(
        scope.tenantId,
        scope,
        [{ resource: "user", rowId: importId, rowTitle: "首次密码", action: "reset", changes }],
        nextId,
      );
      return made;
    });
  };

  return {
    job: { kind, retries: 1, timeoutS: 600, run } as const,

    /** @throws {Refusal} 400 where the import added nobody who lacks a password */
    async begin(scope: TenantScope, importId: string): Promise<{ jobId: string }> {
      const within = inTenant(scope, scope.tenantId);
      if (!(await sheets.hasNewcomers(within, importId))) throw refuse("users.no_newcomers");
      return { jobId: await jobs.submit(scope, kind, "生成首次密码", { importId, scope: reachOf(scope) }) };
    },
  };
}
export type FirstPasswords = ReturnType<typeof createFirstPasswords>;
