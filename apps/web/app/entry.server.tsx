import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { type PublicSettings, publicSettings } from "@herdwise/contract";
import { renderToPipeableStream, renderToStaticMarkup } from "react-dom/server";
import { type EntryContext, RouterContextProvider, ServerRouter } from "react-router";
import driverTexts from "../public/i18n/driver/i18n_en.json";
import entryTexts from "../public/i18n/entry/i18n_en.json";
import allTexts from "../public/i18n/i18n_en.json";
import { dictionaryPartOf } from "./screens.ts";
import { type ApiCaller, apiContext, nonceContext } from "./shared/api/server-context.ts";
import { PreferenceProvider } from "./shared/preferences/preferences.tsx";
import { askedLanguage, languageOf, parseCookies, readPreferences } from "./shared/preferences/read-preferences.ts";
import { appNameOf, unknownPortal } from "./shared/session/title.ts";
import { createPageStyles } from "./site/page-styles.ts";

export { type ApiCaller, apiContext };

/**
 * Builds what a request's loaders and its rendering need.
 * @param api calls the API in process: path with query in, the envelope's payload out, or a thrown Response
 * @param nonce CSP nonce of this response; every inline script carries it
 */
export function createLoadContext(api: ApiCaller, nonce: string): RouterContextProvider {
  const context = new RouterContextProvider();
  context.set(apiContext, api);
  context.set(nonceContext, nonce);
  return context;
}

/** The figures on the home page are renewed by its script; a visitor's first sight of them may be this old. */
const homeKeptMs = 5000;
const isHome = /^\/index(\?|$)/;
/** Content is forgotten by every server when it changes; this is for what a server did not hear. */
const contentKeptMs = 30_000;
const isContent =
  /^\/(information|informationDetails|news|news\/detail|partner|market|service\/(?:network|notice|noticeDetails)|solution\/\w+|legal\/\w+|productFileShow|service\/(?:fileShow|videos|videoShow|productInfo|productService|productServiceList|feedback))(\?|$)/;
/** What names a page of content beside its path; whatever else an address holds, the page is the same. */
const contentParameters = ["id", "topic", "period", "kind", "product", "page", "breed", "days", "area", "province"];
/** Values of a parameter that may be given several times; more name no other page. */
const mostValues = 5;

/**
 * Whether the rendered page of a GET may be shown to others: the home page and pages of content look the same for the same preferences.
 * @param path with its query
 * @param cookies the request's cookie header
 * @returns to whom it looks the same, and for how many ms it may be shown again
 */
export function reuseOf(path: string, cookies: string): { key: string; forMs: number } | undefined {
  const content = isContent.test(path);
  if (!content && !isHome.test(path)) return undefined;
  const [place = "", search] = path.split("?", 2);
  const query = new URLSearchParams(search);
  // What somebody looked for is of no use to others, and what is not published yet is none of theirs.
  if (query.has("q") || query.has("sent") || query.has("preview")) return undefined;
  const named = content
    ? [place, ...contentParameters.map((name) => query.getAll(name).slice(0, mostValues))]
    : ["/index"];
  const key = JSON.stringify([named, languageOf(query), readPreferences(parseCookies(cookies))]);
  return { key, forMs: content ? contentKeptMs : homeKeptMs };
}

/** Pages of the site with a form that works without script. */
const withForm = /^\/(partner|service\/(productApply|feedback)|solution\/\w+)\/?$/;
/** Whether a page takes what its form sends. @param path without query */
export const takesForms = (path: string): boolean => withForm.test(path);

const renderTimeoutMs = 10_000;

/**
 * Lets styles go before scripts: a page is read before it is worked with, and on a phone's line the two share what there is.
 * React Router writes the links and offers no priority for them.
 */
const withPatientScripts = (html: string): string =>
  html.replaceAll('<link rel="modulepreload"', '<link rel="modulepreload" fetchpriority="low"');

