import {
  type BodyOf,
  type HomeDraft,
  type HomeSection,
  type HomeSectionId,
  type HomeState,
  type HomeWord,
  hasHomeLink,
  type homeSave,
  homeSectionIds,
  homeSectionNames,
  homeTextField,
  type homeTranslate,
  homeWords,
  isHomeBody,
  isHomeFeature,
  isHomeLink,
  type ShownSection,
} from "@herdwise/contract";
import { type ArticleBlock, blockProblem, blocksIn, isEmptyBody } from "@herdwise/contract/article-blocks";
import { cleanBody, picturesOf, textOf } from "../../article-html.ts";
import { refuse } from "../../http/errors.ts";
import { momentOf } from "../../http/wire-moment.ts";
import type { PreviewLinks } from "../../preview-links.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import { type LanguagesModule, proposedLines, translateBody, translateText } from "../languages/index.ts";
import type { HomePageRepository, HomeRow, HomeVersionRow, StoredSection } from "./home-page.repository.ts";

/** What a change works with, in one transaction. */
export interface HomePageTransaction {
  page: HomePageRepository;
  audit: AuditRepository;
}

export interface HomePageDependencies {
  repository: HomePageRepository;
  inTransaction<T>(work: (to: HomePageTransaction) => Promise<T>): Promise<T>;
  previews: PreviewLinks;
  /** Lines of the other language, for an address whose characters are counted. */
  translate: LanguagesModule["translate"];
  /** Tells every server that what visitors see is another. */
  changed: () => void;
  now: () => number;
  nextId: () => string;
}

type Language = "zh" | "en";
type StoredWord = StoredSection["words"][number];
type SectionView = Omit<HomeSection, "from" | "until"> & { from: Date | null; until: Date | null };

/** The page in what the audit trail writes of it, which has one. */
const auditName = "home_page";
const pageId = "1";
const mostVersions = 100;
/** Somebody who chooses "now" must not be told that it is over. */
const earliestMs = 30_000;
/** How far ahead a time may be chosen. */
const latestMs = 366 * 24 * 60 * 60 * 1000;

const wordsOf = (id: HomeSectionId): readonly HomeWord[] => homeWords[id];

const standardSection = (id: HomeSectionId): StoredSection => ({
  id,
  shown: !isHomeFeature(id),
  from: "",
  until: "",
  link: "",
  cover: "",
  words: [],
});
const standardPage: readonly StoredSection[] = homeSectionIds.map(standardSection);

/**
 * All sections in their order: those that are stored, and those that a newer release brought where they stand in the standard page. The
 * first stands first and is always shown, as it carries the page's title.
 */
function completed(stored: readonly StoredSection[]): StoredSection[] {
  const known = stored.filter(({ id }, at) => id in homeWords && stored.findIndex((one) => one.id === id) === at);
  const first = known.find(({ id }) => id === "hero") ?? standardSection("hero");
  const sections = [{ ...first, shown: true, from: "", until: "" }, ...known.filter(({ id }) => id !== "hero")];
  for (const [at, id] of homeSectionIds.entries()) {
    if (sections.some((section) => section.id === id)) continue;
    const before = sections.findIndex((section) => section.id === homeSectionIds[at - 1]);
    sections.splice(before + 1, 0, standardSection(id));
  }
  return sections;
}

const momentOrNull = (iso: string): Date | null => (iso === "" ? null : new Date(iso));
const viewOf = (section: StoredSection): SectionView => ({
  ...section,
  from: momentOrNull(section.from),
  until: momentOrNull(section.until),
});

const writtenWords = (section: StoredSection, name: string) => section.words.find((word) => word.name === name);
const languages: readonly Language[] = ["zh", "en"];

/** The section with the marks of a machine's words that are the same as before and that nobody has read. */
function marked(section: StoredSection, before: readonly StoredSection[], reviewed: readonly string[]): StoredSection {
  const former = before.find(({ id }) => id === section.id);
  return {
    ...section,
    words: section.words.map(({ name, zh, en }) => {
      const words = { name, zh, en };
      const old = former && writtenWords(former, name);
      const language = old?.unreviewed;
      const isProposal =
        language !== undefined &&
        words[language] === old?.[language] &&
        !reviewed.includes(homeTextField(section.id, name, language));
      return isProposal ? { ...words, unreviewed: language } : words;
    }),
  };
}

