import type { Language } from "../shared/language/dictionary.ts";
import { useLanguage } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { PageTitle } from "../shared/states/page-title.tsx";

export interface SiteHeadProps {
  /** In the chosen language. */
  title: string;
  description: string;
  origin: string;
  /** Path with the part of the query that names the page. */
  path: string;
  /** Languages that people wrote it in; others are no page of their own to a search engine. */
  languages?: readonly Language[];
  kind?: "website" | "article";
  /** Address of a picture that stands for the page where it is shared; else that of its subject stands for it. */
  picture?: string | undefined;
  /** Name of the drawing of what the page is about, as articles have it for their cover; "" for the site as a whole. */
  subject?: string;
  /** Schema.org objects. */
  structured?: readonly Readonly<Record<string, unknown>>[];
  /** Kept out of search engines. */
  hidden?: boolean;
  feed?: boolean;
}

/** An address in a language; Chinese is the one without a name. */
export const addressIn = (language: Language, origin: string, path: string): string =>
  language === "zh" ? `${origin}${path}` : `${origin}${path}${path.includes("?") ? "&" : "?"}lang=en`;

/** What a page of the site says of itself to search engines and to whoever shares it. */
export function SiteHead({
  title,
  description,
  origin,
  path,
  languages = ["zh", "en"],
  kind = "website",
  picture,
  subject = "",
  structured = [],
  hidden = false,
  feed = false,
}: SiteHeadProps) {
  const language = useLanguage();
  const { appName } = usePreferences();
  const shown = languages.includes(language) ? language : "zh";
  const own = addressIn(shown, origin, path);
  if (hidden)
    return (
      <>
        <PageTitle title={title} />
        <meta name="robots" content="noindex" />
      </>
    );
  return (
    <>
      <PageTitle title={title} />
      <meta name="description" content={description} />
      <link rel="canonical" href={own} />
      {languages.length > 1 && (
        <>
          <link rel="alternate" hrefLang="zh-CN" href={addressIn("zh", origin, path)} />
          <link rel="alternate" hrefLang="en" href={addressIn("en", origin, path)} />
          <link rel="alternate" hrefLang="x-default" href={addressIn("zh", origin, path)} />
        </>
      )}
      {feed && (
        <>
          <link
            rel="alternate"
            type="application/rss+xml"
            title={appName}
            href={language === "en" ? "/rss-en.xml" : "/rss.xml"}
          />
          <link
            rel="alternate"
            type="application/atom+xml"
            title={appName}
            href={language === "en" ? "/atom-en.xml" : "/atom.xml"}
          />
        </>
      )}
      <meta property="og:type" content={kind} />
      <meta property="og:title" content={title} />
      <meta property="og:description" content={description} />
      <meta property="og:url" content={own} />
      <meta property="og:site_name" content={appName} />
      <meta property="og:locale" content={shown === "zh" ? "zh_CN" : "en_GB"} />
      <meta property="og:image" content={picture ?? `${origin}/share/${subject || "site"}.png`} />
      {picture === undefined && (
        <>
          <meta property="og:image:width" content="1200" />
          <meta property="og:image:height" content="630" />
        </>
      )}
      <meta property="og:image:alt" content={title} />
      <meta name="twitter:card" content="summary_large_image" />
      {structured.map((one) => (
        <script
          key={String(one["@type"])}
          type="application/ld+json"
          dangerouslySetInnerHTML={{
            __html: JSON.stringify({ "@context": "https://schema.org", ...one }).replaceAll("<", "\\u003c"),
          }}
        />
      ))}
    </>
  );
}

/** The way to a page, as search engines read it. */
export const breadcrumbs = (steps: readonly (readonly [name: string, address: string])[]) => ({
  "@type": "BreadcrumbList",
  itemListElement: steps.map(([name, item], at) => ({ "@type": "ListItem", position: at + 1, name, item })),
});
