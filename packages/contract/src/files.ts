import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** Accepted uploads by kind of file. The content decides the file type; the extension must agree with it. */
export const uploadRules = {
  picture: { extensions: ["jpg", "jpeg", "bmp", "png"], maxBytes: 5 * 1024 * 1024 },
  sheet: {
    extensions: ["xlsx", "xls", "xlsm", "xlsb", "et", "ods", "fods", "csv", "tsv", "txt", "html", "htm", "xml"],
    maxBytes: 20 * 1024 * 1024,
  },
  video: { extensions: ["mp4", "mov"], maxBytes: 50 * 1024 * 1024 },
} as const;
export type UploadKind = keyof typeof uploadRules;

/** A file name of ours: `upload/<yyyyMMdd>/<uuid>.<extension>`. */
const FileName = Type.String({
  pattern: "^upload/[0-9]{8}/[0-9a-f-]{36}\\.[a-z0-9]{3,4}$",
  description: "as an upload answered it in `name`",
});

/**
 * - `shared`: anyone who knows the address, which can't be guessed; for pictures and films that other people see.
 * - `private`: the person who uploaded it, and holders of a ticket; sheets are always private.
 */
export const fileVisibilities = ["shared", "private"] as const;
export type FileVisibility = (typeof fileVisibilities)[number];

/** What an upload answers (wire.md 5.2). */
export const UploadedFile = Type.Object({
  link: Type.String({ description: "full address" }),
  domain: Type.String(),
  name: Type.String(),
  originalName: Type.String(),
  attachId: Id,
});
export type UploadedFile = Static<typeof UploadedFile>;

export const FileStat = Type.Object({
  link: Type.String(),
  name: Type.String(),
  hash: Type.String({ description: "SHA-256 of what is stored, hex" }),
  length: Type.Integer({ description: "bytes" }),
  putTime: DateTime,
  contentType: Type.String(),
});

export const Attachment = Type.Object({
  id: Id,
  link: Type.String(),
  domainUrl: Type.String(),
  name: Type.String(),
  originalName: Type.String(),
  extension: Type.String(),
  attachSize: Type.Integer({ description: "bytes" }),
  visibility: Type.Enum(fileVisibilities),
  createTime: DateTime,
});
export type Attachment = Static<typeof Attachment>;

const oss = "/api/muyuan-resource/oss/endpoint";
const attach = "/api/muyuan-resource/attach";

export const putFileAttach = {
  method: "POST",
  path: `${oss}/put-file-attach`,
  aliases: [`${oss}/put-file`, `${oss}/put-file-by-name`, `${oss}/put-file-attach-by-name`],
  summary:
    "Takes one file in the multipart field `file`: jpg, jpeg, bmp, png up to 5 MB, sheets (xlsx, xls, ods, csv, html and others; their content is told when they are read) up to 20 MB, mp4, mov up to 50 MB. Pictures are encoded anew; films lose what tells of place and camera.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  upload: true,
  query: Type.Object({
    fileName: Type.Optional(Type.String({ maxLength: 200, description: "its name, instead of the part's" })),
    visibility: Type.Optional(Type.Enum(fileVisibilities, { description: "of a picture; shared unless it is said" })),
  }),
  body: Empty,
  reply: UploadedFile,
} satisfies Endpoint;

export const statFile = {
  method: "GET",
  path: `${oss}/stat-file`,
  summary: "What is known of one of the own files.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ fileName: FileName }),
  body: Empty,
  reply: FileStat,
} satisfies Endpoint;

export const fileLink = {
  method: "GET",
  path: `${oss}/file-link`,
  aliases: [`${oss}/file-path`],
  summary: "The address of one of the own files.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ fileName: FileName }),
  body: Empty,
  reply: Type.String(),
} satisfies Endpoint;

export const removeFile = {
  method: "POST",
  path: `${oss}/remove-file`,
  summary: "Removes one of the own files.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ fileName: FileName }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

export const removeFiles = {
  method: "POST",
  path: `${oss}/remove-files`,
  summary: "Removes own files.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ fileNames: Type.String({ maxLength: 40_000, description: "comma-separated, at most 500" }) }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;

export const attachmentPage = {
  method: "GET",
  path: `${attach}/list`,
  summary: "The own files, newest first.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ ...pageQuery, originalName: Type.Optional(Type.String({ maxLength: 60 })) }),
  body: Empty,
  reply: pageOf(Attachment),
} satisfies Endpoint;

export const attachmentDetail = {
  method: "GET",
  path: `${attach}/detail`,
  summary: "One of the own files.",
  access: signedIn,
  owner: "self",
  rate: "read",
  personal: {},
  form: "envelope",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Attachment,
} satisfies Endpoint;

export const attachmentRemove = {
  method: "POST",
  path: `${attach}/remove`,
  summary: "Removes own files.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Type.Object({ ids: idList }),
  body: Type.Object({ ids: idList }),
  reply: Empty,
} satisfies Endpoint;

export const ticketIssue = {
  method: "POST",
  path: "/api/muyuan-resource/ticket/issue",
  summary:
    "A ticket with which this browser may open one of the own private files once, within 60 s. Sets a cookie that binds it to the session.",
  access: signedIn,
  owner: "self",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({
    ticket: Type.String(),
    url: Type.String({ description: "address with the ticket, for a link or a new tab" }),
    expiresIn: Type.Integer({ description: "seconds" }),
  }),
} satisfies Endpoint;
