import { translate as translateTexts } from "@herdwise/contract";
import { call } from "../api/call.ts";
import type { Language } from "./dictionary.ts";

/** A text that came as data, in another language. */
export interface DataText {
  text: string;
  /** Made by a machine; nobody has looked at it. */
  machine: boolean;
}

/** Texts of one moment go in one request. */
const batchAfterMs = 20;
/** The call takes 6000 characters. */
const mostCharacters = 5000;
const cacheKey = (language: Language): string => `texts_${language}`;

const known = new Map<string, DataText>();
const listeners = new Set<() => void>();
/** Moves with each answer. */
let version = 0;
let wanted = new Set<string>();
let asking = false;
let read = false;

/** What this session has had translated before, from storage. */
function readCache(language: Language): void {
  if (read) return;
  read = true;
  try {
    const kept: unknown = JSON.parse(sessionStorage.getItem(cacheKey(language)) ?? "{}");
    for (const [source, text] of Object.entries(kept as Record<string, DataText>)) known.set(source, text);
  } catch {
    // Storage is forbidden or holds something else; the call answers again.
  }
}

function writeCache(language: Language): void {
  try {
    sessionStorage.setItem(cacheKey(language), JSON.stringify(Object.fromEntries(known)));
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

async function translateBatch(texts: readonly string[], language: Language): Promise<void> {
  try {
    const { data } = await call(translateTexts, { body: { src: texts.join("\n"), to: language }, quiet: true });
    const lines = data.dst.split("\n");
    texts.forEach((source, at) => {
      const text = lines[at] ?? source;
      known.set(source, { text, machine: data.machine && text !== source });
    });
  } catch {
    // Chinese shows instead; the next page asks again.
    return;
  }
  writeCache(language);
  version += 1;
  for (const listener of listeners) listener();
}

function ask(language: Language): void {
  asking = false;
  const batches = batchesOf(wanted);
  wanted = new Set();
  for (const batch of batches) void translateBatch(batch, language);
}

/** The translation of a text that came as data, if this session has it. */
export function knownText(source: string, language: Language): DataText | undefined {
  readCache(language);
  return known.get(source);
}

/** Has a text translated, together with what else this moment asks for. A text is one line. */
export function wantText(source: string, language: Language): void {
  if (known.has(source)) return;
  wanted.add(source);
  if (asking) return;
  asking = true;
  setTimeout(() => ask(language), batchAfterMs);
}

/** Changes whenever more texts are known. */
export const textsVersion = (): number => version;

export function onTexts(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
  };
}
