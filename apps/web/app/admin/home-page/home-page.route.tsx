import {
  type HomeDraft,
  type HomeSection,
  homeDraft,
  homePreviewLink,
  homePublish,
  homeRestore,
  homeSave,
  homeSectionNames,
  homeVersion,
  homeVersions,
  homeWithdraw,
  type ReplyOf,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { useBlocker } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { compareParagraphs } from "../../shared/difference/text-difference.ts";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { type DraftPlace, forgetDraft, readDraft, writeDraft } from "../../shared/resource/draft-store.ts";
import { LeaveDialog } from "../../shared/resource/leave-dialog.tsx";
import { RestoredDraft } from "../../shared/resource/restored-draft.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { PreviewDialog } from "../publishing/preview-dialog.tsx";
import frame from "../publishing/publishing.module.css";
import { type KeptText, Versions } from "../publishing/versions.tsx";
import { When } from "../publishing/when.tsx";
import styles from "./home-page.module.css";
import { linesOf, moved } from "./home-sections-text.ts";
import { SectionCard } from "./section-card.tsx";

/** A pause in typing after which what was typed is kept in the browser, ms. */
const keepAfterMs = 600;

const stateMarks: Readonly<Record<HomeDraft["state"], { mark: MarkName; tone: string; word: string }>> = {
  standard: { mark: "notice", tone: "", word: "网站上是标准版" },
  scheduled: { mark: "minor", tone: "minor", word: "定时" },
  published: { mark: "ok", tone: "ok", word: "已发布" },
};

/** What differs of two pages, as a number. */
const changesOf = (before: readonly HomeSection[], after: readonly HomeSection[]): number =>
  after.filter((section, at) => JSON.stringify(section) !== JSON.stringify(before[at])).length;

function Editing({
  page,
  onPage,
  onReload,
}: {
  page: HomeDraft;
  onPage: (page: HomeDraft) => void;
  onReload: () => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { user, permissions } = useAccess();
  const readOnly = !permissions.has("home_page_edit");
  const mayPublish = permissions.has("home_page_publish");
  const place = useMemo((): DraftPlace => ({ userId: user.user_id, resource: "home_page", row: "1" }), [user.user_id]);
  const [draft] = useState(() => (readOnly ? undefined : readDraft(place, Date.now())));
  const [restored, setRestored] = useState(draft);
  const [sections, setSections] = useState<readonly HomeSection[]>(
    () => (draft?.changes.sections as unknown as HomeSection[] | undefined) ?? page.sections,
  );
  const [busy, setBusy] = useState(false);
  const [problems, setProblems] = useState<Readonly<Record<string, string>>>({});
  const [refused, setRefused] = useState<string>();
  const [at, setAt] = useState<{ day: string; time: string }>();
  const [preview, setPreview] = useState<{ path: string; expiresAt: string }>();
  const [asking, setAsking] = useState<"publish" | "withdraw">();
  const changes = changesOf(page.sections, sections);
  const dirty = changes > 0 && !readOnly;
  useUnsaved(dirty);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  useEffect(() => {
    if (readOnly) return;
    const timer = setTimeout(
      () =>
        writeDraft(place, {
          atMs: Date.now(),
          version: page.version,
          changes: dirty ? { sections: sections as never } : {},
          before: {},
        }),
      keepAfterMs,
    );
    return () => clearTimeout(timer);
  }, [sections, dirty, readOnly, place, page.version]);

  const taken = (next: HomeDraft): HomeDraft => {
    forgetDraft(place);
    setRestored(undefined);
    setSections(next.sections);
    onPage(next);
    return next;
  };
  const doing = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    setProblems({});
    try {
      await work();
    } catch (reason) {
      const error = asApiError(reason);
      setProblems(
        Object.fromEntries(
          Object.entries(error.fieldProblems()).map(([field, problem]) => [field, tellIn(t, problem)]),
        ),
      );
      setRefused(tellIn(t, error));
    }
    setBusy(false);
  };
  /** @returns the page as it is stored now */
  const save = async (): Promise<HomeDraft> =>
    dirty
      ? taken(await call(homeSave, { body: { version: page.version, sections: [...sections] }, quiet: true }))
      : page;
  const saveAlone = () =>
    doing(async () => {
      await save();
      showToast({ kind: "ok", text: "已保存" });
    });
  const publish = () =>
    doing(async () => {
      setAsking(undefined);
      const { version } = await save();
      const next = await call(homePublish, {
        body: { version, ...(at && { at: `${at.day} ${at.time}:00` }) },
        quiet: true,
      });
      taken(next);
      setAt(undefined);
      showToast({ kind: "ok", text: next.state === "scheduled" ? "已定时" : "已发布" });
    });
  const withdraw = () =>
    doing(async () => {
      setAsking(undefined);
      onPage(await call(homeWithdraw, { quiet: true }));
      showToast({ kind: "ok", text: "已撤下" });
    });
  const showPreview = () =>
    doing(async () => {
      await save();
      setPreview(await call(homePreviewLink, { quiet: true }));
    });
  const versions: KeptText<ReplyOf<typeof homeVersion>> = {
    key: ["home page"],
    list: (signal) => call(homeVersions, { signal, quiet: true }),
    load: (number, signal) => call(homeVersion, { query: { number }, signal, quiet: true }),
    compare: (old) => ({
      zh: compareParagraphs(linesOf(old.sections, "zh", t), linesOf(page.sections, "zh", t)),
      en: compareParagraphs(linesOf(old.sections, "en", t), linesOf(page.sections, "en", t)),
    }),
    restore: async (number) => {
      taken(await call(homeRestore, { body: { number, version: page.version }, quiet: true }));
      onReload();
    },
  };
  const state = stateMarks[page.state];
  const halves = sections.filter(
    ({ shown, words }) => shown && words.some(({ zh, en }) => (zh.trim() === "") !== (en.trim() === "")),
  );
  const waits = page.publishedVersion > 0 && (dirty || page.versionNumber > page.publishedVersion);
  return (
    <>
      <Crumbs />
      <div className={frame.head}>
        <div>
          <h1>{t("首页")}</h1>
          <p className={frame.facts}>
            <span className={`state ${state.tone}`}>
              <Mark name={state.mark} />
              {t(state.word)}
            </span>
            {page.state === "scheduled" && (
              <span className="num">{t("{time} 发布", { time: dayTime(parseWireDateTime(page.publishAt)) })}</span>
            )}
            {page.versionNumber > 0 && <span className="num">{t("第 {count} 版", { count: page.versionNumber })}</span>}
            {waits && <span>{t("网站上还是第 {count} 版", { count: page.publishedVersion })}</span>}
            <a className="link" href="/index" target="_blank" rel="noopener">
              {t("在网站上看")}
            </a>
          </p>
        </div>
        <span className="spacer" />
        {!readOnly && (
          <div className={frame.actions}>
            <Button icon="eye" isDisabled={busy} onPress={() => void showPreview()}>
              {t("预览")}
            </Button>
            <Button isDisabled={!dirty || busy} onPress={() => void saveAlone()}>
              {t(busy ? "正在保存" : "保存")}
            </Button>
            {mayPublish && page.state !== "standard" && (
              <Button isDisabled={busy} onPress={() => setAsking("withdraw")}>
                {t(page.state === "scheduled" ? "取消定时" : "换回标准版")}
              </Button>
            )}
            {mayPublish && (
              <Button kind="primary" isDisabled={busy || halves.length > 0} onPress={() => setAsking("publish")}>
                {t(at ? "定时发布…" : "发布…")}
              </Button>
            )}
          </div>
        )}
      </div>
      {restored && (
        <RestoredDraft
          atMs={restored.atMs}
          count={changes}
          onDiscard={() => {
            forgetDraft(place);
            setRestored(undefined);
            setSections(page.sections);
          }}
        />
      )}
      {refused && (
        <p className="banner" role="alert">
          <span className="state major">
            <Mark name="major" />
            {refused}
          </span>
        </p>
      )}
      <div className={frame.columns}>
        <ol className={styles.sections} aria-label={t("首页栏目")}>
          {sections.map((section, place) => (
            <SectionCard
              key={section.id}
              section={section}
              problems={problems}
              readOnly={readOnly}
              isFirst={place === 0}
              mayGoUp={place > 1}
              mayGoDown={place < sections.length - 1}
              onChange={(next) => {
                setSections((held) => held.with(place, next));
                setProblems({});
              }}
              onMove={(by) => setSections((held) => moved(held, place, by))}
            />
          ))}
        </ol>
        <aside className={frame.inspect} aria-label={t("发布与版本")}>
          <section className="card" aria-labelledby="checks-title">
            <header>
              <h2 id="checks-title">{t("发布前")}</h2>
            </header>
            <ul className={frame.checks}>
              {halves.length === 0 ? (
                <li data-mark="ok">
                  <Mark name="ok" />
                  <span>{t("写过的文字两种语言都有")}</span>
                </li>
              ) : (
                halves.map(({ id }) => (
                  <li key={id} data-mark="critical">
                    <Mark name="critical" />
                    <span>{t("“{name}”只写了一种语言", { name: t(homeSectionNames[id]) })}</span>
                  </li>
                ))
              )}
              <li data-mark="notice">
                <Mark name="notice" />
                <span>{t("留空的文字用标准文字；首屏总在最前面。")}</span>
              </li>
            </ul>
          </section>
          {mayPublish && !readOnly && <When at={at} onAt={setAt} problem={problems.at} />}
          <Versions
            text={versions}
            versionNumber={page.versionNumber}
            publishedVersion={page.publishedVersion}
            dirty={dirty}
            readOnly={readOnly}
          />
        </aside>
      </div>
      {asking === "publish" && (
        <ConfirmDialog
          title={at ? t("到时间发布首页？") : t("现在发布首页？")}
          action={t(at ? "定时" : "发布")}
          kind="primary"
          onConfirm={publish}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {at
              ? t("{time}（北京时间）起，任何人都能在网站上读到现在这一版。之后的改动要再发布一次。", {
                  time: `${at.day} ${at.time}`,
                })
              : t("任何人马上就能在网站上读到现在这一版。之后的改动要再发布一次。")}
          </p>
        </ConfirmDialog>
      )}
      {asking === "withdraw" && (
        <ConfirmDialog
          title={t(page.state === "scheduled" ? "取消定时？" : "换回标准版？")}
          action={t(page.state === "scheduled" ? "取消定时" : "换回标准版")}
          onConfirm={withdraw}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {t(
              page.state === "scheduled"
                ? "到时间不再发布。已经发布的那一版不受影响。"
                : "访客马上看到标准的首页。这里写的文字和版本都留着，可以再发布。",
            )}
          </p>
        </ConfirmDialog>
      )}
      {preview && <PreviewDialog preview={preview} onClose={() => setPreview(undefined)} />}
      {blocker.state === "blocked" && (
        <LeaveDialog
          onStay={() => blocker.reset()}
          onKeep={() => blocker.proceed()}
          onDiscard={() => {
            forgetDraft(place);
            blocker.proceed();
          }}
        >
          {t("改动 {count} 处。留作草稿的话，再打开首页时会恢复。", { count: changes })}
        </LeaveDialog>
      )}
    </>
  );
}

/** The home page of the public site: which sections it has, in which order, with which words. */
export default function HomePageScreen() {
  const t = useTranslate();
  const client = useQueryClient();
  const queryKey = ["home page", "draft"];
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(homeDraft, { signal, quiet: true }),
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  const renewVersions = () => void client.invalidateQueries({ queryKey: ["home page", "versions"] });
  if (data)
    return (
      <Editing
        page={data}
        onPage={(page) => {
          client.setQueryData(queryKey, page);
          renewVersions();
        }}
        onReload={renewVersions}
      />
    );
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("首页")}</h1>
      </div>
      {error ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("首页")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}
