import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { useTranslate } from "../language/use-language.ts";

interface LeaveDialogProps {
  /** Description of the unsaved input, in the chosen language. */
  children: string;
  onDiscard: () => void;
  /** Leaves and keeps the input as a draft for the next visit. */
  onKeep: () => void;
  onStay: () => void;
}

/** Asks before unsaved input is left. */
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
