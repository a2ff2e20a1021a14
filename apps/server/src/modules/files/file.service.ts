import { createHash, createHmac, randomBytes, randomUUID, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type FileVisibility, type UploadKind, uploadRules } from "@herdwise/contract";
import { smallPictureOf, smallPicturePx } from "@herdwise/contract/picture-widths";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { wireDate } from "../../http/present.ts";
import type { Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import { spend } from "../../providers/budget.ts";
import type { FileStorage } from "../../providers/files/storage.ts";
import type { Store } from "../../providers/store.ts";
import { type MemberScope, systemScope } from "../../tenant-scope.ts";
import { sheetFormOf } from "../sheets/index.ts";
import type { AttachmentRow, FileRepository } from "./file.repository.ts";
import { encodeAnew } from "./picture.ts";
import { cleanVideo } from "./video.ts";

/** A file that somebody sends, still on its way. */
export interface ArrivingFile {
  readonly name: string;
  readonly content: Readable;
  truncated(): boolean;
}

/** A file that the server itself made. */
export interface MadeFile {
  /** Where it lies now; it is copied. */
  readonly path: string;
  /** What it is called when it is saved. */
  readonly originalName: string;
  readonly extension: string;
  readonly contentType: string;
  /** After this time it is removed, s; without it, it stays. */
  readonly lifetimeS?: number;
}

/** A file that may be sent. */
export interface OpenedFile {
  readonly content: Readable;
  readonly contentType: string;
  readonly originalName: string;
  readonly sizeBytes: number;
  /** A picture that we encoded; anything else is only saved, never shown, or played by a page. */
  readonly isPicture: boolean;
  /** Players ask for parts of it. */
  readonly isFilm: boolean;
  readonly visibility: FileVisibility;
}

export interface FileDependencies {
  repository: FileRepository;
  storage: () => Promise<FileStorage>;
  store: Store;
  /** Local folder for what is being received. */
  incomingFolder: string;
  /** Address under which files are reached, without a slash at the end. */
  filesUrl: string;
  secretKey: string;
  nextId: () => string;
  now: () => number;
  /** Which of the sessions go on. */
  activeSessions(sessionIds: string[]): Promise<string[]>;
  onError: (error: unknown) => void;
}

export const ticketLifetimeS = 60;
/** Files that one person may upload in a day. */
const uploadsPerDay = 2000;
/** A file that was not stored within this time was broken off, s. */
const brokenOffAfterS = 3600;
const xlsx = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const xls = "application/vnd.ms-excel";
const mp4 = "video/mp4";

const addresses = systemScope(
  "whoever has the address of a shared file may open it; what is private is checked after it is found",
);
const housekeeping = systemScope("files that were broken off or released are removed by the server");

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");
const ticketKey = (ticket: string): string => `ticket:${sha256(ticket)}`;
/** The address of a file, or of a picture's small version. */
const servedPattern = new RegExp(`^(upload/\\d{8}/[0-9a-f-]{36})(-${smallPicturePx})?(\\.[a-z0-9]{3,4})$`);

/** What a sender calls a file, as it may be shown and written into a header: no path, no control characters. */
function shownName(name: string): string {
  const last = name.normalize("NFC").split(/[\\/]/).at(-1) ?? "";
  // biome-ignore lint/suspicious/noControlCharactersInRegex: just those are taken out
  const plain = last.replace(/[\u0000-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, "").trim();
  return plain.slice(-200) || "file";
}

const kindOf = (name: string): { kind: UploadKind; extension: string } => {
  const extension = /\.([a-z0-9]{2,4})$/i.exec(name)?.[1]?.toLowerCase() ?? "";
  for (const kind of ["picture", "sheet", "video"] as const) {
    if ((uploadRules[kind].extensions as readonly string[]).includes(extension)) return { kind, extension };
  }
  throw refuse("upload.type");
};

/** Files of people: received, checked by their content, stored under a name of ours, and handed out to whoever may have them. */
export function createFileService(dependencies: FileDependencies) {
  const { repository, storage, store, incomingFolder, filesUrl, secretKey, nextId, now, onError } = dependencies;
  const linkOf = (name: string) => `${filesUrl}/${name}`;
  /** Tells a browser that asked for a ticket from one that was given its address. */
  const browserMark = (sessionId: string) =>
    createHmac("sha256", secretKey).update(`file ticket ${sessionId}`).digest("base64url");

  const view = (row: AttachmentRow) => ({
    id: row.id,
    link: linkOf(row.name),
    domainUrl: filesUrl,
    name: row.name,
    originalName: row.originalName,
    extension: row.extension,
    attachSize: row.sizeBytes,
    visibility: row.visibility,
    createTime: row.createTime,
  });

  const withIncoming = async <T>(work: (path: string) => Promise<T>): Promise<T> => {
    await mkdir(incomingFolder, { recursive: true });
    const path = join(incomingFolder, randomUUID());
    try {
      return await work(path);
    } finally {
      await rm(path, { force: true });
    }
  };

  /** Receives a body into a local file. @throws {Refusal} 400 when it is empty or too large */
  const receive = async (file: ArrivingFile, maxBytes: number, path: string): Promise<void> => {
    let bytes = 0;
    const measure = new Transform({
      transform(chunk: Buffer, _encoding, done) {
        bytes += chunk.length;
        if (bytes > maxBytes) done(refuse("upload.too_large", { values: { size: maxBytes / 1024 / 1024 } }));
        else done(null, chunk);
      },
    });
    await pipeline(file.content, measure, createWriteStream(path, { mode: 0o600 }));
    if (file.truncated()) throw refuse("upload.too_large", { values: { size: maxBytes / 1024 / 1024 } });
    if (bytes === 0) throw refuse("upload.empty");
  };

  /** Stores a local file, and what else belongs to it, under a new name. The row comes first, so nothing lies there unknown. */
  const keep = async (
    owner: MemberScope,
    file: MadeFile & { visibility: FileVisibility; small?: string },
  ): Promise<AttachmentRow> => {
    const day = wireDate(new Date(now())).replaceAll("-", "");
    const name = `upload/${day}/${randomUUID()}.${file.extension}`;
    const hash = createHash("sha256");
    await pipeline(createReadStream(file.path), hash);
    const row = {
      id: nextId(),
      name,
      originalName: shownName(file.originalName),
      extension: file.extension,
      contentType: file.contentType,
      sizeBytes: (await stat(file.path)).size,
      sha256: hash.digest(),
      visibility: file.visibility,
    };
    const expiresAt = file.lifetimeS === undefined ? null : new Date(now() + file.lifetimeS * 1000);
    await repository.insertPending(owner, { ...row, expiresAt });
    const disk = await storage();
    await disk.put(name, file.path, file.contentType);
    if (file.small !== undefined) await disk.put(smallPictureOf(name), file.small, file.contentType);
    await repository.keep(owner, row.id);
    const { accountId, tenantId } = owner;
    return { ...row, accountId, tenantId, createTime: new Date(now()) };
  };

  /** Bytes first: a row whose bytes are gone is found again, bytes without a row never. */
  const destroy = async (names: readonly string[]): Promise<void> => {
    const disk = await storage();
    for (const name of names) {
      await disk.remove(name);
      if (smallPictureOf(name) !== name) await disk.remove(smallPictureOf(name));
      await repository.remove(housekeeping, name);
    }
  };

  const own = async (owner: MemberScope, which: { id: string } | { name: string }): Promise<AttachmentRow> => {
    const row = await repository.own(owner, which);
    if (row === undefined) throw refuse("files.not_found");
    return row;
  };

  const storePicture = (owner: MemberScope, path: string, originalName: string, visibility: FileVisibility) =>
    withIncoming((fullPath) =>
      withIncoming(async (small) => {
        const { full, small: smallBytes, ...form } = await encodeAnew(path);
        await writeFile(fullPath, full, { mode: 0o600 });
        await writeFile(small, smallBytes, { mode: 0o600 });
        return keep(owner, { path: fullPath, small, originalName, visibility, ...form });
      }),
    );

  const storeSheet = async (owner: MemberScope, path: string, originalName: string, extension: string) => {
    // Old programs write HTML, XML and text under the names of Excel's files, so the name says nothing of the content.
    const form = await sheetFormOf(path);
    const contentType = form === "text" ? "application/octet-stream" : form === "compound" ? xls : xlsx;
    // WPS calls its own sheets et; names of files here have three letters at least.
    const kept = extension === "et" ? "xls" : extension;
    return keep(owner, { path, originalName, extension: kept, contentType, visibility: "private" });
  };

  const storeVideo = async (owner: MemberScope, path: string, originalName: string, visibility: FileVisibility) => {
    await cleanVideo(path);
    // Films of QuickTime are played by the same name.
    return keep(owner, { path, originalName, extension: "mp4", contentType: mp4, visibility });
  };

  const issueTicket = async (sessionId: string, row: AttachmentRow) => {
    const ticket = randomBytes(24).toString("base64url");
    await store.set(ticketKey(ticket), JSON.stringify({ name: row.name, sessionId }), ticketLifetimeS);
    return {
      ticket,
      url: `${linkOf(row.name)}?ticket=${ticket}`,
      expiresIn: ticketLifetimeS,
      browserMark: browserMark(sessionId),
    };
  };

  /** Whether a ticket lets this browser have the file. It is used up by the question, whatever the answer is. */
  const acceptsTicket = async (ticket: string, name: string, mark: string): Promise<boolean> => {
    const held = await store.take(ticketKey(ticket));
    if (held === undefined) return false;
    const { name: bound, sessionId } = JSON.parse(held) as { name: string; sessionId: string };
    const expected = Buffer.from(browserMark(sessionId));
    const given = Buffer.from(mark);
    if (bound !== name || given.length !== expected.length || !timingSafeEqual(given, expected)) return false;
    return (await dependencies.activeSessions([sessionId])).length > 0;
  };

  return {
    /** Takes what a person uploads. @throws {Refusal} 400 when it is not what its name says, or too large */
    async upload(owner: MemberScope, file: ArrivingFile, visibility: FileVisibility = "shared") {
      const { kind, extension } = kindOf(file.name);
      if (!(await spend(store, `uploads:${owner.accountId}`, [{ max: uploadsPerDay, windowS: 86_400 }]))) {
        throw refuse("upload.daily_limit");
      }
      const row = await withIncoming(async (path) => {
        await receive(file, uploadRules[kind].maxBytes, path);
        if (kind === "picture") return storePicture(owner, path, file.name, visibility);
        if (kind === "video") return storeVideo(owner, path, file.name, visibility);
        return storeSheet(owner, path, file.name, extension);
      });
      return {
        link: linkOf(row.name),
        domain: filesUrl,
        name: row.name,
        originalName: row.originalName,
        attachId: row.id,
      };
    },

    /** Keeps a file that the server made for a person, such as an export. It is private. @returns its id */
    async make(owner: MemberScope, file: MadeFile): Promise<string> {
      return (await keep(owner, { ...file, visibility: "private" })).id;
    },

    /** Runs work on a local copy of one of the owner's files, such as a sheet to be imported. @throws {Refusal} 404 */
    async withLocalCopy<T>(
      owner: MemberScope,
      id: string,
      work: (path: string, file: { originalName: string; extension: string }) => Promise<T>,
    ): Promise<T> {
      const row = await own(owner, { id });
      return withIncoming(async (path) => {
        await pipeline(await (await storage()).read(row.name), createWriteStream(path, { mode: 0o600 }));
        return work(path, row);
      });
    },

    /** A local path for a file in the making; it is removed after the work. */
    withDraft: withIncoming,

    /** Runs work on a local copy of what is sent. @throws {Refusal} 400 when it is empty or too large */
    withReceived: <T>(file: ArrivingFile, maxBytes: number, work: (path: string) => Promise<T>): Promise<T> =>
      withIncoming(async (path) => {
        await receive(file, maxBytes, path);
        return work(path);
      }),

    /** Removes files of an owner by their ids; those of others are left alone. */
    async discard(owner: MemberScope, ids: readonly string[]): Promise<void> {
      if (ids.length > 0) await destroy(await repository.release(owner, { ids }));
    },

    /** Removes released files at once, whoever they belong to. */
    destroy,

    async statFile(owner: MemberScope, name: string) {
      const row = await own(owner, { name });
      return {
        link: linkOf(row.name),
        name: row.name,
        hash: row.sha256.toString("hex"),
        length: row.sizeBytes,
        putTime: row.createTime,
        contentType: row.contentType,
      };
    },

    /** The address of an own picture that others may see, by its address or name; undefined for anything else. */
    async sharedPicture(owner: MemberScope, text: string): Promise<string | undefined> {
      const [name] = /upload\/[0-9]{8}\/[0-9a-f-]{36}\.(jpg|png)$/.exec(text) ?? [];
      const row = name === undefined ? undefined : await repository.own(owner, { name });
      return row?.visibility === "shared" ? linkOf(row.name) : undefined;
    },

    link: async (owner: MemberScope, name: string) => linkOf((await own(owner, { name })).name),

    async page(owner: MemberScope, query: Parameters<typeof pageRequest>[0] & { originalName?: string | undefined }) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(owner, query.originalName, request);
      return pageOfRows(rows.map(view), total, request);
    },

    detail: async (owner: MemberScope, id: string) => view(await own(owner, { id })),

    /** @param names comma-separated */
    async removeNamed(owner: MemberScope, names: string): Promise<void> {
      const list = names.split(",").filter((name) => name !== "");
      if (list.length === 0 || list.length > 500) throw refuse("files.names");
      await destroy(await repository.release(owner, { names: list }));
    },

    /** @param ids comma-separated */
    async remove(owner: MemberScope, ids: string | undefined): Promise<void> {
      const list = readSomeIds(ids);
      await destroy(await repository.release(owner, { ids: list }));
    },

    /** A ticket for one of the own files. */
    ticket: async (session: Session, id: string) => issueTicket(session.id, await own(session, { id })),

    /** A ticket for somebody else's file, for modules that checked the right to it themselves. @throws {Refusal} 404 */
    ticketOf: async (session: Session, owner: MemberScope, id: string) =>
      issueTicket(session.id, await own(owner, { id })),

    /**
     * Opens a file for whoever asks for its address.
     * @param asking the session of the caller, if there is one; a ticket, and the mark of the browser that brings it
     * @returns undefined when there is none, or not for this caller: both look the same
     */
    async open(
      path: string,
      asking: { session: Session | undefined; ticket: string | undefined; mark: string | undefined },
    ): Promise<OpenedFile | undefined> {
      const [, base = "", small = "", extension = ""] = servedPattern.exec(path) ?? [];
      if (base === "") return undefined;
      const row = await repository.byName(addresses, `${base}${extension}`);
      if (row === undefined) return undefined;
      const isPicture = row.contentType.startsWith("image/");
      if (small !== "" && !isPicture) return undefined;
      const { session, ticket, mark } = asking;
      const owns = session?.accountId === row.accountId && session.tenantId === row.tenantId;
      const may =
        row.visibility === "shared" ||
        owns ||
        (ticket !== undefined && (await acceptsTicket(ticket, row.name, mark ?? "")));
      if (!may) return undefined;
      const content = await (await storage()).read(small === "" ? row.name : smallPictureOf(row.name));
      const { contentType, originalName, visibility, sizeBytes } = row;
      const isFilm = contentType === mp4;
      return { content, contentType, originalName, sizeBytes, isPicture, isFilm, visibility };
    },

    /** Removes what was broken off while it was stored, and what has expired. */
    async sweep(): Promise<void> {
      await destroy(await repository.removable(housekeeping, brokenOffAfterS));
    },

    /** Removes what a server was receiving when it died. Another one may share the folder, so what is new stays. */
    async clearIncoming(): Promise<void> {
      for (const name of await readdir(incomingFolder).catch(() => [])) {
        const path = join(incomingFolder, name);
        const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }));
        if (mtimeMs < now() - brokenOffAfterS * 1000) await rm(path, { force: true }).catch(onError);
      }
    },
  };
}
export type FileService = ReturnType<typeof createFileService>;
