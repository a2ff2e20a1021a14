import { type FoundKind, mostFoundOfKind } from "@herdwise/contract";
import type { Finder, FoundRow } from "../../finder.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { FindKey, FindPart, FindRepository } from "./find.repository.ts";
import { rankOf } from "./rank.ts";

/** A finder with the scope that the reader's list of the kind has. */
export interface OpenFinder {
  readonly finder: Finder;
  readonly scope: TenantScope;
}

/** Words that are looked at; further ones are left out. */
const mostParts = 6;
/** Best proposals of a kind of which its list is asked. */
const asked = 3 * mostFoundOfKind;
const placeKinds = ["farm", "pig_house", "unit"] as const;
/** Kinds that come first where several match equally well. */
const order: readonly string[] = [...placeKinds, "device", "customer", "user"];
const placeOf = (kind: string): number => (order.includes(kind) ? order.indexOf(kind) : order.length);

/** What was typed, as the index has it. */
const plain = (text: string): string => text.normalize("NFKC").toLowerCase().replaceAll("'", "").trim();
const partsOf = (text: string): string[] => text.split(/\s+/).filter(Boolean).slice(0, mostParts);
/** "yfs1" as "yfs 1", for a number that stands elsewhere in a name than where it was typed. */
const apart = (text: string): string => text.replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})/gu, " ");

interface Ranked {
  row: FoundRow;
  rank: number;
}

