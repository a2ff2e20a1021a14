import { translate as translateTexts } from "@herdwise/contract";
import { type BatchedLookup, createBatchedLookup } from "../api/batched-lookup.ts";
import { call } from "../api/call.ts";
import type { Language } from "./dictionary.ts";

/** A text that came as data, in another language. */
export interface DataText {
  text: string;
  /** Made by a machine; nobody has looked at it. */
  machine: boolean;
}

/** The call takes 6000 characters. */
const mostCharacters = 5000;
const cacheKey = (language: Language): string => `texts_${language}`;

/** What this session has had translated before, from storage. */
function readCache(language: Language): [string, DataText][] {
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(cacheKey(language)) ?? "{}");
    return Object.entries(kept as Record<string, DataText>);
  } catch {
    // Storage is forbidden or holds something else; the call answers again.
    return [];
  }
}

/** What nothing could translate is not kept: the next page asks again. */
function writeCache(language: Language, texts: Iterable<readonly [string, DataText]>): void {
  const translated = [...texts].filter(([source, { text }]) => text !== source);
  try {
    sessionStorage.setItem(cacheKey(language), JSON.stringify(Object.fromEntries(translated)));
  } catch {
    // Storage is full; this page still has them.
  }
}

/** Cuts texts into requests that the call takes. */
export function batchesOf(texts: Iterable<string>, max = mostCharacters): string[][] {
  const batches: string[][] = [];
  let length = max;
  for (const text of texts) {
    if (length + text.length + 1 > max) {
      batches.push([]);
      length = 0;
    }
    batches.at(-1)?.push(text);
    length += text.length + 1;
  }
  return batches;
}

function createTexts(language: Language): BatchedLookup<DataText> {
  const known = new Map(readCache(language));
  return createBatchedLookup(
    batchesOf,
    async (sources) => {
      const { data } = await call(translateTexts, { body: { src: sources.join("\n"), to: language }, quiet: true });
      const lines = data.dst.split("\n");
      const found = sources.map((source, at): [string, DataText] => {
        const text = lines[at] ?? source;
        return [source, { text, machine: data.machine && text !== source }];
      });
      writeCache(language, [...known, ...found]);
      return found;
    },
    known,
  );
}

const byLanguage = new Map<Language, BatchedLookup<DataText>>();

/** Translations of texts that came as data, by the text, which is one line. Without an answer Chinese shows. */
export function textsIn(language: Language): BatchedLookup<DataText> {
  const texts = byLanguage.get(language) ?? createTexts(language);
  byLanguage.set(language, texts);
  return texts;
}
