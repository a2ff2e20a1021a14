import { alarmMaskingSubmit } from "@herdwise/contract";
import { type KeyboardEvent, type MouseEvent, useEffect, useId, useLayoutEffect, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./palette.module.css";
import { type Group, type MutedPlace, type Row, useGroups } from "./use-groups.ts";

/** How long alarms of a place are muted, minutes. */
const lengths = [30, 60, 120, 240, 480] as const;
/** Actions that leave the page are not offered as opened last. */
const neverKept: ReadonlySet<string> = new Set(["action:log-out"]);

async function mute({ scope, scopeId, name }: MutedPlace, minutes: number): Promise<void> {
  // A refusal shows as a toast.
  await call(alarmMaskingSubmit, { body: { scope, scopeId, minutes, reason: "在查找里屏蔽" } }).then(
    () => showToast({ kind: "ok", text: "已屏蔽“{name}”，可在告警规则里提前结束", values: { name } }),
    () => undefined,
  );
}

function useMuteGroup(place: MutedPlace | undefined, done: () => void): readonly Group[] {
  const t = useTranslate();
  if (place === undefined) return [];
  const rows = lengths.map(
    (minutes): Row => ({
      key: `minutes-${minutes}`,
      icon: "clock",
      name: minutes < 60 ? t("{count} 分钟", { count: minutes }) : t("{count} 小时", { count: minutes / 60 }),
      note: "",
      act: () => {
        done();
        void mute(place, minutes);
      },
    }),
  );
  return [{ id: "minutes", name: t("屏蔽“{name}”多久", { name: place.name }), rows }];
}

interface OptionProps {
  row: Row;
  isCurrent: boolean;
  onOpen: (inNewTab: boolean) => void;
  onPoint: () => void;
}

function Option({ row: { key, icon, name, code, note, state }, isCurrent, onOpen, onPoint }: OptionProps) {
  const open = (event: MouseEvent): void => onOpen(event.ctrlKey || event.metaKey || event.button === 1);
  return (
    <div
      id={`find-${key}`}
      role="option"
      tabIndex={-1}
      aria-selected={isCurrent}
      onClick={open}
      onAuxClick={(event) => event.button === 1 && open(event)}
      onKeyDown={() => undefined}
      onMouseMove={onPoint}
    >
      <Icon name={icon} />
      <span className={styles.name}>
        <span>{name}</span>
        {code && <span className="num">{code}</span>}
      </span>
      {note && <small>{note}</small>}
      {state && <StateTag {...state} plain />}
    </div>
  );
}

interface PaletteProps {
  /** What was typed before this was here; more may come until this is drawn. */
  typed: { readonly current: string };
  onClose: () => void;
}

/** Ctrl-K: finds everything that has a screen, and does what can be done at once, by keyboard alone. */
export function Palette({ typed, onClose }: PaletteProps) {
  const t = useTranslate();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const [text, setText] = useState(typed.current);
  const [at, setAt] = useState<string>();
  const [muting, setMuting] = useState<MutedPlace>();
  const { groups: found, isWaiting, error, note } = useGroups(text);
  const lengthsOf = useMuteGroup(muting, onClose);
  const groups = muting ? lengthsOf : found;
  const rows = groups.flatMap((group) => group.rows);
  // The chosen line stays chosen while others arrive.
  const current = rows.find(({ key }) => key === at) ?? rows[0];

  // React may draw this up to 300 ms after it was rendered.
  useLayoutEffect(() => {
    setText(typed.current);
    dialog.current?.showModal();
    dialog.current?.querySelector("input")?.setSelectionRange(typed.current.length, typed.current.length);
  }, [typed]);
  const currentKey = current?.key;
  useEffect(() => {
    if (currentKey) document.getElementById(`find-${currentKey}`)?.scrollIntoView({ block: "nearest" });
  }, [currentKey]);

  const open = (row: Row | undefined, inNewTab = false): void => {
    if (row === undefined) return;
    if (row.mutes) {
      setMuting(row.mutes);
      setAt(undefined);
      return;
    }
    if (!neverKept.has(row.key) && !row.key.startsWith("minutes-")) note(row.key);
    if (row.to && inNewTab) {
      window.open(row.to, "_blank", "noopener");
      return;
    }
    onClose();
    if (row.to) void navigate(row.to);
    else row.act?.();
  };
  const type = (next: string): void => {
    setText(next);
    setAt(undefined);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1, PageDown: 6, PageUp: -6 }[event.key];
    if (step !== undefined && rows.length > 0) {
      event.preventDefault();
      const from = current ? rows.indexOf(current) : 0;
      const to = Math.abs(step) === 1 ? (from + step + rows.length) % rows.length : from + step;
      setAt(rows[Math.max(0, Math.min(rows.length - 1, to))]?.key);
    }
    if (event.key === "Enter" && !event.nativeEvent.isComposing) {
      event.preventDefault();
      open(current, event.ctrlKey || event.metaKey);
    }
  };
  const isTyped = text.trim() !== "";
  const isNothing = rows.length === 0 && !isWaiting && !error && isTyped;
  const label = t("查找一切");
  return (
    <dialog
      ref={dialog}
      className={`palette ${styles.palette}`}
      aria-label={t("查找")}
      onClose={onClose}
      onCancel={(event) => {
        // One step back before the way out.
        if (muting === undefined) return;
        event.preventDefault();
        setMuting(undefined);
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={onKey}
    >
      <div className="palette-in">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded={rows.length > 0}
          aria-autocomplete="list"
          aria-controls={`${id}-list`}
          aria-activedescendant={current && `find-${current.key}`}
          aria-label={label}
          aria-busy={isWaiting}
          placeholder={t("查找页面、场区、设备、单据、人……")}
          autoComplete="off"
          spellCheck={false}
          enterKeyHint="go"
          readOnly={muting !== undefined}
          value={muting ? t("屏蔽 {name}", { name: muting.name }) : text}
          onChange={({ target }) => type(target.value)}
        />
        {isTyped && !muting && (
          <button
            type="button"
            className="icon-button"
            aria-label={t("清空")}
            onClick={(event) => {
              type("");
              event.currentTarget.parentElement?.querySelector("input")?.focus();
            }}
          >
            <Icon name="close" small />
          </button>
        )}
        <button type="button" className={styles.close} onClick={onClose}>
          <kbd>Esc</kbd>
          <span>{t("关闭")}</span>
        </button>
      </div>
      <div id={`${id}-list`} className={styles.list} role="listbox" aria-label={t("查找结果")}>
        {groups.map((group) => (
          <fieldset key={group.id} aria-labelledby={`${id}-${group.id}`}>
            <div id={`${id}-${group.id}`} role="presentation" className={styles.group}>
              {group.name}
            </div>
            {group.rows.map((row) => (
              <Option
                key={row.key}
                row={row}
                isCurrent={row === current}
                onOpen={(inNewTab) => open(row, inNewTab)}
                onPoint={() => setAt(row.key)}
              />
            ))}
          </fieldset>
        ))}
      </div>
      {isNothing && (
        <p className="palette-none">
          {t("没有找到“{text}”。换个词试试：名称、编号、拼音或首字母都可以。", { text: text.trim() })}
        </p>
      )}
      {error && (
        <p className={styles.problem} role="alert">
          {error.code === 0
            ? t("连不上服务器：只找到页面与操作，恢复后自动再找。")
            : t("没有取到{what}：{reason}", { what: t("查找结果"), reason: tellIn(t, error) })}
        </p>
      )}
      <p className={styles.foot}>
        <span role="status">
          {isWaiting ? t("正在查找……") : isTyped && rows.length > 0 ? t("{count} 个结果", { count: rows.length }) : ""}
        </span>
        <span className={styles.keys}>
          <kbd>↑↓</kbd> {t("选择")} <kbd>Enter</kbd> {t("打开")} <kbd>Ctrl Enter</kbd> {t("在新标签页打开")}
        </span>
      </p>
    </dialog>
  );
}
