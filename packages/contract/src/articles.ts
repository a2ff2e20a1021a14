import { type Static, Type } from "typebox";
import { articleCovers } from "./article-covers.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { choice, moment, number, onOff, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

/** Section of the public site that an article belongs to. */
export const articleChannels = [
  ["information", "养殖资讯"],
  ["news", "集团动态"],
  ["notice", "通知公告"],
  ["solution", "解决方案页"],
  ["legal", "法律文本"],
] as const;
export type ArticleChannel = (typeof articleChannels)[number][0];

/** Periods that a list of notices can be limited to, in days. */
export const articlePeriods = [
  ["week", "最近一周", 7],
  ["month", "最近一个月", 30],
  ["quarter", "最近三个月", 90],
] as const;
export type ArticlePeriod = (typeof articlePeriods)[number][0];

/** Topics of articles. */
export const articleTopics = [
  ["climate", "舍内气候"],
  ["biosafety", "生物安全"],
  ["health", "猪群健康"],
  ["emission", "除臭与粪水"],
  ["feed", "饲喂与饮水"],
  ["product", "产品"],
  ["service", "服务"],
  ["company", "公司"],
] as const;
export type ArticleTopic = (typeof articleTopics)[number][0];

/** Pages of the site that show one article: the ten solutions of product.md by the last part of their address, and the legal texts. */
export const articlePages = [
  ["biosafety", "方案：生物安全"],
  ["wisdom", "方案：智慧猪场"],
  ["evcManure", "方案：粪水处理"],
  ["ammoniaDeodorization", "方案：氨气除臭"],
  ["highStandardFarmland", "方案：高标准农田"],
  ["environmentalControl", "方案：环境控制"],
  ["pigFarmDesign", "方案：猪场设计"],
  ["feedMill", "方案：饲料厂智能监控"],
  ["farmMonitoring", "方案：养殖场智能监控"],
  ["parkMonitoring", "方案：产业园区智能监控"],
  ["privacy", "隐私政策"],
  ["terms", "用户协议"],
] as const;
export type ArticlePage = (typeof articlePages)[number][0];
/** Whether a page is a legal text; the others are solutions. */
export const isLegalPage = (page: string): boolean => page === "privacy" || page === "terms";

/** `scheduled`: a version waits for its publishing time; an earlier published version stays visible until then. */
export const articleStates = [
  ["draft", "草稿"],
  ["scheduled", "定时"],
  ["published", "已发布"],
  ["withdrawn", "已撤下"],
] as const;
export type ArticleState = (typeof articleStates)[number][0];

const editors = ["administrator", "content_editor"];

/**
 * Articles of the public site as editors write them.
 * Visitors read the published version; a change here reaches them when it is published.
 * The bodies have operations of their own below.
 */
