import type { FileVisibility, StoredFileKind } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { likeWord } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { type PageRange, readList } from "../../database/pages.ts";
import type { TenantScope } from "../../tenant-scope.ts";

export interface StoredFileRow {
  id: string;
  tenantId: string;
  accountId: string;
  name: string;
  originalName: string;
  extension: string;
  kind: StoredFileKind;
  attachSize: number;
  visibility: FileVisibility;
  tenantName: string;
  personName: string;
  createTime: Date;
}

export interface FileUseRow {
  key: string;
  what: string;
  path: string;
  title: string;
  count: number;
}

export interface StoredFileFilter {
  keyword?: string | undefined;
  kind?: StoredFileKind | undefined;
  used?: "yes" | "no" | undefined;
  visibility?: FileVisibility | undefined;
}

/** What may refer to a file: a query of `key`, a file's id or the beginning of its name, and `title`. */
interface Reference {
  /** Chinese, a key of the translations. */
  readonly what: string;
  /** Screen where they are seen; "" for none. */
  readonly path: string;
  readonly keys: RawBuilder<unknown>;
}

const base = "upload/[0-9]{8}/[0-9a-f-]{36}";
/** Length of what names of a file and of its small version have in common. */
const baseLength = 52;
const byId = (what: string, path: string, table: string, title: RawBuilder<unknown> = sql`''`): Reference => ({
  what,
  path,
  keys: sql`select x.attachment_id::text as key, ${title} as title from ${sql.table(table)} x where x.attachment_id is not null`,
});
const inText = (
  what: string,
  path: string,
  table: string,
  column: string,
  title: RawBuilder<unknown> = sql`''`,
): Reference => ({
  what,
  path,
  keys: sql`select (regexp_matches(x.${sql.ref(column)}::text, ${base}, 'g'))[1] as key, ${title} as title
    from ${sql.table(table)} x where x.${sql.ref(column)}::text like '%upload/%'`,
});

/** Everything that refers to a file; `tests/api/stored-files.test.ts` compares it with the columns of the database. */
const references: readonly Reference[] = [
  byId("实名认证资料", "/customer/realName", "real_name_items"),
  byId("工单照片", "/customer/workOrder", "work_order_photos"),
  byId("维护记录照片", "/selfCenter/pigFarmArchitecture/maintenance", "maintenance_photos"),
  byId("调试单照片", "/selfCenter/equipmentManage/commissioning", "commissioning_items"),
  byId("司机拍的照片", "/trade/transit", "driver_photos"),
  byId("表格导入", "", "imports", sql`x.file_name`),
  byId("个人数据导出", "", "data_exports"),
  {
    what: "任务结果",
    path: "/selfCenter/jobs",
    keys: sql`select x.result->>'attachmentId' as key, x.title from background_jobs x where x.result ? 'attachmentId'`,
  },
  inText("头像", "/system/user", "accounts", "avatar", sql`x.account`),
  inText("第三方应用图标", "/system/client", "oauth_clients", "logo", sql`x.name`),
  inText("租户背景图", "/system/tenant", "tenants", "background_url", sql`x.name`),
  inText("磅单照片", "/trade/arrivalWeighing", "arrival_weighings", "photo"),
  inText("资讯文章", "/content/article", "articles", "cover", sql`x.title`),
  inText("资讯文章", "/content/article", "articles", "body", sql`x.title`),
  inText("资讯文章", "/content/article", "articles", "body_en", sql`x.title`),
  inText("文章的旧版本", "/content/article", "article_versions", "cover"),
  inText("文章的旧版本", "/content/article", "article_versions", "body"),
  inText("文章的旧版本", "/content/article", "article_versions", "body_en"),
  inText("平台设置", "/system/setting", "parameters", "param_value", sql`x.param_name`),
];

const keysUsed = sql`(${sql.join(
  references.map(({ keys }) => sql`select key from (${keys}) r`),
  sql` union all `,
)})`;
const isUsed = sql<SqlBool>`(a.id::text in (select u.key from ${keysUsed} u) or left(a.name, ${sql.lit(baseLength)}) in (select u.key from ${keysUsed} u))`;
const kindOf = sql`case when a.extension in ('jpg', 'jpeg', 'png', 'bmp') then 'picture' when a.extension in ('mp4', 'mov') then 'video'
  when a.extension in ('xlsx', 'xls', 'xlsm', 'xlsb', 'ods', 'csv', 'tsv', 'fods') then 'sheet' else 'other' end`;
