import {
  batchDraft,
  batchSend,
  batchSheet,
  deskContractTemplates,
  type Job,
  jobDetail,
  mostInBatch,
  signDays,
} from "@herdwise/contract";
import type { ContractField, ContractForm } from "@herdwise/contract/contract-text";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { SelectField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { openFile, uploadSheet } from "../../shared/imports/import-api.ts";
import { sheetExtensions } from "../../shared/imports/sheet-places.ts";
import { Button } from "../../shared/kit/button.tsx";
import { FileButton } from "../../shared/kit/file-button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { deskKey } from "./desk-key.ts";

const pollMs = 1000;
const isOver = (job: Job | undefined): boolean =>
  job !== undefined && job.state !== "queued" && job.state !== "running";

/** A job as it goes on, until it is over. */
function useJob(id: string | undefined): Job | undefined {
  const { data } = useQuery({
    queryKey: ["job", id],
    queryFn: ({ signal }) => call(jobDetail, { query: { id: id ?? "" }, signal, quiet: true }),
    enabled: id !== undefined,
    refetchInterval: ({ state }) => (isOver(state.data) ? false : pollMs),
  });
  return data;
}

function Progress({ job }: { job: Job | undefined }) {
  const t = useTranslate();
  if (!job) return null;
  if (!isOver(job)) return <p role="status">{t("正在做：{done} / {total}", { done: job.done, total: job.total })}</p>;
  if (job.state !== "succeeded")
    return (
      <p className="state critical" role="alert">
        <Mark name="critical" />
        {job.text === "" ? t("没有做完，请再试") : tellIn(t, { text: job.text, values: job.values })}
      </p>
    );
  return null;
}

const examples = {
  text: "清单见附件一",
  money: "86,420.00",
  date: "2026-07-01",
  party: "内乡示例牧业有限公司",
  number: "58",
} as const satisfies Partial<Record<ContractField["type"], string>>;
const lastDay = "2027-06-30";
/** Of the second number: heads come before their weight. */
const otherNumber = "110";

/** A value of the sample row; what is at the end of the term is after its beginning. */
const exampleOf = (
  { key, type, role, options }: ContractField,
  fields: readonly ContractField[],
  language: "zh" | "en",
  t: (text: string) => string,
): string => {
  if (type === "choice") return options[0]?.[language] ?? "";
  if (type === "number" && fields.find((field) => field.type === "number")?.key !== key) return otherNumber;
  return role === "until" ? lastDay : t(examples[type]);
};

/** How a row of the sheet is filled in. */
function Sample({ name, form }: { name: string; form: ContractForm }) {
  const t = useTranslate();
  const language = useLanguage();
  const columns = [
    { key: "customer", name: t("客户"), example: t("内乡示例牧业有限公司"), numeric: false },
    ...form.fields.map((field) => ({
      key: field.key,
      name: language === "en" && field.nameEn !== "" ? field.nameEn : field.name,
      example: exampleOf(field, form.fields, language, t),
      numeric: field.type === "money" || field.type === "number",
    })),
  ];
  return (
    <section className={`card ${styles.sample}`} aria-labelledby="sample-title">
      <header>
        <h2 id="sample-title">{t("表格里的一行")}</h2>
        <span className="mut">
          {name} · {t("例子，不是真的合同")}
        </span>
      </header>
      <ScrollTable label={t("{name}，表", { name: t("表格里的一行") })}>
        <thead>
          <tr>
            {columns.map(({ key, name, numeric }) => (
              <th key={key} scope="col" className={numeric ? "numeric" : undefined}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          <tr>
            {columns.map(({ key, example, numeric }) => (
              <td key={key} className={numeric ? "numeric" : undefined}>
                {example}
              </td>
            ))}
          </tr>
        </tbody>
      </ScrollTable>
    </section>
  );
}

/** What outlives a reload: which batch it is. */
const nothing: { templateId: string; draftId: string | undefined; sendId: string | undefined } = {
  templateId: "",
  draftId: undefined,
  sendId: undefined,
};

/** Contracts for many customers: a sheet that is filled in, drafted as one, looked at, and sent as one. */
export function ContractBatch() {
  const t = useTranslate();
  const nameOf = useNames();
  const client = useQueryClient();
  const { user } = useAccess();
  const [{ templateId, draftId, sendId }, set] = useDraft(`${user.user_id}_contract-batch`, nothing, sessionStorage);
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { data: templates = [] } = useQuery({
    queryKey: [...deskKey, "templates"],
    queryFn: ({ signal }) => call(deskContractTemplates, { signal, quiet: true }),
  });
  const drafted = useJob(draftId);
  const sent = useJob(sendId);
  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      await work();
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  const upload = (chosen: File): void => {
    set({ draftId: undefined, sendId: undefined });
    void attempt(async () => {
      const attachmentId = await uploadSheet(chosen);
      const { jobId } = await call(batchDraft, {
        body: { templateId, attachmentId, signDays: signDays.usual },
        quiet: true,
      });
      set({ draftId: jobId });
      tellJobBegun();
    });
  };
  const shown = templates.find(({ id }) => id === templateId) ?? templates[0];
  const { batchId, attachmentId } = drafted?.result ?? {};
  const problems = Number(drafted?.result.problems ?? 0);
  return (
    <>
      <Crumbs more={[{ name: t("合同管理"), to: contractPaths.desk }, { name: t("批量起草") }]} />
      <div className="page-head">
        <h1>{t("批量起草")}</h1>
        <span className="mut">{t("一次最多 {count} 份，全部起草或一份也不起草", { count: mostInBatch })}</span>
      </div>
      <ol className={styles.steps}>
        <li className="card">
          <h2>
            <i aria-hidden="true">1</i>
            {t("选模板，下载表格")}
          </h2>
          <SelectField
            id="batch-template"
            label={t("用哪个模板")}
            required
            value={templateId}
            options={[
              ["", t("请选择")],
              ...templates.map(({ id, templateName }) => [id, nameOf(templateName)] as const),
            ]}
            onChange={(id) => set({ ...nothing, templateId: id })}
          />
          <Button
            icon="download"
            isDisabled={templateId === "" || busy}
            onPress={() =>
              void attempt(async () =>
                openFile((await call(batchSheet, { body: { templateId }, quiet: true })).attachmentId),
              )
            }
          >
            {t("下载表格")}
          </Button>
        </li>
        <li className="card">
          <h2>
            <i aria-hidden="true">2</i>
            {t("一行一个客户，填好上传")}
          </h2>
          <FileButton
            icon="upload"
            isDisabled={templateId === "" || busy}
            label={t("填好的表格")}
            accept={sheetExtensions.join()}
            onPick={([file]) => upload(file)}
          >
            {t("上传填好的表格")}
          </FileButton>
          {drafted === undefined && (
            <p className="mut">{t("逐行检查；有一行不对就一份也不起草，并给您标出问题的表格。")}</p>
          )}
          <Progress job={drafted} />
          {problems > 0 && (
            <>
              <p className="state minor" role="alert">
                <Mark name="minor" />
                {t("{count} 处要改，一份也没有起草", { count: problems })}
              </p>
              <Button icon="download" onPress={() => void attempt(() => openFile(attachmentId ?? ""))}>
                {t("下载标出问题的表格")}
              </Button>
            </>
          )}
        </li>
        <li className="card">
          <h2>
            <i aria-hidden="true">3</i>
            {t("看一遍，一起发出")}
          </h2>
          {batchId ? (
            <>
              <p className="state ok" role="status">
                <Mark name="ok" />
                {t("起草了 {count} 份", { count: Number(drafted?.result.drafted ?? 0) })}
              </p>
              <div className={styles.actions}>
                <Link className="btn" to={`${contractPaths.desk}?queue=all&batch=${batchId}`}>
                  {t("看这一批")}
                </Link>
                <Button
                  kind="primary"
                  icon="send"
                  isDisabled={busy || sendId !== undefined}
                  onPress={() =>
                    void attempt(async () => {
                      const { jobId } = await call(batchSend, { body: { batchId }, quiet: true });
                      set({ sendId: jobId });
                      tellJobBegun();
                      await client.invalidateQueries({ queryKey: deskKey });
                    })
                  }
                >
                  {t("代表集团签署并发出")}
                </Button>
              </div>
              <Progress job={sent} />
              {sent?.state === "succeeded" && (
                <p className="state ok" role="status">
                  <Mark name="ok" />
                  {t("发出了 {count} 份", { count: Number(sent.result.sent ?? 0) })}
                  {Number(sent.result.left ?? 0) > 0 &&
                    ` · ${t("{count} 份留作草稿", { count: Number(sent.result.left) })}`}
                </p>
              )}
            </>
          ) : (
            <p className="mut">{t("起草好以后，在这里看份数、逐份打开，再一起发出。")}</p>
          )}
          <Refusal text={refused} />
        </li>
      </ol>
      {shown && <Sample name={nameOf(shown.templateName)} form={shown.form as ContractForm} />}
    </>
  );
}
