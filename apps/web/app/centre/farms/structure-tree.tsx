import type { StructureNode } from "@herdwise/contract";
import { type ReactNode, useMemo, useRef, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Collection } from "react-aria-components/Collection";
import { Tree, TreeItem, TreeItemContent } from "react-aria-components/Tree";
import { useDragAndDrop } from "react-aria-components/useDragAndDrop";
import { ListLayout, Virtualizer } from "react-aria-components/Virtualizer";
import { Icon, type IconName } from "../../shared/icons/icon.tsx";
import { Mark, type MarkName } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useMedia } from "../../shared/kit/use-media.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { severityOrder } from "../alarms/alarm-marks.ts";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import styles from "./farms.module.css";
import { shortName } from "./short-name.ts";
import { nodeKey, type Selection, useFound, useLevels } from "./use-structure.ts";

/** Where a dragged place shall stand. */
export interface Move {
  node: StructureNode;
  /** What it will stand in; undefined for farms. */
  parent: StructureNode | undefined;
  beforeId: string | undefined;
  /** The one behind which it comes, for saying so. */
  afterName: string | undefined;
}

const icons: Readonly<Record<StructureNode["kind"], IconName>> = {
  farm: "map",
  house: "unit",
  unit: "board",
  device: "devices",
};
/** Kind of what a place may be put into. */
const aboveOf = { farm: undefined, house: "farm", unit: "house", device: undefined } as const;
/** Shape of the alarms of a place: of the worst severity, or that somebody knows of all; undefined without alarms. */
export function alarmMark({ alarms, asking, severity }: StructureNode): MarkName | undefined {
  const name = severityOrder[severityOrder.length - severity];
  if (alarms === 0 || name === undefined) return undefined;
  return asking === 0 ? "aside" : severityMarks[name];
}

/** How many alarms a place has, in words. */
export const alarmWords = ({ asking }: StructureNode): string =>
  asking === 0 ? "{count} 条告警，都已知" : "{count} 条告警";

/** Pixels; a finger needs more. */
const rowHeights = { wide: 36, narrow: 44 } as const;

interface TreeProps {
  selection: Selection;
  onSelect: (node: StructureNode) => void;
  /** Undefined where the person may not order. */
  onMove: ((move: Move) => void) | undefined;
  open: ReadonlySet<string>;
  onOpen: (open: ReadonlySet<string>) => void;
  /** Below the tree: what was just done. */
  note: ReactNode;
}

/** The words of a row, with what is looked for marked. */
function Name({ text, word }: { text: string; word: string }) {
  const at = word === "" ? -1 : text.toLowerCase().indexOf(word.toLowerCase());
  if (at < 0) return text;
  return (
    <>
      {text.slice(0, at)}
      <mark>{text.slice(at, at + word.length)}</mark>
      {text.slice(at + word.length)}
    </>
  );
}

/** What a row of the tree says of its place. */
function NodeWords({ node, name, word }: { node: StructureNode; name: string; word: string }) {
  const t = useTranslate();
  const { number } = useFormats();
  const { kind, alarms, inUse, deviceStatus } = node;
  const mark = alarmMark(node);
  return (
    <>
      <Icon name={icons[kind]} small />
      <span className={styles.name}>
        <Name text={name} word={word} />
        {(kind === "device" || word !== "") && (
          <small>
            <Name text={node.code} word={word} />
          </small>
        )}
      </span>
      {!inUse && <span className="mut">{t("停用")}</span>}
      {mark && (
        <span className={`state ${mark}`} title={t(alarmWords(node), { count: number(alarms) })}>
          <Mark name={mark} />
          <span aria-hidden="true">{number(alarms)}</span>
          <span className="visually-hidden">{t(alarmWords(node), { count: number(alarms) })}</span>
        </span>
      )}
      {kind === "device" && alarms === 0 && deviceStatus && <DeviceStatusMark status={deviceStatus} />}
      {kind !== "device" && <span className={`num ${styles.heads}`}>{number(node.headCount)}</span>}
    </>
  );
}

/** Places that hold a word, as a list; choosing one shows it in the tree. */
function Found({ word, onSelect }: { word: string; onSelect: (node: StructureNode) => void }) {
  const t = useTranslate();
  const nameOf = useNames();
  const found = useFound(word);
  if (found.error)
    return <LoadingProblem error={found.error} onRetry={() => void found.refetch()} what={t("猪场结构")} />;
  if (!found.data) return <TableSkeleton rows={4} />;
  if (found.data.length === 0)
    return (
      <p className={styles.none} role="status">
        {t("没有名称或编号含“{word}”的场区、猪舍、单元或设备。", { word })}
      </p>
    );
  return (
    <ul className={styles.found} aria-label={t("找到的")}>
      {found.data.map((node) => (
        <li key={nodeKey(node)}>
          <button type="button" onClick={() => onSelect(node)}>
            <NodeWords node={node} name={nameOf(node.name)} word={word} />
          </button>
        </li>
      ))}
    </ul>
  );
}

