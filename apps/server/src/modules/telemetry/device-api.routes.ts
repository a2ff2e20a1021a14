import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { DownKind } from "../commands/index.ts";
import { createDevicePolls } from "./device-polls.ts";
import { type DropReason, messageLimits } from "./telemetry.parse.ts";
import type { Uplink } from "./uplink.service.ts";

interface TokenPath {
  token: string;
}
interface AttributeQuery {
  clientKeys?: string | string[];
  sharedKeys?: string | string[];
}
interface FirmwareQuery {
  title?: string;
  version?: string;
  /** Bytes per chunk; 0 for the whole file. */
  size?: string;
  /** Index from 0. */
  chunk?: string;
}
/** A list of keys that is given twice is joined. */
const oneOf = (keys: string | string[] | undefined): string | undefined =>
  Array.isArray(keys) ? keys.join(",") : keys;
type Device = NonNullable<Awaited<ReturnType<Uplink["authenticate"]>>>;

const openBecause = "a device shows its own access token in the path, as the device protocol has it";
/** Milliseconds for looking up the device and committing together; after them the answer is 503, and the device sends again. */
const answerLimitMs = 5000;
/** Most bytes of bodies that wait for their commit together; beyond it requests are answered 503 at once. */
const heldBytesLimit = 8 * 1024 * 1024;
/** Maximum size in bytes of a registration request. */
const provisionBytes = 8 * 1024;
/** Bytes that a small message costs in addition to its body, approximately. */
const requestCost = 2048;

const busy = (reply: FastifyReply) => reply.code(503).header("Retry-After", "2").send({ reason: "busy" });
/** What to change, for reasons that don't tell it themselves. */
const dropMessages: Readonly<Partial<Record<DropReason, string>>> = {
  not_utf8: "the text is not UTF-8",
  time_in_seconds: "time looks like seconds; milliseconds are wanted",
  time_in_microseconds: "time looks like microseconds; milliseconds are wanted",
};

const answerFor = (reply: FastifyReply, dropped: DropReason | undefined) =>
  dropped === undefined
    ? reply.code(200).send()
    : reply
        .code(dropped === "too_fast" ? 429 : 400)
        .send({ reason: dropped, ...(dropMessages[dropped] && { message: dropMessages[dropped] }) });

/**
 * Waits for `work`, at most until the limit; unfinished work continues, and repeating it is harmless.
 * @param limitMs remaining time, 0 or more
 */
async function inTime<Result>(
  work: Promise<Result>,
  limitMs: number = answerLimitMs,
): Promise<{ result: Result } | undefined> {
  let limit: NodeJS.Timeout | undefined;
  const late = new Promise<undefined>((resolve) => {
    limit = setTimeout(resolve, limitMs, undefined);
  });
  try {
    return await Promise.race([work.then((result) => ({ result })), late]);
  } finally {
    clearTimeout(limit);
  }
}

// Without a body nothing is parsed, and the server's own APIs then see an empty object.
const bodyOf = ({ body }: FastifyRequest): Buffer => (Buffer.isBuffer(body) ? body : Buffer.alloc(0));

/** Registration of devices, which have no token yet; like ThingsBoard it always answers 200 with the result in the body. */
function provisionRoute(app: FastifyInstance, uplink: Uplink): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: provisionBytes }, (_request, body, done) =>
      done(null, body),
    );
    const openToAll = "a device registers itself with the key and secret of a profile";
    scope.post("/api/v1/provision", { config: { openBecause: openToAll } }, async (request, reply) => {
      const asked = uplink.parseRequest(bodyOf(request));
      if (asked === undefined) return reply.code(400).send({ reason: "not_json" });
      const answer = await inTime(uplink.provision(asked, request.ip));
      return answer === undefined ? busy(reply) : answer.result;
    });
  });
}

