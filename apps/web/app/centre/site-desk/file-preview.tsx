import type { ReactNode } from "react";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";

/** What a file looks like to who has the address of its preview. @param about who may see it until when, in the chosen language */
export function FilePreview({
  about,
  beside,
  onClose,
  children,
}: {
  about: string;
  /** Before the button that closes it. */
  beside?: ReactNode;
  onClose: () => void;
  children: ReactNode;
}) {
  const t = useTranslate();
  return (
    <Dialog
      title={t("预览")}
      size="wide"
      onClose={onClose}
      footer={
        <>
          {beside}
          <Button kind="primary" onPress={onClose}>
            {t("完成")}
          </Button>
        </>
      }
    >
      <p className="mut">{about}</p>
      {children}
    </Dialog>
  );
}
