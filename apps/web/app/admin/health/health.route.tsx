import { type HealthBackup, type HealthFinding, type HealthState, healthDetail } from "@herdwise/contract";
import { useRef, useState } from "react";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useDuration } from "../../shared/language/use-duration.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./health.module.css";
import { SlowStatements } from "./slow-statements.tsx";

const stateWords: Readonly<Record<HealthState, string>> = {
  critical: "紧急",
  major: "严重",
  minor: "一般",
  off: "未启用",
  ok: "正常",
};
const isToDo = ({ state }: HealthFinding): boolean => state !== "ok" && state !== "off";
const isToday = ({ state }: HealthFinding): boolean => state === "critical" || state === "major";

function State({ state }: { state: HealthState }) {
  const t = useTranslate();
  return (
    <span className={`state ${state}`}>
      <Mark name={state} />
      {t(stateWords[state])}
    </span>
  );
}

function ToDo({ findings }: { findings: readonly HealthFinding[] }) {
  const t = useTranslate();
  const language = useLanguage();
  return (
    <section className="card" aria-labelledby="to-do-title">
      <header>
        <h2 id="to-do-title">{t("要做的")}</h2>
      </header>
      <ul className={`plain ${styles.todo}`}>
        {findings.map(({ id, state, title, text, mend, link }) => (
          <li key={id}>
            <State state={state} />
            <div>
              <b>{title[language]}</b>
              <p>{text[language]}</p>
              {mend && <p className={styles.mend}>{mend[language]}</p>}
            </div>
            {link && (
              <Link className="btn" to={link}>
                {t("去处理")}
              </Link>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
}

/** The age of the newest backup, and apart from it when one was last restored for a rehearsal. */
function Backup({
  backup,
  findings,
  nowMs,
}: {
  backup: HealthBackup;
  findings: readonly HealthFinding[];
  nowMs: number;
}) {
  const t = useTranslate();
  const { dateTime, number } = useFormats();
  const duration = useDuration();
  const stateOf = (id: string): HealthState => findings.find((one) => one.id === id)?.state ?? "off";
  const language = useLanguage();
  const { newestMs, bytes = 0, rehearsedMs, rehearsalS = 0, everyHours, outside } = backup;
  const age = findings.find(({ id }) => id === "backup.age");
  // Nobody misses backups where none are made.
  const isOff = !outside && age?.state === "off";
  return (
    <section className="card" aria-labelledby="backup-title">
      <header>
        <h2 id="backup-title">{t("备份")}</h2>
        <span className="spacer" />
        <State state={stateOf("backup.age")} />
      </header>
      {outside ? (
        <p className={styles.note}>{t("数据库在外面，备份和演练用它自己的工具做，这里看不见。")}</p>
      ) : isOff ? (
        <p className={styles.note}>{age?.text[language]}</p>
      ) : (
        <dl className={styles.backup}>
          <div data-state={stateOf("backup.age")}>
            <dt>{t("最近一次")}</dt>
            <dd>
              <b className="num">{newestMs === undefined ? t("从没有") : duration(nowMs - newestMs)}</b>
              <small>
                {newestMs === undefined
                  ? t("每 {count} 小时该有一次", { count: everyHours })
                  : t("{time}，大小 {size} MB", { time: dateTime(newestMs), size: number(bytes / 1e6, 1) })}
              </small>
            </dd>
          </div>
          <div data-state={stateOf("backup.rehearsed")}>
            <dt>{t("演练过恢复")}</dt>
            <dd>
              <b className="num">{rehearsedMs === undefined ? t("从没恢复过") : duration(nowMs - rehearsedMs)}</b>
              <small>
                {rehearsedMs === undefined
                  ? t("没恢复过的备份不算备份")
                  : t("{time}，用了 {count} 秒", { time: dateTime(rehearsedMs), count: rehearsalS })}
              </small>
            </dd>
          </div>
        </dl>
      )}
    </section>
  );
}

function Services({ findings }: { findings: readonly HealthFinding[] }) {
  const t = useTranslate();
  const language = useLanguage();
  return (
    <section className="card" aria-labelledby="services-title">
      <header>
        <h2 id="services-title">{t("外部服务")}</h2>
      </header>
      <ul className={`plain ${styles.services}`}>
        {findings.map(({ id, state, title, text }) => (
          <li key={id}>
            <b>{title[language]}</b>
            <State state={state} />
            <span>{text[language]}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

/** Checks without a finding that are shown before somebody asks for the others. */
const fineShown = 8;

function Fine({ findings }: { findings: readonly HealthFinding[] }) {
  const t = useTranslate();
  const language = useLanguage();
  const [all, setAll] = useState(false);
  // What is watched first, what is not used after it.
  const sorted = findings.toSorted((a, b) => Number(a.state === "off") - Number(b.state === "off"));
  const rest = sorted.length - fineShown;
  return (
    <section className="card" aria-labelledby="fine-title">
      <header>
        <h2 id="fine-title">{t("没事的 {count} 项", { count: findings.length })}</h2>
      </header>
      <ul className={`plain ${styles.fine}`}>
        {(all ? sorted : sorted.slice(0, fineShown)).map(({ id, state, title, text }) => (
          <li key={id}>
            <span className={`state ${state}`}>
              <Mark name={state} />
              <span className="visually-hidden">{t(stateWords[state])}</span>
            </span>
            <span>{title[language]}</span>
            <small className="num">{text[language]}</small>
          </li>
        ))}
      </ul>
      {rest > 0 && (
        <p className={styles.rest}>
          <Button kind="link" aria-expanded={all} onPress={() => setAll(!all)}>
            {all ? t("收起") : t("还有 {count} 项", { count: rest })}
          </Button>
        </p>
      )}
    </section>
  );
}

/** Whether the installation is well: what is to be done first, then backups, services of others, and what is fine. */
export default function Health() {
  const t = useTranslate();
  const { number, dateTime } = useFormats();
  const fresh = useRef(false);
  const { value, error, loading, reload } = useLoad("health", (signal) => {
    const query = fresh.current ? { fresh: "1" as const } : {};
    fresh.current = false;
    return call(healthDetail, { query, signal, quiet: true });
  });
  const look = (): void => {
    fresh.current = true;
    reload();
  };
  const todo = value?.findings.filter(isToDo) ?? [];
  const today = todo.filter(isToday).length;
  const later = todo.length - today;
  const ofServices = ({ area }: HealthFinding): boolean => area === "services";
  const headline =
    todo.length === 0
      ? t("没有要做的")
      : later === 0
        ? t("{count} 件要今天做", { count: today })
        : today === 0
          ? t("{count} 件本周做", { count: later })
          : t("{today} 件要今天做，{later} 件本周做", { today, later });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <div>
          <h1>
            {t("运行健康")} {value && <span className={styles.headline}>{headline}</span>}
          </h1>
          {value && (
            <p className={styles.when} role="status">
              {t("{count} 项检查，{time} 做完，用了 {seconds} 秒", {
                count: value.findings.length,
                time: dateTime(value.atMs),
                seconds: number(value.tookMs / 1000, 1),
              })}
            </p>
          )}
        </div>
        <span className="spacer" />
        <Button onPress={look} isDisabled={loading}>
          {loading ? t("正在查") : t("现在再查")}
        </Button>
      </div>
      {error && <LoadingProblem error={error} onRetry={look} what={t("检查的结果")} kept={value !== undefined} />}
      {!value && !error && <TableSkeleton />}
      {value && (
        <div className={styles.page}>
          <div className={styles.columns}>
            <div>
              {/* The heading says it where there is nothing. */}
              {todo.length > 0 && <ToDo findings={todo} />}
              <Services findings={value.findings.filter(ofServices)} />
            </div>
            <div>
              <Backup backup={value.backup} findings={value.findings} nowMs={value.atMs} />
              <Fine findings={value.findings.filter((one) => !isToDo(one) && !ofServices(one))} />
            </div>
          </div>
          <SlowStatements lookedAtMs={value.atMs} />
        </div>
      )}
    </>
  );
}
