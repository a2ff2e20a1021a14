import type { ArticleCover, ArticleEntry } from "@herdwise/contract";
import { articlePath } from "@herdwise/contract/article-path";
import { type SolutionName, solutionScene, solutionViewBox } from "../shared/drawings/solution-scenes.ts";
import { Mark } from "../shared/icons/mark.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { tied } from "./tied.ts";

/** Names of topics as pages show them. */
export const topicNames: Readonly<Record<string, string>> = {
  climate: "舍内气候",
  biosafety: "生物安全",
  health: "猪群健康",
  emission: "除臭与粪水",
  feed: "饲喂与饮水",
  product: "产品",
  service: "服务",
  company: "公司",
};

/** The attribute by which a text in another language than the page's says so. */
export const useForeign = () => {
  const own = useLanguage();
  return (language: "zh" | "en") => (language === own ? {} : { lang: language === "zh" ? "zh-CN" : "en" });
};

/** A drawing of the covers' set; decoration beside a title. Drawn by the server alone. */
export function Cover({ name }: { name: string }) {
  return (
    <svg
      className="drawing cover"
      viewBox={solutionViewBox}
      aria-hidden="true"
      dangerouslySetInnerHTML={{
        __html: import.meta.env.SSR
          ? solutionScene((name || ("environment" satisfies ArticleCover)) as SolutionName)
          : "",
      }}
    />
  );
}

/** Says of a page that it may not be published. */
export function PreviewNote() {
  const t = useTranslate();
  return (
    <p className="told">
      <Mark name="minor" />
      <span>{t("这是预览，可能还没有发布，只有拿到这个链接的人能看到。")}</span>
    </p>
  );
}

/** Breaks a title between its phrases, not inside them. */
export function Title({ text }: { text: string }) {
  const phrases = tied(text).split(/(?<=[，：、；。？！])|(?=（)/u);
  return (
    <>
      {phrases.map((phrase) => (
        <span key={phrase}>{phrase}</span>
      ))}
    </>
  );
}

const shortDays = {
  zh: { month: "2-digit", day: "2-digit" },
  en: { month: "short", day: "numeric" },
} as const;

/** Formats of days by language and length: making one takes longer than the rest of an entry of a list. */
const dayFormats = new Map<string, Intl.DateTimeFormat>();
function dayFormat(language: "zh" | "en", short: boolean): Intl.DateTimeFormat {
  const key = `${language} ${short}`;
  const held = dayFormats.get(key);
  if (held) return held;
  const made = new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
    timeZone: "Asia/Shanghai",
    ...(short ? { year: "numeric", ...shortDays[language] } : { dateStyle: "long" }),
  });
  dayFormats.set(key, made);
  return made;
}

/** A day in Shanghai, in words. */
export function Day({ at, short = false }: { at: string; short?: boolean }) {
  const language = useLanguage();
  const instant = parseWireDateTime(at);
  if (instant === undefined) return null;
  const words = dayFormat(language, short).format(instant);
  return (
    <time className="num" dateTime={new Date(instant).toISOString()}>
      {short && language === "zh" ? words.replaceAll("/", "-") : words}
    </time>
  );
}

/** Says that an article is an example, in a word beside it. */
export function ExampleMark() {
  const t = useTranslate();
  return <span className="example-mark">{t("示例")}</span>;
}

/** Says that a machine translated a title and nobody has looked at it. */
function MachineMark() {
  const t = useTranslate();
  return <span className="example-mark">{t("机器译文")}</span>;
}

/** What is said of a machine's words, by what holds them and by their language. */
const machineNotes = {
  page: {
    en: "这一页有机器翻译的英文，还没有人核对。有出入时以中文为准。",
    zh: "这一页有机器翻译的中文，还没有人核对。有出入时以英文为准。",
  },
  section: {
    en: "下面这一栏有机器翻译的英文，还没有人核对。有出入时以中文为准。",
    zh: "下面这一栏有机器翻译的中文，还没有人核对。有出入时以英文为准。",
  },
} as const;

/** Says of a page, or of the section below, that a machine translated it and nobody has looked at it. */
export function MachineNote({
  of: { language, unreviewed },
  section = false,
}: {
  of: { language: "zh" | "en"; unreviewed?: boolean };
  section?: boolean;
}) {
  const t = useTranslate();
  return (
    unreviewed && (
      <p className="told" data-machine="">
        <Mark name="minor" />
        <span>{t(machineNotes[section ? "section" : "page"][language])}</span>
      </p>
    )
  );
}

/** A title in a list: broken between its phrases, or with what was looked for marked in it. */
export function MarkedTitle({ text, word = "" }: { text: string; word?: string | undefined }) {
  return word ? <Marked text={text} word={word} /> : <Title text={text} />;
}

/** A text with what was looked for marked in it, whatever its case; words between spaces are looked for by themselves. */
export function Marked({ text, word = "" }: { text: string; word?: string | undefined }) {
  const words = word.split(/\s+/).filter(Boolean);
  if (words.length === 0) return tied(text);
  const patterns = words.sort((a, b) => b.length - a.length).map((one) => one.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&"));
  return text.split(new RegExp(`(${patterns.join("|")})`, "giu")).map((part, at) =>
    // Every second part is what fits; parts may be equal, their places are not.
    at % 2 === 1 ? <mark key={at}>{part}</mark> : part,
  );
}

interface ArticleItemProps {
  article: ArticleEntry;
  heading?: "h2" | "h3";
  /** The day stands in the place of the drawing, as notices have it. */
  dated?: boolean;
  /** What was looked for. */
  word?: string;
}

/** An article in a list: drawing, day, topic, title, summary. */
export function ArticleItem({ article, heading: Heading = "h2", dated = false, word }: ArticleItemProps) {
  const t = useTranslate();
  const foreign = useForeign();
  const topic = topicNames[article.topic];
  return (
    <li className={dated ? "article-item dated" : "article-item"}>
      <a href={articlePath(article)}>
        {dated ? <Day at={article.publishedAt} short /> : <Cover name={article.cover} />}
        <div>
          <p className="article-meta">
            {!dated && <Day at={article.publishedAt} short />}
            {topic && <span>{t(topic)}</span>}
            {article.example && <ExampleMark />}
            {article.unreviewed && <MachineMark />}
          </p>
          <Heading {...foreign(article.language)}>
            <MarkedTitle text={article.title} word={word} />
          </Heading>
          <p className="article-summary" {...foreign(article.language)}>
            <Marked text={article.summary} word={word} />
          </p>
          {article.excerpt && (
            <p className="article-excerpt" {...foreign(article.language)}>
              <Marked text={article.excerpt} word={word} />
            </p>
          )}
        </div>
      </a>
    </li>
  );
}
