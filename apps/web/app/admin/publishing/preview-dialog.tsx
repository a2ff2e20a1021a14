import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import styles from "./publishing.module.css";

/** Opens a page in a window as wide as a phone, px. */
const openNarrow = (path: string): void => {
  window.open(path, "preview", "noopener,popup,width=390,height=844");
};

/** The signed address of a version, in both languages. */
export function PreviewDialog({
  preview,
  onClose,
}: {
  preview: { path: string; expiresAt: string };
  onClose: () => void;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <Dialog
      title={t("预览")}
      onClose={onClose}
      footer={
        <Button kind="primary" onPress={onClose}>
          {t("完成")}
        </Button>
      }
    >
      <p>
        {t("有这个链接的人不用登录就能读到这一版，到 {time} 为止。", {
          time: dayTime(parseWireDateTime(preview.expiresAt)),
        })}
      </p>
      <p className={styles.previewed}>
        <a className="btn" href={preview.path} target="_blank" rel="noopener">
          {t("中文预览")}
        </a>
        <a className="btn" href={`${preview.path}&lang=en`} target="_blank" rel="noopener">
          {t("英文预览")}
        </a>
        <Button icon="phone" onPress={() => openNarrow(preview.path)}>
          {t("中文，手机宽度")}
        </Button>
        <Button icon="phone" onPress={() => openNarrow(`${preview.path}&lang=en`)}>
          {t("英文，手机宽度")}
        </Button>
        <CopyButton text={`${location.origin}${preview.path}`} label={t("复制链接")} />
      </p>
    </Dialog>
  );
}
