import { type ReactNode, useState } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Heading } from "react-aria-components/Heading";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useTranslate } from "../language/use-language.ts";
import { Button, type ButtonKind } from "./button.tsx";
import styles from "./dialog.module.css";

interface DialogProps {
  /** In the chosen language. */
  title: ReactNode;
  children: ReactNode;
  /** Actions, the main one last. */
  footer: ReactNode;
  onClose: () => void;
  /** `medium` is for several fields with an answer, `wide` for tables. */
  size?: "regular" | "medium" | "wide";
  /** An alert dialog, which screen readers announce at once. */
  alert?: boolean;
}

/** A modal dialog. */
export function Dialog({ title, children, footer, onClose, size = "regular", alert = false }: DialogProps) {
  return (
    <ModalOverlay
      className={styles.overlay ?? ""}
      isOpen
      onOpenChange={(open) => !open && onClose()}
      isDismissable={!alert}
    >
      <Modal className={styles.modal ?? ""} data-size={size}>
        <AriaDialog className={styles.dialog ?? ""} role={alert ? "alertdialog" : "dialog"}>
          <Heading slot="title" level={2} className={styles.title ?? ""}>
            {title}
          </Heading>
          <div className={styles.body}>{children}</div>
          <div className={styles.footer}>{footer}</div>
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}

interface ConfirmDialogProps {
  title: string;
  /** Consequences of the action. */
  children: ReactNode;
  /** Name of the action. */
  action: string;
  kind?: ButtonKind;
  /** If the promise is rejected the dialog stays open; the caller shows the error. */
  onConfirm: () => Promise<void> | void;
  onClose: () => void;
  ready?: boolean;
}

/** Asks for confirmation and names the consequences. */
export function ConfirmDialog({
  title,
  children,
  action,
  kind = "danger",
  onConfirm,
  onClose,
  ready = true,
}: ConfirmDialogProps) {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const confirm = async (): Promise<void> => {
    setBusy(true);
    try {
      await onConfirm();
      onClose();
    } catch {
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={title}
      alert
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={busy} autoFocus={kind === "danger"}>
            {t("取消")}
          </Button>
          <Button kind={kind} onPress={() => void confirm()} isDisabled={busy || !ready} autoFocus={kind !== "danger"}>
            {action}
          </Button>
        </>
      }
    >
      {children}
    </Dialog>
  );
}
