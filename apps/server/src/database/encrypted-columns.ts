import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../personal-cipher.ts";
import { requireSystemScope, type SystemScope } from "../tenant-scope.ts";
import type { DB } from "./generated/database.ts";

/** A column with texts that the personal cipher encrypts. */
export interface EncryptedColumn {
  table: string;
  column: string;
  /** Columns that identify a row. */
  key: readonly string[];
  /** Column with the keyed hash of the same value, for look-ups. */
  index?: string;
  /** What removes a value: the person's erasure, the customer's, a time limit, or the group's staff. */
  ends: "person" | "customer" | "time" | "group";
  /** Rows processed at a time; fewer for values that are whole files. */
  atOnce?: number;
}

/**
 * Every column that the personal cipher writes; a change of the key re-encrypts all of them. A test compares the list with the
 * migrations.
 */
export const encryptedColumns: readonly EncryptedColumn[] = [
  {
    table: "tenants",
    column: "contact_number_encrypted",
    key: ["tenant_id"],
    index: "contact_number_index",
    ends: "group",
  },
  { table: "accounts", column: "phone_encrypted", key: ["id"], index: "phone_index", ends: "person" },
  { table: "accounts", column: "email_encrypted", key: ["id"], ends: "person" },
  { table: "addresses", column: "address_encrypted", key: ["account_id"], ends: "person" },
  { table: "contact_changes", column: "old_encrypted", key: ["id"], index: "old_index", ends: "person" },
  { table: "contact_changes", column: "new_encrypted", key: ["id"], index: "new_index", ends: "person" },
  { table: "alarm_subscriptions", column: "address_encrypted", key: ["id"], ends: "person" },
  {
    table: "real_name_items",
    column: "value_encrypted",
    key: ["real_name_application_id", "field"],
    ends: "customer",
  },
  {
    table: "real_name_items",
    column: "document_encrypted",
    key: ["real_name_application_id", "field"],
    ends: "customer",
  },
  { table: "real_name_drafts", column: "values_encrypted", key: ["tenant_id", "account_id"], ends: "person" },
  { table: "bank_cards", column: "number_encrypted", key: ["id"], index: "number_index", ends: "customer" },
  { table: "bank_cards", column: "holder_encrypted", key: ["id"], ends: "customer" },
  { table: "bank_cards", column: "phone_encrypted", key: ["id"], ends: "customer" },
  { table: "retained_records", column: "content_encrypted", key: ["id"], ends: "time" },
  { table: "data_exports", column: "file_key_encrypted", key: ["id"], ends: "time" },
  { table: "outbox_messages", column: "message_encrypted", key: ["id"], ends: "time" },
  { table: "farms", column: "contact_phone_encrypted", key: ["id"], index: "contact_phone_index", ends: "customer" },
  { table: "sale_fields", column: "contact_phone_encrypted", key: ["id"], index: "contact_phone_index", ends: "group" },
  {
    table: "slaughterhouses",
    column: "contact_phone_encrypted",
    key: ["id"],
    index: "contact_phone_index",
    ends: "group",
  },
  { table: "transits", column: "driver_phone_encrypted", key: ["id"], index: "driver_phone_index", ends: "group" },
  { table: "invoices", column: "bank_account_encrypted", key: ["id"], index: "bank_account_index", ends: "group" },
  {
    table: "bank_lines",
    column: "counterparty_name_encrypted",
    key: ["id"],
    index: "counterparty_name_index",
    ends: "group",
  },
  {
    table: "bank_lines",
    column: "counterparty_account_encrypted",
    key: ["id"],
    index: "counterparty_account_index",
    ends: "group",
  },
  // The sender of a form of the site has no account; a job removes the sender's data a year after the form was closed.
  { table: "site_forms", column: "contact_phone_encrypted", key: ["id"], index: "contact_phone_index", ends: "time" },
  { table: "site_forms", column: "contact_email_encrypted", key: ["id"], index: "contact_email_index", ends: "time" },
  { table: "devices", column: "code_encrypted", key: ["id"], ends: "group" },
  // Signed contracts are kept for as long as law requires, even after an erasure.
  { table: "contract_versions", column: "words_encrypted", key: ["contract_id", "version"], ends: "time" },
  {
    table: "contract_documents",
    column: "sealed_encrypted",
    key: ["contract_id", "version", "kind"],
    ends: "time",
    atOnce: 20,
  },
  { table: "contract_signatures", column: "signer_encrypted", key: ["contract_id", "version", "side"], ends: "time" },
  { table: "customer_profiles", column: "contact_name_encrypted", key: ["tenant_id"], ends: "customer" },
  { table: "customer_profiles", column: "address_encrypted", key: ["tenant_id"], ends: "customer" },
  {
    table: "wechat_bindings",
    column: "open_id_encrypted",
    key: ["account_id"],
    index: "open_id_index",
    ends: "person",
  },
];

