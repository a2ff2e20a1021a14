import { type Job, jobCancel, jobStates } from "@herdwise/contract";
import type { ReactNode } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker } from "../../shared/lists/filters.tsx";
import { known, knownId, readPaging, useListAddress } from "../../shared/lists/list-address.ts";
import { Paging } from "../../shared/lists/paging.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { FaultBanner } from "../../shared/states/fault-banner.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { fileOf, isFinal, openFile, shareOf, stateMarks, stateWords } from "./job-words.ts";
import styles from "./jobs.module.css";
import { useJobPage } from "./use-job-page.ts";

/** Where a job stands, by word and shape. */
function JobState({ job }: { job: Job }) {
  const t = useTranslate();
  const mark = stateMarks[job.state];
  return (
    <span className={`state ${mark ?? ""}`}>
      {mark && <Mark name={mark} />}
      {t(stateWords[job.state])}
    </span>
  );
}

/** How far it is, as a bar and in figures; why it failed. */
function JobProgress({ job }: { job: Job }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <>
      {!isFinal(job) && (
        <progress
          className={styles.bar}
          aria-label={t(job.title)}
          max={1}
          value={job.total > 0 ? shareOf(job) : undefined}
        />
      )}
      {job.total > 0 && (
        <p className="mut num">{t("{done} / {total} 行", { done: number(job.done), total: number(job.total) })}</p>
      )}
      {job.state === "failed" && job.text !== "" && <p>{tellIn(t, { text: job.text, values: job.values })}</p>}
      {job.state === "failed" && job.text === "" && <p>{t("原因不明，请再试一次；还不行请联系管理员。")}</p>}
    </>
  );
}

/** What can be done with a job where it stands. A refusal shows as a toast. */
function JobActions({ job, reload }: { job: Job; reload: () => void }) {
  const t = useTranslate();
  const file = fileOf(job);
  return (
    <>
      {!isFinal(job) && (
        <Button small onPress={() => void call(jobCancel, { body: { ids: job.id } }).then(reload, () => undefined)}>
          {t("取消任务")}
        </Button>
      )}
      {job.state === "succeeded" && file !== undefined && (
        <Button small icon="download" onPress={() => void openFile(file).catch(() => undefined)}>
          {t("下载")}
        </Button>
      )}
    </>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

interface OpenedJobProps {
  job: Job;
  reload: () => void;
  onClose: () => void;
}

function OpenedJob({ job, reload, onClose }: OpenedJobProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const at = (text: string): string => (text === "" ? "--" : dayTime(parseWireDateTime(text)));
  return (
    <Dialog
      title={t(job.title)}
      onClose={onClose}
      footer={
        <>
          <Button small onPress={onClose}>
            {t("关闭")}
          </Button>
          <JobActions job={job} reload={reload} />
        </>
      }
    >
      <dl className={styles.facts}>
        <Fact name={t("状态")}>
          <JobState job={job} />
          <JobProgress job={job} />
        </Fact>
        <Fact name={t("提交时间")}>{at(job.createTime)}</Fact>
        <Fact name={t("开始时间")}>{at(job.startTime)}</Fact>
        <Fact name={t("结束时间")}>{at(job.finishTime)}</Fact>
        <Fact name={t("任务编号")}>
          <span className="num">{job.id}</span>
        </Fact>
      </dl>
    </Dialog>
  );
}

/** Long work that this person began: how far each is, what came out of it, why one failed. */
export default function Jobs() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [search, change] = useListAddress("id");
  const state = known(search.get("state"), jobStates);
  const id = knownId(search.get("id"));
  const { page, opened, reload } = useJobPage({ ...readPaging(search), ...(state ? { state } : {}) }, id);
  const shown = page.data;
  const renew = (): void => void reload();
  const close = (): void => change({ id: undefined });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("任务")}</h1>
      </div>
      {page.error && (
        <LoadingProblem error={asApiError(page.error)} onRetry={renew} what={t("任务")} kept={shown !== undefined} />
      )}
      {id !== undefined && opened.error && (
        <FaultBanner
          text={t("没有取到{what}：{reason}", { what: t("任务"), reason: tellIn(t, asApiError(opened.error)) })}
        >
          <Button small onPress={close}>
            {t("关闭")}
          </Button>
        </FaultBanner>
      )}
      <section className="card" aria-label={t("任务")}>
        <search className="filters">
          <Picker
            label={t("状态")}
            value={state ?? ""}
            options={jobStates.map((name) => [name, t(stateWords[name])])}
            onChange={(next) => change({ state: next })}
          />
        </search>
        <div className={page.isPlaceholderData ? "dim" : ""}>
          {!shown && !page.error && <TableSkeleton rows={4} />}
          {shown && shown.records.length > 0 && (
            <ul className={styles.jobs}>
              {shown.records.map((job) => (
                <li key={job.id} data-open={job.id === id || undefined}>
                  <div>
                    <button type="button" className={styles.name} onClick={() => change({ id: job.id })}>
                      {t(job.title)}
                    </button>
                    <p className={styles.line}>
                      <JobState job={job} />
                      <span className="mut num">{dayTime(parseWireDateTime(job.createTime))}</span>
                    </p>
                    <JobProgress job={job} />
                  </div>
                  <div className={styles.actions}>
                    <JobActions job={job} reload={renew} />
                  </div>
                </li>
              ))}
            </ul>
          )}
          {shown && shown.records.length === 0 && (
            <ExceptionView
              type="empty"
              title={state ? t("没有符合条件的任务") : t("还没有任务")}
              text={state ? t("放宽条件再看，或清除全部条件。") : t("您开始的导入和导出会列在这里。")}
            />
          )}
        </div>
        {shown && shown.total > 0 && (
          <Paging page={shown} change={change} words={(range) => t("第 {from}–{to} 条，共 {total} 条", range)} />
        )}
      </section>
      {id !== undefined && opened.data && <OpenedJob job={opened.data} reload={renew} onClose={close} />}
    </>
  );
}
