import { mostFound } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { hasWord, likeWord, type WordIndex } from "./conditions.ts";
import type { DB } from "./generated/database.ts";

/** Offset from which a page is read from the nearer end of its list. */
const deep = 1000;

/** Position of a page, counted from the given end. */
interface PagePlace extends PageRange {
  backwards: boolean;
}

/** Offset and maximum number of rows of a page. */
export interface PageRange {
  offset: number;
  limit: number;
}

/** Order of a list; its last column is unique. */
export type Order = readonly {
  by: RawBuilder<unknown>;
  descending?: boolean;
  /** Rows without a value come last in either direction; otherwise they are where an index has them. */
  nullsLast?: boolean;
}[];

/** The terms of an ORDER BY, reversed when a list is read backwards. */
const orderTerms = (order: Order, backwards = false): RawBuilder<unknown> =>
  sql.join(
    order.map(({ by, descending = false, nullsLast = false }) => {
      const way = descending !== backwards ? sql`${by} desc` : by;
      return nullsLast ? sql`${way} nulls ${sql.raw(backwards ? "first" : "last")}` : way;
    }),
  );

/**
 * Reads a page of a list by its number; the last pages are as fast as the first.
 * @param read reads the rows at a position, and returns them in the order of the list
 */
async function readPage<Row>(
  { offset, limit }: PageRange,
  { count, read }: { count: () => Promise<number>; read: (place: PagePlace) => Promise<Row[]> },
): Promise<{ rows: Row[]; total: number }> {
  if (offset < deep) {
    const [rows, total] = await Promise.all([read({ offset, limit, backwards: false }), count()]);
    return { rows, total };
  }
  const total = await count();
  const left = total - offset;
  if (left <= 0) return { rows: [], total };
  const place =
    offset <= left
      ? { offset, limit, backwards: false }
      : { offset: Math.max(0, left - limit), limit: Math.min(limit, left), backwards: true };
  return { rows: await read(place), total };
}

/** Number of rows of a query of the builder. */
export const rowsIn =
  <Tables, From extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, From, Row>) =>
  async (): Promise<number> => {
    const counted = query.clearSelect().select(sql<number>`count(*)::int`.as("total"));
    return (await counted.$castTo<{ total: number }>().executeTakeFirstOrThrow()).total;
  };

/**
 * Reads a page of a query of the builder, and its number of rows.
 * @param count a simpler query for counting the rows, where there is one
 */
export const readQuery = <Tables, From extends keyof Tables, Row>(
  query: SelectQueryBuilder<Tables, From, Row>,
  order: Order,
  request: PageRange,
  count = rowsIn(query),
): Promise<{ rows: Row[]; total: number }> =>
  readPage(request, {
    count,
    async read({ offset, limit, backwards }) {
      const rows: Row[] = await query.orderBy(orderTerms(order, backwards)).offset(offset).limit(limit).execute();
      return backwards ? rows.reverse() : rows;
    },
  });

/** Rows, columns and order of a list. */
export interface List {
  /** Table or view of its rows, with its alias. */
  readonly table: RawBuilder<unknown>;
  /** Joins that conditions and order need. */
  readonly found?: RawBuilder<unknown>;
  readonly where?: readonly RawBuilder<SqlBool>[];
  readonly groupBy?: RawBuilder<unknown>;
  readonly order: Order;
  readonly columns: RawBuilder<unknown>;
  /**
   * Unique column with its alias. The page's rows are chosen by it first, so that `joins` and `columns` are computed only for
   * them.
   */
  readonly key?: string;
  /** Additional joins that the columns need; they may read the page's keys from `chosen.chosen_key`. */
  readonly joins?: RawBuilder<unknown>;
  /** At most `mostFound` rows are counted and can be paged through, because no index counts the conditions; so it is with a word, too. */
  readonly bounded?: boolean;
  /** Text in lower case with an index of words, and the keyword to find in it. */
  readonly word?:
    | { readonly words: RawBuilder<unknown>; readonly keyword: string; readonly index?: WordIndex }
    | undefined;
}

const chosenBy = ({ table, found = sql``, where = [], groupBy }: List, has: readonly RawBuilder<SqlBool>[]) => {
  const conditions = [...where, ...has];
  return sql`from ${table} ${found} ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    ${groupBy ? sql`group by ${groupBy}` : sql``}`;
};

/**
 * Reads a range of a list's rows, or all of them; every list uses this statement.
 * @param db a pool or an open transaction
 * @param has conditions in addition to those of the list
 */
