import type { ContractForm } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { inScope, isMemberIn, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface TemplateRow {
  id: string;
  templateName: string;
  kind: string;
  enabled: boolean;
  versionNumber: number;
  form: ContractForm | null;
  savedBy: string;
  savedTime: Date | null;
}

const columns = sql`
  t.id, t.template_name, t.kind, t.enabled, coalesce(v.number, 0) as version_number, v.form,
  ${personName("u")} as saved_by, v.saved_at as saved_time`;

/** Templates of the group and the versions of their words. @param db a pool or an open transaction */
export function templateRepository(db: Kysely<DB>) {
  return {
    /** @param version the newest without it */
    async find(
      scope: TenantScope,
      id: string,
      { version, lock = false }: { version?: number | undefined; lock?: boolean } = {},
    ): Promise<TemplateRow | undefined> {
      if (lock) await sql`select from contract_templates t where t.id = ${id} for update`.execute(db);
      const { rows } = await sql<TemplateRow>`
        select ${columns} from contract_templates t
          left join contract_template_versions v on v.template_id = t.id and v.number = ${version ?? sql`t.version_number`}
          left join accounts u on u.id = v.saved_by and ${isMemberIn(scope, "u.id")}
         where t.id = ${id}`.execute(db);
      return rows[0];
    },

    /** Those that contracts may be drafted from. */
    async draftable(scope: TenantScope): Promise<TemplateRow[]> {
      const { rows } = await sql<TemplateRow>`
        select ${columns} from contract_templates t
          join contract_template_versions v on v.template_id = t.id and v.number = t.version_number
          left join accounts u on u.id = v.saved_by and ${isMemberIn(scope, "u.id")}
         where t.enabled order by t.template_name limit 200`.execute(db);
      return rows;
    },

    async keep(id: string, number: number, form: ContractForm, accountId: string): Promise<void> {
      await sql`insert into contract_template_versions (template_id, number, form, saved_by)
                values (${id}, ${number}, ${JSON.stringify(form)}::jsonb, ${accountId})`.execute(db);
      await sql`update contract_templates set version_number = ${number}, worded_at = now(), version = version + 1,
                       updated_by = ${accountId}, updated_at = now() where id = ${id}`.execute(db);
    },

    /** How many contracts were drafted from each. */
    async used(scope: TenantScope, ids: readonly string[]): Promise<{ id: string; count: number }[]> {
      const { rows } = await sql<{ id: string; count: number }>`
        select c.template_id as id, count(*)::int as count from contracts c where c.template_id = any(${[...ids]}::bigint[]) and ${inScope(scope, "c")}
         group by c.template_id`.execute(db);
      return rows;
    },
  };
}
export type TemplateRepository = ReturnType<typeof templateRepository>;
