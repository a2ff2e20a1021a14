import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const cookies: Tests = { files: ["tests/threats/cross-site.test.ts"], names: "cookies|TLS" };

export const transportMutants: Mutant[] = [
  ...faultsIn("apps/server/src/http/router.ts", cookies, [
    [
      "transport: cookies believe the connection of a proxy that is not trusted",
      'reachedByTls || request.protocol === "https"',
      'request.protocol === "https"',
    ],
    [
      "transport: cookies are Secure without TLS",
      'const reachedByTls = publicUrl.startsWith("https:");',
      "const reachedByTls = true;",
    ],
    ["transport: scripts may read cookies", "; HttpOnly; SameSite=Lax${secure}", "; SameSite=Lax${secure}"],
  ]),
  ...faultsIn("apps/server/src/http/server.ts", cookies, [
    ["transport: browsers may come without TLS", "if (tellsTransportSecurity) raw", "if (!publicUrl) raw"],
    ["transport: the own machine must have TLS", " && !loopbackHosts.has(hostname);", ";"],
    ["transport: pages may be framed", 'raw.setHeader("X-Frame-Options", "DENY");', ""],
  ]),
  ...faultsIn("apps/server/src/modules/authorization/authorization.routes.ts", cookies, [
    [
      "transport: cookies of the authorization server are not Secure",
      'headers["x-forwarded-proto"] = protocol.slice(0, -1);',
      'headers["x-forwarded-proto"] = "http";',
    ],
  ]),
];