export const articles = resource({
  name: "article",
  table: "articles",
  view: "article_list",
  path: "/api/muyuan-content/article",
  scope: "group",
  words: { one: "文章", many: "文章", oneEn: "Article" },
  title: "title",
  find: { by: ["titleEn"] },
  menu: { parent: "content", icon: "book", path: "/content/article", type: "admin", roles: editors },
  order: [{ field: "publishedAt", direction: "desc" }],
  card: ["channel", "publishedAt"],
  views: [
    { id: "draft", name: "草稿", where: { state: "draft" } },
    { id: "scheduled", name: "定时", where: { state: "scheduled" } },
    { id: "published", name: "已发布", where: { state: "published" } },
  ],
  fields: {
    title: text("标题", { required: true, min: 2, max: 80, unique: "scope", search: true, column: true }),
    channel: choice("栏目", {
      required: true,
      options: articleChannels,
      default: "information",
      filter: true,
      column: true,
    }),
    topic: choice("主题", { options: articleTopics, filter: true, column: true }),
    state: choice("状态", { options: articleStates, derived: true, filter: true, column: true }),
    publishedAt: moment("发布时间", { column: true, sort: true }),
    publishAt: moment("定时发布", {}),
    versionNumber: number("版本", { min: 0, max: 1_000_000, derived: true }),
    summary: text("摘要", { max: 300, lines: 3, search: true }),
    titleEn: text("英文标题", { max: 160, search: true, section: "英文" }),
    summaryEn: text("英文摘要", { max: 600, lines: 3, section: "英文" }),
    author: text("作者", { max: 40, filter: true, sort: true }),
    page: choice("固定页面", {
      options: articlePages,
      hint: "法律文本要选；解决方案页选了就用那个固定地址，不选就有自己的地址；其余留空。",
    }),
    cover: choice("封面图", { options: articleCovers, default: "environment" }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。" }),
  },
  sheets: { key: "title", maxRows: 5000 },
});

/** Address of a version of a picture, as it stands in a body. */
export const articlePicturePath = (id: string, width: number): string => `/pictures/${id}/${width}.webp`;
/** Matches the address of a picture: id and width. */
export const articlePicturePattern =
  /^\/pictures\/([0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12})\/([1-9]\d{0,3})\.webp$/;
/** Maximum length of a picture's alternative text, in characters. */
export const articlePictureAltMax = 200;

/** A search counts at most this many articles, and reports that there are more. */
export const articleSearchCounted = 1000;

/** Maximum length of a body as HTML, in characters. */
export const articleBodyMax = 200_000;

/** Fields that can be machine translated, each with its source field. */
export const articleTranslations = {
  summary: "summaryEn",
  body: "bodyEn",
  titleEn: "title",
  summaryEn: "summary",
  bodyEn: "body",
} as const;
export type ArticleTranslation = keyof typeof articleTranslations;
const Translation = Type.Enum(Object.keys(articleTranslations) as ArticleTranslation[]);

const base = "/api/muyuan-content/article";
const reading = {
  access: permission("article_view"),
  owner: "group",
  personal: {},
  form: "envelope",
  rate: "read",
} as const;
const writing = {
  access: permission("article_edit"),
  owner: "group",
  personal: {},
  form: "envelope",
  rate: "write",
} as const;
const publishing = { ...writing, access: permission("article_publish") } as const;
const open = { access: publicAccess, owner: "nobody", personal: {}, form: "envelope", rate: "read" } as const;

const words = {
  title: Type.String({ maxLength: 80 }),
  summary: Type.String({ maxLength: 300 }),
  /** HTML out of the allow-list; see `docs/decisions/0035-articles.md`. */
  body: Type.String({ maxLength: articleBodyMax }),
  titleEn: Type.String({ maxLength: 160 }),
  summaryEn: Type.String({ maxLength: 600 }),
  bodyEn: Type.String({ maxLength: articleBodyMax }),
};
const Choice = Type.String({ maxLength: 40 });

/** An article with its bodies, as its editor shows it. */
export const ArticleDraft = Type.Object({
  id: Id,
  /** Must be sent back with a change; the change is refused when somebody else changed the article meanwhile. */
  version: Type.Integer(),
  ...words,
  channel: Choice,
  topic: Choice,
  page: Choice,
  cover: Choice,
  author: Type.String(),
  example: Type.Boolean(),
  state: Type.Enum(articleStates.map(([state]) => state)),
  publishAt: DateTime,
  publishedAt: DateTime,
  /** Number of the newest kept version; 0 when there is none. */
  versionNumber: Type.Integer(),
  /** Number of the version that visitors read; 0 when none is published. */
  publishedVersion: Type.Integer(),
  /** Path of the page on which visitors read it; "" when there is none. */
  path: Type.String(),
  /** Machine-translated fields that no person has reviewed. */
  unreviewed: Type.Array(Translation),
  updateTime: DateTime,
  updateUserName: Type.String(),
});
export type ArticleDraft = Static<typeof ArticleDraft>;

export const articleContent = {
  method: "GET",
  path: `${base}/content`,
  summary: "An article with its bodies in both languages, as it is being written.",
  ...reading,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: ArticleDraft,
} satisfies Endpoint;

export const articleSave = {
  method: "POST",
  path: `${base}/write`,
  summary:
    "Saves an article and keeps what it was as a version. Bodies are cleaned by an allow-list; the answer holds what was kept and how many things were taken out.",
  ...writing,
  query: Empty,
  body: Type.Object({
    id: Id,
    version: Type.Integer({ description: "that the change was made from" }),
    title: Type.Optional(words.title),
    summary: Type.Optional(words.summary),
    body: Type.Optional(words.body),
    titleEn: Type.Optional(words.titleEn),
    summaryEn: Type.Optional(words.summaryEn),
    bodyEn: Type.Optional(words.bodyEn),
    channel: Type.Optional(Choice),
    topic: Type.Optional(Choice),
    page: Type.Optional(Choice),
    cover: Type.Optional(Choice),
    author: Type.Optional(Type.String({ maxLength: 40 })),
    example: Type.Optional(Type.Boolean()),
    /** Machine-translated fields that a person has reviewed and accepted unchanged. */
    reviewed: Type.Optional(Type.Array(Translation, { maxItems: 5 })),
  }),
  reply: Type.Object({
    article: ArticleDraft,
    /** Number of elements, attributes and addresses that cleaning removed from the bodies. */
    removed: Type.Integer(),
  }),
} satisfies Endpoint;

export const articleTranslate = {
  method: "POST",
  path: `${base}/translate`,
  summary:
    "Has the machine translate the other language's words into a field that is empty or holds such a proposal already. The words stay marked until a person edits or accepts them; a person's words are never replaced.",
  ...writing,
  query: Empty,
  body: Type.Object({ id: Id, version: Type.Integer({ description: "that was looked at" }), field: Translation }),
  reply: ArticleDraft,
} satisfies Endpoint;

/** A kept version. */
export const ArticleVersion = Type.Object({
  number: Type.Integer(),
  title: Type.String(),
  savedAt: DateTime,
  /** Name of the person who saved it; "" when the account no longer exists. */
  savedBy: Type.String(),
  /** Number of characters of both bodies without markup. */
  characters: Type.Integer(),
});
export type ArticleVersion = Static<typeof ArticleVersion>;

export const articleVersions = {
  method: "GET",
  path: `${base}/versions`,
  summary: "The kept versions of an article, newest first, the latest 100.",
  ...reading,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Array(ArticleVersion),
} satisfies Endpoint;

export const articleVersion = {
  method: "GET",
  path: `${base}/version`,
  summary: "The words of one kept version.",
  ...reading,
  query: Type.Object({ id: Id, number: Type.Integer({ minimum: 1 }) }),
  body: Empty,
  reply: Type.Object({ ...ArticleVersion.properties, ...words }),
} satisfies Endpoint;

export const articleRestore = {
  method: "POST",
  path: `${base}/restore`,
  summary: "Writes the words of a kept version into the article, as a new version; what visitors read stays.",
  ...writing,
  query: Empty,
  body: Type.Object({ id: Id, number: Type.Integer({ minimum: 1 }), version: Type.Integer() }),
  reply: ArticleDraft,
} satisfies Endpoint;

export const articlePublish = {
  method: "POST",
  path: `${base}/publish`,
  summary:
    "Publishes an article as it is now, at once or at a time to come; later changes wait until they are published, too.",
  ...publishing,
  query: Empty,
  body: Type.Object({
    id: Id,
    version: Type.Integer({ description: "that was looked at" }),
    at: Type.Optional(
      Type.String({ format: "wire-date-time", description: "in Asia/Shanghai; at once when left out" }),
    ),
  }),
  reply: ArticleDraft,
} satisfies Endpoint;

export const articleWithdraw = {
  method: "POST",
  path: `${base}/withdraw`,
  summary: "Takes the time of a scheduled article back; otherwise takes a published one off the site.",
  ...publishing,
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: ArticleDraft,
} satisfies Endpoint;

export const articlePreviewLink = {
  method: "POST",
  path: `${base}/preview-link`,
  summary:
    "Keeps the article as it is now as a version and makes a signed address under which anybody can read it for 24 hours.",
  ...writing,
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ path: Type.String(), expiresAt: DateTime }),
} satisfies Endpoint;

