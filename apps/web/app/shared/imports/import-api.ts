import type { Import, ImportRow, Page, UploadedFile } from "@herdwise/contract";
import { putFileAttach, ticketIssue } from "@herdwise/contract";
import { type ImportVerb, importOperationOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { refusal } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { authorizationHeaders } from "../api/send.ts";

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
export async function uploadSheet(file: File): Promise<string> {
  const form = new FormData();
  form.append("file", file, file.name);
  const answer = await fetch(`${putFileAttach.path}?visibility=private`, {
    method: "POST",
    credentials: "include",
    headers: authorizationHeaders(),
    body: form,
  });
  const reply: unknown = await answer.json().catch(() => undefined);
  const refused = refusal(answer.status, reply);
  if (refused) throw refused;
  return (reply as { data: UploadedFile }).data.attachId;
}

/** Opens one of the own files: a link can't carry the session, so it gets a ticket for once. */
export async function openFile(attachId: string): Promise<void> {
  const { url } = await call(ticketIssue, { body: { id: attachId } });
  location.assign(url);
}
