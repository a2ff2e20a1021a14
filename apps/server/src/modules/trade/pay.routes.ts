import type { FastifyInstance } from "fastify";
import type { Router } from "../../http/router.ts";
import { unknownPath } from "../../http/server.ts";
import type { PaymentProviders } from "../../providers/payment/gateways.ts";
import { payNoticePath, type SignedNotice } from "../../providers/payment/payment.ts";
import { sandboxWays } from "../../providers/payment/sandbox.ts";
import type { PayAttemptModule } from "./pay-attempts.ts";
import { sandboxPage } from "./pay-sandbox-page.ts";

/** Notices are a few hundred bytes. */
const mostBytes = 8192;

interface PayRouteDependencies {
  providers: PaymentProviders;
  heard: PayAttemptModule["heard"];
}

/** Where the payment provider tells what was paid, and the page of the demo's sandbox. */
export function payRoutes(router: Router, http: FastifyInstance, { providers, heard }: PayRouteDependencies): void {
  /** @returns the status of the answer; what is not 200 is told again by the provider */
  const take = async (signed: SignedNotice): Promise<number> => {
    // An installation without payments has nothing here.
    if (!providers.gateway.awaited() && providers.sandbox() === undefined) return 404;
    const notice = providers.gateway.read(signed) ?? providers.sandbox()?.read(signed);
    if (notice === undefined) return 403;
    return (await heard(notice)) === "unknown order" ? 404 : 200;
  };
  http.register(async (scope) => {
    scope.removeAllContentTypeParsers();
    scope.addContentTypeParser("*", { parseAs: "string", bodyLimit: mostBytes }, (_request, body, done) =>
      done(null, body),
    );
    const onRequest = router.counted({ method: "POST", path: payNoticePath, rate: "entry" });
    const config = { openBecause: "the payment provider calls here, and signs each call" };
    scope.post(payNoticePath, { config, onRequest }, async (request, reply) => {
      const header = (name: string): string => String(request.headers[name] ?? "");
      const body = typeof request.body === "string" ? request.body : "";
      const status = await take({ timestamp: header("x-timestamp"), signature: header("x-signature"), body });
      return reply.code(status).send({ ok: status === 200 });
    });
    const open = { openBecause: "demo mode without a payment provider only: pretends to pay" };
    scope.get<{ Params: { id: string } }>("/dev/pay/:id", { config: open }, async ({ params }, reply) => {
      const held = await providers.sandbox()?.held(params.id);
      if (held === undefined) return reply.code(404).send(unknownPath());
      return reply
        .header("Content-Security-Policy", "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'")
        .header("Cache-Control", "no-store")
        .type("text/html; charset=utf-8")
        .send(sandboxPage(held));
    });
    scope.post<{ Params: { id: string } }>("/dev/pay/:id", { config: open }, async ({ params, body }, reply) => {
      const sandbox = providers.sandbox();
      const held = await sandbox?.held(params.id);
      const chosen = new URLSearchParams(typeof body === "string" ? body : "").get("way");
      const way = sandboxWays.find((one) => one === chosen);
      if (sandbox === undefined || held === undefined || way === undefined) return reply.code(404).send(unknownPath());
      for (const notice of await sandbox.choose(params.id, way)) await take(notice);
      const { pathname, search } = new URL(held.returnUrl);
      return reply.code(303).header("Location", `${pathname}${search}`).send();
    });
  });
}