/** A text of the page, and which language of it a field names. */
function placeOf(field: string): { id: HomeSectionId; word: HomeWord; language: Language } {
  for (const id of homeSectionIds)
    for (const word of wordsOf(id))
      for (const language of languages)
        if (homeTextField(id, word.name, language) === field) return { id, word, language };
  throw refuse("row.not_found");
}
const charactersOf = (sections: readonly StoredSection[]): number =>
  sections
    .flatMap(({ id, words }) =>
      words.flatMap(({ name, zh, en }) => (isHomeBody(id, name) ? [textOf(zh), textOf(en)] : [zh, en])),
    )
    .reduce((sum, { length }) => sum + length, 0);

/** No picture of a body is taken: only articles keep pictures. */
const noPictures = new Map<string, never>();

/** @throws Refusal 400 where a body has what the home page does not show, which would be lost without a word */
function checkedBody(html: string, field: string): string {
  const { html: kept, removed } = cleanBody(html, noPictures);
  if (removed > 0 || picturesOf(html).length > 0) throw refuse("home.markup", { field });
  return isEmptyBody(kept) ? "" : kept;
}

/** @throws Refusal 400 with the field `<section>.<what>` that is wrong */
function checkedSection(section: BodyOf<typeof homeSave>["sections"][number]): StoredSection {
  const { id } = section;
  const field = (name: string): string => `${id}.${name}`;
  const words = wordsOf(id).flatMap(({ name, max, maxEn, lines, rich }) => {
    const given = section.words.find((word) => word.name === name);
    const clean = (value: string, of: string): string =>
      rich
        ? checkedBody(value, field(of))
        : value
            .split("\n")
            .map((line) => line.replace(/\s+/g, " ").trim())
            .filter((line) => line !== "")
            .join(lines > 1 ? "\n" : " ");
    const [zh, en] = [clean(given?.zh ?? "", name), clean(given?.en ?? "", `${name}En`)];
    if (zh.length > max) throw refuse("home.too_long", { field: field(name), values: { max } });
    if (en.length > maxEn) throw refuse("home.too_long", { field: field(`${name}En`), values: { max: maxEn } });
    return zh === "" && en === "" ? [] : [{ name, zh, en }];
  });
  const link = hasHomeLink(id) ? section.link.trim() : "";
  if (link !== "" && !isHomeLink(link)) throw refuse("home.link", { field: field("link") });
  const [from, until] = [section.from, section.until].map((wire) => (wire === "" ? "" : momentOf(wire).toISOString()));
  if (from && until && from >= until) throw refuse("home.ends_before_it_begins", { field: field("until") });
  return {
    id,
    shown: section.shown,
    from: from ?? "",
    until: until ?? "",
    link,
    cover: isHomeFeature(id) ? section.cover : "",
    words,
  };
}

/** Half a language would be read as a page that broke off. @throws Refusal 400 with what is missing */
function requireComplete(sections: readonly StoredSection[]): void {
  for (const section of sections.filter(({ shown }) => shown)) {
    for (const { name, zh, en } of section.words)
      if ((zh === "") !== (en === ""))
        throw refuse("home.one_language", {
          field: `${section.id}.${zh === "" ? name : `${name}En`}`,
          values: { section: homeSectionNames[section.id] },
        });
    const isIncomplete = (block: ArticleBlock): boolean => blockProblem(block) !== undefined;
    for (const { name, zh, en } of section.words.filter(({ name }) => isHomeBody(section.id, name)))
      for (const [field, html] of [
        [name, zh],
        [`${name}En`, en],
      ] as const)
        if (blocksIn(html).some(isIncomplete))
          throw refuse("home.block_incomplete", {
            field: `${section.id}.${field}`,
            values: { section: homeSectionNames[section.id] },
          });
    if (!isHomeFeature(section.id)) continue;
    if (writtenWords(section, "title") === undefined)
      throw refuse("home.without_title", {
        field: `${section.id}.title`,
        values: { section: homeSectionNames[section.id] },
      });
    if ((writtenWords(section, "action") === undefined) !== (section.link === ""))
      throw refuse("home.button_without_link", {
        field: `${section.id}.${section.link === "" ? "link" : "action"}`,
        values: { section: homeSectionNames[section.id] },
      });
  }
}

const stateOf = (row: HomeRow): HomeState =>
  row.publishAt !== null ? "scheduled" : row.publishedVersion === null ? "standard" : "published";

