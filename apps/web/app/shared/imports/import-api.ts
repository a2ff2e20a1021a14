import type { Import, ImportRow, Page, UploadedFile } from "@herdwise/contract";
import { putFileAttach, ticketIssue } from "@herdwise/contract";
import { type ImportVerb, importOperationOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { call } from "../api/call.ts";
import { uploadFile } from "../api/upload-file.ts";

export type ImportPage = Page<Import>;
export type ImportRows = Page<ImportRow>;

interface Sent {
  query?: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
  signal?: AbortSignal;
}

/** Calls an operation of a resource's imports. */
export const callImport = <Reply>(
  of: Pick<ResourceDeclaration, "path">,
  verb: ImportVerb,
  { query, body, signal }: Sent = {},
): Promise<Reply> =>
  call(importOperationOf(of, verb), {
    query: query as never,
    body: body as never,
    quiet: true,
    ...(signal ? { signal } : {}),
  }) as Promise<Reply>;

export const importKeys = (of: Pick<ResourceDeclaration, "name">) => ["imports", of.name] as const;

/** Uploads a sheet. @returns its id @throws ApiError when it is refused */
export const uploadSheet = async (file: File): Promise<string> =>
  (await uploadFile<UploadedFile>(`${putFileAttach.path}?visibility=private`, file)).attachId;

/** Opens one of the own files: a link can't carry the session, so it gets a ticket for once. */
export async function openFile(attachId: string): Promise<void> {
  const { url } = await call(ticketIssue, { body: { id: attachId } });
  location.assign(url);
}
