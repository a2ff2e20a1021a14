import { type PriceBreed, type PriceDesk, pricedProvinces, priceHistory, priceSheet } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { type Submission, useSubmission } from "../../shared/forms/use-submission.ts";
import { uploadSheet } from "../../shared/imports/import-api.ts";
import { SheetPicker } from "../../shared/imports/sheet-picker.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { yuan } from "../../shared/prices/price-words.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./desk.module.css";
import { useCellName } from "./desk-side.tsx";
import { readPrice } from "./price-input.ts";
import type { DeskCell } from "./use-price-desk.ts";

interface AskProps {
  title: string;
  action: string;
  /** What stands above the reason. */
  lead: string;
  onSend: (reason: string) => Promise<unknown>;
  onClose: () => void;
}

interface ReasonProps {
  value: string;
  onChange: (reason: string) => void;
  of: Submission<HTMLFormElement>;
  /** Everybody reads it. */
  isPublic?: boolean;
}

function ReasonField({ value, onChange, of, isPublic = false }: ReasonProps) {
  const t = useTranslate();
  return (
    <TextField
      id="reason"
      label={t("原因")}
      value={value}
      required
      maxLength={200}
      autoComplete="off"
      {...(isPublic && { hint: t("会公开，请不要写个人信息") })}
      problem={of.problems.reason}
      onChange={(next) => {
        of.mend("reason");
        onChange(next);
      }}
    />
  );
}

/** Asks for a reason. */
export function AskReason({ title, action, lead, onSend, onClose }: AskProps) {
  const [reason, setReason] = useState("");
  const submission = useSubmission();
  return (
    <FormDialog
      title={title}
      action={action}
      ready={reason.trim().length >= 2}
      of={submission}
      send={() => onSend(reason.trim())}
      onClose={onClose}
    >
      <p>{lead}</p>
      <ReasonField value={reason} onChange={setReason} of={submission} />
    </FormDialog>
  );
}

interface CorrectProps {
  cell: DeskCell;
  onSend: (newFen: number | undefined, reason: string) => Promise<unknown>;
  onClose: () => void;
}

/** Proposes another price for one that was published. */
export function CorrectPrice({ cell, onSend, onClose }: CorrectProps) {
  const t = useTranslate();
  const cellName = useCellName();
  const [text, setText] = useState("");
  const [none, setNone] = useState(false);
  const [reason, setReason] = useState("");
  const submission = useSubmission();
  const { problems, mend } = submission;
  const read = readPrice(text, cell.fen);
  const wrong = !none && read.kind === "wrong";
  const ready = (none || read.kind === "price") && reason.trim().length >= 2;
  return (
    <FormDialog
      title={t("更正 {cell}", { cell: cellName(cell) })}
      action={t("提出更正")}
      ready={ready}
      of={submission}
      send={() => onSend(none || read.kind !== "price" ? undefined : read.fen, reason.trim())}
      onClose={onClose}
    >
      <p>
        {t("现在公布的是 {price} 元/kg。更正由另一个人复核后公布，原值、新值、时间和原因一直公开。", {
          price: cell.fen === undefined ? "—" : yuan(cell.fen),
        })}
      </p>
      <TextField
        id="newFen"
        label={t("新的价格，元/kg")}
        value={none ? "" : text}
        disabled={none}
        autoComplete="off"
        problem={problems.newFen ?? (wrong ? t("请填 3 到 60 之间、最多两位小数的价格") : undefined)}
        onChange={(next) => {
          mend("newFen");
          setText(next);
        }}
      />
      {cell.fen !== undefined && (
        <label className="checkbox">
          <input type="checkbox" checked={none} onChange={({ target }) => setNone(target.checked)} />
          {t("撤回这个价格，当日无价")}
        </label>
      )}
      <ReasonField value={reason} onChange={setReason} of={submission} isPublic />
    </FormDialog>
  );
}

interface ScheduleProps {
  desk: PriceDesk;
  onSend: (at: string) => Promise<unknown>;
  onClose: () => void;
}

/** Chooses when a day is published. */
export function SchedulePrices({ desk, onSend, onClose }: ScheduleProps) {
  const t = useTranslate();
  const [clock, setClock] = useState(desk.publishAt.slice(11, 16));
  const submission = useSubmission();
  const { problems, mend } = submission;
  const valid = /^([01]\d|2[0-3]):[0-5]\d$/.test(clock);
  return (
    <FormDialog
      title={t("改发布时间")}
      action={t("保存")}
      ready={valid}
      of={submission}
      send={() => onSend(`${desk.day} ${clock}:00`)}
      onClose={onClose}
    >
      <TextField
        id="at"
        label={t("{day} 几点发布（北京时间）", { day: desk.day })}
        value={clock}
        autoComplete="off"
        hint={t("如 08:00。以后的日子沿用这个时间。")}
        problem={problems.at}
        onChange={(next) => {
          mend("at");
          setClock(next);
        }}
      />
    </FormDialog>
  );
}

