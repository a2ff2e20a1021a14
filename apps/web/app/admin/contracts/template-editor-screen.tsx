import { type TemplateWords, templateSaveWords, templateWords } from "@herdwise/contract";
import { beginningForm, type ContractForm } from "@herdwise/contract/contract-text";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link, useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { ContractDocument } from "../../shared/contracts/document.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { ProcessHead } from "../../shared/process/process-page.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { deskKey } from "./desk-key.ts";
import { FormEditor } from "./form-editor.tsx";

const listPath = "/customer/contractTemplate";

function Editor({ words }: { words: TemplateWords }) {
  const t = useTranslate();
  const nameOf = useNames();
  const client = useQueryClient();
  const { user } = useAccess();
  const { id, versionNumber } = words;
  const initial = (words.form as ContractForm | undefined) ?? beginningForm(words.templateName);
  const [{ form }, change, forget] = useDraft<{ form: ContractForm }>(
    `contract template ${user.user_id} ${id} ${versionNumber}`,
    { form: initial },
  );
  const { form: element, busy, refused, submit } = useSubmission();
  const dirty = versionNumber === 0 || JSON.stringify(form) !== JSON.stringify(initial);
  useUnsaved(dirty && versionNumber > 0);
  const save = async (): Promise<void> => {
    if (
      !(await submit(() => call(templateSaveWords, { body: { id, versionNumber, form: form as never }, quiet: true })))
    )
      return;
    forget();
    showToast({ kind: "ok", text: "模板存好了，之后起草的合同用这一版" });
    await client.invalidateQueries({ queryKey: deskKey });
  };
  return (
    <>
      <ProcessHead
        title={<Translated text={words.templateName} />}
        meta={
          <>
            <span>{versionNumber === 0 ? t("还没有正文") : t("第 {version} 版", { version: versionNumber })}</span>
            {words.savedBy !== "" && (
              <span className="num">
                {nameOf(words.savedBy)} {words.savedTime}
              </span>
            )}
          </>
        }
        actions={
          <a className={`btn ${styles.toPaper}`} href="#template-paper">
            {t("看预览")}
          </a>
        }
      />
      <div className={styles.pair}>
        <SubmitForm form={element} className={`card ${styles.form}`} send={save}>
          <FormEditor form={form} onChange={(next) => change({ form: next })} />
          <Refusal text={refused} />
          <div className={styles.actions}>
            <Button kind="primary" type="submit" isDisabled={busy || !dirty}>
              {t("存成第 {version} 版", { version: versionNumber + 1 })}
            </Button>
          </div>
        </SubmitForm>
        <div id="template-paper">
          <ContractDocument
            words={{ form: form as never, values: {}, terms: [] }}
            customer={t("（客户）")}
            group={t("（集团）")}
            number={t("编号在存草稿时给")}
          />
        </div>
      </div>
    </>
  );
}

/** Words of a contract template, with how they look on paper. */
export function TemplateEditor() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const id = knownId(search.get("id")) ?? "";
  const loaded = useQuery({
    queryKey: [...deskKey, "words", id],
    queryFn: ({ signal }) => call(templateWords, { query: { id }, signal, quiet: true }),
    enabled: id !== "",
    staleTime: 0,
  });
  return (
    <>
      <Crumbs
        more={[{ name: t("合同模板"), to: listPath }, { name: loaded.data?.templateName ?? t("编辑合同模板") }]}
      />
      {loaded.data ? (
        <Editor key={`${id} ${loaded.data.versionNumber}`} words={loaded.data} />
      ) : (
        <>
          {(id === "" || loaded.error) && <h1 className="visually-hidden">{t("编辑合同模板")}</h1>}
          {id === "" ? (
            <ExceptionView type="noSearchData" title={t("先选一个模板")} text={t("从模板列表点“编辑正文”。")}>
              <Link className="btn primary" to={listPath}>
                {t("去列表")}
              </Link>
            </ExceptionView>
          ) : loaded.error ? (
            <LoadingProblem
              error={asApiError(loaded.error)}
              onRetry={() => void loaded.refetch()}
              what={t("合同模板")}
            />
          ) : (
            <TableSkeleton rows={8} />
          )}
        </>
      )}
    </>
  );
}
