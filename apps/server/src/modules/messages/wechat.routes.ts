import type { FastifyInstance, FastifyRequest } from "fastify";
import type { Router } from "../../http/router.ts";
import { isSigned, readEvent, type WechatEvent } from "../../providers/wechat/callback.ts";

const path = "/wechat/callback";
/** The service's calls are a few hundred bytes. */
const mostBytes = 8192;

interface WechatRouteDependencies {
  /** What signs the service's calls; undefined without an official account. */
  token: () => string | undefined;
  now: () => number;
  heard(event: WechatEvent): Promise<void>;
}

type Signed = FastifyRequest<{ Querystring: Record<string, string | undefined> }>;

/** Where the service of the official account tells who scanned, followed and left. */
export function wechatRoutes(
  router: Router,
  http: FastifyInstance,
  { token, now, heard }: WechatRouteDependencies,
): void {
  const signed = ({ query: { signature = "", timestamp = "", nonce = "" } }: Signed): boolean => {
    const secret = token();
    return (
      secret !== undefined && typeof nonce === "string" && isSigned(secret, { signature, timestamp, nonce }, now())
    );
  };
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    const config = { openBecause: "the service of the WeChat official account calls here, and signs each call" };
    const onRequest = router.counted({ method: "POST", path, rate: "entry" });
    scope.get<{ Querystring: Record<string, string | undefined> }>(
      path,
      { config, onRequest },
      async (request, reply) => {
        if (!signed(request)) return reply.code(403).send("");
        return reply.type("text/plain; charset=utf-8").send(String(request.query.echostr ?? "").slice(0, 200));
      },
    );
    scope.post<{ Querystring: Record<string, string | undefined> }>(
      path,
      { config, onRequest },
      async (request, reply) => {
        if (!signed(request)) return reply.code(403).send("");
        const event = typeof request.body === "string" ? readEvent(request.body) : undefined;
        if (event !== undefined) await heard(event);
        return reply.type("text/plain; charset=utf-8").send("success");
      },
    );
  });
}
