import type { FastifyInstance, FastifyReply } from "fastify";
import type { DropReason, Uplink } from "../modules/telemetry/index.ts";
import { messageLimits } from "../modules/telemetry/index.ts";

interface TokenPath {
  token: string;
}
interface AttributeQuery {
  clientKeys?: string;
  sharedKeys?: string;
}

const openBecause = "a device shows its own access token in the path, as the device protocol has it";

const answerFor = (reply: FastifyReply, dropped: DropReason | undefined) =>
  dropped === undefined
    ? reply.code(200).send()
    : reply.code(dropped === "too_fast" ? 429 : 400).send({ reason: dropped });

/** The HTTP side of device-protocol.md. 200 comes after the commit. */
export function deviceApiRoutes(app: FastifyInstance, uplink: Uplink): void {
  app.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    // Devices often send no or a wrong content type; the protocol is JSON whatever they say.
    scope.addContentTypeParser(
      "*",
      { parseAs: "buffer", bodyLimit: messageLimits.bytes + 1024 },
      (_request, body, done) => done(null, body),
    );
    const deviceOf = (path: TokenPath) => uplink.authenticate(path.token);
    const unauthorized = (reply: FastifyReply) => reply.code(401).send({ reason: "unknown token" });

    for (const kind of ["telemetry", "attributes", "events"] as const) {
      scope.post<{ Params: TokenPath; Body: Buffer | undefined }>(
        `/api/v1/:token/${kind}`,
        { config: { openBecause } },
        async (request, reply) => {
          const device = await deviceOf(request.params);
          if (device === undefined) return unauthorized(reply);
          return answerFor(reply, await uplink[kind](device, request.body ?? Buffer.alloc(0)));
        },
      );
    }
    scope.get<{ Params: TokenPath; Querystring: AttributeQuery }>(
      "/api/v1/:token/attributes",
      { config: { openBecause } },
      async (request, reply) => {
        const device = await deviceOf(request.params);
        if (device === undefined) return unauthorized(reply);
        return uplink.requestAttributes(device, request.query);
      },
    );
  });
}
