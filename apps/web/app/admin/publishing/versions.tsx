import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import type { DiffPart } from "../../shared/difference/text-difference.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog, Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";

/** Versions that the list shows before the rest is asked for. */
const shownFirst = 6;

/** What a list shows of a version. */
interface KeptVersion {
  number: number;
  savedAt: string;
  savedBy: string;
  characters: number;
}
type Paragraphs = readonly (readonly DiffPart[])[];

/** How a text keeps its versions. */
export interface KeptText<Version> {
  /** Of queries: what it is. */
  key: readonly unknown[];
  list: (signal: AbortSignal) => Promise<readonly KeptVersion[]>;
  load: (number: number, signal: AbortSignal) => Promise<Version>;
  /** A version beside what is stored now, in each language. */
  compare: (version: Version) => Readonly<Record<"zh" | "en", Paragraphs>>;
  /** Writes a version anew and shows it. */
  restore: (number: number) => Promise<void>;
}

/** Paragraphs with what was taken out and put in; what is the same between two changes is left out. */
function Difference({ parts }: { parts: Paragraphs }) {
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
function Compare<Version>({
  text: { key, load, compare },
  number,
  onClose,
  onRestore,
}: {
  text: KeptText<Version>;
  number: number;
  onClose: () => void;
  onRestore?: (() => void) | undefined;
}) {
  const t = useTranslate();
  const { data, error } = useQuery({
    queryKey: [...key, "version", number],
    queryFn: ({ signal }) => load(number, signal),
    staleTime: Number.POSITIVE_INFINITY,
  });
  const differences = data === undefined ? undefined : compare(data);
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
      ) : differences ? (
        <div className={styles.compared}>
          <section>
            <h3 lang="zh-CN">中文</h3>
            <Difference parts={differences.zh} />
          </section>
          <section>
            <h3 lang="en">English</h3>
            <Difference parts={differences.en} />
          </section>
        </div>
      ) : (
        <TableSkeleton rows={5} />
      )}
    </Dialog>
  );
}

/** The kept versions of a text, each to be compared with what is stored now and to be restored. */
export function Versions<Version>({
  text,
  versionNumber,
  publishedVersion,
  dirty,
  readOnly,
}: {
  text: KeptText<Version>;
  /** Of the newest, and of the one that visitors read. */
  versionNumber: number;
  publishedVersion: number;
  dirty: boolean;
  readOnly: boolean;
}) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const [all, setAll] = useState(false);
  const [comparing, setComparing] = useState<number>();
  const [restoring, setRestoring] = useState<number>();
  const [problem, setProblem] = useState<string>();
  const { data } = useQuery({
    queryKey: [...text.key, "versions", versionNumber],
    queryFn: ({ signal }) => text.list(signal),
  });
  const versions = data ?? [];
  return (
    <section className="card" aria-labelledby="versions-title">
      <header>
        <h2 id="versions-title">{t("各版")}</h2>
      </header>
      {versions.length === 0 && (
        <p className={`mut ${styles.pad}`}>{data ? t("保存后这里会有第一版。") : t("正在取版本")}</p>
      )}
      <ol className={styles.versions}>
        {versions.slice(0, all ? undefined : shownFirst).map((version) => (
          <li key={version.number} data-current={version.number === publishedVersion || undefined}>
            <b className="num">{version.number}</b>
            <span>
              {version.number === publishedVersion
                ? t("网站上的这一版")
                : t("{count} 字", { count: number(version.characters) })}
              <small className="num">
                {version.savedBy} {dayTime(parseWireDateTime(version.savedAt))}
              </small>
            </span>
            {version.number !== versionNumber && (
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
          text={text}
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
              await text.restore(restoring);
              setRestoring(undefined);
              setComparing(undefined);
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
