import {
  type ArticleChannel,
  type ArticleEntry,
  type ArticlePage as ArticlePageName,
  type ArticlePeriod,
  type ArticleTopic,
  articlePages,
  articlePeriods,
  articleTopics,
  type DocumentKind,
  type DocumentProduct,
  documentKinds,
  documentProducts,
  type KindFigures,
  kindFigures,
  type Page,
  type PublicArticle,
  type PublicDocument,
  type PublicPartner,
  type PublicService,
  type PublicSuggestion,
  type PublicVideo,
  previewedArticle,
  publicArticle,
  publicArticlePage,
  publicDocument,
  publicDocumentPage,
  publicOutlets,
  publicPartners,
  publicServices,
  publicSuggestion,
  publicSuggestionPage,
  publicVideo,
  publicVideoPage,
  type ReplyOf,
  searchCorrection,
  siteFormNumberPattern,
  translate,
} from "@herdwise/contract";
import {
  type ActionFunctionArgs,
  data,
  type LoaderFunctionArgs,
  redirect,
  useActionData,
  useLoaderData,
  useLocation,
} from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import { ArticleList, type ListedChannel } from "./article-list.tsx";
import { ArticlePage } from "./article-page.tsx";
import "./prose.css";
import "./content.css";
import { DocumentListPage, DocumentPage } from "./document-pages.tsx";
import { FeedbackDetail, FeedbackPage, WorkOrderPage } from "./feedback-page.tsx";
import NotFound from "./not-found.route.tsx";
import { PartnerPage } from "./partner-page.tsx";
import { type Found, type FoundKind, foundKinds, SearchPage, solutionsWith } from "./search-page.tsx";
import { type FormAnswer, type FormValues, sendForm } from "./send-form.ts";
import { ApplyPage, ProductServicePage, ServiceListPage } from "./service-pages.tsx";
import { SolutionPage } from "./solution-page.tsx";
import { solutionsByPage } from "./solution-parts.ts";
import { VideoListPage, VideoPage } from "./video-pages.tsx";

/** Articles on a page of a list. */
const perPage = 12;
const mostFound = 30;
const mostFoundDocuments = 10;
const numberPattern = new RegExp(siteFormNumberPattern);
/** A number that the database takes as an id. */
const idPattern = /^(\d{1,18}|[0-8]\d{18})$/;
/** Solutions that the bar above a solution names. */
const mostSolutions = 50;
/** The article that the last part of an address names: a page that ships with the product by its name, any other by its id. */
function askedArticle(name: string): { page: string } | { id: string } | undefined {
  if (articlePages.some(([known]) => known === name)) return { page: name };
  return idPattern.test(name) ? { id: name } : undefined;
}
const pageAsked = (query: URLSearchParams): number =>
  Math.min(10_000, Math.max(1, Math.trunc(Number(query.get("page")) || 1)));

/** Lists of articles, and pages of one, by their paths. */
const lists: Readonly<Record<string, ListedChannel>> = {
  "/information": "information",
  "/news": "news",
  "/service/notice": "notice",
};
const details: Readonly<Record<string, ListedChannel>> = {
  "/informationDetails": "information",
  "/news/detail": "news",
  "/service/noticeDetails": "notice",
};

/** What a page of content is made of. */
export type ContentPage = { origin: string; path: string } & (
  | {
      kind: "list";
      channel: ListedChannel;
      topic: ArticleTopic | undefined;
      period: ArticlePeriod | undefined;
      articles: Page<ArticleEntry>;
    }
  | { kind: "article" | "legal" | "preview"; article: PublicArticle }
  | {
      kind: "solution";
      article: PublicArticle;
      others: readonly ArticleEntry[];
      articles: readonly ArticleEntry[];
      documents: readonly PublicDocument[];
      videos: readonly PublicVideo[];
      /** Of a device that visitors may see; absent where the solution has none, or it does not report. */
      figures: KindFigures | undefined;
    }
  | {
      kind: "documents";
      of: DocumentKind | undefined;
      product: DocumentProduct | undefined;
      word: string;
      documents: Page<PublicDocument>;
    }
  | { kind: "document"; document: PublicDocument; related: readonly PublicDocument[] }
  | { kind: "videos"; product: DocumentProduct | undefined; videos: Page<PublicVideo> }
  | { kind: "video"; video: PublicVideo; related: readonly PublicVideo[] }
  | { kind: "productService" }
  | { kind: "services"; services: readonly PublicService[] }
  | { kind: "apply"; wish: string; services: readonly PublicService[]; given: FormValues }
  | { kind: "partners"; partners: readonly PublicPartner[] }
  | { kind: "feedback"; suggestions: Page<PublicSuggestion> }
  | { kind: "suggestion"; suggestion: PublicSuggestion }
  | { kind: "workOrder" }
  | {
      kind: "search";
      /** What was typed. */
      typed: string;
      /** What was looked for: what was typed, or what may have been meant by it. */
      word: string;
      of: FoundKind | undefined;
      found: Found | undefined;
    }
);

