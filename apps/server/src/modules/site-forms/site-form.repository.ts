import type { ServiceKind, SiteFormKind, SiteFormState } from "@herdwise/contract";
import { type Kysely, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";

export interface ServiceRow {
  id: string;
  kind: ServiceKind;
  name: string;
  nameEn: string;
  serviceScope: string;
  serviceScopeEn: string;
  duration: string;
  durationEn: string;
  prepare: string;
  prepareEn: string;
  price: number | null;
  priceUnit: string;
  priceUnitEn: string;
  example: boolean;
}

export interface FormRow {
  id: string;
  number: string;
  kind: SiteFormKind;
  state: SiteFormState;
  contactName: string;
  contactPhoneEncrypted: string;
  contactEmailEncrypted: string;
  assigneeName: string;
}

/** Services that the site shows, and forms that its visitors sent. @param db a pool or an open transaction */
export function siteFormRepository(db: Kysely<DB>) {
  return {
    /** @param word a part of any of its texts; "" for all */
    async services(word: string): Promise<ServiceRow[]> {
      const like = likeWord(word);
      const { rows } = await sql<ServiceRow>`
        select id::text as id, kind, service_name as name, service_name_en as name_en, service_scope, service_scope_en, duration,
               duration_en, prepare, prepare_en, price, price_unit, price_unit_en, example
          from product_services
         where shown and (${word} = '' or concat_ws(' ', service_name, service_name_en, service_scope, service_scope_en, prepare, prepare_en) ilike ${like})
         order by sort nulls last, id limit 100`.execute(db);
      return rows;
    },

    async hasService(id: string): Promise<boolean> {
      const { rows } = await sql`select from product_services where id = ${id} and shown`.execute(db);
      return rows.length > 0;
    },

    /** @param columns by their names in the database @returns false where the number is taken */
    async insert(columns: Readonly<Record<string, unknown>>): Promise<boolean> {
      const names = Object.keys(columns);
      const { numAffectedRows } = await sql`
        insert into site_forms (${sql.join(names.map((name) => sql.ref(name)))})
        values (${sql.join(Object.values(columns).map((value) => sql.val(value)))})
        on conflict (form_number) do nothing`.execute(db);
      return (numAffectedRows ?? 0n) > 0n;
    },

    /** @param lock held until the transaction ends */
    async find(id: string, lock = false): Promise<FormRow | undefined> {
      if (lock) await sql`select from site_forms where id = ${id} for update`.execute(db);
      const { rows } = await sql<FormRow>`
        select id::text as id, form_number as number, kind, state, contact_name, contact_phone_encrypted, contact_email_encrypted, assignee_name
          from site_form_list where id = ${id}`.execute(db);
      return rows[0];
    },

    /** @returns name of the person that has it now */
    async take(id: string, accountId: string): Promise<string> {
      await sql`
        update site_forms set assignee_id = ${accountId}, state = case when state = 'new' then 'working' else state end,
               version = version + 1, updated_by = ${accountId}, updated_at = now()
         where id = ${id}`.execute(db);
      const { rows } = await sql<{
        name: string;
      }>`select assignee_name as name from site_form_list where id = ${id}`.execute(db);
      return rows[0]?.name ?? "";
    },

    /** Takes out who sent forms that ended so long ago. @returns how many */
    async forget(days: number): Promise<number> {
      const { numAffectedRows } = await sql`
        update site_forms
           set contact_name = '***', contact_phone_encrypted = '', contact_phone_index = null, contact_email_encrypted = '',
               contact_email_index = null, organization = '', content = '', version = version + 1
         where state in ('done', 'refused') and updated_at < now() - make_interval(days => ${days}::int)
           and contact_phone_index is not null`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },
  };
}
export type SiteFormRepository = ReturnType<typeof siteFormRepository>;
