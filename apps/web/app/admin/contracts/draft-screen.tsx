import {
  type DeskContractDetail,
  type DraftableTemplate,
  deskContractCustomers,
  deskContractDetail,
  deskContractDraft,
  deskContractRevise,
  deskContractTemplates,
  signDays as signDaysRange,
} from "@herdwise/contract";
import type { ContractForm } from "@herdwise/contract/contract-text";
import type { Problem } from "@herdwise/contract/rules";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useNavigate, useSearchParams } from "react-router";
import { ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { ContractDocument } from "../../shared/contracts/document.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import type { FormValues } from "../../shared/resource/form-values.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Skeleton } from "../../shared/states/skeleton.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { deskKey } from "./desk-key.ts";
import { FormEditor } from "./form-editor.tsx";
import { TemplateChoice } from "./template-choice.tsx";
import { problemsOfTyped, shownOfTyped, TermFields, termsOfTyped, typedTerm } from "./term-fields.tsx";
import { ValueField } from "./value-field.tsx";

/** A form that is not sent, as the server would refuse it. */
const refusedAt = (problems: readonly Problem[]): ApiError => {
  const data = { text: "有 {count} 处需要改正", values: { count: problems.length }, problems };
  return new ApiError(400, data.text, undefined, { data });
};

interface Typed {
  tenantId: string;
  customer: string;
  templateId: string;
  values: Readonly<Record<string, string>>;
  signDays: string;
  /** Price terms as they are typed. */
  terms: readonly FormValues[];
  requestKey: string;
  /** Words of a contract that goes on; a new one has those of its template. */
  form: ContractForm | undefined;
}