const queryOf = (values: Readonly<Record<string, string | number | undefined>>): string =>
  `?${new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;

/** Operations whose answers are the same in every language. */
const withoutLanguage: readonly string[] = [kindFigures.path, searchCorrection.path, publicOutlets.path];

/** Authors in English, by their Chinese names, for so long, ms: there are few, and each page would ask for one again. */
const englishNames = new Map<string, { name: Promise<string>; until: number }>();
const nameKeptMs = 60_000;
const mostNames = 200;

/** Authors are named once, in Chinese; an English page names them in its language where a translation is to be had. */
function englishName(author: string, api: (path: string, body: object) => Promise<unknown>): Promise<string> {
  const held = englishNames.get(author);
  if (held && held.until > Date.now()) return held.name;
  const name = api(translate.path, { src: author, to: "en" })
    .then((payload) => (payload as ReplyOf<typeof translate>).data.dst)
    .catch(() => author);
  if (englishNames.size >= mostNames) englishNames.clear();
  englishNames.set(author, { name, until: Date.now() + nameKeptMs });
  return name;
}

/** Fetches what the address names. An article that is not there is answered as a page that is not there, with its status. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, searchParams, origin } = new URL(request.url);
  const path = pathname.replace(/\/+$/, "");
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  const get = async <Reply,>(operation: { path: string }, query: Parameters<typeof queryOf>[0]): Promise<Reply> =>
    (await api(
      `${operation.path}${queryOf({ ...query, ...(!withoutLanguage.includes(operation.path) && { language }) })}`,
    )) as Reply;
  const list = (channel: ArticleChannel, more: Parameters<typeof queryOf>[0]) =>
    get<Page<ArticleEntry>>(publicArticlePage, { channel, ...more });
  const inPageLanguage = async (found: PublicArticle): Promise<PublicArticle> =>
    language === "zh" || !/\p{Script=Han}/u.test(found.author)
      ? found
      : { ...found, author: await englishName(found.author, api) };
  const article = async (query: Parameters<typeof queryOf>[0]) =>
    inPageLanguage(await get<PublicArticle>(publicArticle, query));

  const build = async (): Promise<ContentPage | undefined> => {
    const at = { origin, path };
    const [, section = "", name = ""] = path.split("/");
    const channel = lists[path];
    if (channel) {
      const period =
        channel === "notice" ? articlePeriods.find(([known]) => known === searchParams.get("period"))?.[0] : undefined;
      const topic = articleTopics.find(([known]) => known === searchParams.get("topic"))?.[0];
      const current = pageAsked(searchParams);
      const articles = await list(channel, { topic, period, current, size: perPage });
      // A page beyond the last is none.
      return articles.records.length === 0 && current > 1
        ? undefined
        : { ...at, kind: "list", channel, topic, period, articles };
    }
    const ofChannel = details[path];
    if (ofChannel) {
      const id = searchParams.get("id") ?? "";
      const found = idPattern.test(id) ? await article({ id }) : undefined;
      return found?.channel === ofChannel ? { ...at, kind: "article", article: found } : undefined;
    }
    if (section === "solution" || section === "legal") {
      const asked = askedArticle(name);
      const found = asked && (await article(asked));
      // A page that has a name is not told at its number, too.
      if (!found || found.channel !== section || (found.page !== "" && found.page !== name)) return undefined;
      if (section === "legal") return { ...at, kind: "legal", article: found };
      const around = found.topic === "" ? undefined : await list("information", { topic: found.topic, size: 3 });
      const { products = [], live } = solutionsByPage[found.page as ArticlePageName] ?? {};
      const [others, figures, documents, films] = await Promise.all([
        list("solution", { size: mostSolutions }),
        // A page without its figures is better than none.
        live && get<KindFigures>(kindFigures, { kind: live }).catch(() => undefined),
        Promise.all(products.map((product) => get<Page<PublicDocument>>(publicDocumentPage, { product, size: 3 }))),
        Promise.all(products.map((product) => get<Page<PublicVideo>>(publicVideoPage, { product, size: 3 }))),
      ]);
      return {
        ...at,
        kind: "solution",
        article: found,
        others: others.records.filter(({ page }) => page === ""),
        articles: around?.records ?? [],
        documents: documents.flatMap(({ records }) => records).slice(0, 6),
        videos: films.flatMap(({ records }) => records).slice(0, 3),
        figures: figures && figures.figures.length > 0 ? figures : undefined,
      };
    }
    if (path === "/partner") return { ...at, kind: "partners", partners: await get(publicPartners, {}) };
    if (path === "/service/productService") return { ...at, kind: "productService" };
    if (path === "/service/productServiceList")
      return { ...at, kind: "services", services: await get(publicServices, {}) };
    if (path === "/service/productApply") {
      const service = searchParams.get("service") ?? "";
      const product = documentProducts.find(([known]) => known === searchParams.get("product"))?.[0];
      const services = await get<PublicService[]>(publicServices, {});
      return {
        ...at,
        kind: "apply",
        wish: searchParams.get("wish") ?? "",
        services,
        given: { ...(services.some(({ id }) => id === service) && { service }), ...(product && { product }) },
      };
    }
    if (path === "/service/productInfo") {
      const of = documentKinds.find(([known]) => known === searchParams.get("kind"))?.[0];
      const product = documentProducts.find(([known]) => known === searchParams.get("product"))?.[0];
      const word = (searchParams.get("q") ?? "").trim().slice(0, 64);
      const current = pageAsked(searchParams);
      const documents = await get<Page<PublicDocument>>(publicDocumentPage, {
        kind: of,
        product,
        keyword: word || undefined,
        current,
        size: perPage,
      });
      return documents.records.length === 0 && current > 1
        ? undefined
        : { ...at, kind: "documents", of, product, word, documents };
    }
    if (path === "/service/fileShow" || path === "/productFileShow") {
      const id = searchParams.get("id") ?? "";
      if (id === "") throw redirect(`/service/productInfo${language === "en" ? "?lang=en" : ""}`, 302);
      if (!idPattern.test(id)) return undefined;
      return { ...at, kind: "document", ...(await get<ReplyOf<typeof publicDocument>>(publicDocument, { id })) };
    }
    if (path === "/service/videos") {
      const product = documentProducts.find(([known]) => known === searchParams.get("product"))?.[0];
      const current = pageAsked(searchParams);
      const videos = await get<Page<PublicVideo>>(publicVideoPage, { product, current, size: perPage });
      return videos.records.length === 0 && current > 1 ? undefined : { ...at, kind: "videos", product, videos };
    }
    if (path === "/service/videoShow") {
      const id = searchParams.get("id") ?? "";
      if (!idPattern.test(id)) return undefined;
      return { ...at, kind: "video", ...(await get<ReplyOf<typeof publicVideo>>(publicVideo, { id })) };
    }
    if (path === "/service/workOrder") return { ...at, kind: "workOrder" };
    if (path === "/service/feedback") {
      const current = pageAsked(searchParams);
      const suggestions = await get<Page<PublicSuggestion>>(publicSuggestionPage, { current, size: perPage });
      return suggestions.records.length === 0 && current > 1 ? undefined : { ...at, kind: "feedback", suggestions };
    }
    if (path === "/service/feedbackDetails") {
      const id = searchParams.get("id") ?? "";
      return idPattern.test(id)
        ? { ...at, kind: "suggestion", suggestion: await get(publicSuggestion, { id }) }
        : undefined;
    }
    if (path === "/search") {
      const typed = (searchParams.get("q") ?? "").trim().slice(0, 64);
      const of = foundKinds.find(([known]) => known === searchParams.get("kind"))?.[0];
      const page = { ...at, kind: "search" as const, typed, of };
      const found = async (word: string): Promise<Found> => {
        const [articles, documents, { records: videos }, services, { outlets }] = await Promise.all([
          get<Page<ArticleEntry>>(publicArticlePage, { keyword: word, size: mostFound }),
          get<Page<PublicDocument>>(publicDocumentPage, { keyword: word, size: mostFoundDocuments }),
          get<Page<PublicVideo>>(publicVideoPage, { keyword: word, size: mostFoundDocuments }),
          get<PublicService[]>(publicServices, { keyword: word }),
          get<ReplyOf<typeof publicOutlets>>(publicOutlets, { keyword: word }),
        ]);
        return { articles, documents, videos, services, outlets };
      };
      if (typed === "") return { ...page, word: "", found: undefined };
      const first = await found(typed);
      const { articles, documents, videos, services, outlets } = first;
      const isFound = articles.total + documents.total + videos.length + services.length + outlets.length > 0;
      if (isFound || solutionsWith(typed, (text) => text).length > 0) return { ...page, word: typed, found: first };
      const meant = await get<ReplyOf<typeof searchCorrection>>(searchCorrection, { keyword: typed });
      return meant.keyword === ""
        ? { ...page, word: typed, found: first }
        : { ...page, word: meant.keyword, found: await found(meant.keyword) };
    }
    if (path === "/preview") {
      const token = (searchParams.get("token") ?? "").slice(0, 300);
      return { ...at, kind: "preview", article: await inPageLanguage(await get(previewedArticle, { token })) };
    }
    return undefined;
  };
  const page = await build().catch((error: unknown) => {
    if (error instanceof Response && (error.status === 404 || error.status === 400)) return undefined;
    throw error;
  });
  if (page === undefined) return data(null, { status: 404 });
  return page.kind === "preview"
    ? data(page, { headers: { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" } })
    : data(page);
}

export function headers({ loaderHeaders }: { loaderHeaders: Headers }): Headers {
  return loaderHeaders;
}

/** Takes the form of a page. What was taken leads to the page that says so, so that loading it again sends nothing twice. */
export async function action({ request, context }: ActionFunctionArgs) {
  const { pathname } = new URL(request.url);
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  const [, section, page = ""] = pathname.split("/");
  if (section === "solution") {
    const asked = askedArticle(page);
    const isThere =
      asked !== undefined &&
      (await api(`${publicArticle.path}${queryOf(asked)}`).then(
        (found) => (found as PublicArticle).channel === "solution",
        (error: unknown) => {
          if (error instanceof Response && error.status === 404) return false;
          throw error;
        },
      ));
    // The page that is not there takes nothing; what it answers is the loader's.
    if (!isThere) return data(undefined, { status: 404 });
  }
  const answer = await sendForm(await request.formData(), api, language);
  if ("number" in answer)
    return redirect(
      `${pathname}?${new URLSearchParams({ sent: answer.number, ...(language === "en" && { lang: "en" }) })}#form`,
      303,
    );
  return data(answer, { status: answer.captcha ? 200 : 400, headers: { "Cache-Control": "no-store" } });
}

