import { mostFound } from "@herdwise/contract";
import { type Kysely, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import { hasWord, likeWord } from "./conditions.ts";
import type { DB } from "./generated/database.ts";

/** Rows before a page from which on it is looked for from the nearer end of its list. */
const deep = 1000;

/** Where a page begins, counted from the end that is said. */
interface PagePlace extends PageRange {
  backwards: boolean;
}

/** Rows of a page: those behind so many, at most so many. */
export interface PageRange {
  offset: number;
  limit: number;
}

/** What a list is ordered by: the last one is unique. */
export type Order = readonly {
  by: RawBuilder<unknown>;
  descending?: boolean;
  /** Rows without a value come last whatever the direction; else they are where an index has them. */
  nullsLast?: boolean;
}[];

/** The terms of an ORDER BY, each the other way round where a list is read backwards. */
const orderTerms = (order: Order, backwards = false): RawBuilder<unknown> =>
  sql.join(
    order.map(({ by, descending = false, nullsLast = false }) => {
      const way = descending !== backwards ? sql`${by} desc` : by;
      return nullsLast ? sql`${way} nulls ${sql.raw(backwards ? "first" : "last")}` : way;
    }),
  );

/**
 * Reads a page of a list by its number, the last ones as fast as the first ones.
 * @param read the rows at a place, in the order of the list whichever end they were looked for from
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

/**
 * Reads a page of the rows with a word, of which `mostFound` are counted and can be paged through. How many there are says how they are
 * looked for: few by the index of words, many by walking the list from its beginning.
 * @param words text in lower case that an index by `word_pieces` has
 */
async function readPageOfWord<Row>(
  { offset, limit }: PageRange,
  { words, keyword }: { words: RawBuilder<unknown>; keyword: string },
  {
    count,
    read,
  }: {
    /** Rows that a condition holds for, at most so many. */
    count: (has: RawBuilder<SqlBool>, most: number) => Promise<number>;
    read: (has: RawBuilder<SqlBool>, place: PagePlace) => Promise<Row[]>;
  },
): Promise<{ rows: Row[]; total: number }> {
  const indexed = hasWord(words, keyword);
  const total = await count(indexed, mostFound);
  const left = Math.min(limit, total - offset);
  if (left <= 0) return { rows: [], total };
  const has = total < mostFound ? indexed : sql<SqlBool>`${words} like ${likeWord(keyword.toLowerCase())}`;
  return { rows: await read(has, { offset, limit: left, backwards: false }), total };
}

/** How many rows a query of the builder has. */
export const rowsIn =
  <Tables, From extends keyof Tables, Row>(query: SelectQueryBuilder<Tables, From, Row>) =>
  async (): Promise<number> => {
    const counted = query.clearSelect().select(sql<number>`count(*)::int`.as("total"));
    return (await counted.$castTo<{ total: number }>().executeTakeFirstOrThrow()).total;
  };

/**
 * Reads a page of a query of the builder, and how many rows it has.
 * @param count of the rows, where it needs less than what is shown of them
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

/** What a list shows, of which rows and in which order. */
export interface List {
  /** Table or view of its rows, with its alias. */
  readonly table: RawBuilder<unknown>;
  /** Joins that conditions and order need. */
  readonly found?: RawBuilder<unknown>;
  readonly where?: readonly RawBuilder<SqlBool>[];
  readonly groupBy?: RawBuilder<unknown>;
  readonly order: Order;
  readonly columns: RawBuilder<unknown>;
  /** Unique column, with its alias. By it the rows of a page are chosen before `joins` and `columns` are worked out, for them alone. */
  readonly key?: string;
  /** Joins that the columns need beside the table. */
  readonly joins?: RawBuilder<unknown>;
  /** Text in lower case with an index by `word_pieces`, and what is looked for in it. */
  readonly word?: { readonly words: RawBuilder<unknown>; readonly keyword: string } | undefined;
}

const chosenBy = ({ table, found = sql``, where = [], groupBy }: List, has: readonly RawBuilder<SqlBool>[]) => {
  const conditions = [...where, ...has];
  return sql`from ${table} ${found} ${conditions.length > 0 ? sql`where ${sql.join(conditions, sql` and `)}` : sql``}
    ${groupBy ? sql`group by ${groupBy}` : sql``}`;
};

/**
 * Reads the rows at a place of a list: the one statement of all lists.
 * @param db a pool or an open transaction
 * @param has conditions beside those of the list
 */
export async function readRows<Row>(
  db: Kysely<DB>,
  list: List,
  { offset, limit, backwards = false }: PageRange & { backwards?: boolean },
  has: readonly RawBuilder<SqlBool>[] = [],
): Promise<Row[]> {
  const { table, order, columns, key, joins = sql`` } = list;
  const place = sql`${chosenBy(list, has)} order by ${orderTerms(order, backwards)} offset ${offset} limit ${limit}`;
  if (key === undefined) {
    const { rows } = await sql<Row>`select ${columns} ${place}`.execute(db);
    return backwards ? rows.reverse() : rows;
  }
  // What rows are ordered by is handed on, as it may come from tables that are only read to choose them.
  const handedOn = order.map((term, at) => ({ ...term, as: `by_${at}` }));
  const chosen = [sql`${sql.ref(key)} as chosen_key`, ...handedOn.map(({ by, as }) => sql`${by} as ${sql.id(as)}`)];
  const { rows } = await sql<Row>`
    select ${columns} from (select ${sql.join(chosen)} ${place}) chosen
      join ${table} on ${sql.ref(key)} = chosen.chosen_key ${joins}
     order by ${orderTerms(handedOn.map((term) => ({ ...term, by: sql.ref(`chosen.${term.as}`) })))}`.execute(db);
  return rows;
}

/** Reads a page of a list, and how many rows it has. @param db a pool or an open transaction */
export function readList<Row>(db: Kysely<DB>, list: List, request: PageRange): Promise<{ rows: Row[]; total: number }> {
  const count = async (has: readonly RawBuilder<SqlBool>[], most?: number): Promise<number> => {
    const { rows } = await sql<{ total: number }>`
      select count(*)::int as total from (select ${chosenBy(list, has)} ${most ? sql`limit ${most}` : sql``}) counted`.execute(
      db,
    );
    return rows[0]?.total ?? 0;
  };
  return list.word
    ? readPageOfWord(request, list.word, {
        count: (has, most) => count([has], most),
        read: (has, place) => readRows<Row>(db, list, place, [has]),
      })
    : readPage(request, { count: () => count([]), read: (place) => readRows<Row>(db, list, place) });
}
