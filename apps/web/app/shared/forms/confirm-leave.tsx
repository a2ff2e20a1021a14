import { useTranslate } from "../language/use-language.ts";
import { Confirm } from "../states/confirm.tsx";

interface ConfirmLeaveProps {
  onLeave: () => void;
  onStay: () => void;
}

/** Asks before a form with unsent changes is closed. */
export function ConfirmLeave({ onLeave, onStay }: ConfirmLeaveProps) {
  const t = useTranslate();
  return (
    <Confirm title={t("放弃改动？")} action={t("放弃")} onConfirm={async () => onLeave()} onClose={onStay}>
      <p>{t("改动还没有保存，关闭后会丢失。")}</p>
    </Confirm>
  );
}