/** Customers by a part of their name, with whether they can sign. */
function CustomerChoice({
  typed,
  change,
  problem,
}: {
  typed: Typed;
  change: (of: Partial<Typed>) => void;
  problem: string | undefined;
}) {
  const t = useTranslate();
  const [keyword, setKeyword] = useState("");
  const { data: customers = [], isPending } = useQuery({
    queryKey: [...deskKey, "customers", keyword],
    queryFn: ({ signal }) =>
      call(deskContractCustomers, { query: { ...(keyword && { keyword }) }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  return (
    <>
      <TextField
        id="customer-keyword"
        label={t("找客户")}
        autoComplete="off"
        value={keyword}
        problem={problem}
        onChange={setKeyword}
      />
      <fieldset className={styles.customers}>
        <legend>{t("发给谁")}</legend>
        {customers.slice(0, 6).map(({ tenantId, customer, proven, signers }) => (
          <label key={tenantId}>
            <input
              type="radio"
              name="customer"
              checked={typed.tenantId === tenantId}
              onChange={() => change({ tenantId, customer })}
            />
            <span>
              <Translated text={customer} />
            </span>
            <small className={proven && signers > 0 ? undefined : "state minor"}>
              {!(proven && signers > 0) && <Mark name="minor" />}
              {t(proven ? "已实名" : "还没有实名")} · {t("{count} 人能签", { count: signers })}
            </small>
          </label>
        ))}
        {isPending && <Skeleton width={16} />}
        {!isPending && customers.length === 0 && <p className="mut">{t("没有这个客户")}</p>}
        <p className="f-hint">{t("还没有实名的客户可以先起草；他做完实名、有人能签，才能发出。")}</p>
      </fieldset>
    </>
  );
}

function DraftForm({
  held,
  templates,
}: {
  held: DeskContractDetail | undefined;
  templates: readonly DraftableTemplate[];
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user } = useAccess();
  const [typed, change, forget] = useDraft<Typed>(
    `contract ${user.user_id} ${held ? `${held.id} ${held.revision}` : "new"}`,
    {
      tenantId: held?.tenantId ?? "",
      customer: held?.customer ?? "",
      templateId: held?.templateId ?? "",
      values: held?.words.values ?? {},
      terms: held?.words.terms.map(typedTerm) ?? [],
      signDays: String(held?.signDays ?? signDaysRange.usual),
      requestKey: crypto.randomUUID(),
      form: held ? (held.words.form as ContractForm) : undefined,
    },
  );
  const { form: element, busy, refused, problems, mend, submit } = useSubmission();
  const template = templates.find(({ id }) => id === typed.templateId);
  const form = typed.form ?? (template?.form as ContractForm | undefined);
  const sellsPigs = (held?.kind ?? template?.kind) === "pig_sale";
  const days = Number(typed.signDays);
  const daysRight = Number.isInteger(days) && days >= 1 && days <= signDaysRange.most;
  const shownTerms = sellsPigs ? shownOfTyped(typed.terms) : [];
  const save = async (): Promise<void> => {
    let id = held?.id ?? "";
    const done = await submit(async () => {
      const wrong = sellsPigs ? problemsOfTyped(typed.terms) : [];
      if (wrong.length > 0) throw refusedAt(wrong);
      const terms = sellsPigs ? termsOfTyped(typed.terms) : [];
      const common = { values: { ...typed.values }, terms, signDays: days };
      if (held)
        await call(deskContractRevise, {
          body: { id: held.id, revision: held.revision, form: form as never, ...common },
          quiet: true,
        });
      else {
        const { tenantId, templateId, requestKey } = typed;
        ({ id } = await call(deskContractDraft, {
          body: { tenantId, templateId, requestKey, ...common },
          quiet: true,
        }));
      }
    });
    if (!done) return;
    forget();
    showToast({ kind: "ok", text: "草稿存好了，看一遍再发出" });
    await client.invalidateQueries({ queryKey: deskKey });
    void navigate(`${contractPaths.deskDetail}?id=${id}`);
  };
  if (!form)
    return (
      <TemplateChoice templates={templates} onChoose={(templateId) => change({ templateId, values: {}, terms: [] })} />
    );
  return (
    <div className={styles.pair}>
      <SubmitForm form={element} className={`card ${styles.form}`} send={save}>
        {!held && (
          <>
            <SelectField
              id="template"
              label={t("用哪个模板")}
              required
              value={typed.templateId}
              problem={problems.templateId}
              options={templates.map(({ id, templateName }) => [id, nameOf(templateName)] as const)}
              onChange={(templateId) => {
                mend("templateId");
                change({ templateId, values: {}, terms: [] });
              }}
            />
            <CustomerChoice typed={typed} change={change} problem={problems.tenantId} />
          </>
        )}
        <div className={styles.columns}>
          {form.fields.map((field) => (
            <ValueField
              key={`${typed.templateId} ${field.key}`}
              field={field}
              value={typed.values[field.key] ?? ""}
              problem={problems[`values.${field.key}`]}
              onChange={(value) => {
                mend(`values.${field.key}`);
                change({ values: { ...typed.values, [field.key]: value } });
              }}
            />
          ))}
        </div>
        {sellsPigs && (
          <TermFields
            terms={typed.terms}
            problems={problems}
            onChange={(terms, mended) => {
              if (mended) mend(mended);
              change({ terms });
            }}
          />
        )}
        <TextField
          id="sign-days"
          label={t("发出后几天内签")}
          required
          inputMode="numeric"
          autoComplete="off"
          maxLength={2}
          value={typed.signDays}
          problem={daysRight ? undefined : t("1 到 {most} 天", { most: signDaysRange.most })}
          onChange={(signDays) => change({ signDays })}
        />
        {held && <FormEditor form={form} onChange={(next) => change({ form: next })} wordsOnly />}
        <Refusal text={refused} />
        <div className={styles.actions}>
          <Button kind="primary" type="submit" isDisabled={busy || !daysRight || (!held && typed.tenantId === "")}>
            {t(held ? (held.state === "draft" ? "存草稿" : "存成新的一版") : "存草稿")}
          </Button>
        </div>
      </SubmitForm>
      <ContractDocument
        words={{ form: form as never, values: { ...typed.values }, terms: shownTerms }}
        customer={typed.customer}
        group={held?.group ?? ""}
        number={held?.number ?? t("编号在存草稿时给")}
        {...(held && held.state !== "draft" && { before: held.words })}
      />
    </div>
  );
}

/** Drafts a contract, or writes a draft or what came back anew. */
export function DraftContract() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const id = knownId(search.get("id"));
  const templates = useQuery({
    queryKey: [...deskKey, "templates"],
    queryFn: ({ signal }) => call(deskContractTemplates, { signal, quiet: true }),
  });
  const held = useQuery({
    queryKey: [...deskKey, "detail", id],
    queryFn: ({ signal }) => call(deskContractDetail, { query: { id: id ?? "" }, signal, quiet: true }),
    enabled: id !== undefined,
    staleTime: 0,
  });
  const error = templates.error ?? held.error;
  const ready = templates.data && (id === undefined || held.data);
  const revisable = id === undefined || held.data?.may.includes("revise");
  return (
    <>
      <Crumbs more={[{ name: t("合同管理"), to: contractPaths.desk }, { name: held.data?.number ?? t("起草合同") }]} />
      <div className="page-head">
        <h1>{t(id ? "修改合同" : "起草合同")}</h1>
      </div>
      {error && (
        <LoadingProblem
          error={asApiError(error)}
          onRetry={() => void Promise.all([templates.refetch(), held.refetch()])}
          what={t("合同")}
        />
      )}
      {!ready && !error && <TableSkeleton rows={8} />}
      {ready && templates.data?.length === 0 && !id && (
        <ExceptionView type="empty" title={t("还没有能起草的模板")} text={t("先写一个模板，打开它的“可以起草”。")}>
          <Link className="btn primary" to="/customer/contractTemplate">
            {t("去写模板")}
          </Link>
        </ExceptionView>
      )}
      {ready && !revisable && (
        <ExceptionView type="empty" title={t("这份合同现在不能改")} text={t("发出的合同要先撤回或被退回。")}>
          <Link className="btn primary" to={`${contractPaths.deskDetail}?id=${id}`}>
            {t("回到合同")}
          </Link>
        </ExceptionView>
      )}
      {ready && revisable && (id !== undefined || (templates.data?.length ?? 0) > 0) && (
        <DraftForm key={`${id} ${held.data?.revision}`} held={held.data} templates={templates.data ?? []} />
      )}
    </>
  );
}
