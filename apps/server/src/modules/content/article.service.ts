import {
  type ArticleChannel,
  type ArticleDraft,
  type ArticleEntry,
  type ArticleTranslation,
  type ArticleVersion,
  articleBodyMax,
  articlePeriods,
  type articleSave,
  articles,
  articleTranslations,
  type BodyOf,
  isLegalPage,
  mostSuggestions,
  type PublicArticle,
  type PublicPartner,
  type publicArticlePage,
  type QueryOf,
  type searchSuggestions,
} from "@herdwise/contract";
import { blockProblem, blocksIn } from "@herdwise/contract/article-blocks";
import { articlePath } from "@herdwise/contract/article-path";
import {
  cleanBody,
  hasPictureWithoutWords,
  picturesOf,
  type Reading,
  type ReadingSeals,
  readingOf,
  textOf,
} from "../../article-html.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { PreviewLinks } from "../../preview-links.ts";
import type { ResourceService, StoredRow } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import { type LanguagesModule, proposedLines, translateBody, translateText } from "../languages/index.ts";
import type {
  ArticleRepository,
  ArticleRow,
  ArticleWords,
  FoundRow,
  PublishedFilter,
  ReadableRow,
  ReadingRow,
  VersionRow,
} from "./article.repository.ts";
import {
  correctionsOf,
  excerptOf,
  formsOf,
  isChinese,
  lexemesOf,
  searchQueryOf,
  searchTerms,
  speltOf,
  suspectsOf,
  wordsOf,
} from "./article-search.ts";

/** What a change of an article works with, in one transaction. */
export interface ArticleTransaction {
  articles: ArticleRepository;
  /** The declared operations of articles, as a part of this transaction. */
  fields: ResourceService;
  audit: AuditRepository;
}

export interface ArticleDependencies {
  repository: ArticleRepository;
  inTransaction<T>(work: (to: ArticleTransaction) => Promise<T>): Promise<T>;
  previews: PreviewLinks;
  seals: ReadingSeals;
  /** Lines of the other language, for an address whose characters are counted. */
  translate: LanguagesModule["translate"];
  /** Tells every server that what visitors read is another. */
  changed: () => void;
  warn: (what: string) => (error: unknown) => void;
  now: () => number;
  nextId: () => string;
}

type Language = "zh" | "en";

/** Articles that are taken apart for the search at a time. */
const searchedAtOnce = 50;
/** Words that a wrong letter may have been meant as, and searches by them that are tried. */
const mostCandidates = 400;
/** Words whose answers are counted for one keystroke, those of the most articles. */
const mostCounted = 40;
const mostCorrections = 12;

/** Versions that a list shows. */
const mostVersions = 100;
const mostRelated = 3;
/** Every server forgets its counts when something is published or taken off; where it did not hear of that, they end by themselves. */
const countedForMs = 30_000;
const dayMs = 24 * 60 * 60 * 1000;
/** Articles that one run publishes; the next run is a minute later. */
const duePerRun = 100;
/** Somebody who chooses "now" must not be told that it is over. */
const earliestMs = 30_000;
/** How far ahead a time may be chosen. */
const latestMs = 366 * 24 * 60 * 60 * 1000;

const draftOf = (row: ArticleRow, updateUserName: string): ArticleDraftView => ({
  ...row,
  updateUserName,
  publishedVersion: row.publishedVersion ?? 0,
  path:
    row.publishedChannel === null
      ? ""
      : articlePath({ id: row.id, channel: row.publishedChannel as ArticleChannel, page: row.publishedPage ?? "" }),
});
type ArticleDraftView = Omit<ArticleDraft, "publishAt" | "publishedAt" | "updateTime"> & {
  publishAt: Date | null;
  publishedAt: Date | null;
  updateTime: Date;
};

const versionOf = (row: VersionRow & { savedBy: string }): Omit<ArticleVersion, "savedAt"> & { savedAt: Date } => ({
  number: row.number,
  title: row.title,
  savedAt: row.savedAt,
  savedBy: row.savedBy,
  characters: textOf(row.body).length + textOf(row.bodyEn).length,
});

