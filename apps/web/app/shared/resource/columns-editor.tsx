import { useEffect, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { GridList, GridListItem } from "react-aria-components/GridList";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { Icon } from "../icons/icon.tsx";
import { Button } from "../kit/button.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { useTranslate } from "../language/use-language.ts";
import { arranged, boundedWidth, type Column, type ColumnChoice, isShown, moved, widthBounds } from "./columns.ts";
import styles from "./columns-editor.module.css";

interface ColumnsEditorProps {
  columns: readonly Column[];
  choice: ColumnChoice;
  /** Column with the row's name, which can't be hidden. */
  title: string;
  onChoice: (choice: ColumnChoice) => void;
  onReset: () => void;
  onClose: () => void;
}

interface WidthInputProps {
  label: string;
  width: number;
  onWidth: (width: number) => void;
}

/** Input of a column's width in pixels; it takes effect on Enter and on blur. */
function WidthInput({ label, width, onWidth }: WidthInputProps) {
  const [text, setText] = useState(String(width));
  useEffect(() => setText(String(width)), [width]);
  const commit = (): void => {
    const typed = boundedWidth(Number(text) || width);
    setText(String(typed));
    if (typed !== width) onWidth(typed);
  };
  return (
    <span className={styles.width}>
      <input
        type="number"
        aria-label={label}
        min={widthBounds.min}
        max={widthBounds.max}
        step={4}
        value={text}
        onChange={(event) => setText(event.target.value)}
        onBlur={commit}
        onKeyDown={(event) => {
          if (event.key === "Enter") commit();
        }}
      />
      <i>px</i>
    </span>
  );
}

/** Editor for visibility, order, width and pinning of columns, by pointer or keyboard. */
export function ColumnsEditor({ columns, choice, title, onChoice, onReset, onClose }: ColumnsEditorProps) {
  const t = useTranslate();
  const order = arranged(columns, choice);
  const shownCount = order.filter((column) => isShown(column, choice, title)).length;
  const { dragAndDropHooks } = useDragAndDrop({
    getItems: (keys) => [...keys].map((key) => ({ "text/plain": String(key) })),
    onReorder: ({ keys, target }) => {
      const [id] = [...keys].map(String);
      if (id === undefined) return;
      const rest = order.map((column) => column.id).filter((held) => held !== id);
      const at = rest.indexOf(String(target.key)) + (target.dropPosition === "after" ? 1 : 0);
      onChoice(moved(columns, choice, id, rest[at]));
    },
  });
  return (
    // Handled in the capture phase, because the list inside stops key events, including Escape.
    <div className={styles.editor} onKeyDownCapture={(event) => event.key === "Escape" && onClose()}>
      <header>
        <b>{t("列")}</b>
        <span>
          {t("显示 {shown} 列，另 {hidden} 列未显示", { shown: shownCount, hidden: order.length - shownCount })}
        </span>
      </header>
      <GridList
        className={styles.list ?? ""}
        aria-label={t("列，拖动排序")}
        items={order}
        dragAndDropHooks={dragAndDropHooks}
        keyboardNavigationBehavior="tab"
        dependencies={[choice]}
      >
        {(column) => {
          const label = t(column.label);
          const shown = isShown(column, choice, title);
          const isPinned = choice.pinned.includes(column.id);
          return (
            <GridListItem id={column.id} textValue={label} className={styles.item ?? ""}>
              <AriaButton slot="drag" className={styles.grip ?? ""} aria-label={t("移动 {label}", { label })}>
                <Icon name="grip" small />
              </AriaButton>
              <label className={styles.name}>
                <CheckBox
                  checked={shown}
                  disabled={column.id === title}
                  onChange={(event) =>
                    onChoice({ ...choice, shown: { ...choice.shown, [column.id]: event.target.checked } })
                  }
                />
                {label}
              </label>
              {shown && (
                <>
                  <WidthInput
                    label={t("{label}的宽度，像素", { label })}
                    width={choice.widths[column.id] ?? column.width}
                    onWidth={(width) => onChoice({ ...choice, widths: { ...choice.widths, [column.id]: width } })}
                  />
                  <AriaButton
                    className={styles.pin ?? ""}
                    aria-pressed={isPinned}
                    aria-label={t(isPinned ? "不再固定 {label}" : "固定 {label}", { label })}
                    onPress={() =>
                      onChoice({
                        ...choice,
                        pinned: isPinned
                          ? choice.pinned.filter((id) => id !== column.id)
                          : [...choice.pinned, column.id],
                      })
                    }
                  >
                    <Icon name="pin" small />
                  </AriaButton>
                </>
              )}
            </GridListItem>
          );
        }}
      </GridList>
      <footer>
        <span>{t("随账号保存")}</span>
        <Button kind="link" onPress={onReset}>
          {t("恢复默认")}
        </Button>
      </footer>
    </div>
  );
}
