import { type Job, jobCancel } from "@herdwise/contract";
import type { ReactNode } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import type { MenuAction } from "../../shared/kit/menu.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { FaultBanner } from "../../shared/states/fault-banner.tsx";
import { fileOf, isFinal, openFile, shareOf, stateMarks, stateWords } from "./job-words.ts";
import styles from "./jobs.module.css";
import progressStyles from "./progress.module.css";
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
    <span className={styles.progress}>
      {!isFinal(job) && (
        <progress
          className={`${progressStyles.bar} ${styles.bar}`}
          aria-label={t(job.title)}
          max={1}
          value={job.total > 0 ? shareOf(job) : undefined}
        />
      )}
      {job.total > 0 && (
        <span className="mut num">
          {t("{done} / {total} 行", { done: number(job.done), total: number(job.total) })}
        </span>
      )}
      {job.state === "failed" &&
        (job.text === ""
          ? t("原因不明，请再试一次；还不行请联系管理员。")
          : tellIn(t, { text: job.text, values: job.values }))}
    </span>
  );
}

/** What can be done with a job where it stands. A refusal shows as a toast. */
function useJobActions(reload: () => void): (job: Job) => readonly MenuAction[] {
  const t = useTranslate();
  return (job) => {
    const file = fileOf(job);
    if (!isFinal(job)) {
      const cancel = () => void call(jobCancel, { body: { ids: job.id } }).then(reload, () => undefined);
      return [{ id: "cancel", icon: "close", name: t("取消任务"), onAction: cancel }];
    }
    if (job.state !== "succeeded" || file === undefined) return [];
    const download = () => void openFile(file).catch(() => undefined);
    return [{ id: "download", icon: "download", name: t("下载"), onAction: download }];
  };
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
  actions: readonly MenuAction[];
  onClose: () => void;
}

function OpenedJob({ job, actions, onClose }: OpenedJobProps) {
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
          {actions.map(({ id, icon, name, onAction }) => (
            <Button key={id} small icon={icon} onPress={onAction}>
              {name}
            </Button>
          ))}
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

const jobOf = (row: Row): Job => row as unknown as Job;

const cells: Cells = {
  state: ({ row }) => <JobState job={jobOf(row)} />,
  done: ({ row }) => <JobProgress job={jobOf(row)} />,
};

/** Long work that this person began: how far each is, what came out of it, why one failed. */
export default function Jobs() {
  const t = useTranslate();
  const [search, change] = useAddressValues({ isStep: true });
  const id = knownId(search.get("id"));
  const { list, opened, reload } = useJobPage(id);
  const actionsOf = useJobActions(() => void reload());
  const close = (): void => change({ id: undefined });
  return (
    <>
      <ListScreen
        list={list}
        cells={cells}
        onOpen={(row) => change({ id: row.id })}
        actions={(row) => actionsOf(jobOf(row))}
        nothing="您开始的导入和导出会列在这里。"
      >
        {id !== undefined && opened.error && (
          <FaultBanner
            text={t("没有取到{what}：{reason}", { what: t("任务"), reason: tellIn(t, asApiError(opened.error)) })}
          >
            <Button small onPress={close}>
              {t("关闭")}
            </Button>
          </FaultBanner>
        )}
      </ListScreen>
      {id !== undefined && opened.data && (
        <OpenedJob job={opened.data} actions={actionsOf(opened.data)} onClose={close} />
      )}
    </>
  );
}
