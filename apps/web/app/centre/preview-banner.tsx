import { useState } from "react";
import { Icon } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { useNames } from "../shared/language/use-names.ts";
import { leavePreview } from "../shared/session/preview.ts";

/** Stands above everything while the portal is shown as a role sees it. */
export function PreviewBanner({ roleName }: { roleName: string }) {
  const t = useTranslate();
  const nameOf = useNames();
  const [leaving, setLeaving] = useState(false);
  return (
    <aside className="preview-banner" aria-label={t("角色预览")}>
      <Icon name="eye" small />
      <p>
        <b>{t("以角色“{role}”预览", { role: nameOf(roleName) })}</b>
        <span>{t("只能看，不能改；看到的不会超出您自己的权限。")}</span>
      </p>
      <button
        type="button"
        className="btn small"
        disabled={leaving}
        onClick={() => {
          setLeaving(true);
          void leavePreview();
        }}
      >
        {t("退出预览")}
      </button>
    </aside>
  );
}
