import { HtmlValidate } from "html-validate/node";

/**
 * HTML by the rules of html-validate. Off are those of style, those that the browser's own reading makes good, and those that ask of every
 * page what only some need.
 */
const validator = new HtmlValidate({
  root: true,
  extends: ["html-validate:standard", "html-validate:a11y"],
  rules: {
    // React writes them so.
    "attribute-boolean-style": "off",
    "attr-case": "off",
    "void-style": "off",
    "no-trailing-whitespace": "off",
    "long-title": "off",
    "no-inline-style": "off",
    // Lists whose marks are taken away by styles are no lists to some readers without it.
    "no-redundant-role": "off",
    // The policy allows inline scripts by their digests.
    "require-sri": "off",
    // Telephone numbers stand in fields and tables, where a narrow place may break them.
    "tel-non-breaking": "off",
    "prefer-native-element": "off",
    "input-missing-label": "error",
  },
});

/** @returns what is not HTML, each with its rule and place */
export async function htmlProblems(html: string): Promise<string[]> {
  const report = await validator.validateString(html);
  return report.results.flatMap(({ messages }) =>
    messages.map(({ ruleId, message, line, column }) => `${ruleId}: ${message} (${line}:${column})`),
  );
}

type Thing = Record<string, unknown>;
const isThing = (value: unknown): value is Thing =>
  typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): boolean => typeof value === "string" && value.trim() !== "";
const isAddress = (value: unknown): boolean => isText(value) && /^https:\/\//.test(String(value));
const isTime = (value: unknown): boolean => isText(value) && !Number.isNaN(Date.parse(String(value)));
const isNumber = (value: unknown): boolean => typeof value === "number" && Number.isFinite(value);
const isOf =
  (...types: string[]) =>
  (value: unknown): boolean =>
    isThing(value) && types.includes(String(value["@type"]));
const isList =
  (each: (value: unknown) => boolean) =>
  (value: unknown): boolean =>
    Array.isArray(value) && value.length > 0 && value.every(each);
const isDuration = (value: unknown): boolean => /^PT(\d+H)?(\d+M)?(\d+S)?$/.test(String(value));

type Check = (value: unknown) => boolean;
/** What a type of schema.org needs to be shown by search engines, and what it may have; `?` marks the latter. */
const types: Readonly<Record<string, Readonly<Record<string, Check>>>> = {
  Organization: { name: isText, "url?": isAddress, "logo?": isAddress, "description?": isText, "telephone?": isText },
  WebSite: { name: isText, url: isAddress, "inLanguage?": isText, "potentialAction?": isOf("SearchAction") },
  SearchAction: { target: isText, "query-input": isText },
  Service: { name: isText, description: isText, "url?": isAddress, "provider?": isOf("Organization") },
  Article: articleOf(),
  NewsArticle: articleOf(),
  BreadcrumbList: { itemListElement: isList(isOf("ListItem")) },
  ItemList: { itemListElement: isList(isOf("ListItem")), "name?": isText },
  ListItem: {
    position: isNumber,
    "name?": isText,
    "item?": (value) => isAddress(value) || isThing(value),
    "url?": isAddress,
  },
  LocalBusiness: { name: isText, address: isOf("PostalAddress"), "telephone?": isText },
  PostalAddress: { addressCountry: isText, "addressRegion?": isText, "streetAddress?": isText },
  FAQPage: { mainEntity: isList(isOf("Question")) },
  Question: { name: isText, acceptedAnswer: isOf("Answer") },
  Answer: { text: isText },
  VideoObject: {
    name: isText,
    description: isText,
    thumbnailUrl: (value) => isAddress(value) || isList(isAddress)(value),
    uploadDate: isTime,
    "contentUrl?": isAddress,
    "encodingFormat?": isText,
    "publisher?": isOf("Organization"),
    "duration?": isDuration,
    "inLanguage?": isText,
  },
  DigitalDocument: {
    name: isText,
    url: isAddress,
    "description?": isText,
    "inLanguage?": isText,
    "datePublished?": isTime,
    "dateModified?": isTime,
    "version?": isText,
    "encodingFormat?": isText,
    "publisher?": isOf("Organization"),
  },
  Dataset: {
    name: isText,
    description: isText,
    "url?": isAddress,
    "license?": isText,
    "creator?": isOf("Organization"),
    "distribution?": isThing,
    "temporalCoverage?": isText,
  },
  DataDownload: { contentUrl: isAddress, encodingFormat: isText },
};
function articleOf(): Readonly<Record<string, Check>> {
  return {
    headline: isText,
    datePublished: isTime,
    author: isOf("Organization", "Person"),
    publisher: isOf("Organization"),
    mainEntityOfPage: isAddress,
    "description?": isText,
    "dateModified?": isTime,
    "image?": isAddress,
    "inLanguage?": isText,
  };
}

function problemsOf(thing: Thing, way: string): string[] {
  const type = String(thing["@type"]);
  const here = `${way}${type}`;
  const wanted = types[type];
  if (wanted === undefined) return [`${here} is no type that the site uses`];
  const given = Object.keys(thing).filter((name) => !name.startsWith("@"));
  return [
    ...Object.entries(wanted).flatMap(([name, check]) => {
      const bare = name.replace("?", "");
      const value = thing[bare];
      return value === undefined
        ? name === bare
          ? [`${here} has no ${bare}`]
          : []
        : check(value)
          ? []
          : [`${here}.${bare}: ${JSON.stringify(value)}`];
    }),
    ...given.filter((name) => !(name in wanted) && !(`${name}?` in wanted)).map((name) => `${here} has ${name}`),
    ...Object.values(thing)
      .flat()
      .filter(isThing)
      .flatMap((inner) => problemsOf(inner, `${here} > `)),
  ];
}

/** @returns what is wrong with the structured data of a page */
export function structuredProblems(html: string): string[] {
  return [...html.matchAll(/<script type="application\/ld\+json">([\s\S]*?)<\/script>/g)].flatMap(([, text = ""]) => {
    const thing = JSON.parse(text) as unknown;
    if (!isThing(thing)) return ["structured data are no object"];
    return thing["@context"] === "https://schema.org" ? problemsOf(thing, "") : ["structured data have no context"];
  });
}
