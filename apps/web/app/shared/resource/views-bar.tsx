import { useQueries } from "@tanstack/react-query";
import { useCallback, useEffect, useId, useMemo, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Button, IconButton } from "../kit/button.tsx";
import { MenuButton } from "../kit/menu.tsx";
import { PopoverButton } from "../kit/popover.tsx";
import { useMore } from "../kit/use-more.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { countOf } from "./resource-api.ts";
import type { UsedList } from "./use-list.ts";
import { differs, freeId, mostViews, queueOf, type View, viewOf } from "./views.ts";
import styles from "./views-bar.module.css";

/** Number of rows by the id of a view of the list; undefined for a view without one. */
export type ViewCounts = Readonly<Record<string, number | undefined>>;

/** Form for the name of a view. */
function NameForm({ initial, onName }: { initial: string; onName: (name: string) => void }) {
  const t = useTranslate();
  const id = useId();
  const [name, setName] = useState(initial);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => input.current?.focus(), []);
  return (
    <form
      className={styles.form}
      onSubmit={(event) => {
        event.preventDefault();
        if (name.trim() !== "") onName(name.trim());
      }}
    >
      <label htmlFor={id}>{t("视图名称")}</label>
      <input
        ref={input}
        id={id}
        className="input"
        maxLength={20}
        value={name}
        onChange={(event) => setName(event.target.value)}
      />
      <Button kind="primary" small type="submit" isDisabled={name.trim() === ""}>
        {t("保存")}
      </Button>
    </form>
  );
}

/** Width of the fade at the end of tabs that go on beyond it, px. */
const fadePx = 28;
const everything = { keyword: "", where: {}, sort: undefined };

/** Queues and saved views as tabs; for a changed view it offers to save, save as new, or reset. */
export function ViewsBar({ list, counts: given }: { list: UsedList; counts: ViewCounts | undefined }) {
  const { of, state, change, choice, setChoice, queueNames, queue } = list;
  const { views } = choice;
  const onViews = (views: readonly View[]): void => setChoice({ ...choice, views });
  const t = useTranslate();
  const { number } = useFormats();
  const fixed = useMemo(
    (): readonly View[] =>
      (of.views ?? []).map(({ id, name, where }) => ({ id, name: t(name), keyword: "", where, sort: undefined })),
    [of, t],
  );
  const shown = [...fixed, ...views];
  // They are counted once the rows of the list are loaded.
  const counts = useQueries({
    queries: shown.map((view, index) => ({
      ...countOf(of, view),
      enabled: list.items !== undefined && !(given && index < fixed.length),
    })),
  });
  const [renaming, setRenaming] = useState(false);
  const current = shown.find(({ id }) => id === state.view);
  const marked = current ?? fixed.find(({ id }) => id === queue?.id);
  const own = views.find((view) => view === current);
  const changed = differs(current ?? everything, state);
  /** Chooses a queue, and keeps the conditions that narrow it. */
  const showQueue = (view: View | undefined): void =>
    change(({ where }) => {
      const narrowed = Object.entries(where).filter(([name]) => !queueNames.includes(name));
      return { where: { ...Object.fromEntries(narrowed), ...view?.where }, view: "" };
    });
  const show = (view: View | undefined): void =>
    change({
      ...(view ? { keyword: view.keyword, where: view.where, sort: view.sort } : everything),
      view: view?.id ?? "",
    });
  const showFixed = queueNames.length > 0 ? showQueue : show;
  const tabs = useRef<HTMLDivElement>(null);
  const more = useMore<HTMLDivElement>();
  const hold = useCallback(
    (bar: HTMLDivElement | null) => {
      tabs.current = bar;
      return more(bar);
    },
    [more],
  );
  const known = shown.filter((_, index) => counts[index]?.data !== undefined).length;
  // Counts widen the tabs before the chosen one.
  useEffect(() => {
    const bar = tabs.current;
    const chosen = bar?.querySelector<HTMLElement>("[aria-current=true]");
    if (!bar || !chosen) return;
    const beyond = chosen.getBoundingClientRect().right - bar.getBoundingClientRect().right;
    if (beyond > 0) bar.scrollLeft += beyond + fadePx;
  }, [marked?.id, known]);
  const saveAs = (name: string): void => {
    const view = viewOf(freeId(views), name, state);
    onViews([...views, view]);
    change({ view: view.id });
  };
  const replace = (view: View): void => onViews(views.map((held) => (held.id === view.id ? view : held)));
  const room = views.length < mostViews;
  // There is nothing to choose from, and no condition to keep.
  if (shown.length === 0 && !changed) return null;
  return (
    <nav className={styles.bar} aria-label={t("保存的视图")}>
      <div ref={hold} className={styles.tabs}>
        {!queueOf(fixed, queueNames, of.given ?? {}) && (
          <AriaButton
            className={styles.tab ?? ""}
            aria-current={marked === undefined}
            onPress={() => showFixed(undefined)}
          >
            {t("全部")}
          </AriaButton>
        )}
        {shown.map((view, index) => {
          const count = given?.[view.id] ?? counts[index]?.data;
          return (
            <AriaButton
              key={view.id}
              className={styles.tab ?? ""}
              aria-current={view === marked}
              onPress={() => (index < fixed.length ? showFixed : show)(view)}
            >
              {view.name}
              {count !== undefined && count > 0 && <span className={styles.count}>{number(count)}</span>}
            </AriaButton>
          );
        })}
      </div>
      {own && (
        <>
          <MenuButton
            label={t("视图“{name}”", { name: own.name })}
            button={<IconButton small icon="more" label={t("视图“{name}”的操作", { name: own.name })} />}
            actions={[
              { id: "rename", icon: "edit", name: t("改名"), onAction: () => setRenaming(true) },
              {
                id: "remove",
                icon: "trash",
                name: t("删除视图"),
                danger: true,
                onAction: () => {
                  onViews(views.filter((view) => view !== own));
                  show(undefined);
                },
              },
            ]}
          />
          {renaming && (
            <PopoverButton
              label={t("改名")}
              isOpen
              onOpenChange={setRenaming}
              button={<IconButton small icon="edit" label={t("改名")} />}
            >
              {(close) => (
                <NameForm
                  initial={own.name}
                  onName={(name) => {
                    replace({ ...own, name });
                    close();
                  }}
                />
              )}
            </PopoverButton>
          )}
        </>
      )}
      {/* On a phone the place belongs to the tabs until there is a condition to keep. */}
      {room && (!list.narrow || changed) && (
        <PopoverButton
          label={t("把现在的条件存成视图")}
          button={<IconButton small icon="plus" label={t("把现在的条件存成视图")} />}
        >
          {(close) => (
            <NameForm
              initial=""
              onName={(name) => {
                saveAs(name);
                close();
              }}
            />
          )}
        </PopoverButton>
      )}
      {changed && current && (
        <span className={styles.changed} role="status">
          <span>{t("条件已改动")}</span>
          {own && (
            <Button kind="link" onPress={() => replace(viewOf(own.id, own.name, state))}>
              {t("更新视图")}
            </Button>
          )}
          {room && (
            <PopoverButton label={t("另存")} button={<Button kind="link">{t("另存")}</Button>} placement="bottom end">
              {(close) => (
                <NameForm
                  initial=""
                  onName={(name) => {
                    saveAs(name);
                    close();
                  }}
                />
              )}
            </PopoverButton>
          )}
          <Button kind="link" onPress={() => show(current)}>
            {t("还原")}
          </Button>
        </span>
      )}
    </nav>
  );
}
