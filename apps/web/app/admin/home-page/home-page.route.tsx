import {
  type HomeDraft,
  type HomeSection,
  homeDraft,
  homeLinkCheck,
  homePreviewLink,
  homePublish,
  homeRestore,
  homeSave,
  homeSectionNames,
  homeTranslate,
  homeVersion,
  homeVersions,
  homeWithdraw,
  isHomeBody,
  type ReplyOf,
} from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { compareParagraphs } from "../../shared/difference/text-difference.ts";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { useKeeping, useKeptDraft } from "../publishing/kept-draft.ts";
import { useUnreadChecks } from "../publishing/machine-words.tsx";
import { type Check, PublishingFrame } from "../publishing/publishing-frame.tsx";
import { usePublishingWork } from "../publishing/use-publishing-work.ts";
import type { KeptText } from "../publishing/versions.tsx";
import { linksIn } from "../rich-text/attributes.ts";
import { blockChecks } from "../rich-text/block-checks.ts";
import { linkChecks, useLinkMarks, useLinkProblems } from "../rich-text/use-link-problems.ts";
import styles from "./home-page.module.css";
import { linesOf, moved, unreadIn } from "./home-sections-text.ts";
import { SectionCard } from "./section-card.tsx";

const stateMarks: Readonly<Record<HomeDraft["state"], StateFace>> = {
  standard: { word: "网站上是标准版", mark: "notice" },
  scheduled: { word: "定时", mark: "minor" },
  published: { word: "已发布", mark: "ok" },
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
  const { permissions } = useAccess();
  const unread = useUnreadChecks();
  const kept = useKeptDraft("home_page", "1", !permissions.has("home_page_edit"));
  const { readOnly } = kept;
  const [sections, setSections] = useState<readonly HomeSection[]>(
    () => (kept.draft?.changes.sections as unknown as HomeSection[] | undefined) ?? page.sections,
  );
  const work = usePublishingWork((field) => (field === "at" ? "at-day" : `home-${field.replace(".", "-")}`));
  const changes = changesOf(page.sections, sections);
  const dirty = changes > 0 && !readOnly;
  useKeeping(kept, sections, {
    version: page.version,
    changes: dirty ? { sections: sections as never } : {},
    before: {},
  });

  const taken = (next: HomeDraft): HomeDraft => {
    kept.forget();
    setSections(next.sections);
    onPage(next);
    return next;
  };
  /** @returns the page as it is stored now */
  const save = async (): Promise<HomeDraft> =>
    dirty
      ? taken(await call(homeSave, { body: { version: page.version, sections: [...sections] }, quiet: true }))
      : page;
  const propose = (field: string) =>
    work.run(async () => {
      const { version } = await save();
      taken(await call(homeTranslate, { body: { version, field }, quiet: true }));
      showToast({ kind: "ok", text: "译文已填入，请读一遍" });
    });
  const accept = (field: string) =>
    work.run(async () => {
      taken(
        await call(homeSave, {
          body: { version: page.version, sections: [...sections], reviewed: [field] },
          quiet: true,
        }),
      );
      showToast({ kind: "ok", text: "已采用译文" });
    });
  const linkProblems = useLinkProblems(
    homeLinkCheck,
    sections.flatMap(({ link, words }) => [
      ...(link === "" ? [] : [link]),
      ...words.flatMap(({ zh, en }) => linksIn(`${zh}${en}`)),
    ]),
  );
  const markedLinks = useLinkMarks(linkProblems);
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
  const bodies = sections.flatMap(({ id, shown, words }) =>
    shown
      ? words.filter(({ name }) => isHomeBody(id, name)).map(({ zh, en }) => ({ zh, en, of: t(homeSectionNames[id]) }))
      : [],
  );
  const halves = sections.filter(
    ({ shown, words }) => shown && words.some(({ zh, en }) => (zh.trim() === "") !== (en.trim() === "")),
  );
  const checks: Check[] = [
    ...(halves.length === 0
      ? [{ mark: "ok" as const, text: t("写过的文字两种语言都有") }]
      : halves.map(({ id }) => ({
          mark: "critical" as const,
          text: t("“{name}”只写了一种语言", { name: t(homeSectionNames[id]) }),
        }))),
    ...bodies.flatMap(({ of, ...body }) => blockChecks(body, t, of)),
    ...linkChecks(linkProblems),
    ...unread({ zh: unreadIn(sections, "zh"), en: unreadIn(sections, "en") }),
    { mark: "notice", text: t("留空的文字用标准文字；首屏总在最前面。") },
  ];
  return (
    <PublishingFrame
      title={t("首页")}
      stored={page}
      state={stateMarks[page.state]}
      path="/index"
      changes={changes}
      kept={kept}
      mayPublish={permissions.has("home_page_publish")}
      words={{
        publishNow: t("现在发布首页？"),
        publishLater: t("到时间发布首页？"),
        withdraw: t("换回标准版"),
        withdrawQuestion: t("换回标准版？"),
        withdrawConsequence: t("访客马上看到标准的首页。这里写的文字和版本都留着，可以再发布。"),
        unsaved: t("改动 {count} 处。留作草稿的话，再打开首页时会恢复。", { count: changes }),
      }}
      work={work}
      actions={{
        save,
        publish: async (at) => {
          const { version } = await save();
          return taken(await call(homePublish, { body: { version, ...(at && { at }) }, quiet: true }));
        },
        withdraw: async () => onPage(await call(homeWithdraw, { quiet: true })),
        preview: async () => {
          await save();
          return call(homePreviewLink, { quiet: true });
        },
        discard: () => setSections(page.sections),
      }}
      checks={checks}
      versions={versions}
    >
      <ol className={styles.sections} aria-label={t("首页栏目")}>
        {sections.map((section, place) => (
          <SectionCard
            key={section.id}
            section={section}
            problems={work.problems}
            linkProblems={markedLinks}
            readOnly={readOnly}
            busy={work.busy}
            onPropose={(field) => void propose(field)}
            onAccept={(field) => void accept(field)}
            isFirst={place === 0}
            mayGoUp={place > 1}
            mayGoDown={place < sections.length - 1}
            onChange={(next) => {
              setSections((held) => held.with(place, next));
              work.solve((field) => field.startsWith(`${section.id}.`));
            }}
            onMove={(by) => setSections((held) => moved(held, place, by))}
          />
        ))}
      </ol>
    </PublishingFrame>
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
