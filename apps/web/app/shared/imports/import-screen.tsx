import { type Import, jobDetail } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useState } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../address/use-address.ts";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Icon } from "../icons/icon.tsx";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { tellIn } from "../language/tell.ts";
import { useJoin } from "../language/use-join.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { keysOf } from "../resource/resource-api.ts";
import { tellJobBegun } from "../session/job-begun.ts";
import { FaultBanner } from "../states/fault-banner.tsx";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import { ChooseSheet } from "./choose-sheet.tsx";
import styles from "./import.module.css";
import { callImport, type ImportPage, importKeys } from "./import-api.ts";
import { ProblemSheet } from "./problem-sheet.tsx";
import { sheetNameOf } from "./sheet-places.ts";
import { SourceDialog } from "./source-dialog.tsx";

const pollMs = 700;
const isBusy = ({ state }: Import): boolean => state === "checking" || state === "writing";
const steps = ["选表格", "预检", "写入", "完成"] as const;
const stepOf: Readonly<Record<Import["state"], number>> = {
  checking: 1,
  checked: 1,
  writing: 2,
  written: 3,
  undone: 3,
  failed: 1,
  cancelled: 0,
};

function Steps({ at }: { at: number }) {
  const t = useTranslate();
  return (
    <ol className={styles.steps}>
      {steps.map((step, index) => (
        <li key={step} aria-current={index === at ? "step" : undefined} data-done={index < at || undefined}>
          <i>{index < at ? <Icon name="check" small /> : index + 1}</i>
          {t(step)}
        </li>
      ))}
    </ol>
  );
}

/** How far the job of an import is. */
function Progress({ of, held, onCancel }: { of: ResourceDeclaration; held: Import; onCancel: () => void }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { data } = useQuery({
    queryKey: [...importKeys(of), "job", held.jobId],
    queryFn: ({ signal }) => call(jobDetail, { query: { id: held.jobId }, signal, quiet: true }),
    enabled: held.jobId !== "",
    refetchInterval: pollMs,
  });
  const writing = held.state === "writing";
  const total = data?.total || held.rows;
  return (
    <section className="card" aria-labelledby="progress-title">
      <header>
        <h2 id="progress-title">{t(writing ? "写入中" : "正在检查")}</h2>
        <span className="spacer" />
        <span className="mut">{t("可以离开，结果会进消息")}</span>
      </header>
      <div className={styles.progress} role="status">
        <p>
          <b className="num">{number(data?.done ?? 0)}</b>
          {total > 0 && <span> {t("/ {total} 行", { total: number(total) })}</span>}
        </p>
        <progress
          aria-label={t(writing ? "写入中" : "正在检查")}
          max={total || 1}
          value={total > 0 ? (data?.done ?? 0) : undefined}
        />
        <p className="mut">{t(writing ? "取消的话，已写的会退回，等于什么也没发生。" : "检查时什么都不写入。")}</p>
        <Button icon="close" onPress={onCancel}>
          {t("取消")}
        </Button>
      </div>
    </section>
  );
}

