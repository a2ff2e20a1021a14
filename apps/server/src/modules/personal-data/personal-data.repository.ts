import { type Kysely, type RawBuilder, sql } from "kysely";
import { ofAccount } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PersonalColumn, personalColumns, pseudonym, tenantPseudonym } from "../../database/personal-columns.ts";
import { type AccountScope, requireSystemScope, type SystemScope } from "../../tenant-scope.ts";

export { renewEncrypted } from "../../database/encrypted-columns.ts";
export { personalColumns };

type Row = Record<string, unknown>;
/** Rows of one kind that an export takes at most: the newest. */
const mostRows = 20_000;

/** Rows that a step of an erasure touched, by what they are. */
export interface Touched {
  what: string;
  rows: number;
}

export interface DataExportRow {
  id: string;
  accountId: string;
  tenantId: string;
  language: "zh" | "en";
  attachmentId: string | null;
  fileKeyEncrypted: string;
  sizeBytes: string;
  createdAt: Date;
  readyAt: Date | null;
  expiresAt: Date;
  fetchedAt: Date | null;
}

/** What is held on a person, over all tables. @param db a pool or an open transaction */
export function personalDataRepository(db: Kysely<DB>) {
  const exports = sql`
    d.id, d.account_id, d.tenant_id, d.language, d.attachment_id, d.file_key_encrypted, d.size_bytes, d.created_at, d.ready_at,
    d.expires_at, d.fetched_at`;

  return {
    async account(owner: AccountScope): Promise<Row | undefined> {
      const { rows } = await sql<Row>`
        select a.account, a.type, a.real_name, a.nick_name, a.sex, to_char(a.birthday, 'YYYY-MM-DD') as birthday, a.phone_encrypted,
               a.email_encrypted, a.avatar, a.created_at
          from accounts a where a.id = ${owner.accountId}`.execute(db);
      return rows[0];
    },

    /** Rows that a column says are the person's, the newest first. */
    async rowsOf(owner: AccountScope, { table, column, shown }: PersonalColumn): Promise<Row[]> {
      const columns = Object.keys(shown?.columns ?? {}).map((name) => sql`r.${sql.ref(name)} as ${sql.ref(name)}`);
      const [first] = columns;
      if (first === undefined) return [];
      const { rows } = await sql<Row>`
        select ${sql.join(columns)} from ${sql.table(table)} r
         where r.${sql.ref(column)}::text = ${owner.accountId} order by 1 desc limit ${mostRows}`.execute(db);
      return rows;
    },

    /** What the person sent to show who they are, item by item. */
    async identityItems(
      owner: AccountScope,
    ): Promise<{ applicationId: string; field: string; valueEncrypted: string }[]> {
      const { rows } = await sql<{ applicationId: string; field: string; valueEncrypted: string }>`
        select a.id as application_id, i.field, i.value_encrypted
          from real_name_items i join real_name_applications a on a.id = i.real_name_application_id
         where a.submitted_by = ${owner.accountId} and i.value_encrypted <> '' order by a.id, i.field`.execute(db);
      return rows;
    },

    /** Files that the person sent, without what the server made. */
    async files(
      owner: AccountScope,
    ): Promise<{ id: string; tenantId: string; extension: string; sizeBytes: string }[]> {
      const { rows } = await sql<{ id: string; tenantId: string; extension: string; sizeBytes: string }>`
        select f.id, f.tenant_id, f.extension, f.size_bytes from attachments f
         where ${ofAccount(owner, "f")} and f.state = 'kept' and f.expires_at is null
           and not exists (select from data_exports d where d.attachment_id = f.id)
         order by f.id limit 2000`.execute(db);
      return rows;
    },

    async insertExport(
      owner: AccountScope,
      row: { id: string; tenantId: string; language: "zh" | "en"; expiresAt: Date },
    ): Promise<void> {
      await sql`
        insert into data_exports (id, account_id, tenant_id, language, expires_at)
        values (${row.id}, ${owner.accountId}, ${row.tenantId}, ${row.language}, ${row.expiresAt})`.execute(db);
    },

    async exportsOf(owner: AccountScope): Promise<DataExportRow[]> {
      const { rows } = await sql<DataExportRow>`
        select ${exports} from data_exports d where ${ofAccount(owner, "d")} order by d.id desc limit 5`.execute(db);
      return rows;
    },

    /** Those that wait to be made. */
    async waitingExports(scope: SystemScope, id?: string): Promise<DataExportRow[]> {
      requireSystemScope(scope);
      const { rows } = await sql<DataExportRow>`
        select ${exports} from data_exports d
         where d.ready_at is null and d.created_at > now() - interval '1 hour' and ${id === undefined ? sql`true` : sql`d.id = ${id}`}
         order by d.id limit 20`.execute(db);
      return rows;
    },

    /** @returns false when another run was first */
    async readyExport(
      owner: AccountScope,
      id: string,
      file: { attachmentId: string; fileKeyEncrypted: string; sizeBytes: number },
    ): Promise<boolean> {
      const { rows } = await sql`
        update data_exports d set attachment_id = ${file.attachmentId}, file_key_encrypted = ${file.fileKeyEncrypted},
               size_bytes = ${file.sizeBytes}, ready_at = now()
         where d.id = ${id} and ${ofAccount(owner, "d")} and d.ready_at is null returning d.id`.execute(db);
      return rows.length > 0;
    },

    /** An export that can be fetched. */
    async fetchable(owner: AccountScope, id: string): Promise<DataExportRow | undefined> {
      const { rows } = await sql<DataExportRow>`
        select ${exports} from data_exports d
         where d.id = ${id} and ${ofAccount(owner, "d")} and d.ready_at is not null and d.fetched_at is null and d.expires_at > now()
           and d.attachment_id is not null and d.file_key_encrypted <> ''`.execute(db);
      return rows[0];
    },

    /** Takes it: of a hundred at once one gets it. */
    async takeExport(owner: AccountScope, id: string): Promise<boolean> {
      const { rows } = await sql`
        update data_exports d set fetched_at = now(), file_key_encrypted = ''
         where d.id = ${id} and ${ofAccount(owner, "d")} and d.fetched_at is null and d.expires_at > now() returning d.id`.execute(
        db,
      );
      return rows.length > 0;
    },

    /** Forgets the keys of files whose time is over. */
    async sweepExports(scope: SystemScope): Promise<void> {
      requireSystemScope(scope);
      await sql`update data_exports set file_key_encrypted = '' where expires_at < now() and file_key_encrypted <> ''`.execute(
        db,
      );
      await sql`delete from data_exports where created_at < now() - interval '180 days'`.execute(db);
    },

    /**
     * Takes a person out of everything: rows of their own go, what stays has no name any more. Callers hold the account's lock.
     * @param closing tenants that end with it, whose files go with them
     */
    async eraseAccount(scope: SystemScope, accountId: string): Promise<{ erased: Touched[]; anonymized: Touched[] }> {
      requireSystemScope(scope);
      const erased: Touched[] = [];
      const anonymized: Touched[] = [];
      for (const { table, column, erasure, nameColumn, shown } of personalColumns) {
        const own = sql`r.${sql.ref(column)}::text = ${accountId}`;
        const what = shown?.title ?? "其他";
        if (erasure === "remove") {
          const { numAffectedRows } = await sql`delete from ${sql.table(table)} r where ${own}`.execute(db);
          erased.push({ what, rows: Number(numAffectedRows ?? 0n) });
        } else {
          if (nameColumn !== undefined)
            await sql`update ${sql.table(table)} r set ${sql.ref(nameColumn)} = ${pseudonym} where ${own}`.execute(db);
          if (shown === undefined) continue;
          const { rows } = await sql<{ count: number }>`
            select count(*)::int as count from ${sql.table(table)} r where ${own}`.execute(db);
          anonymized.push({ what, rows: rows[0]?.count ?? 0 });
        }
      }
      // What goes on without the person needs its pictures: photos of orders and entries, and the licence of an enterprise.
      const { numAffectedRows } = await sql`
        update attachments f set state = 'pending', created_at = 'epoch', original_name = ''
         where f.account_id = ${accountId} and f.state = 'kept'
           and not exists (select from work_order_photos p where p.attachment_id = f.id)
           and not exists (select from maintenance_photos p where p.attachment_id = f.id)
           and not exists (select from commissioning_items p where p.attachment_id = f.id)
           and not exists (select from real_name_items i where i.attachment_id = f.id)`.execute(db);
      erased.push({ what: "上传的文件", rows: Number(numAffectedRows ?? 0n) });
      await sql`update attachments f set original_name = f.id || '.' || f.extension
                 where f.account_id = ${accountId} and f.state = 'kept'`.execute(db);
      await sql`
        update accounts set account = 'removed-' || id, account_key = 'removed-' || id, real_name = ${pseudonym}, nick_name = ${pseudonym},
               avatar = '', password_hash = '', status = 0, birthday = null, sex = 3, email_encrypted = '', phone_encrypted = '',
               phone_index = null, phone_verified_at = null, email_verified_at = null, demo_note = null, removed_at = now(),
               updated_at = now(), version = version + 1
         where id = ${accountId}`.execute(db);
      erased.push({ what: "账号资料", rows: 1 });
      return {
        erased: erased.filter(({ rows }) => rows > 0),
        anonymized: anonymized.filter(({ rows }) => rows > 0),
      };
    },

    /** Takes a customer's names and numbers out of everything; its devices, figures and orders stay as those of nobody. */
    async eraseTenant(scope: SystemScope, tenantId: string): Promise<{ erased: Touched[]; anonymized: Touched[] }> {
      requireSystemScope(scope);
      const touched = async (what: string, statement: ReturnType<typeof sql>): Promise<Touched> => ({
        what,
        rows: Number((await statement.execute(db)).numAffectedRows ?? 0n),
      });
      const mine = sql`in (select id from real_name_applications where tenant_id = ${tenantId})`;
      /** Numbers of people in what they wrote. */
      const numberless = (text: RawBuilder<unknown>) =>
        sql`regexp_replace(${text}, '[0-9][0-9 -]{5,}[0-9Xx]', '***', 'g')`;
      const withoutNumbers = (column: string) => numberless(sql.ref(column));
      const erased = [
        await touched("实名认证资料", sql`delete from real_name_items where real_name_application_id ${mine}`),
        await touched("实名认证草稿", sql`delete from real_name_drafts where tenant_id = ${tenantId}`),
        await touched(
          "银行卡",
          sql`update bank_cards set state = 'unbound', number_encrypted = '', number_index = null, phone_encrypted = '',
                     holder_encrypted = '', is_default = false, default_at = null, version = version + 1
               where tenant_id = ${tenantId}`,
        ),
        await touched(
          "猪场联系人",
          sql`update farms set contact_phone_encrypted = '', contact_phone_index = null, principal = '', address = ''
               where tenant_id = ${tenantId}`,
        ),
        await touched("导入", sql`delete from imports where tenant_id = ${tenantId}`),
        await touched("任务", sql`delete from background_jobs where tenant_id = ${tenantId}`),
        await touched("告警推送", sql`delete from alarm_subscriptions where tenant_id = ${tenantId}`),
        await touched("报告订阅", sql`delete from report_subscriptions where tenant_id = ${tenantId}`),
        await touched("每周的分析", sql`delete from comparison_subscriptions where tenant_id = ${tenantId}`),
        await touched("所在单位", sql`delete from memberships where tenant_id = ${tenantId}`),
        await touched(
          "上传的文件",
          sql`update attachments f set state = 'pending', created_at = 'epoch', original_name = ''
               where f.tenant_id = ${tenantId} and f.state = 'kept'
                 and not exists (select from work_order_photos p where p.attachment_id = f.id)
                 and not exists (select from maintenance_photos p where p.attachment_id = f.id)
                 and not exists (select from commissioning_items p where p.attachment_id = f.id)`,
        ),
      ];
      const anonymized = [
        await touched(
          "实名认证",
          sql`update real_name_applications
                 set title = ${tenantPseudonym}, subject_index = sha256(('gone ' || id)::bytea), version = version + 1, licence_until = null,
                     state = case when state in ('passed', 'suspended') then 'replaced'
                                  when state in ('remitting', 'waiting', 'second_look', 'rejected') then 'withdrawn' else state end
               where tenant_id = ${tenantId}`,
        ),
        await touched(
          "工单",
          sql`update work_orders set title = ${withoutNumbers("title")}, description = ${withoutNumbers("description")}
               where tenant_id = ${tenantId}`,
        ),
        await touched(
          "工单往来",
          sql`update work_order_entries set body = ${withoutNumbers("body")}
               where work_order_id in (select id from work_orders where tenant_id = ${tenantId})`,
        ),
        await touched(
          "办理记录",
          sql`update process_entries set words = (
                select jsonb_object_agg(w.key, case when jsonb_typeof(w.value) = 'string'
                                                    then to_jsonb(${numberless(sql`w.value #>> '{}'`)}) else w.value end)
                  from jsonb_each(words) w)
               where tenant_id = ${tenantId} and words <> '{}'`,
        ),
        await touched(
          "设备维护",
          sql`update maintenance_entries set person = '' where tenant_id = ${tenantId} and person <> ''`,
        ),
        await touched(
          "客户",
          sql`update tenants set name = ${tenantPseudonym}, status = 0, showcase = false, updated_at = now()
               where tenant_id = ${tenantId}`,
        ),
      ];
      return {
        erased: erased.filter(({ rows }) => rows > 0),
        anonymized: anonymized.filter(({ rows }) => rows > 0),
      };
    },
  };
}
export type PersonalDataRepository = ReturnType<typeof personalDataRepository>;
