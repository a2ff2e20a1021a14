import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Reason } from "../../http/reasons.ts";
import { addressBucket } from "../../providers/address.ts";
import type { Store } from "../../providers/store.ts";
import type { Language, Translator } from "../../providers/translation/translator.ts";
import { glossary, glossaryTerm, withTerms } from "./glossary.ts";
import type { LanguageRepository, TranslationFilter } from "./language.repository.ts";

/** Characters that one address may have translated by the machine in a minute: the machine is paid for by the character. */
const charactersPerMinute = 20_000;
const dayS = 86_400;

export interface Translated {
  dst: string;
  /** A machine made it and nobody has looked at it. */
  machine: boolean;
  /** Nothing could translate at least one line: it is the source. */
  untranslated: boolean;
}

export interface LanguageDependencies {
  repository: LanguageRepository;
  store: Store;
  /** None: texts that neither glossary nor kept translations hold stay as they are. */
  /** Of the moment, as it is set; undefined for none. */
  translator: () => Translator | undefined;
  /** Characters that the machine translates within 24 hours, whoever asks. */
  charactersPerDay: () => number;
  /** English name of a place of the country, or undefined when the text is none. */
  placeName: (text: string) => string | undefined;
  onError: (error: unknown) => void;
}

/**
 * Translates texts that come as data. Order: an editor's translation, glossary, names of places, what a machine made before, the
 * machine.
 */
export function createLanguageService({
  repository,
  store,
  translator,
  charactersPerDay,
  placeName,
  onError,
}: LanguageDependencies) {
  const knownTerm = (line: string, to: Language): string | undefined =>
    glossaryTerm(line, to) ?? (to === "en" ? placeName(line) : undefined);

  /**
   * @throws {Refusal} 429 when the address has had its characters of the minute, or all together those of the day, and
   * `answersRest` is false: no line would be answered
   */
  const byMachine = async (
    lines: readonly string[],
    to: Language,
    address: string,
    answersRest: boolean,
  ): Promise<Map<string, string>> => {
    const machine = translator();
    if (machine === undefined || lines.length === 0) return new Map();
    const characters = lines.reduce((sum, line) => sum + line.length, 0);
    let refused: Reason | undefined;
    try {
      if ((await store.count(`translate:${addressBucket(address)}`, 60, characters)) > charactersPerMinute) {
        refused = "translation.too_much";
      } else if ((await store.count("translate-all", dayS, characters)) > charactersPerDay()) {
        refused = "translation.day_spent";
        onError(new Error("the characters of the day are spent (TRANSLATION_CHARACTERS_PER_DAY)"));
      }
    } catch (error) {
      // What can't be counted is not spent; the page shows the source text.
      onError(error);
      return new Map();
    }
    if (refused !== undefined) {
      if (answersRest) return new Map();
      throw refuse(refused);
    }
    try {
      const made = await machine.translate(
        lines.map((line) => withTerms(line, to)),
        to,
      );
      const rows = lines.map((source, at) => ({ source, translation: made[at] ?? source }));
      await repository.keep(rows, to, machine.name);
      return new Map(rows.map(({ source, translation }) => [source, translation]));
    } catch (error) {
      // Pages show the source text; the next visitor's request tries again.
      onError(error);
      return new Map();
    }
  };

  return {
    /** What is known of names without asking the machine. */
    async known(names: readonly string[], to: Language): Promise<Map<string, string>> {
      const wanted = [...new Set(names)].filter((name) => name !== "");
      const kept = new Map((await repository.find(wanted, to)).map((row) => [row.source, row]));
      return new Map(
        wanted.map((name) => {
          const held = kept.get(name);
          const term = held?.machine === false ? undefined : knownTerm(name, to);
          return [name, term ?? held?.translation ?? name];
        }),
      );
    },

    async translate(src: string, to: Language, address: string): Promise<Translated> {
      const lines = src.split("\n");
      const wanted = [...new Set(lines.filter((line) => line.trim() !== ""))];
      const kept = new Map(
        wanted.length === 0 ? [] : (await repository.find(wanted, to)).map((row) => [row.source, row]),
      );
      const unknown = wanted.filter((line) => !kept.has(line) && knownTerm(line, to) === undefined);
      const made = await byMachine(unknown, to, address, unknown.length < wanted.length);
      let machine = false;
      let untranslated = false;
      const translated = lines.map((line) => {
        if (line.trim() === "") return line;
        const held = kept.get(line);
        const term = held?.machine === false ? undefined : knownTerm(line, to);
        if (term !== undefined) return term;
        const text = held?.translation ?? made.get(line);
        machine ||= held?.machine ?? text !== undefined;
        untranslated ||= text === undefined;
        return text ?? line;
      });
      return { dst: translated.join("\n"), machine, untranslated };
    },

    /** Kept translations, what no editor has looked at first. */
    async page(query: Parameters<typeof pageRequest>[0] & TranslationFilter) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(query, request);
      return pageOfRows(rows, total, request);
    },

    /** Keeps an editor's translation. @throws {Refusal} 400 for one of several lines or of nothing but space */
    async correct(source: string, language: Language, translation: string): Promise<void> {
      const text = translation.trim();
      if (source.trim() === "" || text === "") throw refuse("translation.empty");
      // Texts are looked up by the line.
      if (source.includes("\n") || text.includes("\n")) throw refuse("translation.lines");
      await repository.correct(source, language, text);
    },

    /** Forgets a kept translation, if there is one. */
    forget: (source: string, language: Language): Promise<void> => repository.remove(source, language),

    terms: () => glossary.map(([zh, en]) => ({ zh, en })),
  };
}
export type LanguageService = ReturnType<typeof createLanguageService>;