interface SheetProps {
  onFill: (entries: readonly { regionCode: string; breed: PriceBreed; fen: number }[]) => void;
  onClose: () => void;
}

/** Reads a sheet into the table; nothing is saved by it. */
export function UploadPrices({ onFill, onClose }: SheetProps) {
  const t = useTranslate();
  const [file, setFile] = useState<File>();
  const [report, setReport] = useState<Awaited<ReturnType<typeof read>>>();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const send = (): Promise<boolean> =>
    submit(async () => {
      if (file === undefined) return;
      const found = await read(file);
      onFill(found.entries);
      setReport(found);
    });
  const problems = report?.problems ?? [];
  return (
    <Dialog
      title={t("上传表格")}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t(report ? "完成" : "取消")}</Button>
          <Button kind="primary" icon="upload" isDisabled={busy || file === undefined} onPress={() => void send()}>
            {t(busy ? "正在读取" : "读进表格")}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles.dialog}>
        <p>
          {t("每省一行，列名是省份、外三元、内三元、土杂猪；可以先导出一张来改。读进来的价格先填进表格，看过再保存。")}
        </p>
        <SheetPicker
          file={file}
          onPick={(picked) => {
            setReport(undefined);
            setFile(picked);
          }}
        />
        <div role="status" aria-live="polite">
          {report && (
            <p className={`state ${problems.length === 0 ? "ok" : "minor"}`}>
              {t("读到 {count} 个价格，{wrong} 处没有读进来", {
                count: report.entries.length,
                wrong: problems.length,
              })}
            </p>
          )}
        </div>
        {problems.length > 0 && (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reached by the keyboard
          <ul className={styles.problems} tabIndex={0} aria-label={t("要改的地方")}>
            {problems.map(({ row, column, text, values }) => (
              <li key={`${row} ${column}`}>
                {t("第 {row} 行，{column}：{problem}", {
                  row,
                  column: t(column),
                  problem: tellIn(t, { text, values }),
                })}
              </li>
            ))}
          </ul>
        )}
      </div>
    </Dialog>
  );
}

const read = async (file: File) => call(priceSheet, { body: { attachId: await uploadSheet(file) }, quiet: true });

const isCell = /^(\d{2})\.(outer|inner|local)$/;

/** What was done to the prices of a day. */
export function PriceHistory({ day, onClose }: { day: string; onClose: () => void }) {
  const t = useTranslate();
  const cellName = useCellName();
  const { dayTime } = useFormats();
  const loaded = useQuery({
    queryKey: ["price-history", day],
    queryFn: ({ signal }) => call(priceHistory, { query: { day }, signal, quiet: true }),
  });
  const nameOf = (field: string): string => {
    const [, regionCode = "", breed = ""] = isCell.exec(field) ?? [];
    if (pricedProvinces.some(({ code }) => code === regionCode)) return cellName({ regionCode, breed });
    return t(field === "publishAt" ? "发布时间" : field === "published" ? "发布的价格数" : field);
  };
  const steps = loaded.data ?? [];
  return (
    <Dialog
      title={t("{day} 的记录", { day })}
      size="wide"
      onClose={onClose}
      footer={<Button onPress={onClose}>{t("关闭")}</Button>}
    >
      {loaded.error && (
        <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("记录")} />
      )}
      {loaded.data && steps.length === 0 && <ExceptionView type="empty" text={t("这一天还没有人动过。")} />}
      <ol className={styles.history}>
        {steps.map(({ id, actorName, createTime, changes }) => (
          <li key={id}>
            <b>
              <Translated text={actorName} />
            </b>{" "}
            <span className="mut">{dayTime(parseWireDateTime(createTime))}</span>
            <ul>
              {changes.map(({ field, before, after }) => (
                <li key={field} className="num">
                  {nameOf(field)}: {said(t, before)} → {said(t, after)}
                </li>
              ))}
            </ul>
          </li>
        ))}
      </ol>
    </Dialog>
  );
}

/** States that the trail writes before a value. */
const stateNames: Readonly<Record<string, string>> = {
  waiting: "待复核",
  confirmed: "已复核",
  returned: "退回",
  correction: "提出更正",
};

function said(t: (text: string) => string, value: unknown): string {
  const text = String(value ?? "");
  if (text === "") return "—";
  const [, state = "", rest = ""] = /^(waiting|confirmed|returned|correction)\b:?\s*(.*)$/s.exec(text) ?? [];
  const name = stateNames[state];
  return name === undefined ? text : `${t(name)} ${rest}`.trim();
}
