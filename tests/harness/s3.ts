import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

/** The key that the service of tests knows. */
export const s3Key = { id: "the key", secret: "the secret" } as const;
/** The one bucket that it has. */
export const s3Bucket = "herd";

const fault = (code: string, message: string): string =>
  `<?xml version="1.0"?><Error><Code>${code}</Code><Message>${message}</Message></Error>`;

/** As much of S3 as is used: put, get, also of a part, and delete of an object by its path. It knows one bucket and one key. */
export async function startS3() {
  /** What the service holds, by path, with the type that was sent along. */
  const held = new Map<string, { body: Buffer; type: string }>();
  /** `sent`: bytes that it sent; `signed`: signatures of the calls. */
  const state = { knowsRanges: true, sent: 0, signed: [] as string[] };
  const service = createServer(async (request, response) => {
    const body = await buffer(request);
    const path = (request.url ?? "").split("?")[0] ?? "";
    state.signed.push(request.headers.authorization ?? "");
    if (!request.headers.authorization?.includes(`Credential=${s3Key.id}/`))
      return response.writeHead(403).end(fault("InvalidAccessKeyId", "The access key id does not exist"));
    if (!path.startsWith(`/${s3Bucket}/`))
      return response.writeHead(404).end(fault("NoSuchBucket", "The bucket does not exist"));
    if (request.method === "PUT") {
      held.set(path, { body, type: request.headers["content-type"] ?? "" });
      return response.end();
    }
    if (request.method === "DELETE") {
      held.delete(path);
      return response.writeHead(204).end();
    }
    const object = held.get(path);
    if (object === undefined) return response.writeHead(404).end(fault("NoSuchKey", "The key does not exist"));
    const [, start, end] = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "") ?? [];
    const part = object.body.subarray(Number(start), Number(end) + 1);
    const [status, answer, more] =
      state.knowsRanges && start !== undefined
        ? [206, part, { "Content-Range": `bytes ${start}-${end}/${object.body.length}` }]
        : [200, object.body, {}];
    state.sent += answer.length;
    return response.writeHead(status, { "Content-Type": object.type, ...more }).end(answer);
  });
  await once(service.listen(0, "127.0.0.1"), "listening");
  return {
    held,
    state,
    endpoint: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    stop(): void {
      service.closeAllConnections();
      service.close();
    },
  };
}