/** What the check found, and the choice what to write. */
function Checked({
  of,
  held,
  onWrite,
  onAgain,
  onSource,
}: {
  of: ResourceDeclaration;
  held: Import;
  onWrite: (mode: "all" | "good", withoutHidden: boolean) => void;
  onAgain: () => void;
  onSource: () => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const [mode, setMode] = useState<"all" | "good">(held.bad === 0 ? "all" : "good");
  const join = useJoin();
  const [withoutHidden, setWithoutHidden] = useState(false);
  const ready =
    (held.whole.length === 0 || withoutHidden) && (mode === "all" ? held.bad === 0 && held.rows > 0 : held.good > 0);
  const left = withoutHidden ? held.hidden : 0;
  const { source } = held;
  const others = source.sheets.filter(({ headings, hidden }, at) => at !== source.sheet && headings > 1 && !hidden);
  const ignored = held.columns.filter(({ field }) => field === "");
  const share = held.rows === 0 ? 0 : (held.good / held.rows) * 100;
  return (
    <section className="card" aria-labelledby="check-title">
      <header>
        <h2 id="check-title">{t("预检")}</h2>
        <span className="mut">{t("{file}，还没有写入任何数据", { file: held.fileName })}</span>
        <span className="spacer" />
        <Button small icon="swap" onPress={onAgain}>
          {t("换文件")}
        </Button>
      </header>
      <div className={styles.figures}>
        <p>
          <b>{number(held.rows)}</b> {t("行")}
        </p>
        <p>
          <b>{number(held.good)}</b>
          <span className="state ok">
            <Mark name="ok" />
            {t("可以导入")}
          </span>
        </p>
        <p>
          <b>{number(held.bad)}</b>
          <span className={held.bad > 0 ? "state minor" : "state off"}>
            <Mark name={held.bad > 0 ? "minor" : "ok"} />
            {t("有问题")}
          </span>
        </p>
        <p>
          <b>{number(held.updates - held.unchanged)}</b> {t("会更新已有的")}
        </p>
        {held.unchanged > 0 && (
          <p>
            <b>{number(held.unchanged)}</b> {t("和已有的一样")}
          </p>
        )}
        <div className={styles.share} aria-hidden="true">
          <i style={{ width: `${share}%` }} />
        </div>
      </div>
      {source.sheets.length > 0 && (
        <div className={styles.taken}>
          <p>
            {t("读的是“{sheet}”，第 {row} 行是表头。", {
              sheet: sheetNameOf(t, source.sheets[source.sheet]?.name ?? ""),
              row: source.headerRow,
            })}
            {ignored.length > 0 && (
              <> {t("没有导入的列：{names}。", { names: join(ignored.map(({ header }) => header)) })}</>
            )}
            {others.length > 0 && (
              <> {t("“{names}”里也有表头，一次导入一张。", { names: join(others.map(({ name }) => name)) })}</>
            )}
          </p>
          <Button small icon="edit" onPress={onSource}>
            {t("换表、表头或列")}
          </Button>
        </div>
      )}
      <ProblemSheet key={`${source.sheet} ${source.headerRow}`} of={of} checked={held} />
      <div className={styles.decide}>
        {held.whole.map((problem) => (
          <p key={problem.reason} className="state major" role="alert">
            <Mark name="major" />
            {tellIn(t, problem)}
          </p>
        ))}
        {held.bad > 0 && (
          <>
            <label data-chosen={mode === "good" || undefined}>
              <input type="radio" name="mode" checked={mode === "good"} onChange={() => setMode("good")} />
              <span>
                {t("只导入好的 {count} 行", { count: number(held.good) })}
                <small>{t("其余 {count} 行留在这里，可以稍后改完再导", { count: number(held.bad) })}</small>
              </span>
            </label>
            <label data-chosen={mode === "all" || undefined}>
              <input type="radio" name="mode" checked={mode === "all"} onChange={() => setMode("all")} />
              <span>
                {t("全部改好再一起导")}
                <small>{t("还差 {count} 行", { count: number(held.bad) })}</small>
              </span>
            </label>
          </>
        )}
        {held.hidden > 0 && (
          <label data-chosen={withoutHidden || undefined}>
            <input
              type="checkbox"
              checked={withoutHidden}
              onChange={(event) => setWithoutHidden(event.target.checked)}
            />
            <span>
              {t("不导入表格里隐藏的 {count} 行", { count: number(held.hidden) })}
              <small>{t("筛选或隐藏过的行，在表格里看不到")}</small>
            </span>
          </label>
        )}
        <div>
          <Button kind="primary" isDisabled={!ready} onPress={() => onWrite(mode, withoutHidden)}>
            {t("导入 {count} 行", { count: number((mode === "all" ? held.rows : held.good) - left) })}
          </Button>
          <small>{t("一次写入，中途出错则一行不写")}</small>
        </div>
      </div>
    </section>
  );
}

const stateWords: Readonly<Record<Import["state"], string>> = {
  checking: "正在检查",
  checked: "还没有写入",
  writing: "写入中",
  written: "已写入",
  undone: "已撤销",
  failed: "没有完成",
  cancelled: "已取消",
};

/** Imports of before, with the way back. */
function Batches({
  of,
  onOpen,
  onUndo,
}: {
  of: ResourceDeclaration;
  onOpen: (id: string) => void;
  onUndo: (held: Import) => void;
}) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const { data, error, refetch } = useQuery<ImportPage, ApiError>({
    queryKey: [...importKeys(of), "page"],
    queryFn: ({ signal }) => callImport<ImportPage>(of, "page", { query: { current: 1, size: 10 }, signal }),
  });
  if (error) return <LoadingProblem error={error} onRetry={() => void refetch()} what={t("以往批次")} />;
  if (!data) return <TableSkeleton rows={3} />;
  if (data.records.length === 0) return <p className={styles.none}>{t("还没有导入过。")}</p>;
  return (
    <ul className={styles.batches}>
      {data.records.map((held) => (
        <li key={held.id}>
          <div>
            <b>{held.fileName}</b>
            <small>
              {`${t(stateWords[held.state])} ${t("{count} 行", { count: number(held.state === "written" ? held.written : held.rows) })} ${held.createUserName} ${dayTime(parseWireDateTime(held.createTime))}`}
            </small>
          </div>
          {held.state === "written" ? (
            <Button small icon="undo" onPress={() => onUndo(held)}>
              {t("撤销")}
            </Button>
          ) : (
            (held.state === "checked" || isBusy(held)) && (
              <Button small onPress={() => onOpen(held.id)}>
                {t("继续")}
              </Button>
            )
          )}
        </li>
      ))}
    </ul>
  );
}

