import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { type DropReason, messageLimits } from "./telemetry.parse.ts";
import type { Uplink } from "./uplink.service.ts";

interface TokenPath {
  token: string;
}
interface AttributeQuery {
  clientKeys?: string | string[];
  sharedKeys?: string | string[];
}
/** Lists of keys that are named twice are one. */
const oneOf = (keys: string | string[] | undefined): string | undefined =>
  Array.isArray(keys) ? keys.join(",") : keys;
type Device = NonNullable<Awaited<ReturnType<Uplink["authenticate"]>>>;

const openBecause = "a device shows its own access token in the path, as the device protocol has it";
/** A request whose commit takes longer is answered 503, and the device sends again. */
const storeLimitMs = 5000;
/** Bodies that may wait for their commit together; beyond it requests are answered 503 at once. */
const heldBytesLimit = 8 * 1024 * 1024;
/** A small message costs about this much beside its bytes. */
const requestCost = 2048;

const busy = (reply: FastifyReply) => reply.code(503).header("Retry-After", "2").send({ reason: "busy" });
const answerFor = (reply: FastifyReply, dropped: DropReason | undefined) =>
  dropped === undefined
    ? reply.code(200).send()
    : reply.code(dropped === "too_fast" ? 429 : 400).send({ reason: dropped });

/** Waits for `work`, but not longer than the limit; what is under way then goes on and does no harm when it is sent again. */
async function inTime<Result>(work: Promise<Result>): Promise<{ result: Result } | undefined> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    limit = setTimeout(resolve, storeLimitMs, undefined);
  });
  try {
    return await Promise.race([work.then((result) => ({ result })), late]);
  } finally {
    clearTimeout(limit);
  }
}

/** The HTTP side of device-protocol.md. 200 comes after the commit. */
export function deviceApiRoutes(app: FastifyInstance, uplink: Uplink): void {
  app.register(async (scope) => {
    const devices = new WeakMap<FastifyRequest, Device>();
    let heldBytes = 0;

    scope.removeAllContentTypeParsers();
    // Devices often send no or a wrong content type; the protocol is JSON whatever they say.
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: messageLimits.bytes }, (_request, body, done) =>
      done(null, body),
    );
    // Before the body is read: who has no token costs nothing.
    scope.addHook<{ Params: TokenPath }>("onRequest", async (request, reply) => {
      const found = await inTime(uplink.authenticate(request.params.token, request.ip));
      if (found === undefined) return busy(reply);
      if (found.result === undefined) return reply.code(401).send({ reason: "unknown token" });
      devices.set(request, found.result);
      if (heldBytes >= heldBytesLimit) return busy(reply);
    });
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      const device = devices.get(request);
      if (error.statusCode !== 413 || device === undefined) throw error;
      uplink.drop(device, "too_large");
      // The rest of the body is not waited for.
      return reply.code(400).header("Connection", "close").send({ reason: "too_large" });
    });
    const deviceOf = (request: FastifyRequest): Device => {
      const device = devices.get(request);
      if (device === undefined) throw new Error("a device request was not authenticated");
      return device;
    };

    for (const kind of ["telemetry", "attributes", "events"] as const) {
      scope.post(`/api/v1/:token/${kind}`, { config: { openBecause } }, async (request, reply) => {
        // Without a body there is none to parse, and the server's own APIs then see an empty object.
        const body = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
        const cost = body.length + requestCost;
        heldBytes += cost;
        const work = uplink[kind](deviceOf(request), body).finally(() => {
          heldBytes -= cost;
        });
        const answer = await inTime(work);
        return answer === undefined ? busy(reply) : answerFor(reply, answer.result);
      });
    }
    scope.get<{ Querystring: AttributeQuery }>(
      "/api/v1/:token/attributes",
      { config: { openBecause } },
      async (request) => {
        const { clientKeys, sharedKeys } = request.query;
        return uplink.requestAttributes(deviceOf(request), {
          clientKeys: oneOf(clientKeys),
          sharedKeys: oneOf(sharedKeys),
        });
      },
    );
  });
}
