import { type Static, Type } from "typebox";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { documentProducts } from "./product-documents.ts";
import { choice, moment, number, onOff, resource, text } from "./resource/index.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

export const videoStates = [
  ["draft", "草稿"],
  ["scheduled", "已定时"],
  ["published", "已发布"],
] as const;
export type VideoState = (typeof videoStates)[number][0];

export const captionLanguages = ["zh", "en"] as const;
export type CaptionLanguage = (typeof captionLanguages)[number];

/** Maximum size of a film in bytes: about ten minutes at a bit rate that mobile networks carry. */
export const videoMaxBytes = 100 * 1024 * 1024;
/** Maximum size of a caption file in bytes. */
export const captionsMaxBytes = 256 * 1024;
/** Maximum length of a film in seconds; a longer recording is not a film for visitors. */
const longestS = 2 * 3600;

/** Films of the public site; visitors find published ones, and publishing requires a film, a picture and a summary. */
export const videos = resource({
  name: "video",
  table: "videos",
  view: "video_list",
  path: "/api/muyuan-content/video",
  scope: "group",
  words: { one: "视频", many: "视频", oneEn: "Video" },
  title: "videoTitle",
  find: { by: ["videoTitleEn"] },
  menu: {
    parent: "content",
    icon: "devices",
    path: "/content/video",
    type: "admin",
    roles: ["administrator", "content_editor"],
    viewers: ["customer_service"],
  },
  order: [{ field: "sort", direction: "asc" }],
  card: ["product", "seconds", "publishedAt"],
  views: [
    { id: "draft", name: "草稿", where: { state: "draft" } },
    { id: "scheduled", name: "定时", where: { state: "scheduled" } },
    { id: "published", name: "已发布", where: { state: "published" } },
  ],
  fields: {
    videoTitle: text("标题", { required: true, min: 2, max: 80, unique: "scope", search: true, column: true }),
    videoTitleEn: text("英文标题", { required: true, min: 2, max: 160, search: true }),
    product: choice("所属产品", { required: true, options: documentProducts, filter: true, column: true }),
    state: choice("状态", { options: videoStates, derived: true, filter: true, column: true }),
    summary: text("摘要", { max: 300, lines: 3, search: true }),
    summaryEn: text("英文摘要", { max: 600, lines: 3 }),
    sort: number("排序", { min: 0, max: 9999, default: 0, sort: true }),
    example: onOff("标为示例内容", { hint: "页面上会写明这是示例。" }),
    seconds: number("时长", { min: 0, max: longestS, derived: true, unit: "秒", column: true }),
    fileBytes: number("文件大小", { min: 0, max: videoMaxBytes, derived: true, unit: "字节" }),
    posterWidth: number("封面宽度", { min: 0, max: 10_000, derived: true, unit: "像素" }),
    captions: text("字幕", { max: 10, derived: true }),
    publishAt: moment("定时发布", {}),
    publishedAt: moment("发布时间", { column: true, sort: true }),
  },
});

const base = "/api/muyuan-content/video";
const open = { access: publicAccess, owner: "nobody", personal: {}, form: "envelope", rate: "read" } as const;
const writing = {
  access: permission("video_edit"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
} as const;
const Language = Type.Enum(captionLanguages);

export const videoUpload = {
  method: "POST",
  path: `${base}/upload`,
  summary:
    "Gives a video its film, in place of the one it had: MP4 or WebM up to 100 MB, known by its content. What tells of place and camera is taken out.",
  ...writing,
  upload: true,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({
    seconds: Type.Integer({ description: "0 where the file does not say" }),
    fileBytes: Type.Integer(),
  }),
} satisfies Endpoint;

export const videoPoster = {
  method: "POST",
  path: `${base}/poster`,
  summary:
    "Gives a video the picture that stands in its place until it plays: a jpg, png or bmp up to 5 MB, kept in some widths.",
  ...writing,
  upload: true,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Object({ posterWidth: Type.Integer() }),
} satisfies Endpoint;

export const videoCaptions = {
  method: "POST",
  path: `${base}/captions`,
  summary: "Gives a video its captions of a language: WebVTT in UTF-8 up to 256 KB, of which the cues alone are kept.",
  ...writing,
  upload: true,
  query: Type.Object({ id: Id, language: Language }),
  body: Empty,
  reply: Type.Object({ cues: Type.Integer() }),
} satisfies Endpoint;

export const videoCaptionsRemove = {
  method: "POST",
  path: `${base}/captions-remove`,
  summary: "Takes the captions of a language away.",
  ...writing,
  query: Empty,
  body: Type.Object({ id: Id, language: Language }),
  reply: Empty,
} satisfies Endpoint;

export const videoPublish = {
  method: "POST",
  path: `${base}/publish`,
  summary:
    "Shows a video to visitors, at once or at a time within a year. It takes a film, a picture and a summary; its date is when it was published first.",
  ...writing,
  query: Empty,
  body: Type.Object({
    id: Id,
    at: Type.Optional(
      Type.String({ format: "wire-date-time", description: "in Asia/Shanghai; at once when left out" }),
    ),
  }),
  reply: Empty,
} satisfies Endpoint;

export const videoWithdraw = {
  method: "POST",
  path: `${base}/withdraw`,
  summary: "Takes a video off the site, or its time back; it is a draft again.",
  ...writing,
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Empty,
} satisfies Endpoint;

export const videoPreviewLink = {
  method: "POST",
  path: `${base}/preview-link`,
  summary: "Makes signed addresses under which a video can be looked at for 24 hours, published or not.",
  ...writing,
  access: permission("video_view"),
  rate: "read",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({
    film: Type.String(),
    /** Empty where there is no picture. */
    poster: Type.String(),
    captions: Type.Array(Type.Object({ language: Language, src: Type.String() })),
    expiresAt: DateTime,
  }),
} satisfies Endpoint;

/** A video as the public site shows it. */
export const PublicVideo = Type.Object({
  id: Id,
  product: Type.Enum(documentProducts.map(([product]) => product)),
  title: Type.String(),
  summary: Type.String(),
  /** Length in seconds; 0 where the file does not tell it. */
  seconds: Type.Integer({ minimum: 0 }),
  form: Type.Enum(["mp4", "webm"] as const),
  fileBytes: Type.Integer({ minimum: 1 }),
  /** Widths of its picture in pixels, the widest last. */
  posters: Type.Array(Type.Integer({ minimum: 1 })),
  captions: Type.Array(Language),
  /** The film is an example, and the site says so. */
  example: Type.Boolean(),
  publishedAt: DateTime,
});
export type PublicVideo = Static<typeof PublicVideo>;

export const publicVideoPage = {
  method: "GET",
  path: `${base}/skip-secure/page`,
  summary: "Published videos by product and words, in the order that editors gave them.",
  ...open,
  query: Type.Object({
    ...pageQuery,
    language: Type.Optional(Language),
    product: Type.Optional(Type.Enum(documentProducts.map(([product]) => product))),
    keyword: Type.Optional(Type.String({ maxLength: 64 })),
  }),
  body: Empty,
  reply: pageOf(PublicVideo),
} satisfies Endpoint;

export const publicVideo = {
  method: "GET",
  path: `${base}/skip-secure/detail`,
  summary: "A published video with up to three others, those about the same product first.",
  ...open,
  query: Type.Object({ id: Id, language: Type.Optional(Language) }),
  body: Empty,
  reply: Type.Object({ video: PublicVideo, related: Type.Array(PublicVideo) }),
} satisfies Endpoint;