/** Columns with similar names that the personal cipher does not write, with the reason. */
export const otherwiseEncrypted: Readonly<Record<string, string>> = {
  "authorization_keys.private_key_encrypted":
    "a signing key of the installation, by the secret key; nothing of a person",
};

/** Rows processed at a time. */
const batch = 500;

/**
 * Re-encrypts values of an earlier key, with their indexes.
 * It may be stopped and started again while others write: a value is replaced only if it is still the one that was read.
 * @returns the number of values
 */
export async function renewEncrypted(db: Kysely<DB>, scope: SystemScope, cipher: PersonalCipher): Promise<number> {
  requireSystemScope(scope);
  let renewed = 0;
  for (const { table, column, key, index, atOnce = batch } of encryptedColumns) {
    for (;;) {
      const { rows } = await sql<{ keys: string[]; held: string }>`
        select array[${sql.join(key.map((name) => sql`${sql.ref(name)}::text`))}] as keys, ${sql.ref(column)} as held
          from ${sql.table(table)}
         where ${sql.ref(column)} <> '' and left(${sql.ref(column)}, ${cipher.currentPrefix.length}) <> ${cipher.currentPrefix}
         limit ${atOnce}`.execute(db);
      for (const { keys, held } of rows) {
        const value = cipher.decrypt(held);
        const row = sql.join(
          key.map((name, at) => sql`${sql.ref(name)}::text = ${keys[at]}`),
          sql` and `,
        );
        await sql`
          update ${sql.table(table)}
             set ${sql.ref(column)} = ${cipher.encrypt(value)}
                 ${index === undefined ? sql`` : sql`, ${sql.ref(index)} = ${cipher.index(value)}`}
           where ${row} and ${sql.ref(column)} = ${held}`.execute(db);
      }
      renewed += rows.length;
      if (rows.length < atOnce) break;
    }
  }
  return renewed + (await renewSubjects(db, cipher));
}

/**
 * Renews the hashes that tell whether authentications are of the same person or enterprise, which have no encrypted value of
 * their own.
 */
async function renewSubjects(db: Kysely<DB>, cipher: PersonalCipher): Promise<number> {
  let renewed = 0;
  let after = "0";
  for (;;) {
    const { rows } = await sql<{ id: string; held: string; subjectIndex: Buffer }>`
      select a.id, i.value_encrypted as held, a.subject_index
        from real_name_applications a join real_name_items i on i.real_name_application_id = a.id
         and i.field = case a.kind when 'personal' then 'idNumber' else 'creditCode' end
       where i.value_encrypted <> '' and a.id > ${after} order by a.id limit ${batch}`.execute(db);
    for (const { id, held, subjectIndex } of rows) {
      const index = cipher.index(`real name ${cipher.decrypt(held)}`);
      if (index.equals(subjectIndex)) continue;
      await sql`update real_name_applications set subject_index = ${index} where id = ${id}`.execute(db);
      renewed += 1;
    }
    after = rows.at(-1)?.id ?? after;
    if (rows.length < batch) return renewed;
  }
}
