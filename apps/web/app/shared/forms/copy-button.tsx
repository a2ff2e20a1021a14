import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { showToast } from "../states/toast-store.ts";

/**
 * Copies a text. Browsers give the clipboard to secure pages only; on a farm's plain-http address the older way through a
 * selected field still works.
 * @returns whether it was copied
 */
export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    const field = document.createElement("textarea");
    field.value = text;
    field.style.position = "fixed";
    field.style.opacity = "0";
    // Inside an open dialog, for everything behind one can't take the focus.
    (document.querySelector("dialog[open]") ?? document.body).append(field);
    field.select();
    try {
      return document.execCommand("copy");
    } finally {
      field.remove();
    }
  }
}

/** Copies a text and says whether it worked (product.md 2). */
export function CopyButton({ text, label }: { text: string; label: string }) {
  const t = useTranslate();
  const copy = async (): Promise<void> => {
    const copied = await copyText(text);
    showToast(copied ? { kind: "ok", text: "复制成功" } : { kind: "error", text: "复制失败，请手动选择后复制" });
  };
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={t("复制{what}", { what: label })}
      onClick={() => void copy()}
    >
      <Icon name="copy" small />
    </button>
  );
}
