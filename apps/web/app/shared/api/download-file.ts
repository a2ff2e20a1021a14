import { saveBlob } from "../sheets/csv.ts";
import { ApiError, refusal } from "./api-error.ts";
import { authorizationHeaders } from "./send.ts";

/**
 * Saves the file that an operation answers with.
 * @param address path with its query @param name of the file, with its extension
 * @throws ApiError when it is refused
 */
export async function downloadFile(address: string, name: string): Promise<void> {
  const answer = await fetch(address, { credentials: "include", headers: authorizationHeaders() });
  if (!answer.ok)
    throw refusal(answer.status, await answer.json().catch(() => undefined)) ?? new ApiError(answer.status, "未知错误");
  saveBlob(name, await answer.blob());
}