/** Whether a route of a page says that it is complete as it is sent; see root.tsx. */
const isPlain = ({ routeModules, staticHandlerContext: { matches } }: EntryContext): boolean =>
  matches.some(({ route }) => {
    const handle: unknown = routeModules[route.id]?.handle;
    return typeof handle === "object" && handle !== null && "plain" in handle;
  });

/**
 * What a plain page needs of its router: the routes that it is made of. Made of all of them, as for a page that goes on in the browser,
 * the tree of routes took longer than the page; nor are the data of its loaders sent a second time.
 */
function ofItself(context: EntryContext): EntryContext {
  const { manifest, staticHandlerContext, serverHandoffStream: _data, ...rest } = context;
  const routes = Object.fromEntries(
    staticHandlerContext.matches.flatMap(({ route: { id } }) => {
      const route = manifest.routes[id];
      return route ? [[id, route]] : [];
    }),
  );
  return { ...rest, manifest: { ...manifest, routes }, staticHandlerContext };
}

const withOwnStyles = createPageStyles(new URL("../client/", import.meta.url));

/** Renders the document. A `lang` in the address wins over the cookie and is remembered, so that it works without scripts. */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  routerContext: EntryContext,
  loadContext: RouterContextProvider,
): Promise<Response> {
  const asked = askedLanguage(request);
  const remembered = readPreferences(parseCookies(request.headers.get("Cookie") ?? ""));
  const language = asked ?? remembered.language;
  const nonce = loadContext.get(nonceContext);
  const portal = await loadContext
    .get(apiContext)(publicSettings.path)
    .then((answer) => {
      const settings = answer as PublicSettings;
      const { brand, colours, logos, contact } = settings;
      return {
        appName: appNameOf(settings),
        brand: { ...brand, ...colours, logos },
        records: { icp: settings.icpNumber, police: settings.policeNumber },
        contact: {
          company: contact.company[language] || contact.company.zh,
          service: contact.serviceNumber,
          sales: contact.salesNumber,
          hours: contact.hours,
          place: contact.place[language],
        },
      };
    })
    // A page without its name is better than none.
    .catch(() => unknownPortal);
  const dictionaryPart = dictionaryPartOf(new URL(request.url).pathname);
  const english = dictionaryPart === "entry" ? entryTexts : dictionaryPart === "driver" ? driverTexts : allTexts;
  const dictionary = language === "en" ? english : {};
  const initial = { ...remembered, language, dictionary, dictionaryPart, ...portal, nonce };

  const plain = isPlain(routerContext);
  const page = (
    <PreferenceProvider initial={initial}>
      <ServerRouter
        context={plain ? ofItself(routerContext) : routerContext}
        url={request.url}
        {...(nonce === undefined ? {} : { nonce })}
      />
    </PreferenceProvider>
  );
  const answer = (html: string): Response => {
    headers.set("Content-Type", "text/html; charset=utf-8");
    headers.append("Vary", "Cookie");
    const secure = new URL(request.url).protocol === "https:" ? "; Secure" : "";
    if (asked) headers.append("Set-Cookie", `langType=${asked}; Path=/; Max-Age=31536000; SameSite=Lax${secure}`);
    return new Response(html, { headers, status });
  };
  // No framework takes such a page over in the browser: it needs no marks for that, and is written in one go.
  if (plain) return answer(withOwnStyles(renderToStaticMarkup(page)));

  return new Promise((resolve, reject) => {
    const { pipe, abort } = renderToPipeableStream(page, {
      ...(nonce === undefined ? {} : { nonce }),
      onAllReady() {
        const body = new PassThrough();
        text(body).then((html) => resolve(answer(withPatientScripts(html))), reject);
        pipe(body);
      },
      onShellError: reject,
      // Nothing here suspends, so any error concerns the whole page; react-router answers it with its error page.
      onError: reject,
    });
    setTimeout(abort, renderTimeoutMs).unref();
  });
}
