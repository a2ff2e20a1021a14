import { useEffect, useRef } from "react";
import { useTranslate } from "../shared/language/use-language.ts";
import styles from "./shortcuts-dialog.module.css";

const groups: readonly { title: string; keys: readonly (readonly [string, string])[] }[] = [
  {
    title: "到处",
    keys: [
      ["Ctrl K", "查找一切"],
      ["?", "这张快捷键表"],
      ["Esc", "关闭打开的东西"],
    ],
  },
  {
    title: "列表",
    keys: [
      ["/", "查找"],
      ["N", "新增"],
      ["↑ ↓", "上一行、下一行"],
      ["Enter, E", "打开这一行"],
      ["H", "改动记录"],
      ["C", "复制名称"],
      ["Space", "选择这一行"],
      ["Del", "删除"],
    ],
  },
  {
    title: "树",
    keys: [
      ["→ ←", "展开、收起"],
      ["Alt ↑ ↓", "在同级里移动"],
      ["Alt → ←", "移到上一行之下、移出一级"],
    ],
  },
  { title: "单元", keys: [["[ ]", "上一单元、下一单元"]] },
  { title: "表单", keys: [["Ctrl Enter", "保存"]] },
];

/** What can be done by keyboard. */
export function ShortcutsDialog({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    const opened = dialog.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={dialog}
      className={styles.dialog}
      aria-labelledby="shortcuts-title"
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={() => undefined}
    >
      <h2 id="shortcuts-title">{t("快捷键")}</h2>
      <div className={styles.groups}>
        {groups.map(({ title, keys }) => (
          <section key={title}>
            <h3>{t(title)}</h3>
            <dl>
              {keys.map(([key, does]) => (
                <div key={key}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{t(does)}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
      <button type="button" className="btn" onClick={onClose}>
        {t("关闭")}
      </button>
    </dialog>
  );
}
