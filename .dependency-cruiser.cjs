// The rules of docs/ARCHITECTURE.md. tests/rules.test.ts plants a violation of each and expects it to be seen here.
const server = "^apps/server/src";
const areas = ["site", "account", "centre", "admin"];

/** @type {import('dependency-cruiser').IConfiguration} */
module.exports = {
  forbidden: [
    {
      name: "packages-import-typebox-only",
      comment: "contract and device-kinds are read by every app, so they carry nothing but typebox",
      severity: "error",
      from: { path: "^packages/[^/]+/src", pathNot: ["\\.test\\.ts$", "^packages/client/"] },
      to: { pathNot: ["(^|/)packages/[^/]+/src/", "(^|node_modules/)typebox(/|$)"] },
    },
    {
      name: "client-stands-alone",
      comment: "programs of others take the client, and nothing of the product with it",
      severity: "error",
      from: { path: "^packages/client/" },
      to: { pathNot: ["^packages/client/", "(^|node_modules/)openapi-fetch(/|$)"] },
    },
    {
      name: "server-and-web-are-apart",
      severity: "error",
      from: { path: "^apps/(server|simulator|mall-sandbox)/" },
      to: { path: "^apps/web/" },
    },
    {
      name: "web-knows-no-server",
      severity: "error",
      from: { path: "^apps/web/" },
      to: { path: "^apps/(server|simulator)/" },
    },
    {
      name: "only-repositories-know-kysely",
      severity: "error",
      from: {
        path: server,
        pathNot: [
          `${server}/database/`,
          "\\.repository\\.ts$",
          `${server}/(app|main|module|platform|simulator)\\.ts$`,
          `${server}/cli/`,
          "\\.test\\.ts$",
        ],
      },
      to: { path: ["node_modules/(kysely|pg)/", `${server}/database/`] },
    },
    {
      name: "routes-call-services",
      severity: "error",
      from: { path: "\\.routes\\.ts$" },
      to: { path: "\\.repository\\.ts$" },
    },
    {
      name: "services-know-neither-fastify-nor-mqtt",
      severity: "error",
      from: { path: "\\.(service|repository)\\.ts$" },
      to: {
        path: ["node_modules/(fastify|@fastify|mqtt|mqtt-packet|ws)/", `${server}/(mqtt|http/(router|server|web))`],
      },
    },
    {
      name: "repositories-wait-for-the-database-only",
      comment: "a repository may run inside a transaction, where nobody may wait for a network",
      severity: "error",
      from: { path: "\\.repository\\.ts$" },
      to: {
        path: [
          `${server}/providers/`,
          "^(node:)?(net|http|https|http2|dgram|tls|dns)$",
          "node_modules/(redis|mqtt|undici)/",
        ],
      },
    },
    {
      name: "modules-meet-at-their-index",
      severity: "error",
      from: { path: `${server}/modules/([^/]+)/` },
      to: {
        path: `${server}/modules/([^/]+)/`,
        pathNot: [`${server}/modules/$1/`, `${server}/modules/[^/]+/index\\.ts$`],
      },
    },
    {
      name: "outside-reaches-modules-by-their-index",
      severity: "error",
      from: { path: server, pathNot: [`${server}/modules/`, "\\.test\\.ts$"] },
      to: { path: `${server}/modules/`, pathNot: `${server}/modules/[^/]+/index\\.ts$` },
    },
    { name: "no-cycles", severity: "error", from: {}, to: { circular: true } },
    ...areas.map((area) => ({
      name: `area-${area}-is-alone`,
      severity: "error",
      from: { path: `^apps/web/app/${area}/` },
      to: { path: `^apps/web/app/(${areas.filter((other) => other !== area).join("|")})/` },
    })),
    {
      name: "shared-imports-no-area",
      severity: "error",
      from: { path: "^apps/web/app/shared/" },
      to: { path: `^apps/web/app/(${areas.join("|")})/` },
    },
    {
      name: "site-is-light",
      comment: "public pages load none of the libraries of the inside, not even through shared",
      severity: "error",
      from: { path: "^apps/web/app/(site|account)/" },
      to: {
        path: "node_modules/(echarts|@tanstack|react-aria|react-aria-components|react-stately|@internationalized|react-hook-form|@tiptap)/",
        reachable: true,
      },
    },
  ],
  options: {
    doNotFollow: { path: "node_modules" },
    exclude: { path: "(^|/)(build|\\.react-router)/" },
    tsPreCompilationDeps: true,
    tsConfig: { fileName: "tsconfig.json" },
    enhancedResolveOptions: {
      exportsFields: ["exports"],
      conditionNames: ["import", "types", "node", "default"],
      extensions: [".ts", ".tsx", ".mjs", ".js"],
    },
  },
};
