import { type BodyOf, customerExport } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./customers.module.css";

type Filter = Omit<BodyOf<typeof customerExport>, "language" | "personal" | "reason">;

/** A list as a file; with contacts in full only for who may see them, and says why. */
export function ExportDialog({ filter, total, onClose }: { filter: Filter; total: string; onClose: () => void }) {
  const t = useTranslate();
  const language = useLanguage();
  const { permissions, user } = useAccess();
  const mayShow = permissions.has("customer_show");
  const submission = useSubmission();
  const { problems, mend } = submission;
  const [{ personal, reason }, set, forget] = useDraft(`${user.user_id}_customer-export`, {
    personal: false,
    reason: "",
  });
  return (
    <FormDialog
      title={t("导出客户")}
      action={t("导出")}
      ready={!personal || reason.trim() !== ""}
      of={submission}
      send={() =>
        call(customerExport, { body: { ...filter, language, ...(personal && { personal, reason }) }, quiet: true })
      }
      onDone={() => {
        forget();
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      }}
      onClose={onClose}
    >
      <p>{t("按现在的条件导出 {count} 位客户，联系人和手机号只留头尾。", { count: total })}</p>
      {mayShow && (
        <label className={styles.check}>
          <CheckBox checked={personal} onChange={({ target }) => set({ personal: target.checked })} />{" "}
          {t("联系人和手机号写全，每位客户都会在自己的记录里看到")}
        </label>
      )}
      {personal && (
        <TextField
          id="export-reason"
          label={t("为什么需要")}
          value={reason}
          problem={problems.reason}
          autoComplete="off"
          maxLength={120}
          onChange={(value) => {
            set({ reason: value });
            mend("reason");
          }}
        />
      )}
    </FormDialog>
  );
}
