import type { ReactNode } from "react";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useTranslate } from "../language/use-language.ts";
import styles from "./form-dialog.module.css";
import { Refusal } from "./refusal.tsx";
import { SubmitForm } from "./submit-form.tsx";
import type { Submission } from "./use-submission.ts";

interface FormDialogProps {
  /** In the chosen language, as is the action. */
  title: string;
  action: string;
  /** Whether what is filled in may be sent. */
  ready: boolean;
  /** Of `useSubmission`, whose problems stand at the fields. */
  of: Submission<HTMLFormElement>;
  send: () => Promise<unknown>;
  /** After it was taken; the dialog closes by itself. */
  onDone?: () => void;
  onClose: () => void;
  /** Where leaving has to forget something, too. */
  onCancel?: () => void;
  children: ReactNode;
}

/** Asks for a few values and sends them by its button or Enter; a refusal stands beside the button and keeps it open. */
export function FormDialog({
  title,
  action,
  ready,
  of,
  send,
  onDone,
  onClose,
  onCancel = onClose,
  children,
}: FormDialogProps) {
  const t = useTranslate();
  const submit = async (): Promise<void> => {
    if (!ready || of.busy || !(await of.submit(send))) return;
    onDone?.();
    onClose();
  };
  return (
    <Dialog
      title={title}
      onClose={onClose}
      footer={
        <>
          <Refusal text={of.refused} />
          <Button onPress={onCancel}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={of.busy || !ready} onPress={() => void submit()}>
            {action}
          </Button>
        </>
      }
    >
      <SubmitForm form={of.form} className={styles.form} send={submit}>
        {children}
      </SubmitForm>
    </Dialog>
  );
}
