import { mostFound } from "@herdwise/contract";
import { type RawBuilder, type SqlBool, sql } from "kysely";
import { hasWord, likeWord } from "./conditions.ts";

/** Rows before a page from which on it is looked for from the nearer end of its list. */
const deep = 1000;

/** Where a page begins, counted from the end that is said. */
export interface PagePlace {
  offset: number;
  limit: number;
  backwards: boolean;
}

/** What a list is ordered by: the last one is unique. */
export type Order = readonly { by: RawBuilder<unknown>; descending?: boolean }[];

/** The terms of an ORDER BY, each the other way round where a list is read backwards. Nulls are where an index has them. */
export const orderTerms = (order: Order, backwards = false): RawBuilder<unknown> =>
  sql.join(order.map(({ by, descending = false }) => (descending !== backwards ? sql`${by} desc` : by)));

/**
 * Reads a page of a list by its number, the last ones as fast as the first ones.
 * @param read the rows at a place, in the order of the list whichever end they were looked for from
 */
export async function readPage<Row>(
  { offset, limit }: { offset: number; limit: number },
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
export async function readPageOfWord<Row>(
  { offset, limit }: { offset: number; limit: number },
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
