import { correctionRemove, correctionSubmit, type Translation } from "@herdwise/contract";
import { type FormEvent, useRef, useState } from "react";
import { ApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { TextField } from "../../shared/forms/fields.tsx";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import { Problem } from "../../shared/forms/problem.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { Confirm } from "../../shared/states/confirm.tsx";
import { showToast } from "../../shared/states/toast-store.ts";

interface CorrectionFormProps {
  /** An empty source: a new one. */
  row: Translation;
  onDone: () => void;
  onClose: () => void;
}

/** One text and its translation. */
export function CorrectionForm({ row, onDone, onClose }: CorrectionFormProps) {
  const t = useTranslate();
  const form = useRef<HTMLFormElement>(null);
  const [source, setSource] = useState(row.source);
  const [translation, setTranslation] = useState(row.translation);
  const [problems, setProblems] = useState<{ source?: string; translation?: string; form?: string }>({});
  const [busy, setBusy] = useState(false);
  const [asking, setAsking] = useState<"leave" | "forget">();
  const isNew = row.source === "";
  // What a machine made can be confirmed as it stands.
  const changed = source !== row.source || translation !== row.translation;
  useUnsaved(changed);
  const close = (): void => (changed ? setAsking("leave") : onClose());
  const save = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    const found = {
      ...(source.trim() === "" && { source: "请输入原文" }),
      ...(translation.trim() === "" && { translation: "请输入译文" }),
    };
    setProblems(found);
    if (Object.keys(found).length > 0) return focusFirstProblem(form.current);
    setBusy(true);
    try {
      await call(correctionSubmit, { body: { source, language: row.language, translation }, quiet: true });
      showToast({ kind: "ok", text: "操作成功" });
      onDone();
    } catch (error) {
      setProblems({ form: error instanceof ApiError ? error.message : "未知错误" });
    } finally {
      setBusy(false);
    }
  };
  const forget = async (): Promise<void> => {
    await call(correctionRemove, { body: { source: row.source, language: row.language } });
    showToast({ kind: "ok", text: "操作成功" });
    onDone();
  };
  return (
    <>
      <Drawer
        title={isNew ? t("新增译文") : t("校对译文")}
        onClose={close}
        footer={
          <>
            {!isNew && (
              <button type="button" className="btn danger" onClick={() => setAsking("forget")}>
                {t("删除")}
              </button>
            )}
            <span className="spacer" />
            <button type="button" className="btn" onClick={close}>
              {t("取消")}
            </button>
            <button
              type="submit"
              form="correction-form"
              className="btn primary"
              disabled={busy || (!changed && !row.machine)}
            >
              {changed || !row.machine ? t("保存") : t("确认无误")}
            </button>
          </>
        }
      >
        <form id="correction-form" ref={form} onSubmit={(event) => void save(event)} noValidate>
          <TextField
            id="correction-source"
            label={t("原文")}
            autoComplete="off"
            required
            disabled={!isNew}
            maxLength={2000}
            value={source}
            onChange={(value) => {
              setSource(value);
              setProblems({});
            }}
            problem={problems.source && t(problems.source)}
          />
          <TextField
            id="correction-translation"
            label={row.language === "en" ? t("英文") : t("简体中文")}
            autoComplete="off"
            required
            maxLength={4000}
            value={translation}
            onChange={(value) => {
              setTranslation(value);
              setProblems({});
            }}
            problem={problems.translation && t(problems.translation)}
            hint={
              changed && !isNew ? t("原为：{before}", { before: row.translation }) : t("保存后优先于术语表和机器翻译。")
            }
          />
          <Problem id="correction-problem" text={problems.form && t(problems.form)} />
        </form>
      </Drawer>
      {asking === "leave" && <ConfirmLeave onLeave={onClose} onStay={() => setAsking(undefined)} />}
      {asking === "forget" && (
        <Confirm title={t("删除这条译文？")} action={t("删除")} onConfirm={forget} onClose={() => setAsking(undefined)}>
          <p>{t("之后由术语表或机器重新翻译。")}</p>
        </Confirm>
      )}
    </>
  );
}
