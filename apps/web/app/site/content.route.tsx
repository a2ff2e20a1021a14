import {
  type ArticleChannel,
  type ArticleEntry,
  type ArticlePeriod,
  type ArticleTopic,
  articlePages,
  articlePeriods,
  articleTopics,
  type Page,
  type PublicArticle,
  type PublicPartner,
  type PublicSuggestion,
  previewedArticle,
  publicArticle,
  publicArticlePage,
  publicPartners,
  publicSuggestion,
  publicSuggestionPage,
} from "@herdwise/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import { ArticleList, type ListedChannel } from "./article-list.tsx";
import { ArticlePage } from "./article-page.tsx";
import "./content.css";
import { FeedbackDetail, FeedbackPage, WorkOrderPage } from "./feedback-page.tsx";
import NotFound from "./not-found.route.tsx";
import { PartnerPage } from "./partner-page.tsx";
import { SearchPage } from "./search-page.tsx";
import { SolutionPage } from "./solution-page.tsx";

/** Articles on a page of a list. */
const perPage = 12;
const mostFound = 30;

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
  | { kind: "solution"; article: PublicArticle; articles: readonly ArticleEntry[] }
  | { kind: "partners"; partners: readonly PublicPartner[] }
  | { kind: "feedback"; suggestions: Page<PublicSuggestion> }
  | { kind: "suggestion"; suggestion: PublicSuggestion }
  | { kind: "workOrder" }
  | { kind: "search"; word: string; articles: Page<ArticleEntry> | undefined }
);

const queryOf = (values: Readonly<Record<string, string | number | undefined>>): string =>
  `?${new URLSearchParams(Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])))}`;

/** Fetches what the address names. An article that is not there is answered as a page that is not there, with its status. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { pathname, searchParams, origin } = new URL(request.url);
  const path = pathname.replace(/\/+$/, "");
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  const get = async <Reply,>(operation: { path: string }, query: Parameters<typeof queryOf>[0]): Promise<Reply> =>
    (await api(`${operation.path}${queryOf({ ...query, language })}`)) as Reply;
  const list = (channel: ArticleChannel, more: Parameters<typeof queryOf>[0]) =>
    get<Page<ArticleEntry>>(publicArticlePage, { channel, ...more });
  const article = (query: Parameters<typeof queryOf>[0]) => get<PublicArticle>(publicArticle, query);

  const build = async (): Promise<ContentPage | undefined> => {
    const at = { origin, path };
    const [, section = "", name = ""] = path.split("/");
    const channel = lists[path];
    if (channel) {
      const period =
        channel === "notice" ? articlePeriods.find(([known]) => known === searchParams.get("period"))?.[0] : undefined;
      const topic = articleTopics.find(([known]) => known === searchParams.get("topic"))?.[0];
      const current = Math.min(10_000, Math.max(1, Math.trunc(Number(searchParams.get("page")) || 1)));
      const articles = await list(channel, { topic, period, current, size: perPage });
      // A page beyond the last is none.
      return articles.records.length === 0 && current > 1
        ? undefined
        : { ...at, kind: "list", channel, topic, period, articles };
    }
    const ofChannel = details[path];
    if (ofChannel) {
      const id = searchParams.get("id") ?? "";
      const found = /^\d{1,19}$/.test(id) ? await article({ id }) : undefined;
      return found?.channel === ofChannel ? { ...at, kind: "article", article: found } : undefined;
    }
    if (section === "solution" || section === "legal") {
      const page = articlePages.find(([known]) => known === name)?.[0];
      const found = page && (await article({ page }));
      if (!found || found.channel !== section) return undefined;
      if (section === "legal") return { ...at, kind: "legal", article: found };
      const around = found.topic === "" ? undefined : await list("information", { topic: found.topic, size: 3 });
      return { ...at, kind: "solution", article: found, articles: around?.records ?? [] };
    }
    if (path === "/partner") return { ...at, kind: "partners", partners: await get(publicPartners, {}) };
    if (path === "/service/workOrder") return { ...at, kind: "workOrder" };
    if (path === "/service/feedback") {
      const current = Math.min(10_000, Math.max(1, Math.trunc(Number(searchParams.get("page")) || 1)));
      const suggestions = await get<Page<PublicSuggestion>>(publicSuggestionPage, { current, size: perPage });
      return suggestions.records.length === 0 && current > 1 ? undefined : { ...at, kind: "feedback", suggestions };
    }
    if (path === "/service/feedbackDetails") {
      const id = searchParams.get("id") ?? "";
      return /^\d{1,18}$|^[0-8]\d{18}$/.test(id)
        ? { ...at, kind: "suggestion", suggestion: await get(publicSuggestion, { id }) }
        : undefined;
    }
    if (path === "/search") {
      const word = (searchParams.get("q") ?? "").trim().slice(0, 64);
      const articles =
        word === "" ? undefined : await get<Page<ArticleEntry>>(publicArticlePage, { keyword: word, size: mostFound });
      return { ...at, kind: "search", word, articles };
    }
    if (path === "/preview") {
      const token = (searchParams.get("token") ?? "").slice(0, 300);
      return { ...at, kind: "preview", article: await get(previewedArticle, { token }) };
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

/** The pages that come from content. */
export default function Content() {
  const page = useLoaderData<typeof loader>() as ContentPage | null;
  if (page === null) return <NotFound />;
  switch (page.kind) {
    case "list":
      return <ArticleList {...page} />;
    case "solution":
      return <SolutionPage {...page} />;
    case "partners":
      return <PartnerPage {...page} />;
    case "feedback":
      return <FeedbackPage {...page} />;
    case "suggestion":
      return <FeedbackDetail {...page} />;
    case "workOrder":
      return <WorkOrderPage {...page} />;
    case "search":
      return <SearchPage {...page} />;
    default:
      return <ArticlePage {...page} />;
  }
}