/** What the search reads of an article, in both languages. */
const searchedTexts = ({ title, titleEn, summary, summaryEn, body, bodyEn }: ArticleWords): string[] => [
  title,
  titleEn,
  summary,
  summaryEn,
  textOf(body),
  textOf(bodyEn),
];

type EntryView = Omit<ArticleEntry, "publishedAt"> & { publishedAt: Date | null };

/** A whole English version is asked for; half of one would be read as a page that broke off. */
const hasEnglish = ({ titleEn, bodyEn }: Pick<ArticleWords, "titleEn" | "bodyEn">): boolean =>
  titleEn !== "" && bodyEn !== "";

/** Fields of a language whose words a machine may have translated, and most characters of each. */
const fieldsOf: Readonly<Record<Language, readonly ArticleTranslation[]>> = {
  zh: ["summary", "body"],
  en: ["titleEn", "summaryEn", "bodyEn"],
};
const longestOf: Readonly<Record<ArticleTranslation, number>> = {
  summary: 300,
  body: articleBodyMax,
  titleEn: 160,
  summaryEn: 600,
  bodyEn: articleBodyMax,
};
const isBody = (field: string): field is "body" | "bodyEn" => field === "body" || field === "bodyEn";
const isUnreviewed = ({ unreviewed }: Pick<ArticleWords, "unreviewed">, language: Language): boolean =>
  fieldsOf[language].some((field) => unreviewed.includes(field));
/** Languages that people wrote or read a version in. */
export const languagesOf = (row: Pick<ArticleWords, "unreviewed">, english: boolean): Language[] =>
  (english ? (["zh", "en"] as const) : (["zh"] as const)).filter((language) => !isUnreviewed(row, language));

/** @param english whether it can be read in English; its title tells where nothing else does */
function entryOf(row: ReadableRow, wanted: Language, english = row.titleEn !== ""): EntryView {
  const language = wanted === "en" && english ? "en" : "zh";
  return {
    id: row.id,
    channel: row.channel as ArticleChannel,
    topic: row.topic,
    page: row.page,
    cover: row.cover,
    title: language === "en" ? row.titleEn : row.title,
    summary: language === "en" ? row.summaryEn : row.summary,
    author: row.author,
    example: row.example,
    language,
    publishedAt: row.publishedAt,
    ...(fieldsOf[language].some((field) => !isBody(field) && row.unreviewed.includes(field)) && { unreviewed: true }),
  };
}

/** An article that a search found, with the words around what was looked for where its title and summary don't hold it. */
function foundEntry(row: FoundRow, wanted: Language, word: string): EntryView {
  const entry = entryOf(row, wanted, row.english);
  const shown = `${entry.title} ${entry.summary}`.toLowerCase();
  if (searchTerms(word).every((term) => shown.includes(term))) return entry;
  const excerpt = excerptOf(row.words ?? "", word);
  return excerpt === "" ? entry : { ...entry, excerpt };
}