/** Finds things of all kinds that a reader's lists have. */
export function createFindService(
  index: FindRepository,
  {
    termsWith,
  }: { /** Chinese terms of pig farming whose English has a word. */ termsWith: (word: string) => string[] },
) {
  /** The kinds of places, each with the scope of its list; where that is closed, with that of devices, whose list names places. */
  const placeKeys = (keys: readonly FindKey[]): FindKey[] => {
    const ofDevices = keys.find(({ kind }) => kind === "device")?.scope;
    return placeKinds.flatMap((kind) => {
      const scope = ofDevices?.everyTenant ? ofDevices : (keys.find((key) => key.kind === kind)?.scope ?? ofDevices);
      return scope ? [{ kind, scope }] : [];
    });
  };

  /** What the parts may mean beside themselves: names and terms by their English, and, of several parts, places. */
  const meant = async (scope: TenantScope, keys: readonly FindKey[], words: readonly string[]): Promise<FindPart[]> => {
    const places = words.length > 1 ? placeKeys(keys) : [];
    return Promise.all(
      words.map(async (word): Promise<FindPart> => {
        const isEnglish = /^[a-z][a-z-]{2,}$/.test(word);
        // Of a term its first two characters are a piece of the index, which tells it well enough.
        const terms = isEnglish ? termsWith(word).map((term) => [...term].slice(0, 2).join("")) : [];
        const named = isEnglish ? [...terms, ...(await index.namesMeant(word))] : [];
        const within = await index.placesMeant(scope, places, { word, instead: named });
        return { word, instead: [...named, ...within] };
      }),
    );
  };

  /** Things as their list has them, and where they stand. */
  const placed = async (scope: TenantScope, finder: Finder, keys: readonly string[]): Promise<FoundRow[]> => {
    const [rows, paths] = await Promise.all([
      finder.read(scope, keys),
      index.pathsOf(scope, finder.indexed ?? finder.kind, keys),
    ]);
    return rows.map((row) => ({ within: paths.get(row.key) ?? [], ...row }));
  };

  const byNames = async (
    scope: TenantScope,
    open: readonly OpenFinder[],
    words: readonly string[],
  ): Promise<Map<Finder, Ranked[]>> => {
    const readers = open.filter(({ finder }) => finder.search === undefined);
    const keyOf = ({ finder: { kind, indexed = kind }, scope: own }: OpenFinder): [string, FindKey] => [
      indexed,
      { kind: indexed, scope: own },
    ];
    const looked = [...new Map(readers.map(keyOf)).values()];
    const proposals = await index.candidates(scope, looked, await meant(scope, looked, words));
    const byKind = Map.groupBy(proposals, ({ kind }) => kind);
    const found = await Promise.all(
      readers.map(async ({ finder, scope: own }): Promise<[Finder, Ranked[]]> => {
        const best = (byKind.get(finder.indexed ?? finder.kind) ?? [])
          .map((candidate) => ({ ...candidate, rank: rankOf(candidate, words) }))
          .toSorted((a, b) => a.rank - b.rank || a.title.length - b.title.length || (a.key < b.key ? -1 : 1))
          .slice(0, asked);
        if (best.length === 0) return [finder, []];
        const keys = best.map(({ key }) => key);
        const rows = new Map((await placed(own, finder, keys)).map((row) => [row.key, row]));
        return [
          finder,
          best.flatMap(({ key, rank }) => {
            const row = rows.get(key);
            return row ? [{ row, rank }] : [];
          }),
        ];
      }),
    );
    return new Map(found);
  };

  /** Numbers are looked for in their own lists: those whose letters were typed, or all. */
  const byNumbers = async (open: readonly OpenFinder[], text: string): Promise<Map<Finder, Ranked[]>> => {
    const all = open.filter(({ finder }) => finder.search !== undefined);
    const letters = /^([a-z]+)-?\d/.exec(text)?.[1]?.toUpperCase();
    const lettered = all.filter(({ finder }) => letters !== undefined && finder.letters === letters);
    const asks = text.length > 2 && /\d/.test(text) ? (lettered.length > 0 ? lettered : all) : [];
    return new Map(
      await Promise.all(
        asks.map(async ({ finder, scope }): Promise<[Finder, Ranked[]]> => {
          const rows = (await finder.search?.(scope, text, mostFoundOfKind + 1)) ?? [];
          return [
            finder,
            rows.map((row) => ({
              row,
              rank: rankOf({ title: row.name.toLowerCase(), words: row.name.toLowerCase() }, [text]),
            })),
          ];
        }),
      ),
    );
  };

  const kindOf = ({ kind, name, icon, states }: Finder, rows: readonly FoundRow[]): FoundKind => ({
    kind,
    name,
    icon,
    ...(states && { states }),
    things: rows.slice(0, mostFoundOfKind).map(({ within = [], ...row }) => ({ ...row, within: [...within] })),
    more: rows.length > mostFoundOfKind,
  });

  return {
    /**
     * Things by what was typed, by kind, the kind with the best match first.
     * @param scope of the reader
     * @param open finders of the lists that the reader may call
     */
    async find(scope: TenantScope, open: readonly OpenFinder[], typed: string): Promise<FoundKind[]> {
      const text = plain(typed);
      const words = partsOf(text);
      if (words.length === 0) return [];
      const split = partsOf(apart(text));
      const [names, numbers, others] = await Promise.all([
        byNames(scope, open, words),
        byNumbers(open, words.join(" ")),
        split.length > words.length ? byNames(scope, open, split) : new Map<Finder, Ranked[]>(),
      ]);
      const all = new Map([...others, ...[...names, ...numbers].filter(([, rows]) => rows.length > 0)]);
      return [...all]
        .filter(([, rows]) => rows.length > 0)
        .toSorted(
          ([one, [a]], [other, [b]]) => (a?.rank ?? 0) - (b?.rank ?? 0) || placeOf(one.kind) - placeOf(other.kind),
        )
        .map(([finder, rows]) =>
          kindOf(
            finder,
            rows.map(({ row }) => row),
          ),
        );
    },

    /** Of these things those that the reader's lists still have. @param things kinds and keys */
    async kept(open: readonly OpenFinder[], things: string): Promise<FoundKind[]> {
      const asked = Map.groupBy(
        things.split(",").map((one) => one.split(":")),
        ([kind]) => kind,
      );
      const found = await Promise.all(
        open.map(async ({ finder, scope }) => {
          const keys = (asked.get(finder.kind) ?? []).flatMap(([, key]) => key ?? []).slice(0, mostFoundOfKind);
          return kindOf(finder, keys.length === 0 ? [] : await placed(scope, finder, keys));
        }),
      );
      return found.filter(({ things: rows }) => rows.length > 0);
    },
  };
}
