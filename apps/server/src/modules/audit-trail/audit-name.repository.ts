import { resourceNamed } from "@herdwise/contract";
import { isOfInstallation } from "@herdwise/contract/resource";
import { type Kysely, sql } from "kysely";
import type { DB } from "../../database/generated/database.ts";
import { columnOf } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";

interface Named {
  id: string;
  name: string;
}

/** Names of what entries of the audit trail refer to by id or code. @param db a pool or an open transaction */
export function auditNameRepository(db: Kysely<DB>) {
  const menus = async (codes: readonly string[]): Promise<Named[]> => {
    const { rows } = await sql<Named>`
      select m.code as id, case when m.category = 2 and p.name is not null then p.name || ' · ' || m.name else m.name end as name
        from menus m left join menus p on p.id = m.parent_id where m.code = any(${[...codes]}::text[])`.execute(db);
    return rows;
  };
  const regions = async (codes: readonly string[]): Promise<Named[]> => {
    const { rows } = await sql<Named>`
      select code as id, name from regions where code = any(${[...codes]}::text[])`.execute(db);
    return rows;
  };
  const dictionary = async (code: string, keys: readonly string[]): Promise<Named[]> => {
    const { rows } = await sql<Named>`
      select dict_key as id, dict_value as name from dictionaries where code = ${code} and dict_key = any(${[...keys]}::text[])`.execute(
      db,
    );
    return rows;
  };
  return {
    /**
     * Names by what is named and id, as `AuditLookUps.nameOf` asks for them; rows that the scope does not reach have none.
     * @param of as there
     */
    async names(scope: TenantScope, of: string, ids: readonly string[]): Promise<Named[]> {
      if (of === "menu") return menus(ids);
      if (of === "region") return regions(ids);
      if (of.startsWith("dictionary/")) return dictionary(of.slice("dictionary/".length), ids);
      const resource = resourceNamed(of);
      const title = resource?.fields[resource.title];
      const numbers = ids.filter((id) => /^\d{1,19}$/.test(id));
      if (resource === undefined || title === undefined || numbers.length === 0) return [];
      if (title.kind === "text" && title.stored === "encrypted") return [];
      const reached =
        scope.everyTenant || isOfInstallation(resource) ? sql`true` : sql`t.tenant_id = ${scope.tenantId}`;
      const { rows } = await sql<Named>`
        select t.id::text, ${sql.ref(`t.${columnOf(resource.title, title)}`)}::text as name
          from ${sql.table(resource.view ?? resource.table)} t where t.id = any(${numbers}::bigint[]) and ${reached}`.execute(
        db,
      );
      return rows;
    },
  };
}
export type AuditNameRepository = ReturnType<typeof auditNameRepository>;
