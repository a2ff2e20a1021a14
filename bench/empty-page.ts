// The ceiling of bench/home.ts: a bare Fastify handler that renders an empty page with React Router for each request. In a process
// of its own, as the server is.
import { createRequire } from "node:module";
import { pathToFileURL } from "node:url";
import Fastify from "fastify";

// React belongs to the web app; one copy of it must serve both.
const ofWeb = createRequire(new URL("../apps/web/package.json", import.meta.url));
const load = async (name: string): Promise<never> => (await import(pathToFileURL(ofWeb.resolve(name)).href)) as never;
const { createElement } = (await load("react")) as typeof import("react");
const { renderToString } = (await load("react-dom/server")) as typeof import("react-dom/server");
const { createStaticHandler, createStaticRouter, StaticRouterProvider } = (await load(
  "react-router",
)) as typeof import("react-router");

const routes = [{ path: "/index", element: createElement("html", null, createElement("body")) }];
const { query, dataRoutes } = createStaticHandler(routes);

const app = Fastify();
app.get("/index", async (request, reply) => {
  const context = await query(new Request(new URL(request.url, "http://localhost")));
  if (context instanceof Response) throw new Error("an empty page has no redirect");
  const router = createStaticRouter(dataRoutes, context);
  const html = renderToString(createElement(StaticRouterProvider, { router, context, hydrate: false }));
  return reply.type("text/html; charset=utf-8").send(html);
});
await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.((app.server.address() as { port: number }).port);