/** Farms, houses, units and devices: opened a level at a time, searched, ordered by dragging or by keys. */
export function StructureTree({ selection, onSelect, onMove, open, onOpen, note }: TreeProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const narrow = useMedia("(max-width: 760px)");
  const [word, setWord] = useState("");
  const openKeys = useMemo(() => [...open], [open]);
  const { top, levels } = useLevels(openKeys);
  const byKey = useMemo(() => {
    const all = [...(top.data ?? []), ...[...levels.values()].flatMap((level) => level ?? [])];
    return new Map(all.map((node) => [nodeKey(node), node]));
  }, [top.data, levels]);
  const namesAbove = ({ kind, parentId }: StructureNode): string[] => {
    // A device may hang in a unit, a house or on the farm itself.
    const kinds: readonly StructureNode["kind"][] =
      kind === "device" ? ["unit", "house", "farm"] : [aboveOf[kind] ?? "farm"];
    const above = kinds.flatMap((one) => byKey.get(`${one}:${parentId}`) ?? [])[0];
    return above === undefined ? [] : [...namesAbove(above), nameOf(above.name)];
  };
  const dragged = useRef<StructureNode | undefined>(undefined);
  const siblingsOf = (node: StructureNode): readonly StructureNode[] => {
    const above = aboveOf[node.kind];
    const level = above === undefined ? top.data : levels.get(`${above}:${node.parentId}`);
    return (level ?? []).filter(({ kind }) => kind === node.kind);
  };
  const { dragAndDropHooks } = useDragAndDrop<StructureNode>({
    isDisabled: onMove === undefined,
    getItems: (keys) =>
      [...keys].map((key) => ({ "text/plain": nameOf(byKey.get(String(key))?.name ?? ""), place: String(key) })),
    onDragStart: ({ keys }) => {
      dragged.current = byKey.get(String([...keys][0]));
    },
    onDragEnd: () => {
      dragged.current = undefined;
    },
    getDropOperation: (target) => {
      const node = dragged.current;
      const at = target.type === "item" ? byKey.get(String(target.key)) : undefined;
      if (!node || !at || node.kind === "device" || nodeKey(node) === nodeKey(at)) return "cancel";
      const fits =
        target.type === "item" && target.dropPosition === "on" ? at.kind === aboveOf[node.kind] : at.kind === node.kind;
      return fits ? "move" : "cancel";
    },
    onMove: ({ keys, target }) => {
      const node = byKey.get(String([...keys][0]));
      const at = byKey.get(String(target.key));
      if (!node || !at || !onMove) return;
      if (target.dropPosition === "on") {
        onMove({ node, parent: at, beforeId: undefined, afterName: undefined });
        return;
      }
      const others = siblingsOf(at).filter(({ id }) => id !== node.id);
      const place = others.findIndex(({ id }) => id === at.id) + (target.dropPosition === "after" ? 1 : 0);
      onMove({
        node,
        parent: byKey.get(`${aboveOf[node.kind]}:${at.parentId}`),
        beforeId: others[place]?.id,
        afterName: others[place - 1]?.name,
      });
    },
  });
  const selected = selection.unit
    ? `unit:${selection.unit}`
    : selection.house
      ? `house:${selection.house}`
      : `farm:${selection.farm}`;
  const choose = (node: StructureNode): void => {
    setWord("");
    onSelect(node);
  };
  const item = (node: StructureNode) => {
    const key = nodeKey(node);
    const name = nameOf(node.name);
    return (
      <TreeItem
        id={key}
        textValue={name}
        hasChildItems={node.children > 0}
        className={styles.item ?? ""}
        data-kind={node.kind}
      >
        <TreeItemContent>
          {({ isExpanded, hasChildItems }) => (
            <div className={styles.row}>
              {onMove && node.kind !== "device" ? (
                <AriaButton slot="drag" className={styles.grip ?? ""} aria-label={t("移动 {label}", { label: name })}>
                  <Icon name="grip" small />
                </AriaButton>
              ) : (
                <span className={styles.grip} />
              )}
              {hasChildItems ? (
                <AriaButton slot="chevron" className={styles.chevron ?? ""}>
                  <Icon name={isExpanded ? "down" : "right"} small />
                </AriaButton>
              ) : (
                <span className={styles.chevron} />
              )}
              <NodeWords node={node} name={shortName(name, namesAbove(node))} word="" />
            </div>
          )}
        </TreeItemContent>
        <Collection items={levels.get(key) ?? []} dependencies={[levels, onMove, t]}>
          {item}
        </Collection>
      </TreeItem>
    );
  };
  return (
    <section className={`card ${styles.tree}`} aria-label={t("猪场结构")}>
      <div className={styles.search}>
        <SearchInput label={t("查找场区、单元或设备编号")} value={word} onChange={setWord} />
      </div>
      {word.trim() !== "" && <Found word={word.trim()} onSelect={choose} />}
      {word.trim() === "" && top.error && (
        <LoadingProblem error={top.error} onRetry={() => void top.refetch()} what={t("猪场结构")} />
      )}
      {word.trim() === "" && !top.error && !top.data && <TableSkeleton rows={8} />}
      {word.trim() === "" && top.data && (
        <Virtualizer layout={ListLayout} layoutOptions={{ rowHeight: rowHeights[narrow ? "narrow" : "wide"] }}>
          <Tree
            className={styles.scroll ?? ""}
            aria-label={t("猪场结构")}
            items={top.data}
            dependencies={[levels, onMove, t]}
            selectionMode="single"
            selectionBehavior="replace"
            selectedKeys={[selected]}
            onSelectionChange={(keys) => {
              const node = keys === "all" ? undefined : byKey.get(String([...keys][0]));
              if (node) onSelect(node);
            }}
            expandedKeys={open}
            onExpandedChange={(keys) => onOpen(new Set([...keys].map(String)))}
            dragAndDropHooks={dragAndDropHooks}
          >
            {item}
          </Tree>
        </Virtualizer>
      )}
      <div className={styles.note} role="status">
        {note}
      </div>
    </section>
  );
}
