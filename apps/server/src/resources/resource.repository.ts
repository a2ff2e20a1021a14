import {
  type Field,
  fieldsOf,
  isOfInstallation,
  type ResourceDeclaration,
  referenceNameOf,
  resourceNamed,
  sheetNameOf,
  snakeCase,
} from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { hasWord, inOneTenant, inRowScope, inScope, likeWord } from "../database/conditions.ts";
import type { DB } from "../database/generated/database.ts";
import { jsonRows } from "../database/json-rows.ts";
import { type List, type Order as RowOrder, readList, readRows } from "../database/pages.ts";
import { type AccountScope, requireSystemScope, type SystemScope, type TenantScope } from "../tenant-scope.ts";

/** A pool or an open transaction, for code that only passes it on to repositories. */
export type DatabaseHandle = Kysely<DB>;

/** A row as stored, with its fields under their names on the wire. */
export interface StoredRow {
  id: string;
  tenantId?: string;
  tenantName?: string;
  parentId?: string | null;
  parentName?: string | null;
  hasChildren?: boolean;
  version: number;
  createUser: string | null;
  createUserName: string | null;
  createDept: string | null;
  createTime: Date;
  updateUser: string | null;
  updateUserName: string | null;
  updateTime: Date;
  [field: string]: unknown;
}

/** One parsed condition of a list; see resource-conditions.ts. */
export type Condition =
  | { kind: "keyword"; word: string }
  | { kind: "ids"; ids: readonly string[] }
  | { kind: "parent"; parentId: string | null }
  | { kind: "contains" | "equals"; field: string; value: string }
  | { kind: "one-of"; field: string; values: readonly string[] }
  /** The values are digits. */
  | { kind: "begins-with"; field: string; values: readonly string[] }
  | { kind: "overlaps"; field: string; values: readonly string[] }
  | { kind: "at-least" | "at-most" | "above" | "below" | "is"; field: string; value: string | number | boolean }
  | { kind: "begins-with-text" | "ends-with-text"; field: string; value: string }
  /** Without a value. */
  | { kind: "empty"; field: string }
  | { kind: "not"; of: Condition }
  | { kind: "updated-from" | "updated-to" | "created-from" | "created-to"; at: string };

export interface Order {
  /** A column in snake_case, out of `sortsOf`. */
  readonly column: string;
  readonly direction: "asc" | "desc";
}

/** What an undo of an import compares of a row. */
export interface LockedHead {
  id: string;
  version: number;
  title: string;
  /** The row did something of its own since it was added, such as a person who signed in. */
  acted?: boolean;
}

/** Values to write by field name; encrypted fields are ciphertext with their index. */
export type ColumnValues = Readonly<Record<string, unknown>>;

/** Column that holds a field. */
export const columnOf = (name: string, field: Field): string =>
  field.kind === "text" && field.stored === "encrypted" ? `${snakeCase(name)}_encrypted` : snakeCase(name);

const searchedFields = ({ fields }: ResourceDeclaration): [string, Field][] =>
  Object.entries(fields).filter(([, field]) => field.kind === "text" && field.search && !field.stored);

/** The searched fields of a resource in one text, as its index of `word_grams` has them; the table's alias is `t`. */
export const searchedWords = (of: ResourceDeclaration): RawBuilder<unknown> =>
  sql`lower(${sql.join(
    searchedFields(of).map(([name, field]) => sql`coalesce(${sql.ref(`t.${columnOf(name, field)}`)}, '')`),
    sql` || E'\\n' || `,
  )})`;

/** How urgent a value is, 0 for none. Written out, so that it is the expression of an index. */
const rankOf = (
  value: RawBuilder<unknown>,
  { values, together }: NonNullable<ResourceDeclaration["urgent"]>,
): RawBuilder<unknown> =>
  sql`(case ${value} ${sql.join(
    values.map((one, at) => sql`when ${sql.lit(one)} then ${sql.lit(together ? 1 : values.length - at)}`),
    sql` `,
  )} else 0 end)`;

/** Whether a number needs more than 32 bits; it is read as a double, which holds integers up to 2^53. */
const isWide = (field: Field): boolean => field.kind === "number" && field.max > 2_147_483_647;

