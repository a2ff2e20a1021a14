/** A service that has not answered in full within this time is down, so that whoever called us has an answer within 3 s. */
export const serviceLimitMs = 2000;
/** Answers of these services are short; whoever sends more is not what we think it is. */
const largestAnswer = 256 * 1024;

/**
 * Calls a service of somebody else and reads its answer, within `serviceLimitMs` however it hangs, drips or floods.
 * @throws when it can't be reached, redirects, takes too long, or answers with more than 256 KiB
 */
export async function callService(url: string, init: RequestInit): Promise<{ status: number; text: string }> {
  const answer = await fetch(url, { ...init, redirect: "error", signal: AbortSignal.timeout(serviceLimitMs) });
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of answer.body ?? []) {
    length += chunk.length;
    if (length > largestAnswer) throw new Error("the answer is too large");
    chunks.push(chunk);
  }
  return { status: answer.status, text: Buffer.concat(chunks).toString() };
}