/** The pages that come from content. */
export default function Content() {
  const page = useLoaderData<typeof loader>() as ContentPage | null;
  const answer = useActionData<FormAnswer>();
  const { search } = useLocation();
  if (page === null) return <NotFound />;
  // A number of our form and nothing else: what an address says must not become words of ours.
  const number = new URLSearchParams(search).get("sent") ?? "";
  const form = { answer, sent: numberPattern.test(number) ? number : undefined };
  switch (page.kind) {
    case "list":
      return <ArticleList {...page} />;
    case "solution":
      return <SolutionPage {...page} {...form} />;
    case "partners":
      return <PartnerPage {...page} {...form} />;
    case "feedback":
      return <FeedbackPage {...page} {...form} />;
    case "suggestion":
      return <FeedbackDetail {...page} />;
    case "documents":
      return <DocumentListPage {...page} kind={page.of} />;
    case "document":
      return <DocumentPage {...page} />;
    case "videos":
      return <VideoListPage {...page} />;
    case "video":
      return <VideoPage {...page} />;
    case "productService":
      return <ProductServicePage {...page} />;
    case "services":
      return <ServiceListPage {...page} />;
    case "apply":
      return <ApplyPage {...page} {...form} />;
    case "workOrder":
      return <WorkOrderPage {...page} />;
    case "search":
      return <SearchPage {...page} />;
    default:
      return <ArticlePage {...page} />;
  }
}