/** Whether a field is a unique code, which ignores case. */
export const isCode = (field: Field): boolean =>
  field.kind === "text" && (field.rule === "code" || field.rule === "login-name") && field.unique === "scope";

/** A violated constraint that a person can fix. */
export type Violation = { kind: "unique"; field: string } | { kind: "reference"; field: string | undefined };

/** Row of an idempotency key that an account used before; undefined for a new one. */
const claimedRow = async (db: Kysely<DB>, accountId: string, key: string): Promise<string | undefined> =>
  (
    await db
      .selectFrom("idempotencyKeys")
      .select("rowId")
      .where("accountId", "=", accountId)
      .where("key", "=", key)
      .executeTakeFirst()
  )?.rowId;

/**
 * Rows of one resource; everything except values comes from the declaration, never from a caller.
 * @param db a pool or an open transaction
 */
export function resourceRepository(db: Kysely<DB>, of: ResourceDeclaration) {
  // Without the plugin that renames columns, which took as long as building the statement; the statements here name their
  // columns themselves.
  const asWritten = db.withoutPlugins();
  const fields = fieldsOf(of);
  const table = sql.table(of.table);
  const source = sql.table(of.view ?? of.table);
  const column = (name: string, field: Field) => sql.ref(`t.${columnOf(name, field)}`);
  const fieldNamed = (name: string): Field => {
    const field = of.fields[name];
    if (field === undefined) throw new Error(`${of.name} has no field ${name}`);
    return field;
  };

  const ofTenants = !isOfInstallation(of);
  /** References with their columns and targets. */
  const references = fields.flatMap(([name, field]) => {
    if (field.kind !== "reference") return [];
    const target = resourceNamed(field.to);
    if (target === undefined) throw new Error(`${of.name}.${name} refers to ${field.to}, which is no resource`);
    return [{ name, column: column(name, field), target }];
  });

  /** Rows of the tenants that a scope reaches, whoever added them; for parents, and for rows that refer to this one. */
  const ofReached = (scope: TenantScope, alias: string, declared = of): RawBuilder<SqlBool> =>
    isOfInstallation(declared) ? sql<SqlBool>`true` : inScope(scope, alias);
  /** Rows of the scope's own tenant; for references from its rows, and for siblings. */
  const ofOwn = (scope: TenantScope, alias: string, declared = of): RawBuilder<SqlBool> =>
    isOfInstallation(declared) ? sql<SqlBool>`true` : inOneTenant(scope, alias);
  /** Rows that a sheet may name: of the own tenant, or, for a process, which asks itself whose they are, all that are reached. */
  const nameable = (scope: TenantScope, target: ResourceDeclaration): RawBuilder<SqlBool> =>
    of.process && !isOfInstallation(target) ? inScope(scope, "t") : ofOwn(scope, "t", target);
  const scoped = (scope: TenantScope): RawBuilder<SqlBool> =>
    of.scope === "offered" ? sql<SqlBool>`true` : sql<SqlBool>`${ofReached(scope, "t")} and ${inRowScope(scope, "t")}`;

  /**
   * Titles of referenced rows are looked up only for the rows of the page. As joins, a page could have a dozen tables, and
   * PostgreSQL would spend more time planning than reading.
   */
  const titleOf = (target: RawBuilder<unknown>, title: string, id: RawBuilder<unknown>) =>
    sql`(select n.${sql.id(snakeCase(title))} from ${target} n where n.id = ${id})`;
  /** A referenced row's title, with that of the row it lies in where titles alone repeat. */
  const nameOf = (target: ResourceDeclaration, id: RawBuilder<unknown>): RawBuilder<unknown> => {
    const within = target.titleWithin === undefined ? undefined : target.fields[target.titleWithin];
    const outer = within?.kind === "reference" ? resourceNamed(within.to) : undefined;
    if (target.titleWithin === undefined || outer === undefined)
      return titleOf(sql.table(target.table), target.title, id);
    return sql`(select concat_ws(' · ', o.${sql.id(snakeCase(outer.title))}, n.${sql.id(snakeCase(target.title))})
      from ${sql.table(target.table)} n left join ${sql.table(outer.table)} o on o.id = n.${sql.id(snakeCase(target.titleWithin))} where n.id = ${id})`;
  };
  const personOf = (id: RawBuilder<unknown>) =>
    sql`(select coalesce(nullif(n.real_name, ''), n.account) from accounts n where n.id = ${id})`;

  /** A column under its name on the wire. */
  const named = (column: RawBuilder<unknown>, name: string) => sql`${column} as ${sql.id(name)}`;
  const columns = sql.join([
    sql`t.id`,
    ...(ofTenants
      ? [
          named(sql`t.tenant_id`, "tenantId"),
          named(sql`(select n.name from tenants n where n.tenant_id = t.tenant_id)`, "tenantName"),
        ]
      : []),
    ...(of.tree
      ? [named(sql`t.parent_id`, "parentId"), named(titleOf(table, of.title, sql`t.parent_id`), "parentName")]
      : []),
    ...fields.map(([name, field]) =>
      named(isWide(field) ? sql`${column(name, field)}::float8` : column(name, field), name),
    ),
    ...references.map(({ name, target, column: held }) => named(nameOf(target, held), referenceNameOf(name))),
    ...fields.flatMap(([name, field]) =>
      field.kind === "choice" && field.dictionary
        ? [
            named(
              sql`(select n.dict_value from dictionaries n where n.code = ${field.dictionary} and n.dict_key = ${column(name, field)})`,
              `${name}Name`,
            ),
          ]
        : [],
    ),
    // The name that sheets use, where several rows may have the same title.
    ...references
      .filter(({ target }) => sheetNameOf(target) !== target.title)
      .map(({ name, target, column: held }) =>
        named(titleOf(sql.table(target.table), sheetNameOf(target), held), `${name}SheetName`),
      ),
    ...Object.keys(of.derived ?? {}).map((name) => named(sql.ref(`t.${snakeCase(name)}`), name)),
    sql`t.version`,
    named(sql`t.created_by::text`, "createUser"),
    named(sql`t.created_dept::text`, "createDept"),
    named(sql`t.created_at`, "createTime"),
    named(sql`t.updated_by::text`, "updateUser"),
    named(sql`t.updated_at`, "updateTime"),
    named(personOf(sql`t.created_by`), "createUserName"),
    named(personOf(sql`t.updated_by`), "updateUserName"),
  ]);
  const searched = searchedFields(of);
  const words = searchedWords(of);
  const letters = of.process?.number;
  const isWholeNumber = (word: string): boolean =>
    letters !== undefined && new RegExp(`^${letters}-\\d{6}-\\d{3,}$`, "i").test(word);

  const condition = (one: Condition): RawBuilder<SqlBool> => {
    switch (one.kind) {
      case "keyword": {
        // A whole number is found by its index, also among millions of rows.
        if (isWholeNumber(one.word)) return sql<SqlBool>`t.number = ${one.word.toUpperCase()}`;
        if (of.wordIndex) return hasWord(words, one.word, "word_grams");
        const word = likeWord(one.word);
        const tries = searched.map(([name, field]) => sql`${column(name, field)} ilike ${word}`);
        return tries.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(tries, sql` or `)})`;
      }
      case "ids":
        return sql<SqlBool>`t.id = any(${[...one.ids]}::bigint[])`;
      case "parent":
        return one.parentId === null ? sql<SqlBool>`t.parent_id is null` : sql<SqlBool>`t.parent_id = ${one.parentId}`;
      case "contains":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} ilike ${likeWord(one.value)}`;
      case "equals":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} = ${one.value}`;
      case "one-of":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))}::text = any(${[...one.values]}::text[])`;
      case "begins-with":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} ~ ${`^(${one.values.join("|")})`}`;
      case "overlaps":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} && ${[...one.values]}::text[]`;
      case "at-least":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} >= ${one.value}`;
      case "at-most":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} <= ${one.value}`;
      case "above":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} > ${one.value}`;
      case "below":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} < ${one.value}`;
      case "is":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} = ${one.value}`;
      case "begins-with-text":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} ilike ${likeWord(one.value).slice(1)}`;
      case "ends-with-text":
        return sql<SqlBool>`${column(one.field, fieldNamed(one.field))} ilike ${likeWord(one.value).slice(0, -1)}`;
      case "empty":
        return sql<SqlBool>`coalesce(${column(one.field, fieldNamed(one.field))}::text, '') in ('', '{}')`;
      case "not":
        return sql<SqlBool>`(${condition(one.of)}) is not true`;
      case "updated-from":
        return sql<SqlBool>`t.updated_at >= ${one.at}::timestamptz`;
      case "updated-to":
        return sql<SqlBool>`t.updated_at < ${one.at}::timestamptz`;
      case "created-from":
        return sql<SqlBool>`t.created_at >= ${one.at}::timestamptz`;
      case "created-to":
        return sql<SqlBool>`t.created_at < ${one.at}::timestamptz`;
    }
  };
  const where = (scope: TenantScope, conditions: readonly Condition[]): RawBuilder<SqlBool> =>
    sql<SqlBool>`${sql.join([scoped(scope), ...conditions.map(condition)], sql` and `)}`;

  const orderColumns: Readonly<Record<string, RawBuilder<unknown>>> = {
    ...Object.fromEntries(fields.map(([name, field]) => [snakeCase(name), column(name, field)])),
    create_time: sql`t.created_at`,
    update_time: sql`t.updated_at`,
  };
  const orderOf = (orders: readonly Order[], { everyTenant }: TenantScope): RowOrder => {
    const own = of.order ?? (of.fields.sort ? [{ field: "sort", direction: "asc" as const }] : []);
    const { urgent } = of;
    const rank =
      orders.length > 0 || urgent === undefined
        ? undefined
        : rankOf(column(urgent.field, fieldNamed(urgent.field)), {
            ...urgent,
            values: (everyTenant ? undefined : urgent.forCustomers) ?? urgent.values,
          });
    const used =
      orders.length > 0 ? orders : own.map(({ field, direction }) => ({ column: snakeCase(field), direction }));
    // Of what is urgent the earliest goes first; of the rest the newest.
    const [lead] = used;
    const leadBy = lead ? orderColumns[lead.column] : sql`t.id`;
    const turned =
      rank === undefined || leadBy === undefined || (lead?.direction ?? "desc") === "asc"
        ? []
        : [{ by: sql`(case when ${rank} > 0 then ${leadBy} end)`, descending: false, nullsLast: true }];
    return [
      ...(rank === undefined ? [] : [{ by: rank, descending: true }]),
      ...turned,
      ...used.map(({ column: name, direction }) => {
        const by = orderColumns[name];
        if (by === undefined) throw new Error(`${of.name} can't be sorted by ${name}`);
        return { by, descending: direction === "desc", nullsLast: true };
      }),
      // The id breaks ties, because rows of one transaction have the same time. It follows the last direction, so that one
      // index has the whole order; newest first where no order is given.
      { by: sql`t.id`, descending: (used.at(-1)?.direction ?? "desc") === "desc" },
    ];
  };

  const rowsOf = async (tail: RawBuilder<unknown>): Promise<StoredRow[]> =>
    (await sql<StoredRow>`select ${columns} from ${source} t ${tail}`.execute(asWritten)).rows;

  /** The ids of a page are chosen first, so that a view computes its columns only for the rows of the page. */
  const listOf = (scope: TenantScope, conditions: readonly Condition[], orders: readonly Order[]): List => {
    const keyword = of.wordIndex
      ? conditions.find((one) => one.kind === "keyword" && !isWholeNumber(one.word))
      : undefined;
    return {
      table: sql`${source} t`,
      where: [
        where(
          scope,
          conditions.filter((one) => one !== keyword),
        ),
      ],
      order: orderOf(orders, scope),
      columns,
      key: "t.id",
      bounded: of.bounded === true,
      ...(keyword?.kind === "keyword" && { word: { words, keyword: keyword.word, index: "word_grams" as const } }),
    };
  };

  const hasChildren = (rows: StoredRow[], parents: ReadonlySet<string>): StoredRow[] =>
    rows.map((row) => ({ ...row, hasChildren: parents.has(row.id) }));

  const withChildren = async (scope: TenantScope, rows: StoredRow[]): Promise<StoredRow[]> => {
    if (!of.tree || rows.length === 0) return rows;
    const { rows: parents } = await sql<{ parentId: string }>`
      select distinct t.parent_id from ${table} t
       where t.parent_id = any(${rows.map(({ id }) => id)}::bigint[]) and ${ofReached(scope, "t")}`.execute(db);
    return hasChildren(rows, new Set(parents.map(({ parentId }) => parentId)));
  };

  const assignments = (values: ColumnValues): RawBuilder<unknown>[] =>
    Object.entries(values).map(([name, value]) => sql`${sql.id(name)} = ${value}`);

  return {
    async page(
      scope: TenantScope,
      conditions: readonly Condition[],
      { offset, limit, orders }: { offset: number; limit: number; orders: readonly Order[] },
    ): Promise<{ rows: StoredRow[]; total: number }> {
      const { rows, total } = await readList<StoredRow>(asWritten, listOf(scope, conditions, orders), {
        offset,
        limit,
      });
      return { rows: await withChildren(scope, rows), total };
    },

    count: async (scope: TenantScope, conditions: readonly Condition[]): Promise<number> =>
      (
        await sql<{
          total: number;
        }>`select count(*)::int as total from ${source} t where ${where(scope, conditions)}`.execute(db)
      ).rows[0]?.total ?? 0,

    /**
     * Ids after a given one that conditions select, in order, for exports that read in parts.
     * The parts are large, because without statistics of new rows PostgreSQL reads and sorts all following rows for each part,
     * which took most of the time for parts of a hundred rows.
     */
    idsAfter: async (
      scope: TenantScope,
      conditions: readonly Condition[],
      afterId: string,
      limit: number,
    ): Promise<string[]> =>
      (
        await sql<{ id: string }>`
          select t.id from ${source} t where ${where(scope, conditions)} and t.id > ${afterId} order by t.id limit ${limit}`.execute(
          asWritten,
        )
      ).rows.map(({ id }) => id),

    /** Those of the given rows that conditions select, in id order. */
    among: (scope: TenantScope, conditions: readonly Condition[], ids: readonly string[]): Promise<StoredRow[]> =>
      rowsOf(sql`where ${where(scope, [...conditions, { kind: "ids", ids }])} order by t.id`),

    /**
     * All rows that conditions select, in the order of the list.
     * @param limit rows beyond it are left out
     */
    all: async (
      scope: TenantScope,
      conditions: readonly Condition[],
      limit: number,
      orders: readonly Order[] = [],
    ): Promise<StoredRow[]> =>
      withChildren(scope, await readRows(asWritten, listOf(scope, conditions, orders), { offset: 0, limit })),

    /** @param lock locks the rows until the transaction ends */
    async byIds(scope: TenantScope, ids: readonly string[], lock = false): Promise<StoredRow[]> {
      if (ids.length === 0) return [];
      if (lock) {
        await sql`select 1 from ${table} t where ${where(scope, [{ kind: "ids", ids }])} order by t.id for no key update`.execute(
          db,
        );
      }
      return rowsOf(sql`where ${where(scope, [{ kind: "ids", ids }])} order by t.id`);
    },

    /** Versions and titles of rows, locked until the transaction ends. */
    lockedHeads: async (scope: TenantScope, ids: readonly string[]): Promise<LockedHead[]> =>
      (
        await sql<LockedHead>`
          select t.id::text, t.version, ${column(of.title, fieldNamed(of.title))} as title from ${table} t
           where ${where(scope, [{ kind: "ids", ids }])} order by t.id for no key update`.execute(db)
      ).rows,

    /**
     * Ids that conditions select.
     * @param limit one more than the maximum, so that the caller sees when there are too many
     */
    idsOf: async (scope: TenantScope, conditions: readonly Condition[], limit: number): Promise<string[]> =>
      (
        await sql<{
          id: string;
        }>`select t.id from ${source} t where ${where(scope, conditions)} order by t.id limit ${limit}`.execute(db)
      ).rows.map(({ id }) => id),

    /**
     * Adds rows to the scope's tenant in the name of its account.
     * @param rows values by column; all rows have the same columns
     */
    async insert(scope: TenantScope, rows: readonly ColumnValues[]): Promise<void> {
      const [first] = rows;
      if (first === undefined) return;
      const added: ColumnValues = {
        ...(ofTenants && { tenant_id: scope.tenantId }),
        created_by: scope.accountId,
        created_dept: scope.departmentId || null,
        updated_by: scope.accountId,
      };
      const whole = rows.map((row) => ({ ...row, ...added }));
      const names = sql.join(Object.keys({ ...first, ...added }).map((name) => sql.id(name)));
      await sql`insert into ${table} (${names})
        select ${names} from jsonb_populate_recordset(null::${table}, ${jsonRows(whole)}::jsonb)`.execute(db);
    },

    /**
     * Changes one row and increments its version.
     * @param version the version that the editor saw; undefined accepts any
     * @returns false when the scope has no such row, or it has another version
     */
    async update(scope: TenantScope, id: string, values: ColumnValues, version: number | undefined): Promise<boolean> {
      const { numAffectedRows } = await sql`
        update ${table} t set ${sql.join([...assignments(values), sql`version = t.version + 1`])}
         where t.id = ${id} and ${scoped(scope)} ${version === undefined ? sql`` : sql`and t.version = ${version}`}`.execute(
        db,
      );
      return (numAffectedRows ?? 0n) > 0n;
    },

    async updateMany(scope: TenantScope, ids: readonly string[], values: ColumnValues): Promise<number> {
      const { numAffectedRows } = await sql`
        update ${table} t set ${sql.join([...assignments(values), sql`version = t.version + 1`])}
         where t.id = any(${[...ids]}::bigint[]) and ${scoped(scope)}`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    async remove(scope: TenantScope, ids: readonly string[]): Promise<number> {
      const { numAffectedRows } =
        await sql`delete from ${table} t where t.id = any(${[...ids]}::bigint[]) and ${scoped(scope)}`.execute(db);
      return Number(numAffectedRows ?? 0n);
    },

    /**
     * Those of these ids that a reference field of this resource may refer to.
     * @param scope the scope with the tenant of the referring row
     * @param which rows of the scope's tenant, or all that it reaches
     */
    async knownReferences(
      scope: TenantScope,
      field: string,
      ids: readonly string[],
      which: "own" | "reached" = "own",
    ): Promise<Set<string>> {
      const target = references.find(({ name }) => name === field)?.target;
      if (target === undefined) throw new Error(`${of.name}.${field} is no reference`);
      const { rows } = await sql<{ id: string }>`
        select t.id from ${sql.table(target.table)} t
         where t.id = any(${[...ids]}::bigint[]) and ${(which === "own" ? ofOwn : ofReached)(scope, "t", target)}`.execute(
        db,
      );
      return new Set(rows.map(({ id }) => id));
    },

    /** Keys and names of the selectable values of a dictionary. */
    async dictionaryPairs(code: string): Promise<[key: string, name: string][]> {
      const rows = await db
        .selectFrom("dictionaries")
        .select(["dictKey", "dictValue"])
        .where("code", "=", code)
        .where("dictKey", "!=", "-1")
        .where("isSealed", "=", false)
        .orderBy("sort")
        .execute();
      return rows.map(({ dictKey, dictValue }) => [dictKey, dictValue]);
    },

    /** Rows whose text field has one of these values; for codes in any case, so the caller must compare those in lower case. */
    async byTexts(scope: TenantScope, field: string, texts: readonly string[]): Promise<StoredRow[]> {
      if (texts.length === 0) return [];
      const declared = fieldNamed(field);
      const held = column(field, declared);
      const [compared, wanted] = isCode(declared)
        ? [sql`lower(${held})`, texts.map((text) => text.toLowerCase())]
        : [held, [...texts]];
      return rowsOf(sql`where ${scoped(scope)} and ${compared} = any(${wanted}::text[]) order by t.id`);
    },

    /**
     * Ids of the rows with a code, in any case and whoever added them.
     * The unique index is case-sensitive, so a lock makes other requests for the same code wait until this transaction ends.
     */
    async idsOfCode(scope: TenantScope, field: string, code: string): Promise<string[]> {
      const wanted = code.toLowerCase();
      const place = `code ${of.name} ${field} ${ofTenants ? scope.tenantId : ""} ${wanted}`;
      await sql`select pg_advisory_xact_lock(hashtext(${place}))`.execute(db);
      const { rows } = await sql<{ id: string }>`
        select t.id::text as id from ${table} t
         where lower(${column(field, fieldNamed(field))}) = ${wanted} and ${ofOwn(scope, "t")}`.execute(db);
      return rows.map(({ id }) => id);
    },

    /** Ids of the rows that a reference field may refer to, by the name that sheets use; ambiguous names are left out. */
    async referencesByTitle(
      scope: TenantScope,
      field: string,
      titles: readonly string[],
    ): Promise<Map<string, string>> {
      const target = references.find(({ name }) => name === field)?.target;
      if (target === undefined) throw new Error(`${of.name}.${field} is no reference`);
      const title = sql.id(snakeCase(sheetNameOf(target)));
      const { rows } = await sql<{ id: string; title: string }>`
        select min(t.id)::text as id, t.${title} as title from ${sql.table(target.table)} t
         where t.${title} = any(${[...titles]}::text[]) and ${nameable(scope, target)}
         group by t.${title} having count(*) = 1`.execute(db);
      return new Map(rows.map((row) => [row.title, row.id]));
    },

    /** Names that sheets use for the rows that a reference field may refer to, without ambiguous ones. */
    async referenceTitles(scope: TenantScope, field: string, limit: number): Promise<string[]> {
      const target = references.find(({ name }) => name === field)?.target;
      if (target === undefined) throw new Error(`${of.name}.${field} is no reference`);
      const title = sql.id(snakeCase(sheetNameOf(target)));
      const { rows } = await sql<{ title: string }>`
        select t.${title} as title from ${sql.table(target.table)} t where ${nameable(scope, target)}
         group by t.${title} having count(*) = 1 order by t.${title} limit ${limit}`.execute(db);
      return rows.map(({ title: name }) => name);
    },

    /** Ids of the rows of the scope's tenant by their titles from the top of the tree. */
    async idsByPath(scope: TenantScope, separator: string): Promise<Map<string, string>> {
      const title = sql.id(snakeCase(of.title));
      const { rows } = await sql<{ id: string; path: string }>`
        with recursive down as (
          select t.id, t.${title}::text as path, 0 as depth from ${table} t
           where t.parent_id is null and ${ofOwn(scope, "t")}
          union all select t.id, down.path || ${separator} || t.${title}, depth + 1
            from ${table} t join down on t.parent_id = down.id where depth < 100
        ) select id::text, path from down`.execute(db);
      return new Map(rows.map(({ id, path }) => [path, id]));
    },

    /** Whether the tenant of the scope exists. */
    tenantExists: async (scope: TenantScope): Promise<boolean> =>
      (await db.selectFrom("tenants").select("tenantId").where(inOneTenant(scope, "tenants")).executeTakeFirst()) !==
      undefined,

    /** Number of rows in other tables that refer to each of these rows, with the titles of the first few. */
    async usedBy(
      scope: TenantScope,
      ids: readonly string[],
      by: { resource: ResourceDeclaration; field: string },
    ): Promise<Map<string, { count: number; names: string[] }>> {
      const held = sql.id(snakeCase(by.field));
      const { rows } = await sql<{ id: string; uses: number; names: string[] }>`
        select t.${held}::text as id, count(*)::int as uses,
               (array_agg(t.${sql.id(snakeCase(by.resource.title))} order by t.id))[1:5] as names
          from ${sql.table(by.resource.view ?? by.resource.table)} t
         where t.${held} = any(${[...ids]}::bigint[]) and ${ofReached(scope, "t", by.resource)} group by t.${held}`.execute(
        db,
      );
      return new Map(rows.map(({ id, uses, names }) => [id, { count: uses, names }]));
    },

    /** Number of direct children of each of these rows. */
    async children(scope: TenantScope, ids: readonly string[]): Promise<Map<string, number>> {
      const { rows } = await sql<{ id: string; count: number }>`
        select t.parent_id::text as id, count(*)::int as count from ${table} t
         where t.parent_id = any(${[...ids]}::bigint[]) and not t.id = any(${[...ids]}::bigint[]) and ${ofReached(scope, "t")}
         group by t.parent_id`.execute(db);
      return new Map(rows.map(({ id, count }) => [id, count]));
    },

    /** Makes changes of a tenant's tree wait for each other, so that two of them can't create a cycle. */
    async lockTree(scope: TenantScope): Promise<void> {
      await sql`select pg_advisory_xact_lock(hashtext(${`tree ${of.name} ${scope.tenantId}`}))`.execute(db);
    },

    /** Ids from a row up to its root, starting with the row itself. */
    async ancestors(scope: TenantScope, id: string): Promise<string[]> {
      const { rows } = await sql<{ id: string }>`
        with recursive up as (
          select t.id, t.parent_id, 0 as height from ${table} t where t.id = ${id} and ${ofReached(scope, "t")}
          union all select t.id, t.parent_id, up.height + 1 from ${table} t join up on t.id = up.parent_id where up.height < 100
        ) select id::text from up order by height`.execute(db);
      return rows.map((row) => row.id);
    },

    /** Titles from the root down to each of these rows, ending with the row itself. */
    async paths(scope: TenantScope, ids: readonly string[]): Promise<Map<string, string[]>> {
      const title = sql.id(snakeCase(of.title));
      const { rows } = await sql<{ id: string; path: string[] }>`
        with recursive up as (
          select t.id as start, t.parent_id, array[t.${title}] as path from ${table} t
           where t.id = any(${[...ids]}::bigint[]) and ${ofReached(scope, "t")}
          union all select up.start, t.parent_id, t.${title} || up.path from ${table} t join up on t.id = up.parent_id
           where cardinality(up.path) < 100
        ) select start::text as id, path from up where parent_id is null`.execute(db);
      return new Map(rows.map(({ id, path }) => [id, path]));
    },

    /** Number of levels below a row; 0 for a leaf. */
    async heightBelow(scope: TenantScope, id: string): Promise<number> {
      const { rows } = await sql<{ height: number }>`
        with recursive down as (
          select t.id, 0 as height from ${table} t where t.id = ${id} and ${ofReached(scope, "t")}
          union all select t.id, down.height + 1 from ${table} t join down on t.parent_id = down.id where down.height < 100
        ) select max(height)::int as height from down`.execute(db);
      return rows[0]?.height ?? 0;
    },

    /** Siblings in their order. */
    siblings: async (scope: TenantScope, parentId: string | null): Promise<{ id: string; sort: number }[]> =>
      (
        await sql<{ id: string; sort: number }>`
          select t.id::text, t.sort from ${table} t
           where t.parent_id is not distinct from ${parentId}::bigint and ${ofOwn(scope, "t")}
           order by t.sort, t.id`.execute(db)
      ).rows,

    /** Sets the order of siblings. */
    async setPlaces(scope: TenantScope, ids: readonly string[]): Promise<void> {
      await sql`update ${table} t set sort = place.at - 1 from unnest(${[...ids]}::bigint[]) with ordinality as place(id, at)
        where t.id = place.id and ${ofReached(scope, "t")} and t.sort <> place.at - 1`.execute(db);
    },

    /** Id of the row that the same submit created earlier; of simultaneous submits the later ones wait for the first. */
    async claimKey({ accountId }: AccountScope, key: string, rowId: string): Promise<string | undefined> {
      const claimed = await db
        .insertInto("idempotencyKeys")
        .values({ accountId, key, rowId })
        .onConflict((conflict) => conflict.doNothing())
        .executeTakeFirst();
      if ((claimed.numInsertedOrUpdatedRows ?? 0n) > 0n) return undefined;
      return claimedRow(db, accountId, key);
    },

    /** Those of the keys that their accounts used before. */
    async claimed(
      scope: SystemScope,
      keys: readonly { accountId: string; key: string }[],
    ): Promise<{ accountId: string; key: string }[]> {
      requireSystemScope(scope);
      const [accounts, names] = [keys.map(({ accountId }) => accountId), keys.map(({ key }) => key)];
      const { rows } = await sql<{ accountId: string; key: string }>`
        select k.account_id as "accountId", k.key from unnest(${accounts}::bigint[], ${names}::text[]) as asked (account_id, key)
          join idempotency_keys k using (account_id, key)`.execute(db);
      return rows;
    },
  };
}
export type ResourceRepository = ReturnType<typeof resourceRepository>;

/**
 * Interprets a database error as a problem that a person can fix.
 * @returns undefined for any other error
 */
export function violationOf(of: ResourceDeclaration, error: unknown): Violation | undefined {
  if (!(error instanceof Error) || !("code" in error)) return undefined;
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  const name = typeof constraint === "string" ? constraint : "";
  const named = fieldsOf(of).find(([field]) => name.includes(`_${snakeCase(field)}_`))?.[0];
  if (code === "23505" && named !== undefined) return { kind: "unique", field: named };
  if (code === "23503") return { kind: "reference", field: named };
  return undefined;
}
