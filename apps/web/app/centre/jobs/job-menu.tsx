import { type Job, jobCancel } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./job-menu.module.css";
import { fileOf, isFinal, openFile, shareOf, stateMarks, stateWords } from "./job-words.ts";
import progressStyles from "./progress.module.css";
import { useJobs } from "./use-jobs.ts";

const around = 2 * Math.PI * 6;

/** A circle that fills. */
function Ring({ share }: { share: number }) {
  return (
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <circle cx="8" cy="8" r="6" fill="none" stroke="var(--line-2)" strokeWidth="2" />
      <circle
        cx="8"
        cy="8"
        r="6"
        fill="none"
        stroke="var(--accent)"
        strokeWidth="2"
        strokeDasharray={`${share * around} ${around}`}
        transform="rotate(-90 8 8)"
      />
    </svg>
  );
}

function JobEntry({ job }: { job: Job }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const final = isFinal(job);
  const mark = stateMarks[job.state];
  const file = fileOf(job);
  return (
    <li className={styles.job}>
      <div>
        {mark ? (
          <span className={`state ${mark}`}>
            <Mark name={mark} />
            {t(job.title)}
          </span>
        ) : (
          <b>{t(job.title)}</b>
        )}
        {!final && (
          <button
            type="button"
            className="link"
            // A refusal shows as a toast.
            onClick={() => void call(jobCancel, { body: { ids: job.id } }).catch(() => undefined)}
          >
            {t("取消")}
          </button>
        )}
        {job.state === "succeeded" && file !== undefined && (
          <button type="button" className="link" onClick={() => void openFile(file).catch(() => undefined)}>
            {t("下载")}
          </button>
        )}
      </div>
      {!final && (
        <progress
          className={`${progressStyles.bar} ${styles.bar}`}
          aria-label={t(job.title)}
          max={1}
          value={job.total > 0 ? shareOf(job) : undefined}
        />
      )}
      <p>
        {final
          ? `${t(stateWords[job.state])} ${dayTime(parseWireDateTime(job.finishTime))}`
          : job.total > 0
            ? t("{done} / {total} 行", { done: number(job.done), total: number(job.total) })
            : t(stateWords[job.state])}
        {job.state === "failed" && job.text !== "" && ` ${tellIn(t, { text: job.text, values: job.values })}`}
      </p>
    </li>
  );
}

/** Long work that this person began: how far it is, from every screen. Nothing while there is none. */
export function JobMenu() {
  const t = useTranslate();
  const { number } = useFormats();
  const { jobs } = useJobs();
  const running = jobs.find(({ state }) => state === "running" || state === "queued");
  if (jobs.length === 0) return null;
  const words = running ? `${t(running.title)} ${number(Math.floor(shareOf(running) * 100))}%` : t("任务");
  return (
    <>
      <button type="button" className={styles.chip} popoverTarget="job-menu" aria-label={words}>
        <Ring share={running ? shareOf(running) : 1} />
        <span>{words}</span>
      </button>
      <section id="job-menu" popover="auto" className={`pop ${styles.menu}`} aria-label={t("任务")}>
        <ul>
          {jobs.map((job) => (
            <JobEntry key={job.id} job={job} />
          ))}
        </ul>
      </section>
    </>
  );
}