export const articlePictureUpload = {
  method: "POST",
  path: `${base}/picture`,
  summary:
    "Takes a picture for the body of an article: jpg, png or bmp up to 5 MB. It is decoded and kept as WebP in some widths. One that no article shows within 7 days is removed.",
  ...writing,
  upload: true,
  query: Empty,
  body: Empty,
  reply: Type.Object({
    /** Address of the picture's widest version, which the body refers to. */
    src: Type.String(),
    /** Width of that version in pixels. */
    width: Type.Integer(),
    height: Type.Integer(),
  }),
} satisfies Endpoint;

/** Most links that one call checks. */
export const articleLinksMax = 100;

/**
 * Problems of a link.
 * - `missing`: no such page on the site.
 * - `anchor`: the page has no such anchor.
 * - `form`: not a valid address.
 * - `inside`: an internal address that visitors can't reach.
 * - `insecure`: an outside address without encryption.
 */
export const articleLinkProblems = ["missing", "anchor", "form", "inside", "insecure"] as const;
export type ArticleLinkProblem = (typeof articleLinkProblems)[number];

export const LinkCheckBody = Type.Object({
  links: Type.Array(Type.String({ maxLength: 2000 }), { maxItems: articleLinksMax }),
});
/** Links with a problem, in the order in which they were sent. */
export const LinkProblems = Type.Array(Type.Object({ link: Type.String(), problem: Type.Enum(articleLinkProblems) }));

export const articleLinkCheck = {
  method: "POST",
  path: `${base}/check-links`,
  summary:
    "Looks at the links of a body: pages of the site are asked for as a visitor would, addresses of other sites are judged by their form alone and never called.",
  ...reading,
  query: Empty,
  body: LinkCheckBody,
  reply: LinkProblems,
} satisfies Endpoint;

