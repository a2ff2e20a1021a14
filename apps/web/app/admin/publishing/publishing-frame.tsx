import type { StateFace } from "@herdwise/contract/resource";
import { type ReactNode, useState } from "react";
import { useBlocker } from "react-router";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { LeaveDialog } from "../../shared/resource/leave-dialog.tsx";
import { RestoredDraft } from "../../shared/resource/restored-draft.tsx";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { FaultBanner } from "../../shared/states/fault-banner.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import type { KeptDraft } from "./kept-draft.ts";
import { PreviewDialog } from "./preview-dialog.tsx";
import styles from "./publishing.module.css";
import type { PublishingWork } from "./use-publishing-work.ts";
import { type KeptText, Versions } from "./versions.tsx";
import { When } from "./when.tsx";

/** What a writer is told before the text is published. */
export interface Check {
  mark: MarkName;
  text: string;
  /** Whether it stands in the way, where it is critical; it does by itself. */
  blocks?: boolean;
}

/** What is stored of a text that is published in versions. */
interface StoredText {
  state: string;
  /** When it is published by itself, in a `scheduled` one. */
  publishAt: string;
  /** Of the newest, and of the one that visitors read; 0 for none. */
  versionNumber: number;
  publishedVersion: number;
}

interface PublishingFrameProps<Version> {
  title: string;
  /** Its way in the place of the last step, where it is no screen of the menu. */
  crumbs?: readonly { name: string; to?: string }[];
  stored: StoredText;
  state: StateFace;
  /** Path on which visitors read it; "" while there is none. */
  path: string;
  /** How many changes are not saved. */
  changes: number;
  kept: KeptDraft;
  mayPublish: boolean;
  /** What has to end before anything else is done, in words. */
  waitingFor?: string | undefined;
  /** In the chosen language. */
  words: {
    publishNow: string;
    publishLater: string;
    withdraw: string;
    withdrawQuestion: string;
    withdrawConsequence: string;
    /** What leaving would lose. */
    unsaved: string;
  };
  work: PublishingWork;
  /** Each throws what was refused. */
  actions: {
    save: () => Promise<unknown>;
    /** Saves what is not saved, and publishes it; at once without a time. @returns what is stored then */
    publish: (at: string | undefined) => Promise<StoredText>;
    withdraw: () => Promise<unknown>;
    preview: () => Promise<{ path: string; expiresAt: string }>;
    /** Gives up what an earlier visit left. */
    discard: () => void;
  };
  checks: readonly Check[];
  /** What the question before publishing says beside what it says of every text. */
  warning?: ReactNode;
  /** Beside the text, between when and versions. */
  about?: ReactNode;
  versions: KeptText<Version>;
  children: ReactNode;
}

