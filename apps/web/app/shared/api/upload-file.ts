import { refusal } from "./api-error.ts";
import { authorizationHeaders } from "./send.ts";

/**
 * Sends a file to an operation that takes one.
 * @param address path with its query
 * @throws ApiError when it is refused
 */
export async function uploadFile<Reply>(
  address: string,
  file: File,
  headers: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const form = new FormData();
  form.append("file", file, file.name);
  const answer = await fetch(address, {
    method: "POST",
    credentials: "include",
    headers: { ...authorizationHeaders(), ...headers },
    body: form,
  });
  const reply: unknown = await answer.json().catch(() => undefined);
  const refused = refusal(answer.status, reply);
  if (refused) throw refused;
  return (reply as { data: Reply }).data;
}
