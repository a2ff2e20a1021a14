import { type Static, Type } from "typebox";
import { articleCovers } from "./article-covers.ts";
import { LinkCheckBody, LinkProblems } from "./articles.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { homeSectionIds, homeTextFields, homeWords } from "./home-sections.ts";
import { DateTime, Empty } from "./scalars.ts";

/**
 * `standard`: visitors see the delivered page; `scheduled`: a version waits for its time, and the earlier page stays visible
 * until then.
 */
export const homeStates = [
  ["standard", "标准版"],
  ["scheduled", "定时"],
  ["published", "已发布"],
] as const;
export type HomeState = (typeof homeStates)[number][0];

const SectionId = Type.Enum([...homeSectionIds]);
const longest = Math.max(
  ...Object.values(homeWords).flatMap((words) => words.flatMap(({ max, maxEn }) => [max, maxEn])),
);
const Language = Type.Enum(["zh", "en"] as const);
const Word = Type.Object({
  name: Type.String({ maxLength: 20 }),
  zh: Type.String({ maxLength: longest }),
  en: Type.String({ maxLength: longest }),
});
/** A text as it is kept. */
const KeptWord = Type.Object({
  ...Word.properties,
  /** The language in which the text is an unreviewed machine translation. */
  unreviewed: Type.Optional(Language),
});
const mostWords = { maxItems: 10 };
const TextField = Type.Enum(homeTextFields);
const Cover = Type.Enum(["", ...articleCovers.map(([cover]) => cover)]);
const Link = Type.String({ maxLength: 300, description: "a page of the site, or an address that begins with https" });

/** A section of the home page as editors arrange it; an empty text means the standard text. */
export const HomeSection = Type.Object({
  id: SectionId,
  shown: Type.Boolean(),
  /** Shown from `from` until `until`; "" for no limit. */
  from: DateTime,
  until: DateTime,
  link: Link,
  cover: Cover,
  words: Type.Array(KeptWord, mostWords),
});
export type HomeSection = Static<typeof HomeSection>;

const Moment = Type.Union([Type.Literal(""), Type.String({ format: "wire-date-time" })]);
const WrittenSection = Type.Object({
  ...HomeSection.properties,
  from: Moment,
  until: Moment,
  words: Type.Array(Word, mostWords),
});

/** The home page as it is being written. */
export const HomeDraft = Type.Object({
  /** Must be sent back with a change; the change is refused when somebody else changed the page meanwhile. */
  version: Type.Integer(),
  /** All sections in their order, including hidden ones. */
  sections: Type.Array(HomeSection),
  state: Type.Enum(homeStates.map(([state]) => state)),
  publishAt: DateTime,
  publishedAt: DateTime,
  /** Number of the newest kept version; 0 when there is none. */
  versionNumber: Type.Integer(),
  /** Number of the version that visitors see; 0 for the standard page. */
  publishedVersion: Type.Integer(),
  updateTime: DateTime,
  updateUserName: Type.String(),
});
export type HomeDraft = Static<typeof HomeDraft>;

export const HomeVersion = Type.Object({
  number: Type.Integer(),
  savedAt: DateTime,
  savedBy: Type.String(),
  /** Number of characters that editors wrote. */
  characters: Type.Integer(),
});
export type HomeVersion = Static<typeof HomeVersion>;

const base = "/api/muyuan-content/home";
const reading = {
  access: permission("home_page_view"),
  owner: "group",
  personal: {},
  form: "envelope",
  rate: "read",
} as const;
const writing = { ...reading, access: permission("home_page_edit"), rate: "write" } as const;
const publishing = { ...writing, access: permission("home_page_publish") } as const;
const open = { access: publicAccess, owner: "nobody", personal: {}, form: "envelope", rate: "read" } as const;

export const homeDraft = {
  method: "GET",
  path: `${base}/detail`,
  summary: "The sections of the home page as they are being written, in both languages.",
  ...reading,
  query: Empty,
  body: Empty,
  reply: HomeDraft,
} satisfies Endpoint;

export const homeLinkCheck = {
  method: "POST",
  path: `${base}/check-links`,
  summary: "Looks at the links of the home page's sections, as `check-links` of articles does.",
  ...reading,
  query: Empty,
  body: LinkCheckBody,
  reply: LinkProblems,
} satisfies Endpoint;

