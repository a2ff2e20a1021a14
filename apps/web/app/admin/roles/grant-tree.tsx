import type { GrantNode } from "@herdwise/contract";
import { type CSSProperties, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { menuGroups } from "../../screens.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { PopoverButton } from "../../shared/kit/popover.tsx";
import { SearchInput } from "../../shared/kit/search-input.tsx";
import twistStyles from "../../shared/kit/twist.module.css";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import {
  type Comparison,
  compared,
  foundNodes,
  type GrantState,
  grantCount,
  grantStateOf,
  isButton,
  isGroup,
  withBelow,
} from "./grant-states.ts";
import styles from "./grant-tree.module.css";

/** How the states of a box and its changes are called, Chinese. */
export type TreeWords = Readonly<Record<GrantState | "given" | "taken", string>>;
const roleWords: TreeWords = {
  granted: "已授予",
  some: "已授予，下级不全",
  path: "未授予，只作路径",
  none: "未授予",
  given: "将授予",
  taken: "将收回",
};

interface Grants {
  /** What is ticked. */
  granted: ReadonlySet<string>;
  /** What the role holds so far. */
  stored: ReadonlySet<string>;
  /** What another role holds, and its name, if one is compared. */
  other: { held: ReadonlySet<string>; name: string } | undefined;
  readOnly: boolean;
  /** Those of roles where they are left out. */
  words?: TreeWords;
  set: (ids: readonly string[], on: boolean) => void;
}

/** Gains and losses have a sign, not only a colour. */
export function Sign({ kind }: { kind: "given" | "taken" | "changed" }) {
  return (
    <i className={styles.sign} data-kind={kind} aria-hidden="true">
      {kind === "given" ? "+" : kind === "taken" ? "−" : "~"}
    </i>
  );
}

/** What the boxes and signs mean. */
function Legend({ words }: { words: TreeWords }) {
  const t = useTranslate();
  return (
    <p className={styles.legend}>
      {(["granted", "some", "path", "none"] as const).map((state) => (
        <span key={state}>
          <i className={styles.glyph} data-state={state} aria-hidden="true" />
          {t(words[state])}
        </span>
      ))}
      {(["given", "taken"] as const).map((kind) => (
        <span key={kind}>
          <Sign kind={kind} />
          {t(words[kind])}
        </span>
      ))}
      <span>
        <Icon name="lock" small />
        {t("您不能改")}
      </span>
    </p>
  );
}

/** Why a box can't be ticked or cleared. */
function Locked({ node, on }: { node: GrantNode; on: boolean }) {
  const t = useTranslate();
  const name = t(node.title);
  return (
    <PopoverButton
      label={t("为什么不能改“{name}”", { name })}
      button={
        <AriaButton className={styles.locked ?? ""} aria-label={t("为什么不能改“{name}”", { name })}>
          <Icon name="lock" small />
        </AriaButton>
      }
    >
      {() => (
        <p className={styles.why}>
          {t(
            node.beyondPackage
              ? "这个租户的套餐里没有“{name}”，授予了也用不了。请先把它加进套餐，或换一个套餐。"
              : on
                ? "您自己的角色里没有“{name}”，所以不能收回它。请有这一项的人来改。"
                : "您自己的角色里没有“{name}”，所以不能授予它。请有这一项的人来改。",
            { name },
          )}
        </p>
      )}
    </PopoverButton>
  );
}

function GrantBox({ node, grants }: { node: GrantNode; grants: Grants }) {
  const t = useTranslate();
  const { granted, stored, readOnly, set, words = roleWords } = grants;
  const state = grantStateOf(node, granted);
  const on = granted.has(node.id);
  const change = on === stored.has(node.id) ? undefined : on ? "given" : "taken";
  return (
    <span className={styles.box} data-state={state} data-change={change}>
      <label>
        <CheckBox
          checked={on}
          mixed={state === "some"}
          disabled={readOnly || node.disabled}
          onChange={() => set([node.id], !on)}
          aria-description={t(words[state])}
        />
        <span>{t(node.title)}</span>
        {change && (
          <>
            <Sign kind={change} />
            <span className="visually-hidden">{t(words[change])}</span>
          </>
        )}
      </label>
      {node.disabled && !readOnly && <Locked node={node} on={on} />}
    </span>
  );
}

/** What the compared role holds of this line. */
function Compared({ comparison, name }: { comparison: Comparison | undefined; name: string }) {
  const t = useTranslate();
  const join = useJoin();
  const names = (nodes: readonly GrantNode[]): string => join(nodes.map(({ title }) => t(title)));
  if (!comparison) return <span className={styles.compared} />;
  const { same, none, more, less } = comparison;
  return (
    <div className={styles.compared}>
      <span className={styles.comparedName}>{name}</span>
      {same && (
        <span className="state ok">
          <Mark name="ok" />
          {t("同样")}
        </span>
      )}
      {more.length > 0 && <span>{t("多 {names}", { names: names(more) })}</span>}
      {none && <span>{t("无")}</span>}
      {less.length > 0 && !none && <span>{t("少 {names}", { names: names(less) })}</span>}
    </div>
  );
}

const groupState = ({ granted, total }: ReturnType<typeof grantCount>): GrantState =>
  granted === 0 ? "none" : granted === total ? "granted" : "some";

interface LineProps {
  node: GrantNode;
  depth: number;
  grants: Grants;
  isOpen: (id: string) => boolean;
  toggle: (id: string) => void;
}

function Line({ node, depth, grants, isOpen, toggle }: LineProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const { granted, other, readOnly, set, words = roleWords } = grants;
  const children = node.children ?? [];
  const buttons = children.filter(isButton);
  const menus = children.filter((child) => !isButton(child));
  const group = isGroup(node);
  const open = menus.length === 0 || isOpen(node.id);
  const name = t(node.title);
  const count = grantCount(node, granted);
  // Nobody is granted a group: it stands as what is below it does.
  const state = group ? groupState(count) : grantStateOf(node, granted);
  const mine = withBelow(node).filter(({ disabled }) => !disabled);
  const all = mine.every(({ id }) => granted.has(id));
  return (
    <li>
      <div
        className={styles.line}
        data-group={group || undefined}
        data-compared={other !== undefined || undefined}
        style={{ "--depth": depth } as CSSProperties}
      >
        <div className={styles.menu}>
          {menus.length > 0 ? (
            <button
              type="button"
              className={twistStyles.twist}
              aria-expanded={open}
              aria-label={t(open ? "收起 {name}" : "展开 {name}", { name })}
              onClick={() => toggle(node.id)}
            >
              <Icon name="right" small />
            </button>
          ) : (
            <span className={twistStyles.twist} />
          )}
          {group ? (
            <span className={styles.box} data-state={state}>
              <i className={styles.glyph} data-state={state} aria-hidden="true" />
              <b>{name}</b>
              <span className="visually-hidden">{t(words[state])}</span>
            </span>
          ) : (
            <GrantBox node={node} grants={grants} />
          )}
          {count.total > 0 && (
            <small className="num">
              {number(count.granted)} / {number(count.total)}
            </small>
          )}
        </div>
        <div className={styles.buttons}>
          {buttons.map((button) => (
            <GrantBox key={button.id} node={button} grants={grants} />
          ))}
        </div>
        {other && <Compared comparison={compared(node, granted, other.held)} name={other.name} />}
        <span className={styles.whole}>
          {children.length > 0 && !readOnly && mine.length > 0 && (
            <Button
              kind="link"
              aria-label={t(all ? "全不选“{name}”及下级" : "全选“{name}”及下级", { name })}
              onPress={() =>
                set(
                  mine.map(({ id }) => id),
                  !all,
                )
              }
            >
              {t(all ? "全不选" : "全选")}
            </Button>
          )}
        </span>
      </div>
      {menus.length > 0 && open && (
        <ul>
          {menus.map((child) => (
            <Line key={child.id} node={child} depth={depth + 1} grants={grants} isOpen={isOpen} toggle={toggle} />
          ))}
        </ul>
      )}
    </li>
  );
}

/** The areas of the portal as the top of the tree; menus stand in the area that their header shows them in. */
function areasOf(nodes: readonly GrantNode[]): GrantNode[] {
  const types = [...new Set(nodes.map(({ type }) => type))];
  const order = menuGroups.map(({ type }) => type);
  return types
    .toSorted((a, b) => order.indexOf(a) - order.indexOf(b))
    .map((type): GrantNode => {
      const children = nodes.filter((node) => node.type === type);
      const title = menuGroups.find((group) => group.type === type)?.name ?? type;
      const id = `area ${type}`;
      const own = {
        id,
        beyondPackage: false,
        key: id,
        value: id,
        parentId: "0",
        code: id,
        title,
        type,
        icon: "list",
        component: "",
      };
      return { ...own, category: 1, hidden: false, disabled: true, hasChildren: true, children };
    });
}

/** Menus with their buttons, each to tick by itself: nothing else is stored. */
export function GrantTree({ nodes, ...grants }: Grants & { nodes: readonly GrantNode[] }) {
  const t = useTranslate();
  const [word, setWord] = useState("");
  const areas = areasOf(nodes);
  const groups = areas.flatMap(withBelow).filter((node) => (node.children ?? []).some((child) => !isButton(child)));
  // What holds nothing yet is folded, until somebody opens it.
  const [opened, setOpened] = useState<ReadonlyMap<string, boolean>>(
    () => new Map(groups.map((node) => [node.id, grantCount(node, grants.stored).granted > 0])),
  );
  const wanted = word.trim().toLowerCase();
  const shown =
    wanted === ""
      ? areas
      : foundNodes(
          areas,
          ({ id, title }) => !id.startsWith("area ") && `${title} ${t(title)}`.toLowerCase().includes(wanted),
        );
  const allOpen = groups.every(({ id }) => opened.get(id));
  return (
    <>
      <div className={styles.tools}>
        <SearchInput label={t("查找菜单或按钮")} short={t("菜单或按钮")} value={word} onChange={setWord} />
        <Button
          kind="link"
          isDisabled={wanted !== ""}
          onPress={() => setOpened(new Map(groups.map(({ id }) => [id, !allOpen])))}
        >
          {t(allOpen ? "全部收起" : "全部展开")}
        </Button>
      </div>
      <Legend words={grants.words ?? roleWords} />
      {shown.length === 0 && (
        <div className={styles.none}>
          <p>{t("没有叫“{word}”的菜单或按钮。", { word: word.trim() })}</p>
          <Button small onPress={() => setWord("")}>
            {t("清除查找")}
          </Button>
        </div>
      )}
      {grants.other && (
        <div className={`${styles.line} ${styles.head}`} data-compared="" aria-hidden="true">
          <span>{t("菜单")}</span>
          <span>{t("按钮")}</span>
          <span>{grants.other.name}</span>
        </div>
      )}
      <ul className={styles.tree} data-compared={grants.other !== undefined || undefined}>
        {shown.map((node) => (
          <Line
            key={node.id}
            node={node}
            depth={0}
            grants={grants}
            isOpen={(id) => wanted !== "" || opened.get(id) === true}
            toggle={(id) => setOpened((now) => new Map(now).set(id, now.get(id) !== true))}
          />
        ))}
      </ul>
    </>
  );
}