export async function readRows<Row>(
  db: Kysely<DB>,
  list: List,
  { offset = 0, limit, backwards = false }: Partial<PagePlace> = {},
  has: readonly RawBuilder<SqlBool>[] = [],
): Promise<Row[]> {
  const { table, order, columns, key, joins = sql`` } = list;
  // As values the two would have the database plan for a tenth of all rows; as text the first pages share one plan.
  const place = sql`${chosenBy(list, has)} order by ${orderTerms(order, backwards)}
    ${offset > 0 ? sql`offset ${offset}` : sql``} ${limit === undefined ? sql`` : sql`limit ${sql.lit(limit)}`}`;
  if (key === undefined) {
    const { rows } = await sql<Row>`select ${columns} ${place}`.execute(db);
    return backwards ? rows.reverse() : rows;
  }
  const { chosen, handedOn } = chosenColumns(list, key);
  const { rows } = await sql<Row>`
    with chosen as (select ${chosen} ${place})
    select ${columns} from chosen
      join ${table} on ${sql.ref(key)} = chosen.chosen_key ${joins}
     order by ${orderTerms(handedOn)}`.execute(db);
  return rows;
}

/** Key and order of chosen rows; the outer query needs both, because they may come from tables that only the inner one joins. */
function chosenColumns({ order }: List, key: string) {
  const named = order.map((term, at) => ({ ...term, as: `by_${at}` }));
  return {
    chosen: sql.join([sql`${sql.ref(key)} as chosen_key`, ...named.map(({ by, as }) => sql`${by} as ${sql.id(as)}`)]),
    handedOn: named.map((term) => ({ ...term, by: sql.ref(`chosen.${term.as}`) })),
  };
}

/**
 * Reads a page of the rows that an index of words finds, and the number of them up to `mostFound`, looking into the index once.
 * @param has conditions of the word
 */
async function readFound<Row>(
  db: Kysely<DB>,
  list: List & { readonly key: string },
  { offset, limit }: PageRange,
  has: readonly RawBuilder<SqlBool>[],
): Promise<{ rows: Row[]; total: number }> {
  const { chosen, handedOn } = chosenColumns(list, list.key);
  const { rows } = await sql<Row & { all: number }>`
    with found as materialized (select ${chosen} ${chosenBy(list, has)} limit ${sql.lit(mostFound)}),
         chosen as (select * from found chosen order by ${orderTerms(handedOn)} offset ${offset} limit ${sql.lit(limit)})
    select ${list.columns}, (select count(*)::int from found) as "all" from chosen
      join ${list.table} on ${sql.ref(list.key)} = chosen.chosen_key ${list.joins ?? sql``}
     order by ${orderTerms(handedOn)}`.execute(db);
  return { rows, total: rows[0]?.all ?? 0 };
}

/**
 * Reads a page of a list, and its number of rows.
 * @param db a pool or an open transaction
 */
export async function readList<Row>(
  db: Kysely<DB>,
  list: List,
  request: PageRange,
): Promise<{ rows: Row[]; total: number }> {
  const counted = (has: readonly RawBuilder<SqlBool>[], most?: number) => sql<number>`
    (select count(*)::int from (select 1 ${chosenBy(list, has)} ${most ? sql`limit ${sql.lit(most)}` : sql``}) counted)`;
  const count = async (has: readonly RawBuilder<SqlBool>[], most?: number): Promise<number> => {
    const { rows } = await sql<{ total: number }>`select ${counted(has, most)} as total`.execute(db);
    return rows[0]?.total ?? 0;
  };
  const { word, bounded = false } = list;
  const { offset, limit } = request;
  if (!word && offset === 0) {
    // A statement costs as much as reading a page; an empty first page tells that there are none. No column is named by a word of SQL.
    const columns = sql`${list.columns}, ${counted([], bounded ? mostFound : undefined)} as "all"`;
    const rows = await readRows<Row & { all: number }>(db, { ...list, columns }, { limit });
    return { rows, total: rows[0]?.all ?? 0 };
  }
  if (!word && !bounded)
    return readPage(request, { count: () => count([]), read: (place) => readRows<Row>(db, list, place) });
  const indexed = word ? [hasWord(word.words, word.keyword, word.index)] : [];
  const { key } = list;
  const found =
    word && key !== undefined && offset < mostFound
      ? await readFound<Row>(db, { ...list, key }, request, indexed)
      : undefined;
  // An empty page further on tells nothing of how many there are.
  if (found && found.total < mostFound && (found.total > 0 || offset === 0)) return found;
  const total = found?.total || (await count(indexed, mostFound));
  if (offset >= total) return { rows: [], total };
  // Few rows with a word are found by its index, many by reading the list from its beginning.
  const has =
    word && total === mostFound ? [sql<SqlBool>`${word.words} like ${likeWord(word.keyword.toLowerCase())}`] : indexed;
  return { rows: await readRows<Row>(db, list, { offset, limit: Math.min(limit, mostFound - offset) }, has), total };
}