const tables = sql`attachments a join tenants t on t.tenant_id = a.tenant_id join accounts p on p.id = a.account_id`;
const columns = sql`a.id::text, a.tenant_id, a.account_id::text, a.name, a.original_name, a.extension, ${kindOf} as kind,
  a.size_bytes as attach_size, a.visibility, t.name as tenant_name, coalesce(nullif(p.real_name, ''), p.account) as person_name,
  a.created_at as create_time`;
const reached = (scope: TenantScope) =>
  scope.everyTenant
    ? sql<SqlBool>`a.state = 'kept'`
    : sql<SqlBool>`a.state = 'kept' and a.tenant_id = ${scope.tenantId}`;

/** The part of a file's name by which texts refer to it. */
export const nameKey = (name: string): string => name.slice(0, baseLength);

/** Files of everybody, for the group's staff. @param db a pool or an open transaction */
export function storedFileRepository(db: Kysely<DB>) {
  return {
    page(
      scope: TenantScope,
      { keyword, kind, used, visibility }: StoredFileFilter,
      request: PageRange,
    ): Promise<{ rows: StoredFileRow[]; total: number }> {
      const where = [reached(scope)];
      if (keyword) {
        const word = likeWord(keyword);
        where.push(
          sql<SqlBool>`(a.original_name ilike ${word} or p.account ilike ${word} or p.real_name ilike ${word})`,
        );
      }
      if (kind) where.push(sql<SqlBool>`${kindOf} = ${kind}`);
      if (visibility) where.push(sql<SqlBool>`a.visibility = ${visibility}`);
      if (used) where.push(used === "yes" ? isUsed : sql<SqlBool>`not ${isUsed}`);
      return readList<StoredFileRow>(
        db,
        { table: tables, where, order: [{ by: sql`a.id`, descending: true }], columns, key: "a.id", bounded: true },
        request,
      );
    },

    /** What refers to files. @param keys ids, and beginnings of names as `nameKey` makes them */
    async uses(scope: TenantScope, keys: readonly string[]): Promise<FileUseRow[]> {
      if (!scope.everyTenant || keys.length === 0) return [];
      const wanted = sql`${[...keys]}::text[]`;
      const all = references.map(
        ({ what, path, keys: of }) =>
          sql`select ${what}::text as what, ${path}::text as path, r.key, r.title::text as title from (${of}) r where r.key = any(${wanted})`,
      );
      const { rows } = await sql<FileUseRow>`
        select key, what, path, max(title) as title, count(*)::int as count from (${sql.join(all, sql` union all `)}) found
         group by key, what, path order by what`.execute(db);
      return rows;
    },

    async totals(scope: TenantScope) {
      const { rows } = await sql<{
        kind: StoredFileKind;
        files: number;
        bytes: string;
        unusedFiles: number;
        unusedBytes: string;
      }>`
        select kind, count(*)::int as files, sum(size_bytes)::text as bytes, count(*) filter (where not used)::int as unused_files,
               coalesce(sum(size_bytes) filter (where not used), 0)::text as unused_bytes
          from (select ${kindOf} as kind, a.size_bytes, ${isUsed} as used from attachments a where ${reached(scope)}) files
         group by kind order by sum(size_bytes) desc`.execute(db);
      return rows;
    },

    find: async (scope: TenantScope, id: string): Promise<StoredFileRow | undefined> =>
      (
        await sql<StoredFileRow>`select ${columns} from ${tables} where a.id = ${id}::bigint and ${reached(scope)}`.execute(
          db,
        )
      ).rows[0],

    /** Holds files until the transaction ends. @returns those that the scope reaches, and whether something refers to each */
    async hold(scope: TenantScope, ids: readonly string[]): Promise<(StoredFileRow & { used: boolean })[]> {
      const { rows } = await sql<StoredFileRow & { used: boolean }>`
        select ${columns}, ${isUsed} as used from ${tables} where a.id = any(${[...ids]}::bigint[]) and ${reached(scope)}
         order by a.id for update of a`.execute(db);
      return rows;
    },

    /** Takes files back into the state in which they are removed. */
    async release(scope: TenantScope, ids: readonly string[]): Promise<void> {
      await sql`update attachments a set state = 'pending' where a.id = any(${[...ids]}::bigint[]) and ${reached(scope)}`.execute(
        db,
      );
    },
  };
}
export type StoredFileRepository = ReturnType<typeof storedFileRepository>;