/** Writing, publishing and reading articles. */
export function createArticleService({
  repository,
  inTransaction,
  previews,
  seals,
  translate,
  changed,
  warn,
  now,
  nextId,
}: ArticleDependencies) {
  const found = async (scope: TenantScope, id: string): Promise<ArticleDraftView> => {
    const [row, changer] = await Promise.all([repository.find(id), repository.changer(scope, id)]);
    if (row === undefined) throw refuse("row.not_found");
    return draftOf(row, changer);
  };

  /** The article, held until the transaction ends. @throws Refusal 404, 409 when somebody else was quicker */
  const held = async (
    to: ArticleTransaction,
    scope: TenantScope,
    id: string,
    version?: number,
  ): Promise<ArticleRow> => {
    const row = await to.articles.find(id, true);
    if (row === undefined) throw refuse("row.not_found");
    if (version !== undefined && version !== row.version)
      throw refuse("article.changed_meanwhile", { values: { name: await to.articles.changer(scope, id) } });
    return row;
  };

  const written = (
    to: ArticleTransaction,
    scope: TenantScope,
    row: ArticleRow,
    field: string,
    before: string,
    after: string,
  ) =>
    to.audit.append(
      installationChain,
      scope,
      [
        {
          resource: articles.name,
          rowId: row.id,
          rowTitle: row.title,
          action: "update",
          changes: [{ field, before, after }],
        },
      ],
      nextId,
    );

  /** @throws Refusal 400 with what is missing, 409 where another article is the page already */
  const requireComplete = async (to: ArticleTransaction, row: ArticleRow): Promise<void> => {
    const missing = [
      ...(row.summary === "" ? ["summary"] : []),
      ...(textOf(row.body) === "" ? ["body"] : []),
      ...(row.channel === "legal" && row.page === "" ? ["page"] : []),
      // Half an English version would be shown nowhere; whoever wrote it wants it read.
      ...((row.titleEn === "") !== (textOf(row.bodyEn) === "") ? [row.titleEn === "" ? "titleEn" : "bodyEn"] : []),
    ];
    const [field] = missing;
    if (field !== undefined) throw refuse("article.incomplete", { field });
    for (const body of ["body", "bodyEn"] as const)
      if (hasPictureWithoutWords(row[body])) throw refuse("article.picture_without_words", { field: body });
    for (const body of ["body", "bodyEn"] as const)
      if (blocksIn(row[body]).some((block) => blockProblem(block)))
        throw refuse("article.block_incomplete", { field: body });
    if (row.page !== "" && (row.channel === "legal") !== isLegalPage(row.page))
      throw refuse("article.page_misfit", { field: "page" });
    if (row.page !== "" && row.channel !== "legal" && row.channel !== "solution")
      throw refuse("article.page_misfit", { field: "page" });
    const holder = row.page === "" ? undefined : await to.articles.holderOf(row.page, row.id);
    if (holder) throw refuse("article.page_taken", { field: "page", values: { title: holder.title } });
  };

  /** A published version as pages show it, in the languages that it is written in. */
  const readingsOf = (id: string, version: number, words: ArticleWords): ReadingRow[] =>
    [
      { language: "zh" as const, html: words.body },
      ...(hasEnglish(words) ? [{ language: "en" as const, html: words.bodyEn }] : []),
    ].map(({ language, html }) => {
      const reading = { id, version, language, ...readingOf(html) };
      return { ...reading, rules: seals.rules, seal: seals.of(reading) };
    });

  /** An article as its page shows it. @param around whether others are named beside it */
  const readable = async (
    row: ReadableRow,
    {
      wanted,
      english,
      reading,
      around,
    }: { wanted: Language; english: boolean; reading: Omit<Reading, "words">; around: boolean },
  ): Promise<PublicArticleView> => {
    const beside =
      around && row.publishedAt !== null && row.channel !== "legal"
        ? await repository.around({ ...row, publishedAt: row.publishedAt }, mostRelated)
        : { related: [], earlier: undefined, later: undefined };
    return {
      ...entryOf(row, wanted, english),
      body: reading.body,
      contents: reading.contents,
      minutes: reading.minutes,
      changedAt: row.savedAt,
      languages: languagesOf(row, english),
      ...(isUnreviewed(row, wanted === "en" && english ? "en" : "zh") && { unreviewed: true }),
      related: beside.related.map((one) => entryOf(one, wanted)),
      ...(beside.earlier && { earlier: entryOf(beside.earlier, wanted) }),
      ...(beside.later && { later: entryOf(beside.later, wanted) }),
    };
  };

  /** A version's body as it was saved. @throws Refusal 404 */
  const bodyOf = async (id: string, number: number, english: boolean): Promise<string> => {
    const version = await repository.versionOf(id, number);
    if (version === undefined) throw refuse("row.not_found");
    return english ? version.bodyEn : version.body;
  };

  /** Counts of lists: of 100,000 articles one takes longer than reading a page of them. */
  const counts = new Map<string, { total: Promise<number>; at: number }>();
  const countOf = (filter: PublishedFilter): Promise<number> => {
    const { channel = "", topic = "", since } = filter;
    // A time that moves on is another question each time.
    if (since !== undefined) return repository.publishedCount(filter);
    const key = `${channel} ${topic}`;
    const held = counts.get(key);
    if (held !== undefined && now() - held.at <= countedForMs) return held.total;
    const fresh = { total: repository.publishedCount(filter), at: now() };
    counts.set(key, fresh);
    fresh.total.catch(() => {
      if (counts.get(key) === fresh) counts.delete(key);
    });
    return fresh.total;
  };

  const tellWords = warn("words of an article were not kept for corrections of a search");
  /** Counts the words of texts that were published, for searches with a wrong letter. */
  const learn = async (words: readonly string[]): Promise<void> => {
    const fresh = await repository.countWords(words);
    await repository.addForms(fresh.flatMap((word) => formsOf(word).map((form) => ({ form, word }))));
    await repository.addSpellings(fresh.filter(isChinese));
  };
  /** Lets the search find, and readers read, a version that is published in this transaction. @returns the words to be learnt after it */
  const makeFound = async (to: ArticleTransaction, id: string, number: number): Promise<string[]> => {
    const version = await to.articles.versionOf(id, number);
    if (version === undefined) return [];
    const texts = searchedTexts(version);
    await to.articles.keepSearch([{ id, version: number, lexemes: lexemesOf(texts) }]);
    await to.articles.keepReadings(readingsOf(id, number, version));
    return wordsOf(texts);
  };

  return {
    /** Forgets counts: what visitors read is another. */
    forget: (): void => counts.clear(),
    content: found,

    /** Saves fields and bodies of an article and keeps them as a version. @throws Refusal 400 with problems at fields, 404, 409 */
    async save(
      scope: TenantScope,
      { id, version, body, bodyEn, reviewed = [], ...fields }: BodyOf<typeof articleSave>,
    ) {
      const sizes = await repository.pictureSizes(picturesOf(`${body ?? ""}${bodyEn ?? ""}`));
      const pictures = new Map(sizes.map((picture) => [picture.id, picture]));
      const cleaned = {
        body: body === undefined ? undefined : cleanBody(body, pictures),
        bodyEn: bodyEn === undefined ? undefined : cleanBody(bodyEn, pictures),
      };
      for (const [field, one] of Object.entries(cleaned))
        if (one && one.html.length > articleBodyMax) throw refuse("article.too_long", { field });
      await inTransaction(async (to) => {
        const before = await held(to, scope, id, version);
        await to.fields.submit(scope, { id, ...fields }, undefined);
        const bodies = { body: cleaned.body?.html ?? before.body, bodyEn: cleaned.bodyEn?.html ?? before.bodyEn };
        if (bodies.body !== before.body || bodies.bodyEn !== before.bodyEn) {
          await to.articles.setBodies(id, bodies, scope.accountId);
          await to.articles.usePictures(id, picturesOf(`${bodies.body}${bodies.bodyEn}`));
        }
        const accepted = before.unreviewed.filter((field) => reviewed.includes(field));
        if (accepted.length > 0) {
          const { unreviewed } = await held(to, scope, id);
          await to.articles.setUnreviewed(
            id,
            unreviewed.filter((field) => !accepted.includes(field)),
            scope.accountId,
          );
        }
        const number = await to.articles.keep(id, scope.accountId);
        if (number !== before.versionNumber)
          await written(to, scope, before, "versionNumber", String(before.versionNumber), String(number));
      });
      return {
        article: await found(scope, id),
        removed: (cleaned.body?.removed ?? 0) + (cleaned.bodyEn?.removed ?? 0),
      };
    },

    /**
     * Proposes a machine's translation for a field.
     * @throws Refusal 409 where a person's words stand there, somebody else was quicker, or no machine translates; 400 without a source
     */
    async propose(
      scope: TenantScope,
      { id, version, field }: { id: string; version: number; field: ArticleTranslation },
      address: string,
    ) {
      const refuseWritten = (row: ArticleRow): void => {
        if (row[field] !== "" && !row.unreviewed.includes(field))
          throw refuse("translation.written_by_person", { field });
      };
      const row = await inTransaction((to) => held(to, scope, id, version));
      // Before the machine is paid for; what counts is looked at again when it is written.
      refuseWritten(row);
      const source = row[articleTranslations[field]];
      if (source === "") throw refuse("translation.no_source", { field });
      const to: Language = fieldsOf.en.includes(field) ? "en" : "zh";
      const lines = proposedLines(translate, to, address, field);
      let words = isBody(field)
        ? await translateBody(source, to, lines)
        : await translateText(source.replace(/\s+/g, " ").trim(), to, lines);
      if (isBody(field)) {
        const sizes = await repository.pictureSizes(picturesOf(words));
        words = cleanBody(words, new Map(sizes.map((picture) => [picture.id, picture]))).html;
      }
      if (words.length > longestOf[field]) throw refuse("article.too_long", { field });
      await inTransaction(async (within) => {
        const before = await held(within, scope, id, version);
        if (!(await within.articles.propose(id, field, words, scope.accountId)))
          throw refuse("translation.written_by_person", { field });
        await within.articles.usePictures(id, picturesOf(words));
        const number = await within.articles.keep(id, scope.accountId);
        await written(within, scope, before, "versionNumber", String(before.versionNumber), String(number));
      });
      return found(scope, id);
    },

    versions: async (scope: TenantScope, id: string) => {
      await found(scope, id);
      return (await repository.versions(scope, id, { limit: mostVersions })).map(versionOf);
    },

    async version(scope: TenantScope, id: string, number: number) {
      const [row] = await repository.versions(scope, id, { number, limit: 1 });
      if (row === undefined) throw refuse("row.not_found");
      return { ...row, ...versionOf(row) };
    },

    /** Writes a kept version's words into the article. @throws Refusal 404, 409, 400 where its title is another's by now */
    async restore(scope: TenantScope, { id, number, version }: { id: string; number: number; version: number }) {
      await inTransaction(async (to) => {
        const before = await held(to, scope, id, version);
        const old = await to.articles.versionOf(id, number);
        if (old === undefined) throw refuse("row.not_found");
        const { title, titleEn, summary, summaryEn, channel, topic, page, cover, author, example, body, bodyEn } = old;
        await to.fields.submit(
          scope,
          { id, title, titleEn, summary, summaryEn, channel, topic, page, cover, author, example },
          undefined,
        );
        await to.articles.setBodies(id, { body, bodyEn }, scope.accountId);
        await to.articles.setUnreviewed(id, old.unreviewed, scope.accountId);
        const kept = await to.articles.keep(id, scope.accountId);
        await written(to, scope, before, "versionNumber", String(before.versionNumber), String(kept));
      });
      return found(scope, id);
    },

    /** @param at when; at once where it is left out. @throws Refusal 400 with what is missing, 404, 409 */
    async publish(scope: TenantScope, { id, version, at }: { id: string; version: number; at?: Date | undefined }) {
      if (
        at !== undefined &&
        (Number.isNaN(at.getTime()) || at.getTime() < now() - earliestMs || at.getTime() > now() + latestMs)
      )
        throw refuse("article.time_out_of_range", { field: "at" });
      const later = at !== undefined && at.getTime() > now();
      const words = await inTransaction(async (to) => {
        const row = await held(to, scope, id, version);
        await requireComplete(to, row);
        const number = await to.articles.keep(id, scope.accountId);
        let used: string[] = [];
        if (later) await to.articles.schedule(id, number, at);
        else {
          await to.articles.unschedule(id);
          await to.articles.publish(id, number);
          used = await makeFound(to, id, number);
        }
        await written(to, scope, row, "state", row.state, later ? "scheduled" : "published");
        return used;
      });
      if (!later) changed();
      await learn(words).catch(tellWords);
      return found(scope, id);
    },

    /** Takes a time back, or what is published off the site. @throws Refusal 404, 409 where it is neither */
    async withdraw(scope: TenantScope, id: string) {
      await inTransaction(async (to) => {
        const row = await held(to, scope, id);
        if (row.state === "scheduled") await to.articles.unschedule(id);
        else if (row.state === "published") await to.articles.withdraw(id);
        else throw refuse("article.not_published");
        const after = row.state === "published" ? "withdrawn" : row.publishedVersion === null ? "draft" : "published";
        await written(to, scope, row, "state", row.state, after);
      });
      changed();
      return found(scope, id);
    },

    async previewLink(scope: TenantScope, id: string) {
      const number = await inTransaction(async (to) => {
        await held(to, scope, id);
        return to.articles.keep(id, scope.accountId);
      });
      const { token, expiresAt } = previews.make({ id, number });
      return { path: `/preview?token=${token}`, expiresAt };
    },

    /** Publishes what is due. One whose page was taken meanwhile becomes a draft again. */
    async publishDue(): Promise<void> {
      const words: string[] = [];
      const published = await inTransaction(async (to) => {
        const due = await to.articles.due(new Date(now()), duePerRun);
        for (const { id, scheduledVersion } of due) {
          const version = await to.articles.versionOf(id, scheduledVersion);
          const holder = version?.page ? await to.articles.holderOf(version.page, id) : undefined;
          if (version === undefined || holder) {
            await to.articles.unschedule(id);
            warn(`article ${id} was not published at its time: its page is another's`)(undefined);
          } else {
            await to.articles.publish(id, scheduledVersion);
            words.push(...(await makeFound(to, id, scheduledVersion)));
          }
        }
        return due.length;
      });
      if (published > 0) changed();
      await learn([...new Set(words)].sort()).catch(tellWords);
    },

    /** Makes what the search and pages read of what was published by other ways, such as a seed or a restored backup. @param signal ends it early */
    async searchAll(signal: AbortSignal): Promise<void> {
      let read = "0";
      while (!signal.aborted) {
        const rows = await repository.unread(seals.rules, read, searchedAtOnce);
        read = rows.at(-1)?.id ?? "";
        if (read === "") break;
        await repository.keepReadings(rows.flatMap((row) => readingsOf(row.id, row.version, row)));
      }
      let last = "0";
      while (!signal.aborted) {
        const rows = await repository.unsearched(last, searchedAtOnce);
        last = rows.at(-1)?.id ?? "";
        if (last === "") return;
        await repository.keepSearch(
          rows.map((row) => ({ id: row.id, version: row.version, lexemes: lexemesOf(searchedTexts(row)) })),
        );
        await learn([...new Set(rows.flatMap((row) => wordsOf(searchedTexts(row))))].sort());
      }
    },

    /** Words that begin as what is typed does, in characters or in pinyin, and titles of articles with it. */
    async suggestions({ language = "zh", keyword }: QueryOf<typeof searchSuggestions>): Promise<{ offered: string[] }> {
      const text = keyword.trim().toLowerCase();
      if (text === "") return { offered: [] };
      const known = await repository.wordsFrom(text, speltOf(keyword), mostCounted);
      const counts = await repository.countAnswers(known.map((word) => searchQueryOf(word) ?? ""));
      // What a single article has is mostly a part of a sentence.
      const words = known
        .flatMap((word, at) => ((counts[at] ?? 0) > 1 ? [{ word, count: counts[at] ?? 0 }] : []))
        .sort((a, b) => b.count - a.count)
        .slice(0, mostSuggestions.words)
        .map(({ word }) => word);
      const titled = async (word: string | undefined): Promise<string[]> => {
        const query = word === undefined ? undefined : searchQueryOf(word);
        if (query === undefined) return [];
        const reading = { language, rules: seals.rules };
        const { rows } = await repository.searchPage(query, reading, {}, { offset: 0, limit: mostSuggestions.titles });
        return rows.map((row) => entryOf(row, language, row.english).title);
      };
      const titles = await titled(text);
      return { offered: [...new Set([...words, ...(titles.length > 0 ? titles : await titled(words[0]))])] };
    },

    /** What may have been meant by a search that found nothing; "" where nothing published holds anything alike. */
    async correction(keyword: string): Promise<{ keyword: string }> {
      const spelt = speltOf(keyword);
      if (spelt !== undefined) {
        const words = (await repository.wordsByForm([spelt], mostCandidates)).map(({ word }) => word).filter(isChinese);
        const first = await repository.firstAnswered(words.map((one) => searchQueryOf(one) ?? ""));
        if (first !== undefined) return { keyword: words[first] ?? "" };
      }
      const forms = [...new Set(suspectsOf(keyword).flatMap(({ part }) => formsOf(part)))];
      if (forms.length === 0) return { keyword: "" };
      const candidates = await repository.wordsByForm(forms, mostCandidates);
      const meant = correctionsOf(keyword, candidates, mostCorrections);
      const place = await repository.firstAnswered(meant.map((one) => searchQueryOf(one) ?? ""));
      return { keyword: place === undefined ? "" : (meant[place] ?? "") };
    },

    async page({ language = "zh", channel, topic, keyword, period, ...query }: QueryOf<typeof publicArticlePage>) {
      const request = pageRequest(query, []);
      const word = keyword?.trim();
      const days = articlePeriods.find(([known]) => known === period)?.[2];
      const since = days === undefined ? undefined : new Date(now() - days * dayMs);
      if (word) {
        const query = searchQueryOf(word);
        const { rows, total } =
          query === undefined
            ? { rows: [], total: 0 }
            : await repository.searchPage(query, { language, rules: seals.rules }, { channel, topic, since }, request);
        return pageOfRows(
          rows.map((row) => foundEntry(row, language, word)),
          total,
          request,
        );
      }
      const filter = { channel, topic, since };
      const [rows, total] = await Promise.all([repository.publishedPage(filter, request), countOf(filter)]);
      return pageOfRows(
        rows.map((row) => entryOf(row, language)),
        total,
        request,
      );
    },

    /** @throws Refusal 404 for what is not published */
    async read({
      id,
      page,
      language = "zh",
    }: {
      id?: string | undefined;
      page?: string | undefined;
      language?: Language | undefined;
    }) {
      const row =
        id === undefined && page === undefined
          ? undefined
          : await repository.published({ id, page }, language, seals.rules);
      if (row === undefined) throw refuse("row.not_found");
      const held = row.reading;
      const sealed = held !== null && seals.of({ ...held, id: row.id, version: row.version }) === held.seal;
      // A seed or a backup brought it a moment ago, or the rules of cleaning are new, or something else wrote the row.
      const reading = sealed ? held : readingOf(await bodyOf(row.id, row.version, language === "en" && row.english));
      return readable(row, { wanted: language, english: row.english, reading, around: true });
    },

    /** @throws Refusal 404 for an address that was changed or has ended, as for one that never was */
    async preview({ token, language = "zh" }: { token: string; language?: Language | undefined }) {
      const named = previews.read(token);
      const version = named && (await repository.versionOf(named.id, named.number));
      if (named === undefined || version === undefined) throw refuse("row.not_found");
      const english = hasEnglish(version);
      const reading = readingOf(language === "en" && english ? version.bodyEn : version.body);
      return readable(
        { ...version, id: named.id, publishedAt: null },
        { wanted: language, english, reading, around: false },
      );
    },

    async partners(language: Language = "zh"): Promise<PublicPartner[]> {
      return (await repository.partners()).map(({ nameEn, introEn, ...partner }) =>
        language === "en" ? { ...partner, name: nameEn || partner.name, intro: introEn || partner.intro } : partner,
      );
    },

    /** The newest that visitors read, for the feeds. */
    newest: (limit: number) => repository.publishedPage({}, { offset: 0, limit }),
    /** What visitors read in an order that stays, for the site map. */
    mapped: (offset: number, limit: number) => repository.mappedPage({ offset, limit }),
  };
}
type PublicArticleView = Omit<PublicArticle, "publishedAt" | "changedAt" | "related" | "earlier" | "later"> & {
  publishedAt: Date | null;
  changedAt: Date;
  related: EntryView[];
  earlier?: EntryView;
  later?: EntryView;
};
export type ArticleService = ReturnType<typeof createArticleService>;

/** Rules of an article as a resource: what visitors read is taken off the site before it is removed. */
export const articleHooks = {
  async beforeRemove({ rows }: { rows: readonly StoredRow[] }): Promise<void> {
    if (rows.some(({ state }) => state === "published" || state === "scheduled"))
      throw refuse("article.still_published");
  },
};
