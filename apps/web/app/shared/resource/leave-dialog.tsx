import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useTranslate } from "../language/use-language.ts";

interface LeaveDialogProps {
  /** What is not saved, in the chosen language. */
  children: string;
  onDiscard: () => void;
  /** Leaves, and what was typed waits for the next visit. */
  onKeep: () => void;
  onStay: () => void;
}

/** Asks before somebody leaves what they have not saved. */
export function LeaveDialog({ children, onDiscard, onKeep, onStay }: LeaveDialogProps) {
  const t = useTranslate();
  return (
    <Dialog
      title={t("还没有保存，要离开吗？")}
      alert
      onClose={onStay}
      footer={
        <>
          <Button kind="danger" onPress={onDiscard}>
            {t("放弃改动")}
          </Button>
          <Button onPress={onKeep}>{t("留作草稿")}</Button>
          <Button kind="primary" onPress={onStay} autoFocus>
            {t("继续填写")}
          </Button>
        </>
      }
    >
      <p>{children}</p>
    </Dialog>
  );
}
