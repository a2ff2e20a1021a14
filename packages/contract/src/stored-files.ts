import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { fileVisibilities } from "./files.ts";
import { DateTime, Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

const base = "/api/muyuan-resource/attach/stored";

/** Kinds of stored files, by their extension. */
export const storedFileKinds = ["picture", "video", "sheet", "other"] as const;
export type StoredFileKind = (typeof storedFileKinds)[number];

/** What refers to a file. */
const FileUse = Type.Object({
  what: Type.String({ description: "Chinese name of the things" }),
  title: Type.String({ description: "of the newest one" }),
  count: Type.Integer(),
  path: Type.String({ description: 'screen where they are seen; "" for none' }),
});

export const StoredFile = Type.Object({
  id: Id,
  originalName: Type.String(),
  extension: Type.String(),
  kind: Type.Enum(storedFileKinds),
  attachSize: Type.Integer({ description: "bytes" }),
  visibility: Type.Enum(fileVisibilities),
  tenantName: Type.String(),
  personName: Type.String({ description: "who stored it" }),
  createTime: DateTime,
  uses: Type.Array(FileUse, { description: "empty where nobody refers to it" }),
});
export type StoredFile = Static<typeof StoredFile>;

const reading = {
  method: "GET",
  access: permission("attachment_view"),
  owner: "group",
  rate: "read",
  form: "envelope",
  body: Empty,
} as const;

export const storedFilePage = {
  ...reading,
  path: `${base}/page`,
  summary: "Files of everybody, newest first, with what refers to each.",
  personal: { personName: "granted" },
  query: Type.Object({
    ...pageQuery,
    keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of the file's or the person's name" })),
    kind: Type.Optional(Type.Enum(storedFileKinds)),
    used: Type.Optional(Type.Enum(["yes", "no"] as const, { description: "whether anything refers to it" })),
    visibility: Type.Optional(Type.Enum(fileVisibilities)),
  }),
  reply: pageOf(StoredFile),
} satisfies Endpoint;

export const storedFileTotals = {
  ...reading,
  path: `${base}/totals`,
  summary: "How many files of each kind there are, their bytes, and how many of them nobody refers to.",
  personal: {},
  query: Empty,
  reply: Type.Array(
    Type.Object({
      kind: Type.Enum(storedFileKinds),
      files: Type.Integer(),
      bytes: Type.Integer(),
      unusedFiles: Type.Integer(),
      unusedBytes: Type.Integer(),
    }),
  ),
} satisfies Endpoint;

export const storedFileRemove = {
  method: "POST",
  path: `${base}/remove`,
  summary: "Removes files for good that nobody refers to; if something refers to one of them, none is removed.",
  access: permission("attachment_delete"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ ids: idList }),
  reply: Type.Object({ removed: Type.Integer() }),
} satisfies Endpoint;

export const storedFileOpen = {
  method: "POST",
  path: `${base}/open`,
  summary: "A ticket with which this browser may save somebody's file once, within 60 s. The audit trail has it.",
  access: permission("attachment_download"),
  owner: "group",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ url: Type.String(), expiresIn: Type.Integer({ description: "seconds" }) }),
} satisfies Endpoint;
