import {
  type ArticleDraft,
  type ArticleVersion,
  articleRestore,
  articleVersion,
  articleVersions,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import type { DiffPart } from "../../shared/difference/text-difference.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog, Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { compareBodies } from "./article-diff.ts";
import styles from "./editor.module.css";

/** Versions that the list shows before the rest is asked for. */
const shownFirst = 6;

/** Paragraphs with what was taken out and put in; what is the same between two changes is left out. */
function Difference({ parts }: { parts: readonly (readonly DiffPart[])[] }) {
  const t = useTranslate();
  const isSame = (paragraph: readonly DiffPart[]): boolean => paragraph.every(({ kind }) => kind === "same");
  if (parts.every(isSame)) return <p className="mut">{t("没有不同")}</p>;
  return (
    <div className={styles.difference}>
      {parts.map((paragraph, at) => {
        if (isSame(paragraph)) return null;
        return (
          <p key={at}>
            {paragraph.map(({ kind, text }, place) => {
              const key = `${place}-${kind}`;
              if (kind === "added") return <ins key={key}>{text}</ins>;
              if (kind === "removed") return <del key={key}>{text}</del>;
              return <span key={key}>{text}</span>;
            })}
          </p>
        );
      })}
    </div>
  );
}

/** An earlier version beside what is stored now. */
function Compare({
  article,
  number,
  onClose,
  onRestore,
}: {
  article: ArticleDraft;
  number: number;
  onClose: () => void;
  onRestore?: (() => void) | undefined;
}) {
  const t = useTranslate();
  const { data, error } = useQuery({
    queryKey: ["article version", article.id, number],
    queryFn: ({ signal }) => call(articleVersion, { query: { id: article.id, number }, signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const asBody = (title: string, summary: string, body: string): string => {
    const escaped = (text: string) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
    return `<p>${escaped(title)}</p><p>${escaped(summary)}</p>${body}`;
  };
  return (
    <Dialog
      title={t("第 {count} 版和现在", { count: number })}
      size="wide"
      onClose={onClose}
      footer={
        <>
          {onRestore && <Button onPress={onRestore}>{t("恢复第 {count} 版", { count: number })}</Button>}
          <Button kind="primary" onPress={onClose}>
            {t("完成")}
          </Button>
        </>
      }
    >
      {error ? (
        <p role="alert">{tellIn(t, asApiError(error))}</p>
      ) : data ? (
        <div className={styles.compared}>
          <section>
            <h3 lang="zh-CN">中文</h3>
            <Difference
              parts={compareBodies(
                asBody(data.title, data.summary, data.body),
                asBody(article.title, article.summary, article.body),
              )}
            />
          </section>
          <section>
            <h3 lang="en">English</h3>
            <Difference
              parts={compareBodies(
                asBody(data.titleEn, data.summaryEn, data.bodyEn),
                asBody(article.titleEn, article.summaryEn, article.bodyEn),
              )}
            />
          </section>
        </div>
      ) : (
        <TableSkeleton rows={5} />
      )}
    </Dialog>
  );
}

/** The kept versions of an article, each to be compared with what is stored now and to be restored. */
export function Versions({
  article,
  dirty,
  readOnly,
  onRestored,
}: {
  article: ArticleDraft;
  dirty: boolean;
  readOnly: boolean;
  onRestored: (article: ArticleDraft) => void;
}) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const [all, setAll] = useState(false);
  const [comparing, setComparing] = useState<number>();
  const [restoring, setRestoring] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const { data } = useQuery({
    queryKey: ["article versions", article.id, article.versionNumber],
    queryFn: ({ signal }) => call(articleVersions, { query: { id: article.id }, signal, quiet: true }),
  });
  const versions: readonly ArticleVersion[] = data ?? [];
  return (
    <section className="card" aria-labelledby="versions-title">
      <header>
        <h2 id="versions-title">{t("版本")}</h2>
      </header>
      {versions.length === 0 && (
        <p className={`mut ${styles.pad}`}>{data ? t("保存后这里会有第一版。") : t("正在取版本")}</p>
      )}
      <ol className={styles.versions}>
        {versions.slice(0, all ? undefined : shownFirst).map((version) => (
          <li key={version.number} data-current={version.number === article.publishedVersion || undefined}>
            <b className="num">{version.number}</b>
            <span>
              {version.number === article.publishedVersion
                ? t("网站上的这一版")
                : t("{count} 字", { count: number(version.characters) })}
              <small className="num">
                {version.savedBy} {dayTime(parseWireDateTime(version.savedAt))}
              </small>
            </span>
            {version.number !== article.versionNumber && (
              <Button kind="link" onPress={() => setComparing(version.number)}>
                {t("比较")}
              </Button>
            )}
          </li>
        ))}
      </ol>
      {!all && versions.length > shownFirst && (
        <p className={styles.pad}>
          <Button kind="link" onPress={() => setAll(true)}>
            {t("其余 {count} 版", { count: versions.length - shownFirst })}
          </Button>
        </p>
      )}
      {comparing !== undefined && restoring === undefined && (
        <Compare
          article={article}
          number={comparing}
          onClose={() => setComparing(undefined)}
          onRestore={readOnly ? undefined : () => setRestoring(comparing)}
        />
      )}
      {restoring !== undefined && (
        <ConfirmDialog
          title={t("恢复第 {count} 版？", { count: restoring })}
          action={t("恢复")}
          kind="primary"
          onClose={() => {
            setRestoring(undefined);
            setProblem(undefined);
          }}
          onConfirm={async () => {
            try {
              const next = await call(articleRestore, {
                body: { id: article.id, number: restoring, version: article.version },
                quiet: true,
              });
              setRestoring(undefined);
              setComparing(undefined);
              onRestored(next);
            } catch (reason) {
              setProblem(tellIn(t, asApiError(reason)));
            }
          }}
        >
          <p>{t("恢复会新建一版，别的版本都还在；网站上的那一版不变。")}</p>
          {dirty && <p>{t("还没有保存的改动会丢掉。")}</p>}
          {problem && (
            <p className="state critical" role="alert">
              {problem}
            </p>
          )}
        </ConfirmDialog>
      )}
    </section>
  );
}
