import {
  type ArticleDraft,
  type ArticleTranslation,
  articleChannels,
  articleContent,
  articleCovers,
  articleLinkCheck,
  articlePages,
  articlePicturePattern,
  articlePreviewLink,
  articlePublish,
  articleRestore,
  articleSave,
  articleTopics,
  articleTranslate,
  articleTranslations,
  articleVersion,
  articleVersions,
  articleWithdraw,
  type ReplyOf,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { articleStateMarks } from "../../shared/articles/article-states.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId, useListAddress } from "../../shared/lists/list-address.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { useKeeping, useKeptDraft } from "../publishing/kept-draft.ts";
import { MachineWords, useUnreadChecks } from "../publishing/machine-words.tsx";
import frame from "../publishing/publishing.module.css";
import { type Check, PublishingFrame } from "../publishing/publishing-frame.tsx";
import { usePublishingWork } from "../publishing/use-publishing-work.ts";
import type { KeptText } from "../publishing/versions.tsx";
import { attributeOf, linksIn } from "../rich-text/attributes.ts";
import { blockChecks } from "../rich-text/block-checks.ts";
import { blocksOf, compareBodies } from "../rich-text/body-diff.ts";
import { BodyField, PastedNote } from "../rich-text/body-field.tsx";
import type { PastedBody } from "../rich-text/paste.ts";
import type { OfferedPicture } from "../rich-text/rich-text.tsx";
import { linkChecks, useLinkMarks, useLinkProblems } from "../rich-text/use-link-problems.ts";
import styles from "./editor.module.css";

const texts = [
  "title",
  "summary",
  "body",
  "titleEn",
  "summaryEn",
  "bodyEn",
  "channel",
  "topic",
  "page",
  "cover",
  "author",
] as const;
type TextName = (typeof texts)[number];
type Values = Record<TextName, string> & { example: boolean };

const valuesOf = (article: ArticleDraft): Values =>
  Object.fromEntries([...texts, "example" as const].map((name) => [name, article[name]])) as Values;

/** Title and summary as paragraphs before the body. */
function asBody(title: string, summary: string, body: string): string {
  const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  return `<p>${escaped(title)}</p><p>${escaped(summary)}</p>${body}`;
}

/** The pictures that a body shows, each once. */
function picturesIn(html: string): readonly OfferedPicture[] {
  const pictures = [...html.matchAll(/<img\b[^>]*>/g)].map(([tag]) => ({
    src: attributeOf(tag, "src"),
    alt: attributeOf(tag, "alt"),
    width: Number(attributeOf(tag, "width")),
    height: Number(attributeOf(tag, "height")),
  }));
  return [...new Map(pictures.map((picture) => [picture.src, picture])).values()].filter(({ src }) =>
    articlePicturePattern.test(src),
  );
}

/** What stands in the way of publishing, and what a writer may want to know before. */
function useChecks(
  values: Values,
  linkProblems: ReturnType<typeof useLinkProblems>,
  /** Fields of each language that nobody has read after a machine translated them. */
  unreviewed: Readonly<Record<"zh" | "en", number>>,
): readonly Check[] {
  const t = useTranslate();
  const unread = useUnreadChecks();
  const written = (html: string): boolean => blocksOf(html).length > 0;
  const chinese = values.title.trim() !== "" && values.summary.trim() !== "" && written(values.body);
  const [title, body] = [values.titleEn.trim() !== "", written(values.bodyEn)];
  const links = linksIn(`${values.body}${values.bodyEn}`);
  const outside = links.filter((href) => /^https?:/i.test(href)).length;
  const [inChinese, inEnglish] = [picturesIn(values.body), picturesIn(values.bodyEn)];
  const wordless = [...inChinese, ...inEnglish].filter(({ alt }) => alt.trim() === "").length;
  return [
    chinese ? { mark: "ok", text: t("中文齐了") } : { mark: "critical", text: t("中文的标题、摘要和正文都要有") },
    title && body
      ? { mark: "ok", text: t("英文齐了") }
      : title || body
        ? { mark: "critical", text: t("英文只有一半：标题和正文要一起写，或一起留空") }
        : { mark: "minor", text: t("还没有英文，英文页会显示中文原文并说明") },
    ...unread(unreviewed),
    ...(values.channel === "legal"
      ? [
          values.page === ""
            ? ({ mark: "critical", text: t("请选固定页面") } as const)
            : ({ mark: "ok", text: t("固定页面已选") } as const),
        ]
      : []),
    ...(values.channel === "solution" && values.page === ""
      ? [{ mark: "notice", text: t("没选固定页面：发布后有自己的地址，列在解决方案栏的末尾") } as const]
      : []),
    ...(values.title.length > 30
      ? [
          {
            mark: "notice",
            text: t("标题 {count} 字，搜索结果里大约显示 30 字", { count: values.title.length }),
          } as const,
        ]
      : []),
    ...(links.length > 0
      ? [
          {
            mark: "notice",
            text:
              outside > 0
                ? t("{count} 个链接，其中 {outside} 个去站外；站外的只看写法，没有打开过", {
                    count: links.length,
                    outside,
                  })
                : t("{count} 个链接，都在本站", { count: links.length }),
          } as const,
        ]
      : []),
    ...linkChecks(linkProblems),
    ...(linkProblems?.length === 0 && links.length > outside
      ? [{ mark: "ok", text: t("站内链接都打得开") } as const]
      : []),
    ...(inChinese.length + inEnglish.length > 0
      ? [
          wordless > 0
            ? ({ mark: "critical", text: t("{count} 张图片还没有替代文字", { count: wordless }) } as const)
            : ({ mark: "ok", text: t("图片都有替代文字") } as const),
        ]
      : []),
    ...blockChecks({ zh: values.body, en: values.bodyEn }, t),
    ...(title && body && inChinese.length !== inEnglish.length
      ? [
          {
            mark: "notice",
            text: t("中文有 {zh} 张图片，英文有 {en} 张", { zh: inChinese.length, en: inEnglish.length }),
          } as const,
        ]
      : []),
  ];
}

function Editing({
  article,
  onArticle,
  onReload,
}: {
  article: ArticleDraft;
  onArticle: (article: ArticleDraft) => void;
  onReload: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const language = useLanguage();
  const { permissions } = useAccess();
  const kept = useKeptDraft("article_editor", article.id, !permissions.has("article_edit"));
  const { readOnly, draft } = kept;
  const [values, setValues] = useState<Values>(() => ({
    ...valuesOf(article),
    ...(draft?.changes as Partial<Values> | undefined),
  }));
  /** What the bodies were as the editor writes them: it may write the same otherwise. */
  const [written, setWritten] = useState<Partial<Record<"body" | "bodyEn", string>>>({});
  const work = usePublishingWork((field) => (field === "at" ? "at-day" : `article-${field}`));
  const { busy, problems, run } = work;
  const [pasted, setPasted] = useState<PastedBody>();
  const [uploading, setUploading] = useState({ zh: 0, en: 0 });
  const linkProblems = useLinkProblems(articleLinkCheck, linksIn(`${values.body}${values.bodyEn}`));
  const markedLinks = useLinkMarks(linkProblems);

  /** Another number of a body is another editor: what a machine wrote begins it anew. */
  const [proposals, setProposals] = useState({ body: 0, bodyEn: 0 });
  const stored = { ...valuesOf(article), ...written };
  const changed = [...texts, "example" as const].filter((name) => values[name] !== stored[name]);
  /** Fields that a machine translated and nobody has read or changed since. */
  const unread = article.unreviewed.filter((field) => !changed.includes(field));
  const checks = useChecks(values, linkProblems, {
    zh: unread.filter((field) => !field.endsWith("En")).length,
    en: unread.filter((field) => field.endsWith("En")).length,
  });
  const pick = (from: Values) => Object.fromEntries(changed.map((name) => [name, from[name]]));
  useKeeping(kept, values, {
    version: article.version,
    changes: pick(values),
    before: pick({ ...values, ...stored }),
  });

  const set = <Name extends keyof Values>(name: Name, value: Values[Name]): void => {
    setValues((held) => ({ ...held, [name]: value }));
    work.solve((field) => field === name);
  };

  /** @returns the article as it is stored now */
  const save = async (): Promise<ArticleDraft> => {
    if (changed.length === 0) return article;
    const sent = Object.fromEntries(changed.map((name) => [name, values[name]]));
    const { article: saved } = await call(articleSave, {
      body: { id: article.id, version: article.version, ...sent },
      quiet: true,
    });
    kept.forget();
    setWritten((held) => ({ ...held, body: values.body, bodyEn: values.bodyEn }));
    onArticle(saved);
    return saved;
  };
  const propose = (field: ArticleTranslation) =>
    run(async () => {
      const saved = await save();
      const next = await call(articleTranslate, {
        body: { id: saved.id, version: saved.version, field },
        quiet: true,
      });
      onArticle(next);
      setValues((held) => ({ ...held, [field]: next[field] }));
      if (field === "body" || field === "bodyEn") {
        setWritten(({ [field]: _gone, ...others }) => others);
        setProposals((held) => ({ ...held, [field]: held[field] + 1 }));
      }
      showToast({ kind: "ok", text: "译文已填入，请读一遍" });
    });
  const accept = (field: ArticleTranslation) =>
    run(async () => {
      const saved = await save();
      const { article: next } = await call(articleSave, {
        body: { id: saved.id, version: saved.version, reviewed: [field] },
        quiet: true,
      });
      onArticle(next);
      showToast({ kind: "ok", text: "已采用译文" });
    });
  const versions: KeptText<ReplyOf<typeof articleVersion>> = {
    key: ["article", article.id],
    list: (signal) => call(articleVersions, { query: { id: article.id }, signal, quiet: true }),
    load: (number, signal) => call(articleVersion, { query: { id: article.id, number }, signal, quiet: true }),
    compare: (old) => ({
      zh: compareBodies(asBody(old.title, old.summary, old.body), asBody(article.title, article.summary, article.body)),
      en: compareBodies(
        asBody(old.titleEn, old.summaryEn, old.bodyEn),
        asBody(article.titleEn, article.summaryEn, article.bodyEn),
      ),
    }),
    restore: async (number) => {
      const next = await call(articleRestore, {
        body: { id: article.id, number, version: article.version },
        quiet: true,
      });
      kept.forget();
      onArticle(next);
      onReload();
    },
  };
  const shownTitle = language === "en" && article.titleEn !== "" ? article.titleEn : article.title;
  // What is on its way is not in the text yet.
  const waiting = uploading.zh + uploading.en > 0;
  const side = (of: "zh" | "en") => {
    const [title, summary, body] =
      of === "zh" ? (["title", "summary", "body"] as const) : (["titleEn", "summaryEn", "bodyEn"] as const);
    const lang = of === "zh" ? "zh-CN" : "en";
    const name = of === "zh" ? "中文" : "English";
    const characters = blocksOf(values[body]).join("").length;
    const isEmpty = (field: TextName): boolean =>
      field === "body" || field === "bodyEn" ? blocksOf(values[field]).length === 0 : values[field].trim() === "";
    const machine = (field: TextName, name: string) => {
      if (readOnly || !(field in articleTranslations)) return null;
      const own = field as ArticleTranslation;
      return (
        <MachineWords
          language={of}
          name={name}
          unread={unread.includes(own)}
          offered={isEmpty(own) && !isEmpty(articleTranslations[own])}
          isDisabled={busy || waiting}
          onPropose={() => void propose(own)}
          onAccept={() => void accept(own)}
        />
      );
    };
    const names =
      of === "zh"
        ? { title: t("中文标题"), summary: t("中文摘要"), body: t("中文正文") }
        : { title: t("英文标题"), summary: t("英文摘要"), body: t("英文正文") };
    return (
      <section className={styles.side} aria-labelledby={`side-${of}`}>
        <header>
          <h2 id={`side-${of}`} lang={lang}>
            {name}
          </h2>
          <span className="mut num">{t("{count} 字", { count: number(characters) })}</span>
        </header>
        <div className={styles.words}>
          <div className="form-field">
            <label htmlFor={`article-${title}`}>{names.title}</label>
            <textarea
              className={`input ${styles.title}`}
              id={`article-${title}`}
              lang={lang}
              rows={2}
              value={values[title]}
              maxLength={of === "zh" ? 80 : 160}
              readOnly={readOnly}
              aria-invalid={problems[title] !== undefined}
              aria-describedby={`article-${title}-problem`}
              // A title may be long, but it is one line.
              onChange={(event) => set(title, event.target.value.replace(/\s*\n\s*/g, " "))}
            />
            <Problem id={`article-${title}-problem`} text={problems[title]} />
            {machine(title, names.title)}
          </div>
          <div className="form-field">
            <label htmlFor={`article-${summary}`}>{names.summary}</label>
            <textarea
              className={`input ${styles.summary}`}
              id={`article-${summary}`}
              lang={lang}
              rows={3}
              value={values[summary]}
              maxLength={of === "zh" ? 300 : 600}
              readOnly={readOnly}
              aria-invalid={problems[summary] !== undefined}
              aria-describedby={`article-${summary}-problem`}
              onChange={(event) => set(summary, event.target.value)}
            />
            <Problem id={`article-${summary}-problem`} text={problems[summary]} />
            {machine(summary, names.summary)}
          </div>
        </div>
        <div>
          <BodyField
            key={proposals[body]}
            id={`article-${body}`}
            label={names.body}
            lang={lang}
            initial={values[body]}
            readOnly={readOnly}
            problem={problems[body]}
            onReady={(html) => {
              // Only where it holds what is stored does its own writing say nothing new.
              if (values[body] === stored[body]) {
                setWritten((held) => ({ ...held, [body]: html }));
                setValues((held) => ({ ...held, [body]: html }));
              }
            }}
            onChange={(html) => set(body, html)}
            linkProblems={markedLinks}
            otherPictures={picturesIn(values[of === "zh" ? "bodyEn" : "body"])}
            onPasted={setPasted}
            onUploading={(count) => setUploading((held) => ({ ...held, [of]: count }))}
            onRefused={work.refuse}
          />
          <div className={styles.under}>
            <Problem id={`article-${body}-problem`} text={problems[body]} />
            {machine(body, names.body)}
          </div>
        </div>
      </section>
    );
  };
  const select = (
    name: "channel" | "topic" | "page" | "cover",
    label: string,
    options: readonly (readonly [string, string])[],
    empty: boolean,
  ) => (
    <SelectField
      id={`article-${name}`}
      label={label}
      value={values[name]}
      disabled={readOnly}
      problem={problems[name]}
      options={empty ? [["", "（无）"], ...options] : options}
      onChange={(value) => set(name, value)}
    />
  );
  const about = (
    <section className="card" aria-labelledby="about-title">
      <header>
        <h2 id="about-title">{t("放在哪里")}</h2>
      </header>
      <div className={frame.pad}>
        {select("channel", t("栏目"), articleChannels, false)}
        {select("topic", t("主题"), articleTopics, true)}
        {select("page", t("固定页面"), articlePages, true)}
        {select("cover", t("封面图"), articleCovers, true)}
        <TextField
          id="article-author"
          label={t("作者")}
          autoComplete="off"
          maxLength={40}
          disabled={readOnly}
          value={values.author}
          problem={problems.author}
          onChange={(value) => set("author", value)}
        />
        <label className={frame.check}>
          <input
            type="checkbox"
            checked={values.example}
            disabled={readOnly}
            onChange={(event) => set("example", event.target.checked)}
          />
          {t("标为示例内容")}
        </label>
      </div>
    </section>
  );
  return (
    <PublishingFrame
      title={shownTitle}
      crumbs={[{ name: "文章", to: "/content/article" }, { name: shownTitle }]}
      stored={article}
      state={articleStateMarks[article.state]}
      path={article.path}
      changes={changed.length}
      kept={kept}
      mayPublish={permissions.has("article_publish")}
      waitingFor={waiting ? t("正在上传图片") : undefined}
      words={{
        publishNow: t("现在发布这篇文章？"),
        publishLater: t("到时间发布这篇文章？"),
        withdraw: t("撤下"),
        withdrawQuestion: t("从网站上撤下？"),
        withdrawConsequence: t("访客马上就读不到它，原来的链接会显示页面不存在。文章和版本都留着，可以再发布。"),
        unsaved: t("改动 {count} 处。留作草稿的话，再打开这篇文章时会恢复。", { count: changed.length }),
      }}
      work={work}
      actions={{
        save,
        publish: async (at) => {
          const { id, version } = await save();
          const next = await call(articlePublish, { body: { id, version, ...(at && { at }) }, quiet: true });
          onArticle(next);
          return next;
        },
        withdraw: async () => onArticle(await call(articleWithdraw, { body: { id: article.id }, quiet: true })),
        preview: async () => {
          const { id } = await save();
          return call(articlePreviewLink, { body: { id }, quiet: true });
        },
        discard: onReload,
      }}
      checks={checks}
      warning={
        (linkProblems?.length ?? 0) > 0 && (
          <p className="state major">
            <Mark name="major" />
            {t("有 {count} 个链接有问题，见“发布前”。", { count: linkProblems?.length ?? 0 })}
          </p>
        )
      }
      about={about}
      versions={versions}
    >
      {pasted && <PastedNote pasted={pasted} />}
      <div className={`card ${styles.two}`}>
        {side("zh")}
        {side("en")}
      </div>
    </PublishingFrame>
  );
}

function LoadedArticle({ id }: { id: string }) {
  const t = useTranslate();
  const client = useQueryClient();
  const queryKey = ["article", id];
  /** Another number is another editor: after a restore it begins anew. */
  const [epoch, setEpoch] = useState(0);
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(articleContent, { query: { id }, signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  if (data)
    return (
      <Editing
        key={epoch}
        article={data}
        onArticle={(article) => {
          client.setQueryData(queryKey, article);
          void client.invalidateQueries({ queryKey: ["resource", "article"] });
          void client.invalidateQueries({ queryKey: ["article", id, "versions"] });
        }}
        onReload={() => {
          void refetch().then(() => setEpoch((held) => held + 1));
          void client.invalidateQueries({ queryKey: ["article", id, "versions"] });
        }}
      />
    );
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("编辑文章")}</h1>
      </div>
      {error ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("文章")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}

/** The article that the address names, in both languages side by side. */
export default function ArticleEditor() {
  const t = useTranslate();
  const [search] = useListAddress("id");
  const id = knownId(search.get("id"));
  if (id !== undefined) return <LoadedArticle key={id} id={id} />;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("编辑文章")}</h1>
      </div>
      <ExceptionView type="noSearchData" title={t("先选一篇文章")} text={t("从文章列表打开要编辑的一篇。")}>
        <Link className="btn primary" to="/content/article">
          {t("去列表")}
        </Link>
      </ExceptionView>
    </>
  );
}
