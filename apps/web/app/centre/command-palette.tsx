import { farmTree } from "@herdwise/contract";
import { type KeyboardEvent, useEffect, useMemo, useRef, useState } from "react";
import { useNavigate } from "react-router";
import { call } from "../shared/api/call.ts";
import { useLoad } from "../shared/api/use-load.ts";
import { Icon, type IconName, iconOf } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { useNames } from "../shared/language/use-names.ts";
import { useAccess } from "../shared/session/access-context.ts";
import { groupsOf, visibleLeaves } from "../shared/session/menu.ts";

interface Find {
  key: string;
  icon: IconName;
  name: string;
  /** What it is or where it stands, in words. */
  note: string;
  /** What it is found by beside these: what was entered in Chinese. */
  entered: string;
  to: string;
}

const mostShown = 12;
const overviewPath = "/selfCenter/vet/environment/overview";
const unitPath = "/selfCenter/vet/environment/unit";

/** Screens, farms, houses and units that this person may open. */
function useFinds(): Find[] {
  const t = useTranslate();
  const nameOf = useNames();
  const { menu } = useAccess();
  const tree = useLoad("farm-tree", (signal) => call(farmTree, { signal, quiet: true }));
  return useMemo(() => {
    const screens = groupsOf(menu).flatMap((group) =>
      visibleLeaves(group.nodes).map(
        (node): Find => ({
          key: node.id,
          icon: iconOf(node.icon),
          name: t(node.name),
          note: t(group.name),
          entered: `${node.name} ${group.name}`,
          to: node.path,
        }),
      ),
    );
    const place = (key: string, icon: IconName, names: string[], note: string, to: string): Find => ({
      key,
      icon,
      name: names.map(nameOf).join(" "),
      note: nameOf(note),
      entered: [...names, note].join(" "),
      to,
    });
    const places = (tree.value ?? []).flatMap((farm): Find[] => [
      place(farm.id, "farm", [farm.name], farm.regionName, `${overviewPath}?place=${farm.id}`),
      ...farm.houses.flatMap((house): Find[] => [
        place(house.id, "unit", [house.name], farm.name, `${overviewPath}?place=${house.id}`),
        ...house.units.map((unit) =>
          place(unit.id, "environment", [house.name, unit.name], farm.name, `${unitPath}?id=${unit.id}`),
        ),
      ]),
    ]);
    return [...screens, ...places];
  }, [menu, t, nameOf, tree.value]);
}

/** Every word must occur somewhere, so "周家营 3 号" finds units by farm and house. */
const matches = (find: Find, words: readonly string[]): boolean => {
  const text = `${find.name} ${find.note} ${find.entered}`.toLowerCase();
  return words.every((word) => text.includes(word));
};

/** Ctrl-K: finds screens, farms, houses and units by words, by keyboard alone. */
export function CommandPalette({ onClose }: { onClose: () => void }) {
  const t = useTranslate();
  const navigate = useNavigate();
  const dialog = useRef<HTMLDialogElement>(null);
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const finds = useFinds();
  const shown = useMemo(() => {
    const words = text.toLowerCase().split(/\s+/).filter(Boolean);
    return finds.filter((find) => matches(find, words)).slice(0, mostShown);
  }, [finds, text]);
  const current = shown[Math.min(at, shown.length - 1)];

  useEffect(() => dialog.current?.showModal(), []);
  const open = (find: Find | undefined): void => {
    if (!find) return;
    onClose();
    void navigate(find.to);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step !== 0) {
      event.preventDefault();
      setAt((now) => (now + step + shown.length) % Math.max(1, shown.length));
    }
    if (event.key === "Enter") open(current);
  };
  return (
    <dialog
      ref={dialog}
      className="palette"
      aria-label={t("查找")}
      onClose={onClose}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={onKey}
    >
      <div className="palette-in">
        <Icon name="search" />
        <input
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-activedescendant={current ? `find-${current.key}` : undefined}
          aria-label={t("查找页面、场区、单元")}
          placeholder={t("查找页面、场区、单元")}
          value={text}
          onChange={(event) => {
            setText(event.target.value);
            setAt(0);
          }}
        />
        <kbd>Esc</kbd>
      </div>
      <div id="palette-list" role="listbox" aria-label={t("查找结果")}>
        {shown.map((find, index) => (
          <div
            key={find.key}
            id={`find-${find.key}`}
            role="option"
            tabIndex={-1}
            aria-selected={find === current}
            onClick={() => open(find)}
            onKeyDown={() => undefined}
            onMouseMove={() => setAt(index)}
          >
            <Icon name={find.icon} />
            <span>{find.name}</span>
            <small>{find.note}</small>
          </div>
        ))}
      </div>
      {shown.length === 0 && (
        <p className="palette-none">{t("没有找到“{text}”。换个词，或只写场区或舍的名字。", { text })}</p>
      )}
    </dialog>
  );
}