/** Around a text that is written, saved in versions and published: what it is, what can be done with it, what is asked before. */
export function PublishingFrame<Version>({
  title,
  crumbs,
  stored,
  state,
  path,
  changes,
  kept,
  mayPublish,
  waitingFor,
  words,
  work: { busy, problems, refused, run },
  actions,
  checks,
  warning,
  about,
  versions,
  children,
}: PublishingFrameProps<Version>) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [at, setAt] = useState<string>();
  const [preview, setPreview] = useState<{ path: string; expiresAt: string }>();
  const [asking, setAsking] = useState<"publish" | "withdraw">();
  const { readOnly, restored } = kept;
  const [restoredChanges] = useState(changes);
  const dirty = changes > 0 && !readOnly;
  useUnsaved(dirty);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  const idle = !busy && waitingFor === undefined;
  const isScheduled = stored.state === "scheduled";
  const isBlocked = checks.some(({ mark, blocks = true }) => mark === "critical" && blocks);
  const waits = stored.publishedVersion > 0 && (dirty || stored.versionNumber > stored.publishedVersion);
  const save = () =>
    run(async () => {
      await actions.save();
      showToast({ kind: "ok", text: "已保存" });
    });
  const publish = () =>
    run(async () => {
      setAsking(undefined);
      const next = await actions.publish(at === undefined ? undefined : `${at}:00`);
      setAt(undefined);
      showToast({ kind: "ok", text: next.state === "scheduled" ? "已定时" : "已发布" });
    });
  const withdraw = () =>
    run(async () => {
      setAsking(undefined);
      await actions.withdraw();
      showToast({ kind: "ok", text: "已撤下" });
    });
  const showPreview = () => run(async () => setPreview(await actions.preview()));
  return (
    <>
      <Crumbs {...(crumbs && { more: crumbs })} />
      <div className={styles.head}>
        <div>
          <h1>{title}</h1>
          <p className={styles.facts}>
            <StateTag plain {...state} />
            {isScheduled && (
              <span className="num">{t("{time} 发布", { time: dayTime(parseWireDateTime(stored.publishAt)) })}</span>
            )}
            {stored.versionNumber > 0 && (
              <span className="num">{t("第 {count} 版", { count: stored.versionNumber })}</span>
            )}
            {waits && <span>{t("网站上还是第 {count} 版", { count: stored.publishedVersion })}</span>}
            {path !== "" && (
              <a className="link" href={path} target="_blank" rel="noopener">
                {t("在网站上看")}
              </a>
            )}
          </p>
        </div>
        <span className="spacer" />
        {!readOnly && (
          <div className={styles.actions}>
            <Button icon="eye" isDisabled={!idle} onPress={() => void showPreview()}>
              {t("预览")}
            </Button>
            <Button isDisabled={!dirty || !idle} onPress={() => void save()}>
              {waitingFor ?? t(busy ? "正在保存" : "保存")}
            </Button>
            {mayPublish && (isScheduled || stored.state === "published") && (
              <Button isDisabled={busy} onPress={() => setAsking("withdraw")}>
                {isScheduled ? t("取消定时") : words.withdraw}
              </Button>
            )}
            {mayPublish && (
              <Button kind="primary" isDisabled={!idle || isBlocked} onPress={() => setAsking("publish")}>
                {t(at !== undefined ? "定时发布…" : "发布…")}
              </Button>
            )}
          </div>
        )}
      </div>
      {restored && (
        <RestoredDraft
          atMs={restored.atMs}
          count={restoredChanges}
          onDiscard={() => {
            kept.forget();
            actions.discard();
          }}
        />
      )}
      {refused && <FaultBanner text={refused} />}
      <div className={styles.columns}>
        <div className={styles.main}>{children}</div>
        <aside className={styles.inspect} aria-label={t("发布与版本")}>
          <section className="card" aria-labelledby="checks-title">
            <header>
              <h2 id="checks-title">{t("发布前")}</h2>
            </header>
            <ul className={styles.checks}>
              {checks.map(({ mark, text }) => (
                <li key={text} data-mark={mark}>
                  <Mark name={mark} />
                  <span>{text}</span>
                </li>
              ))}
            </ul>
          </section>
          {mayPublish && !readOnly && <When at={at} onAt={setAt} problem={problems.at} />}
          {about}
          <Versions
            text={versions}
            versionNumber={stored.versionNumber}
            publishedVersion={stored.publishedVersion}
            dirty={dirty}
            readOnly={readOnly}
          />
        </aside>
      </div>
      {asking === "publish" && (
        <ConfirmDialog
          title={at !== undefined ? words.publishLater : words.publishNow}
          action={t(at !== undefined ? "定时" : "发布")}
          kind="primary"
          onConfirm={publish}
          onClose={() => setAsking(undefined)}
        >
          <p>
            {at !== undefined
              ? t("{time}（北京时间）起，任何人都能在网站上读到现在这一版。之后的改动要再发布一次。", {
                  time: at,
                })
              : t("任何人马上就能在网站上读到现在这一版。之后的改动要再发布一次。")}
          </p>
          {warning}
        </ConfirmDialog>
      )}
      {asking === "withdraw" && (
        <ConfirmDialog
          title={isScheduled ? t("取消定时？") : words.withdrawQuestion}
          action={isScheduled ? t("取消定时") : words.withdraw}
          onConfirm={withdraw}
          onClose={() => setAsking(undefined)}
        >
          <p>{isScheduled ? t("到时间不再发布。已经发布的那一版不受影响。") : words.withdrawConsequence}</p>
        </ConfirmDialog>
      )}
      {preview && <PreviewDialog preview={preview} onClose={() => setPreview(undefined)} />}
      {blocker.state === "blocked" && (
        <LeaveDialog
          onStay={() => blocker.reset()}
          onKeep={() => blocker.proceed()}
          onDiscard={() => {
            kept.forget();
            blocker.proceed();
          }}
        >
          {words.unsaved}
        </LeaveDialog>
      )}
    </>
  );
}
