import type { ReactNode } from "react";
import { MomentField } from "../../shared/forms/date-fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";

/** Publishes now, or at a time of the farm's clock. @param onSend the call; `at` as `yyyy-MM-dd HH:mm`, undefined for now */
export function PublishDialog({
  place,
  title,
  children,
  now,
  later,
  onSend,
  onClose,
}: {
  /** What is published: the time that was typed is kept for it. */
  place: string;
  title: string;
  children: ReactNode;
  /** Words of the button for now, and for a time. */
  now: string;
  later: string;
  onSend: (at: string | undefined) => Promise<unknown>;
  onClose: () => void;
}) {
  const t = useTranslate();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const { user } = useAccess();
  const [{ at }, set, forget] = useDraft(`${user.user_id}_publish_${place}`, { at: "" });
  return (
    <FormDialog
      title={title}
      action={at === "" ? now : later}
      ready
      of={submission}
      send={() => onSend(at === "" ? undefined : at)}
      onDone={forget}
      onClose={onClose}
    >
      <p>{children}</p>
      <MomentField
        id="publish-at"
        label={t("时间，北京时间；空着就是现在")}
        value={at}
        problem={problems.at}
        clearable
        onChange={(value) => {
          set({ at: value });
          mend("at");
        }}
      />
    </FormDialog>
  );
}
