import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { Icon, type IconName } from "../icons/icon.tsx";
import { Button, type ButtonKind } from "../kit/button.tsx";
import { MenuButton } from "../kit/menu.tsx";
import { useTranslate } from "../language/use-language.ts";
import { showToast } from "../states/toast-store.ts";
import type { EventPlace } from "./event-dialog.tsx";

export interface Action<Event extends string> {
  event: Event;
  /** A key of the translations. */
  word: string;
  /** While it is done, where that takes a moment. */
  busyWord?: string;
  kind?: ButtonKind;
  isDisabled?: boolean;
  icon?: IconName;
  /** Under "more", where an icon is needed. */
  more?: true;
  /** Goes on at another page. */
  to?: string;
  /** Done at once; a refusal shows as a toast. */
  act?: () => Promise<unknown>;
  /** Said when it is done, a key of the translations. */
  done?: string;
  /** Asked first, under `title`; under the word, where that is left out. */
  ask?: (place: EventPlace) => ReactNode;
  title?: string;
}

interface ActionBarProps<Event extends string> {
  row: { id: string; may: readonly string[] };
  /** Begins the ids of the fields that are asked for. */
  prefix: string;
  actions: readonly Action<Event>[];
  reload: () => void;
}

/** What may be done with a row now. */
export function ActionBar<Event extends string>({ row, prefix, actions, reload }: ActionBarProps<Event>) {
  const t = useTranslate();
  const [asked, setAsked] = useState<Event>();
  const [busy, setBusy] = useState<Event>();
  const offered = actions.filter(({ event }) => row.may.includes(event));
  const start = async ({ event, act, done = "已登记" }: Action<Event>): Promise<void> => {
    if (!act) return setAsked(event);
    setBusy(event);
    await act().then(
      () => showToast({ kind: "ok", text: done }),
      () => undefined,
    );
    setBusy(undefined);
    reload();
  };
  const button = (action: Action<Event>) =>
    action.to !== undefined ? (
      <Link key={action.event} className="btn" to={action.to}>
        {action.icon && <Icon name={action.icon} small />}
        {t(action.word)}
      </Link>
    ) : (
      <Button
        key={action.event}
        kind={action.kind ?? "plain"}
        {...(action.icon && { icon: action.icon })}
        isDisabled={busy !== undefined || action.isDisabled === true}
        onPress={() => void start(action)}
      >
        {t(busy === action.event ? (action.busyWord ?? action.word) : action.word)}
      </Button>
    );
  // What is asked stays open when the row moves on, so that a refusal can be read.
  const open = actions.find(({ event }) => event === asked);
  const more = offered.filter((action) => action.more);
  return (
    <>
      {offered.filter((action) => !action.more).map(button)}
      {more.length > 0 && (
        <MenuButton
          button={<Button icon="more">{t("更多")}</Button>}
          label={t("更多")}
          actions={more.map((action) => ({
            id: action.event,
            icon: action.icon ?? "more",
            name: t(action.word),
            onAction: () => void start(action),
          }))}
        />
      )}
      {open?.ask?.({
        id: row.id,
        event: open.event,
        prefix,
        title: t(open.title ?? open.word),
        done: open.done ?? "已登记",
        onClose: () => setAsked(undefined),
        onDone: reload,
      })}
    </>
  );
}