const Language = Type.Enum(["zh", "en"] as const);
/** Wanted language; the reply tells the language that it has. */
const languageQuery = { language: Type.Optional(Language) };

/** An article as a list of the site shows it. */
export const ArticleEntry = Type.Object({
  id: Id,
  channel: Type.Enum(articleChannels.map(([channel]) => channel)),
  topic: Choice,
  page: Choice,
  cover: Choice,
  title: Type.String(),
  summary: Type.String(),
  author: Type.String(),
  /** The article is an example, and the site says so. */
  example: Type.Boolean(),
  /** Language of the texts: Chinese where there is no English. */
  language: Language,
  publishedAt: DateTime,
  /** Title or summary is a machine translation that no person has reviewed. */
  unreviewed: Type.Optional(Type.Boolean()),
  /** In a search: the words around the match, where neither title nor summary contains it. */
  excerpt: Type.Optional(Type.String()),
});
export type ArticleEntry = Static<typeof ArticleEntry>;

export const PublicArticle = Type.Object({
  ...ArticleEntry.properties,
  /** Cleaned HTML; each h2 has an id. */
  body: Type.String(),
  /** The h2 headings of the body, in order. */
  contents: Type.Array(Type.Object({ id: Type.String(), text: Type.String() })),
  /** Reading time in minutes, at least 1. */
  minutes: Type.Integer({ minimum: 1 }),
  /** When the published version was saved. */
  changedAt: DateTime,
  /** Languages that a person wrote or reviewed; an unreviewed machine translation does not count. */
  languages: Type.Array(Language),
  /** Up to three articles of the same channel, those of the same topic first. */
  related: Type.Array(ArticleEntry),
  earlier: Type.Optional(ArticleEntry),
  later: Type.Optional(ArticleEntry),
});
export type PublicArticle = Static<typeof PublicArticle>;

export const publicArticlePage = {
  method: "GET",
  path: `${base}/skip-secure/page`,
  summary:
    "Published articles of a channel, newest first; with a keyword, those of all channels that hold it: Chinese as it is written, words of alphabets by their beginnings. A search counts 1,000 at most: 1,001 stands for more.",
  ...open,
  query: Type.Object({
    ...pageQuery,
    ...languageQuery,
    channel: Type.Optional(Type.Enum(articleChannels.map(([channel]) => channel))),
    topic: Type.Optional(Type.Enum(articleTopics.map(([topic]) => topic))),
    /** Published in the last 7, 30 or 90 days. */
    period: Type.Optional(Type.Enum(articlePeriods.map(([period]) => period))),
    keyword: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: pageOf(ArticleEntry),
} satisfies Endpoint;

export const searchCorrection = {
  method: "GET",
  path: "/api/muyuan-content/search/skip-secure/correction",
  summary:
    "What may have been meant by a search that found nothing: Chinese spelt in pinyin, or one letter of it taken as wrong; what comes of it is found in articles.",
  ...open,
  query: Type.Object({ keyword: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: Empty,
  /** "" when no similar keyword was found. */
  reply: Type.Object({ keyword: Type.String() }),
} satisfies Endpoint;

/** Most words, and then most titles, that are offered while somebody types. */
export const mostSuggestions = { words: 3, titles: 5 } as const;

export const searchSuggestions = {
  method: "GET",
  path: "/api/muyuan-content/search/skip-secure/suggest",
  summary:
    "What somebody who types may look for: words that more than one published article uses and that begin so, in characters or in pinyin, and titles of articles that hold what is typed or the first of these words.",
  ...open,
  query: Type.Object({ ...languageQuery, keyword: Type.String({ minLength: 1, maxLength: 64 }) }),
  body: Empty,
  reply: Type.Object({
    offered: Type.Array(Type.String(), { maxItems: mostSuggestions.words + mostSuggestions.titles }),
  }),
} satisfies Endpoint;

export const publicArticle = {
  method: "GET",
  path: `${base}/skip-secure/detail`,
  summary: "A published article by its id, or the one that is published as a page of the site.",
  ...open,
  query: Type.Object({
    ...languageQuery,
    id: Type.Optional(Id),
    page: Type.Optional(Type.Enum(articlePages.map(([page]) => page))),
  }),
  body: Empty,
  reply: PublicArticle,
} satisfies Endpoint;

export const previewedArticle = {
  method: "GET",
  path: `${base}/skip-secure/preview`,
  summary: "The version of an article that a signed preview address names, published or not.",
  ...open,
  // Knowing the address is the proof; it names the row.
  owner: "proof",
  query: Type.Object({ ...languageQuery, token: Type.String({ maxLength: 300 }) }),
  body: Empty,
  reply: PublicArticle,
} satisfies Endpoint;