export const homeSave = {
  method: "POST",
  path: `${base}/write`,
  summary:
    "Saves order, visibility, times and words of the home page's sections and keeps them as a version; what visitors see stays. The first section always stands first.",
  ...writing,
  query: Empty,
  body: Type.Object({
    version: Type.Integer({ description: "that the change was made from" }),
    sections: Type.Array(WrittenSection, { maxItems: homeSectionIds.length }),
    /** Machine-translated fields that a person has reviewed and accepted unchanged. */
    reviewed: Type.Optional(Type.Array(TextField, { maxItems: homeTextFields.length })),
  }),
  reply: HomeDraft,
} satisfies Endpoint;

export const homeTranslate = {
  method: "POST",
  path: `${base}/translate`,
  summary:
    "Has the machine translate a text of the home page from the other language, where it is empty or holds such a proposal already. The words stay marked until a person edits or accepts them; a person's words are never replaced.",
  ...writing,
  query: Empty,
  body: Type.Object({ version: Type.Integer({ description: "that was looked at" }), field: TextField }),
  reply: HomeDraft,
} satisfies Endpoint;

export const homeVersions = {
  method: "GET",
  path: `${base}/versions`,
  summary: "The kept versions of the home page, newest first, at most 100.",
  ...reading,
  query: Empty,
  body: Empty,
  reply: Type.Array(HomeVersion),
} satisfies Endpoint;

export const homeVersion = {
  method: "GET",
  path: `${base}/version`,
  summary: "The sections of one kept version.",
  ...reading,
  query: Type.Object({ number: Type.Integer({ minimum: 1 }) }),
  body: Empty,
  reply: Type.Object({ ...HomeVersion.properties, sections: Type.Array(HomeSection) }),
} satisfies Endpoint;

export const homeRestore = {
  method: "POST",
  path: `${base}/restore`,
  summary: "Writes a kept version into the home page, as a new version; what visitors see stays.",
  ...writing,
  query: Empty,
  body: Type.Object({ number: Type.Integer({ minimum: 1 }), version: Type.Integer() }),
  reply: HomeDraft,
} satisfies Endpoint;

export const homePublish = {
  method: "POST",
  path: `${base}/publish`,
  summary:
    "Publishes the home page as it is now, at once or at a time within a year; later changes wait until they are published, too.",
  ...publishing,
  query: Empty,
  body: Type.Object({
    version: Type.Integer({ description: "that was looked at" }),
    at: Type.Optional(
      Type.String({ format: "wire-date-time", description: "in Asia/Shanghai; at once when left out" }),
    ),
  }),
  reply: HomeDraft,
} satisfies Endpoint;

export const homeWithdraw = {
  method: "POST",
  path: `${base}/withdraw`,
  summary: "Takes the time of a scheduled version back; otherwise shows visitors the standard page again.",
  ...publishing,
  query: Empty,
  body: Empty,
  reply: HomeDraft,
} satisfies Endpoint;

export const homePreviewLink = {
  method: "POST",
  path: `${base}/preview-link`,
  summary:
    "Keeps the home page as it is now as a version and makes a signed address under which anybody can look at it for 24 hours.",
  ...writing,
  query: Empty,
  body: Empty,
  reply: Type.Object({ path: Type.String(), expiresAt: DateTime }),
} satisfies Endpoint;

/** A section as visitors see it, with the texts that editors wrote; standard texts are left out. */
export const ShownSection = Type.Object({
  id: SectionId,
  link: Link,
  cover: Cover,
  words: Type.Array(Type.Object({ name: Type.String(), text: Type.String() })),
  /** Languages in which some of its texts are unreviewed machine translations. */
  unreviewed: Type.Optional(Type.Array(Language)),
});
export type ShownSection = Static<typeof ShownSection>;

export const publicHome = {
  method: "GET",
  path: `${base}/skip-secure/detail`,
  summary: "The sections of the home page that are shown now, in their order.",
  ...open,
  query: Type.Object({ language: Type.Optional(Language) }),
  body: Empty,
  reply: Type.Array(ShownSection),
} satisfies Endpoint;

export const previewedHome = {
  method: "GET",
  path: `${base}/skip-secure/preview`,
  summary: "The sections of the version that a signed preview address names, published or not.",
  ...open,
  // Knowing the address is the proof; it names the version.
  owner: "proof",
  query: Type.Object({ language: Type.Optional(Language), token: Type.String({ maxLength: 300 }) }),
  body: Empty,
  reply: Type.Array(ShownSection),
} satisfies Endpoint;