/** Arranging, writing and publishing the home page, and what visitors see of it. */
export function createHomePageService({
  repository,
  inTransaction,
  previews,
  translate,
  changed,
  now,
  nextId,
}: HomePageDependencies) {
  const draft = async (scope: TenantScope): Promise<DraftView> => {
    const [row, updateUserName] = await Promise.all([repository.find(), repository.changer(scope)]);
    const { version, publishAt, publishedAt, versionNumber, publishedVersion, updateTime } = row;
    return {
      version,
      sections: completed(row.sections).map(viewOf),
      state: stateOf(row),
      publishAt,
      publishedAt,
      versionNumber,
      publishedVersion: publishedVersion ?? 0,
      updateTime,
      updateUserName,
    };
  };

  /** The page, held until the transaction ends. @throws Refusal 409 when somebody else was quicker */
  const held = async (to: HomePageTransaction, scope: TenantScope, version?: number): Promise<HomeRow> => {
    const row = await to.page.find(true);
    if (version !== undefined && version !== row.version)
      throw refuse("home.changed_meanwhile", { values: { name: await to.page.changer(scope) } });
    return row;
  };

  const noted = (to: HomePageTransaction, scope: TenantScope, field: string, before: string, after: string) =>
    before === after
      ? Promise.resolve()
      : to.audit.append(
          installationChain,
          scope,
          [
            {
              resource: auditName,
              rowId: pageId,
              rowTitle: "首页",
              action: "update",
              changes: [{ field, before, after }],
            },
          ],
          nextId,
        );

  /** Writes sections and keeps them as a version. */
  const write = async (
    to: HomePageTransaction,
    scope: TenantScope,
    before: HomeRow,
    sections: readonly StoredSection[],
  ): Promise<void> => {
    await to.page.write(completed(sections), scope.accountId);
    const number = await to.page.keep(scope.accountId);
    await noted(to, scope, "versionNumber", String(before.versionNumber), String(number));
  };

  const isShown = ({ shown, from, until }: StoredSection, at: number): boolean =>
    shown && (from === "" || Date.parse(from) <= at) && (until === "" || at < Date.parse(until));

  const shownOf = (sections: readonly StoredSection[], language: Language): ShownSection[] =>
    sections
      .filter((section) => isShown(section, now()))
      .map(({ id, link, cover, words }) => {
        const unreviewed = languages.filter((one) => words.some((word) => word.unreviewed === one));
        return {
          id,
          link,
          cover,
          words: words.flatMap(({ name, ...written }) =>
            written[language] === "" ? [] : [{ name, text: written[language] }],
          ),
          ...(unreviewed.length > 0 && { unreviewed }),
        };
      });
  const published = async (): Promise<readonly StoredSection[]> => {
    const sections = await repository.published();
    return sections === undefined ? standardPage : completed(sections);
  };

  return {
    draft,

    /** @throws Refusal 400 with the field that is wrong, 409 */
    async save(scope: TenantScope, { version, sections, reviewed = [] }: BodyOf<typeof homeSave>): Promise<DraftView> {
      const checked = sections.map(checkedSection);
      await inTransaction(async (to) => {
        const before = await held(to, scope, version);
        await write(
          to,
          scope,
          before,
          checked.map((section) => marked(section, before.sections, reviewed)),
        );
      });
      return draft(scope);
    },

    /**
     * Proposes a machine's translation for a text.
     * @throws Refusal 409 where a person's words stand there, somebody else was quicker, or no machine translates; 400 without a source,
     * or where the translation is too long
     */
    async propose(
      scope: TenantScope,
      { version, field }: BodyOf<typeof homeTranslate>,
      address: string,
    ): Promise<DraftView> {
      const { id, word, language } = placeOf(field);
      const other: Language = language === "en" ? "zh" : "en";
      /** The text as it is stored, with a person's words at no place that a proposal would take. */
      const proposable = ({ sections }: HomeRow): StoredWord => {
        const section = sections.find((one) => one.id === id);
        const stored = (section && writtenWords(section, word.name)) ?? { name: word.name, zh: "", en: "" };
        if (stored[language] !== "" && stored.unreviewed !== language)
          throw refuse("translation.written_by_person", { field });
        return stored;
      };
      // Before the machine is paid for; what counts is looked at again when it is written.
      const asked = await inTransaction(async (to) => proposable(await held(to, scope, version)));
      if (asked[other] === "" || asked.unreviewed === other) throw refuse("translation.no_source", { field });
      const lines = proposedLines(translate, language, address, field);
      const text = word.rich
        ? cleanBody(await translateBody(asked[other], language, lines), noPictures).html
        : await translateText(asked[other], language, lines);
      const max = language === "en" ? word.maxEn : word.max;
      if (text.length > max) throw refuse("home.too_long", { field, values: { max } });
      await inTransaction(async (to) => {
        const row = await held(to, scope, version);
        // What came past the editor may have left the version as it was.
        if (proposable(row)[language] !== asked[language]) throw refuse("translation.written_by_person", { field });
        const proposed = { ...asked, [language]: text, unreviewed: language };
        await write(
          to,
          scope,
          row,
          completed(row.sections).map((section) =>
            section.id === id
              ? { ...section, words: [...section.words.filter(({ name }) => name !== word.name), proposed] }
              : section,
          ),
        );
      });
      return draft(scope);
    },

    async versions(scope: TenantScope) {
      return (await repository.versions(scope, { limit: mostVersions })).map(versionOf);
    },

    /** @throws Refusal 404 */
    async version(scope: TenantScope, number: number) {
      const [row] = await repository.versions(scope, { number, limit: 1 });
      if (row === undefined) throw refuse("row.not_found");
      return { ...versionOf(row), sections: completed(row.sections).map(viewOf) };
    },

    /** Writes a kept version into the page. @throws Refusal 404, 409 */
    async restore(scope: TenantScope, { number, version }: { number: number; version: number }): Promise<DraftView> {
      await inTransaction(async (to) => {
        const before = await held(to, scope, version);
        const old = await to.page.sectionsOf(number);
        if (old === undefined) throw refuse("row.not_found");
        await write(to, scope, before, old);
      });
      return draft(scope);
    },

    /** @param at when; at once where it is left out. @throws Refusal 400 with what is missing, 409 */
    async publish(scope: TenantScope, { version, at }: { version: number; at?: Date | undefined }): Promise<DraftView> {
      if (
        at !== undefined &&
        (Number.isNaN(at.getTime()) || at.getTime() < now() - earliestMs || at.getTime() > now() + latestMs)
      )
        throw refuse("article.time_out_of_range", { field: "at" });
      const later = at !== undefined && at.getTime() > now();
      await inTransaction(async (to) => {
        const row = await held(to, scope, version);
        const sections = completed(row.sections);
        requireComplete(sections);
        // The page as it was delivered has no version yet.
        if (row.versionNumber === 0) await to.page.write(sections, scope.accountId);
        const number = await to.page.keep(scope.accountId);
        if (later) await to.page.schedule(number, at);
        else await to.page.publish(number, new Date(now()));
        await noted(to, scope, "state", stateOf(row), later ? "scheduled" : "published");
        if (!later) await noted(to, scope, "publishedVersion", String(row.publishedVersion ?? 0), String(number));
      });
      if (!later) changed();
      return draft(scope);
    },

    /** Takes a time back, or shows the standard page again. @throws Refusal 409 where it is neither */
    async withdraw(scope: TenantScope): Promise<DraftView> {
      await inTransaction(async (to) => {
        const row = await held(to, scope);
        const state = stateOf(row);
        if (state === "standard") throw refuse("home.is_standard");
        if (state === "scheduled") await to.page.unschedule();
        else await to.page.withdraw();
        const after = state === "scheduled" && row.publishedVersion !== null ? "published" : "standard";
        await noted(to, scope, "state", state, after);
      });
      changed();
      return draft(scope);
    },

    async previewLink(scope: TenantScope) {
      const number = await inTransaction(async (to) => {
        const row = await held(to, scope);
        if (row.versionNumber === 0) await to.page.write(completed(row.sections), scope.accountId);
        return to.page.keep(scope.accountId);
      });
      const { token, expiresAt } = previews.make({ id: pageId, number });
      return { path: `/index?preview=${token}`, expiresAt };
    },

    /** Publishes the version whose time has come. */
    async publishDue(): Promise<void> {
      const number = await inTransaction(async (to) => {
        const due = await to.page.due(new Date(now()));
        if (due !== undefined) await to.page.publish(due, new Date(now()));
        return due;
      });
      if (number !== undefined) changed();
    },

    /** What visitors see now. */
    shown: async (language: Language = "zh"): Promise<ShownSection[]> => shownOf(await published(), language),

    /** Languages in which people wrote or read all that visitors see now. */
    async languages(): Promise<Language[]> {
      const shown = shownOf(await published(), "zh");
      return languages.filter((language) => !shown.some(({ unreviewed }) => unreviewed?.includes(language)));
    },

    /** @throws Refusal 404 for an address that was changed or has ended, as for one that never was */
    async preview({ token, language = "zh" }: { token: string; language?: Language | undefined }) {
      const named = previews.read(token);
      const sections = named && (await repository.sectionsOf(named.number));
      if (sections === undefined) throw refuse("row.not_found");
      return shownOf(completed(sections), language);
    },
  };
}
export type HomePageService = ReturnType<typeof createHomePageService>;
type DraftView = Omit<HomeDraft, "sections" | "publishAt" | "publishedAt" | "updateTime"> & {
  sections: SectionView[];
  publishAt: Date | null;
  publishedAt: Date | null;
  updateTime: Date;
};

const versionOf = (row: HomeVersionRow & { savedBy: string }) => ({
  number: row.number,
  savedAt: row.savedAt,
  savedBy: row.savedBy,
  characters: charactersOf(row.sections),
});