/** Rows of a resource out of a sheet: chosen, checked, corrected, written at once, and undone where possible. */
export function ImportScreen({
  of,
  written,
}: {
  of: ResourceDeclaration;
  /** What else a written import asks for. */
  written?: (held: Import) => ReactNode;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const client = useQueryClient();
  const [search, change] = useAddressValues({ isStep: true, fromTop: true });
  const [undoing, setUndoing] = useState<Import>();
  const [refused, setRefused] = useState<string>();
  const [choosing, setChoosing] = useState(false);
  const id = /^\d{1,19}$/.test(search.get("id") ?? "") ? (search.get("id") ?? "") : "";
  const loaded = useQuery<Import, ApiError>({
    queryKey: [...importKeys(of), id],
    queryFn: ({ signal }) => callImport<Import>(of, "detail", { query: { id }, signal }),
    enabled: id !== "",
    refetchInterval: ({ state }) => (state.data && isBusy(state.data) ? pollMs : false),
  });
  const held = id === "" ? undefined : loaded.data;
  const state = held?.state;
  // The list of imports below tells the same, and what was written shows in the resource's own.
  useEffect(() => {
    if (state === undefined) return;
    void client.invalidateQueries({ queryKey: [...importKeys(of), "page"] });
    void client.invalidateQueries({ queryKey: keysOf(of) });
  }, [client, of, state]);
  const show = (next: string): void => change({ id: next });
  const keep = (renewed: Import): void => {
    client.setQueryData([...importKeys(of), renewed.id], renewed);
    void client.invalidateQueries({ queryKey: [...importKeys(of), "page"] });
    void client.invalidateQueries({ queryKey: keysOf(of) });
  };
  const act = async (verb: "write" | "cancel" | "undo", body: Readonly<Record<string, unknown>>): Promise<void> => {
    setRefused(undefined);
    try {
      keep(await callImport<Import>(of, verb, { body }));
      tellJobBegun();
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
      throw error;
    }
  };
  const quietly = (done: Promise<void>): void => void done.catch(() => undefined);
  const many = t(of.words.many);
  const listPath = location.pathname.replace(/\/import\/?$/, "");
  return (
    <>
      <Crumbs
        more={[
          { name: of.words.many, to: listPath },
          { name: t("导入"), to: "" },
        ]}
      />
      <div className="page-head">
        <h1>{t("导入{one}", { one: many })}</h1>
      </div>
      <Steps at={held ? stepOf[held.state] : 0} />
      {refused && <FaultBanner text={refused} />}
      <div className={styles.stack}>
        {id !== "" && loaded.error && (
          <LoadingProblem error={loaded.error} onRetry={() => void loaded.refetch()} what={t("这次导入")} />
        )}
        {held && held.failure !== "" && (held.state === "failed" || held.state === "checked") && (
          <FaultBanner severity="critical" text={t("没有完成：{reason}", { reason: t(held.failure) })} />
        )}
        {held?.state === "failed" && held.source.sheets.length > 0 && (
          <section className="card" aria-labelledby="source-title">
            <header>
              <h2 id="source-title">{t("没有认出表头")}</h2>
            </header>
            <div className={styles.taken}>
              <p>{t("“{file}”已经打开。可以自己选哪张表、哪一行是表头、每一列是什么。", { file: held.fileName })}</p>
              <Button kind="primary" icon="edit" onPress={() => setChoosing(true)}>
                {t("选表、表头和列")}
              </Button>
            </div>
          </section>
        )}
        {(!held || held.state === "cancelled" || held.state === "failed") && (
          <ChooseSheet
            of={of}
            onBegun={(begun) => {
              keep(begun);
              tellJobBegun();
              show(begun.id);
            }}
          />
        )}
        {held && isBusy(held) && (
          <Progress of={of} held={held} onCancel={() => quietly(act("cancel", { id: held.id }))} />
        )}
        {held?.state === "checked" && (
          <Checked
            of={of}
            held={held}
            onWrite={(mode, withoutHidden) => quietly(act("write", { id: held.id, mode, withoutHidden }))}
            onSource={() => setChoosing(true)}
            onAgain={() => {
              quietly(act("cancel", { id: held.id }));
              show("");
            }}
          />
        )}
        {held?.state === "written" && (
          <section className="card" aria-labelledby="done-title">
            <header>
              <h2 id="done-title">{t("已完成")}</h2>
              <span className="spacer" />
              <span className="state ok">
                <Mark name="ok" />
                {t("{count} 行已写入", { count: number(held.written) })}
              </span>
            </header>
            <div className={styles.done}>
              <p>
                {t("新增 {added} 条，更新 {updated} 条。", {
                  added: number(Math.max(0, held.written - held.updates)),
                  updated: number(held.updates - held.unchanged),
                })}
              </p>
              {held.written > held.updates && written?.(held)}
              <div className={styles.row}>
                <Link className="btn" to={`${listPath}?sort=-updateTime`}>
                  {t("看这些{many}", { many })}
                </Link>
                <Button icon="undo" onPress={() => setUndoing(held)}>
                  {t("撤销这一批")}
                </Button>
                <Button kind="quiet" onPress={() => show("")}>
                  {t("再导一份")}
                </Button>
              </div>
            </div>
          </section>
        )}
        {held?.state === "undone" && (
          <div className="banner">
            <span className="state off">
              <Mark name="off" />
              {t("这一批已经撤销。")}
            </span>
            <Button small onPress={() => show("")}>
              {t("再导一份")}
            </Button>
          </div>
        )}
        <section className="card" aria-labelledby="batches-title">
          <header>
            <h2 id="batches-title">{t("以往批次")}</h2>
          </header>
          <Batches of={of} onOpen={show} onUndo={setUndoing} />
        </section>
      </div>
      {choosing && held && (
        <SourceDialog
          of={of}
          held={held}
          onBegun={(begun) => {
            keep(begun);
            tellJobBegun();
          }}
          onClose={() => setChoosing(false)}
        />
      )}
      {undoing && (
        <ConfirmDialog
          title={t("撤销“{name}”？", { name: undoing.fileName })}
          action={t("撤销")}
          onClose={() => setUndoing(undefined)}
          onConfirm={async () => {
            try {
              await act("undo", { id: undoing.id });
              showToast({ kind: "ok", text: "已撤销" });
            } catch {
              // The banner says why.
            }
          }}
        >
          <p>
            {t("新增的 {added} 条会删除，更新的 {updated} 条会恢复原样。已被引用或又被改过的不能撤销。", {
              added: number(Math.max(0, undoing.written - undoing.updates)),
              updated: number(undoing.updates),
            })}
          </p>
        </ConfirmDialog>
      )}
    </>
  );
}
