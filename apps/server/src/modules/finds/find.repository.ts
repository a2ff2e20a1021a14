import { type Kysely, type RawBuilder, type SqlBool, sql } from "kysely";
import { inScope, likeWord, piecesOf } from "../../database/conditions.ts";
import { findSources } from "../../database/find-sources.ts";
import type { DB } from "../../database/generated/database.ts";
import type { TenantScope } from "../../tenant-scope.ts";

/** A kind that is looked for, with the scope of its list. */
export interface FindKey {
  readonly kind: string;
  readonly scope: TenantScope;
}

/** A word of what was typed, in lower case and without apostrophes. */
export interface FindPart {
  readonly word: string;
  /** Pieces of which one is enough instead of the word: places and names that it means. */
  readonly instead: readonly string[];
}

/** What the index proposes. */
export interface Candidate {
  kind: string;
  key: string;
  title: string;
  words: string;
}

/** Things of a kind that are proposed of those that begin with what was typed, and of those that have it anywhere. */
const proposed = 24;
/** Names that an English word may mean, and places that a word may mean. */
const mostMeant = 100;

const reachOf = new Map(findSources.map(({ kind, reach }) => [kind, reach]));

const pieces = sql.ref("f.pieces");
/** The words without the marks between syllables. */
const typed = sql`replace(f.words, '''', '')`;

/**
 * Pieces of a word for the index, which has letters and digits by threes and other characters in pairs. Few of a long word are enough, as
 * the matches are compared with the word itself.
 */
function lookedUp(word: string): string[] {
  const isPlain = [...word].every((character) => character <= "\u007f");
  const all = piecesOf(word, isPlain ? "word_grams" : "word_pieces");
  const step = isPlain ? 3 : 2;
  return all.filter((_, at) => at % step === 0 || at === all.length - 1);
}

const hasPart = ({ word, instead }: FindPart): RawBuilder<SqlBool> => {
  const itself = sql<SqlBool>`(${typed} like ${likeWord(word)} and ${pieces} @> ${lookedUp(word)}::text[])`;
  return instead.length === 0 ? itself : sql<SqlBool>`(${itself} or ${pieces} && ${[...instead]}::text[])`;
};

/** The kinds as rows `k`: their piece of the index, and how far the reader's data scope goes. */
function keyRows(keys: readonly FindKey[]): RawBuilder<unknown> {
  const rows = keys.map(({ kind, scope: { tenantId, everyTenant, rows } }) => {
    const ofAll = everyTenant || findSources.find((source) => source.kind === kind)?.tenant === "";
    return {
      kind,
      piece: ofAll ? `#${kind}` : `#${kind} ${tenantId}`,
      whole: rows.all || reachOf.get(kind) === "list",
      place: reachOf.get(kind) === "place",
      own: rows.own,
      departments: rows.departmentIds,
    };
  });
  return sql`jsonb_to_recordset(${JSON.stringify(rows)}::jsonb)
    as k(kind text, piece text, whole boolean, place boolean, own boolean, departments bigint[])`;
}

/** Index of the names of everything that has a screen. It proposes; what a reader may see, their lists decide. */
export function findRepository(db: Kysely<DB>) {
  /** What the data scope of a key leaves: as its list has it, or more. */
  const reached = ({ accountId }: TenantScope): RawBuilder<SqlBool> => {
    const added = (alias: string) =>
      sql`(k.own and ${sql.ref(`${alias}.created_by`)} = ${accountId} or ${sql.ref(`${alias}.created_dept`)} = any(k.departments))`;
    return sql<SqlBool>`(k.whole or ${added("f")} or k.place and exists (
      select from finds p where p.kind in ('farm', 'pig_house', 'unit') and p.row_id = f.places[cardinality(f.places)]::text and ${added("p")}))`;
  };

  return {
    /** Things that have all parts, as far as the scopes of their lists may reach; not in order. */
    async candidates(scope: TenantScope, keys: readonly FindKey[], parts: readonly FindPart[]): Promise<Candidate[]> {
      const [first] = parts;
      if (keys.length === 0 || first === undefined) return [];
      const of = (condition: RawBuilder<unknown>) => sql`
        (select f.kind, f.row_id, f.title, f.words from finds f
          where ${pieces} @> ${condition} and ${sql.join(parts.map(hasPart), sql` and `)} and ${reached(scope)} limit ${proposed})`;
      const begins = [...first.word].slice(0, 3).join("");
      const { rows } = await sql<Candidate>`
        select f.kind, f.row_id as key, f.title, f.words
          from ${keyRows(keys)} cross join lateral (
            ${of(sql`array[k.piece, ${`^${begins}`}]`)} union ${of(sql`array[k.piece]`)}) f`.execute(db);
      return rows;
    },

    /** Farms, houses and units that a word means, and the houses of the farms, as pieces. */
    async placesMeant(scope: TenantScope, keys: readonly FindKey[], part: FindPart): Promise<string[]> {
      if (keys.length === 0) return [];
      const { rows } = await sql<{ piece: string }>`
        with named as (
          select '@' || f.row_id as piece from ${keyRows(keys)} cross join lateral (
            select f.row_id from finds f where ${pieces} @> array[k.piece] and ${hasPart(part)} and ${reached(scope)} limit ${mostMeant}) f)
        select piece from named union
        select '@' || f.row_id from finds f where f.kind = 'pig_house' and ${pieces} && (select array_agg(piece) from named)`.execute(
        db,
      );
      return rows.map(({ piece }) => piece);
    },

    /** Names whose English has a word, as pieces. Translations belong to nobody. */
    async namesMeant(word: string): Promise<string[]> {
      const { rows } = await sql<{ piece: string }>`
        select distinct '=' || left(lower(t.source), 64) as piece from translations t
         where t.language = 'en' and length(t.source) <= 60 and word_grams(lower(t.translation)) @> ${piecesOf(word, "word_grams")}::text[]
           and lower(t.translation) like ${likeWord(word)} limit ${mostMeant}`.execute(db);
      return rows.map(({ piece }) => piece);
    },

    /** Names of the farm, house and unit in which things stand, from the outside in, by their keys. */
    async pathsOf(scope: TenantScope, kind: string, keys: readonly string[]): Promise<Map<string, string[]>> {
      const { rows } = await sql<{ key: string; path: string[] }>`
        select i.row_id as key, array_remove(array[f.name, h.name, u.name], null) as path
          from finds i
          cross join lateral (select i.places[cardinality(i.places)] as id) p
          left join units u on u.id = p.id
          left join pig_houses h on h.id = coalesce(u.house_id, p.id)
          left join farms f on f.id = coalesce(h.farm_id, p.id)
         where i.kind = ${kind} and i.row_id = any(${[...keys]}::text[]) and ${inScope(scope, "i")}`.execute(db);
      return new Map(rows.map(({ key, path }) => [key, path]));
    },
  };
}
export type FindRepository = ReturnType<typeof findRepository>;
