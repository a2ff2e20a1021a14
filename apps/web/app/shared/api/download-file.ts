import { saveBlob } from "../sheets/csv.ts";
import { ApiError, refusal } from "./api-error.ts";
import { authorizationHeaders } from "./send.ts";

/**
 * Saves the file that an operation answers with.
 * @param address path with its query @param name of the file, with its extension
 * @param signal ends it; nothing is saved then
 * @throws ApiError when it is refused or breaks off
 */
export async function downloadFile(address: string, name: string, signal: AbortSignal | null = null): Promise<void> {
  const answer = await fetch(address, { credentials: "include", headers: authorizationHeaders(), signal });
  if (!answer.ok)
    throw refusal(answer.status, await answer.json().catch(() => undefined)) ?? new ApiError(answer.status, "未知错误");
  const whole = await answer.blob().catch(() => {
    throw new ApiError(0, "下载中断了，没有保存文件，请重试");
  });
  saveBlob(name, whole);
}