/** The HTTP part of device-protocol.md; 200 is sent after the commit. */
export function deviceApiRoutes(app: FastifyInstance, uplink: Uplink, stopping: AbortSignal): void {
  const polls = createDevicePolls(uplink.links, stopping);
  provisionRoute(app, uplink);
  app.register(async (scope) => {
    const devices = new WeakMap<FastifyRequest, { device: Device; searchedMs: number }>();
    let heldBytes = 0;

    scope.removeAllContentTypeParsers();
    // Devices often send no content type or a wrong one, so every body is read as JSON.
    scope.addContentTypeParser("*", { parseAs: "buffer", bodyLimit: messageLimits.bytes }, (_request, body, done) =>
      done(null, body),
    );
    // Checked before the body is read, so that requests without a valid token cost little.
    scope.addHook<{ Params: TokenPath }>("onRequest", async (request, reply) => {
      const begun = performance.now();
      const found = await inTime(uplink.authenticate(request.params.token, request.ip));
      if (found === undefined) return busy(reply);
      if (found.result === undefined) return reply.code(401).send({ reason: "unknown token" });
      devices.set(request, { device: found.result, searchedMs: performance.now() - begun });
      if (heldBytes >= heldBytesLimit) return busy(reply);
    });
    scope.setErrorHandler<Error & { statusCode?: number }>((error, request, reply) => {
      const known = devices.get(request);
      if (error.statusCode !== 413 || known === undefined) throw error;
      uplink.drop(known.device, "too_large");
      // Closes the connection instead of reading the rest of the body.
      return reply.code(400).header("Connection", "close").send({ reason: "too_large" });
    });
    const knownOf = (request: FastifyRequest) => {
      const known = devices.get(request);
      if (known === undefined) throw new Error("a device request was not authenticated");
      return known;
    };
    const deviceOf = (request: FastifyRequest): Device => knownOf(request).device;

    const take = async (
      request: FastifyRequest,
      reply: FastifyReply,
      work: (device: Device, body: Buffer) => Promise<DropReason | undefined>,
    ) => {
      const body = bodyOf(request);
      const cost = body.length + requestCost;
      heldBytes += cost;
      const { device, searchedMs } = knownOf(request);
      const done = work(device, body).finally(() => {
        heldBytes -= cost;
      });
      const answer = await inTime(done, Math.max(0, answerLimitMs - searchedMs));
      return answer === undefined ? busy(reply) : answerFor(reply, answer.result);
    };
    for (const kind of ["telemetry", "attributes", "events"] as const) {
      scope.post(`/api/v1/:token/${kind}`, { config: { openBecause } }, (request, reply) =>
        take(request, reply, (device, body) => uplink[kind](device, body)),
      );
    }
    scope.post("/api/v1/:token/claim", { config: { openBecause } }, (request, reply) =>
      take(request, reply, (device, body) => uplink.claim(device, body.length === 0 ? {} : uplink.parseRequest(body))),
    );
    scope.post<{ Params: TokenPath & { id: string } }>(
      "/api/v1/:token/rpc/:id",
      { config: { openBecause } },
      (request, reply) => take(request, reply, (device, body) => uplink.answer(device, request.params.id, body)),
    );
    scope.post("/api/v1/:token/rpc", { config: { openBecause } }, async (request, reply) => {
      const call = uplink.parseRequest(bodyOf(request));
      if (call === undefined) {
        uplink.drop(deviceOf(request), "not_json");
        return reply.code(400).send({ reason: "not_json" });
      }
      return reply.type("application/json").send(JSON.stringify(uplink.call(deviceOf(request), call)));
    });
    const poll = async (kind: DownKind, request: FastifyRequest, reply: FastifyReply) => {
      const timeoutMs = Number((request.query as { timeout?: unknown }).timeout ?? 0);
      const outcome = await polls.wait(deviceOf(request).id, kind, timeoutMs, reply);
      if (outcome === "too_many")
        return reply.code(429).header("Retry-After", "5").send({ reason: "too_many_waiting" });
      // ThingsBoard's answer for a timeout; the device asks again.
      if (outcome === "nothing") return reply.code(408).send();
      const { message, delivered } = outcome;
      reply.raw.once("finish", delivered);
      return message.kind === "rpc"
        ? { id: message.requestId, method: message.method, params: message.params }
        : { ...message.values, ...(message.deleted.length > 0 && { deleted: message.deleted }) };
    };
    scope.get<{ Params: TokenPath; Querystring: FirmwareQuery }>(
      "/api/v1/:token/firmware",
      { config: { openBecause } },
      async (request, reply) => {
        const { title = "", version = "", size = 0, chunk = 0 } = request.query;
        const [bytesOfChunk, number] = [Number(size), Number(chunk)];
        if (![bytesOfChunk, number].every((part) => Number.isSafeInteger(part) && part >= 0))
          return reply.code(400).send({ reason: "wrong_form" });
        const bytes = await uplink.firmware(deviceOf(request), { title, version }, bytesOfChunk, number);
        if (bytes === undefined) return reply.code(404).send({ reason: "no_firmware" });
        return reply.type("application/octet-stream").send(bytes);
      },
    );
    scope.get("/api/v1/:token/rpc", { config: { openBecause } }, (request, reply) => poll("rpc", request, reply));
    scope.get("/api/v1/:token/attributes/updates", { config: { openBecause } }, (request, reply) =>
      poll("attributes", request, reply),
    );
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
