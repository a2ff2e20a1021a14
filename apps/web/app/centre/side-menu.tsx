import type { MenuNode } from "@herdwise/contract";
import { type RefObject, useEffect, useMemo, useRef, useState } from "react";
import { Link } from "react-router";
import { Icon, iconOf } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { screenOfNode } from "../shared/session/access.ts";
import { useAccess } from "../shared/session/access-context.ts";
import { groupsOf, type Standing, visibleLeaves } from "../shared/session/menu.ts";
import { storedUserId } from "../shared/session/storage.ts";
import { countsByList, useDeskCounts, useTodos } from "./todos/use-todos.ts";

type Counts = ReadonlyMap<string, number>;
const nothing: Counts = new Map();
const mostShown = 99;

/** How many things wait for the person in each list, by its path. */
function useCounts(): Counts {
  const { data } = useTodos();
  const { data: ofDesks = nothing } = useDeskCounts();
  return useMemo(() => (data ? countsByList(data) : ofDesks), [data, ofDesks]);
}

const foldedKey = (): string => `menu_folded_${storedUserId()}`;
function readFolded(): readonly string[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(foldedKey()) ?? "[]");
    return Array.isArray(kept) ? kept.map(String) : [];
  } catch {
    return [];
  }
}

/** Names of the groups that the person folded, remembered by this browser. */
function useFolded(): [folded: readonly string[], toggle: (name: string) => void] {
  const [folded, setFolded] = useState<readonly string[]>([]);
  // Not while rendering: the server's drawing knows no browser.
  useEffect(() => setFolded(readFolded()), []);
  const toggle = (name: string): void => {
    const next = folded.includes(name) ? folded.filter((one) => one !== name) : [...folded, name];
    setFolded(next);
    try {
      localStorage.setItem(foldedKey(), JSON.stringify(next));
    } catch {
      // Storage is full or forbidden: the choice holds for this page.
    }
  };
  return [folded, toggle];
}

interface MenuLinkProps {
  node: MenuNode;
  active: boolean;
  counts: Counts;
  onGo?: (() => void) | undefined;
}

function MenuLink({ node, active, counts, onGo }: MenuLinkProps) {
  const t = useTranslate();
  const count = counts.get(node.path) ?? 0;
  return (
    <Link
      to={node.path}
      aria-current={active ? "page" : undefined}
      {...(node.isOpen === 2 ? { target: "_blank", rel: "noopener" } : {})}
      {...(onGo ? { onClick: onGo } : {})}
    >
      <Icon name={iconOf(node.icon)} />
      {t(node.name)}
      {count > 0 && (
        <span className="menu-count num">
          <span aria-hidden="true">{count > mostShown ? `${mostShown}+` : count}</span>
          <span className="visually-hidden">{t("{count} 件待办", { count })}</span>
        </span>
      )}
    </Link>
  );
}

interface MenuTreeProps {
  nodes: readonly MenuNode[];
  activePath: string;
  counts: Counts;
  folded: readonly string[];
  onFold: (code: string) => void;
}

/** Entries of a group: parents become headings above what they hold, which fold it. The group of the open screen stays open. */
function MenuTree({ nodes, activePath, counts, folded, onFold }: MenuTreeProps) {
  const t = useTranslate();
  return nodes
    .filter((node) => !node.hidden && visibleLeaves([node]).length > 0)
    .map((node) => {
      if (screenOfNode(node))
        return <MenuLink key={node.id} node={node} active={node.path === activePath} counts={counts} />;
      const leaves = visibleLeaves([node]);
      const isOpen = !folded.includes(node.code) || leaves.some(({ path }) => path === activePath);
      const waiting = leaves.reduce((sum, { path }) => sum + (counts.get(path) ?? 0), 0);
      return (
        <section key={node.id}>
          <h2>
            <button type="button" aria-expanded={isOpen} onClick={() => onFold(node.code)}>
              {t(node.name)}
              {!isOpen && waiting > 0 && <span className="menu-count num">{waiting}</span>}
              <Icon name="down" small />
            </button>
          </h2>
          {isOpen && (
            <MenuTree
              nodes={(node.children ?? []).toSorted((a, b) => a.sort - b.sort)}
              activePath={activePath}
              counts={counts}
              folded={folded}
              onFold={onFold}
            />
          )}
        </section>
      );
    });
}

/** The current group's entries at the side; on a screen that no group holds, the first group's. */
export function SideMenu({ standing }: { standing: Standing }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const group = standing.group ?? groupsOf(menu)[0];
  const side = useRef<HTMLElement>(null);
  const counts = useCounts();
  const [folded, toggle] = useFolded();
  // Long menus scroll: the entry of the screen that is open is in sight.
  useEffect(() => {
    const entry = side.current?.querySelector<HTMLElement>("a[aria-current=page]");
    const { offsetTop = 0, offsetHeight = 0 } = entry ?? {};
    const { scrollTop = 0, clientHeight = 0 } = side.current ?? {};
    if (side.current && (offsetTop < scrollTop || offsetTop + offsetHeight > scrollTop + clientHeight))
      side.current.scrollTop = offsetTop - clientHeight / 2;
  }, [standing.activePath]);
  return (
    <aside className="side">
      <nav ref={side} aria-label={t("菜单")}>
        {group && (
          <MenuTree
            nodes={group.nodes}
            activePath={standing.activePath}
            counts={counts}
            folded={folded}
            onFold={toggle}
          />
        )}
      </nav>
    </aside>
  );
}

/** All groups on a sheet, for phones. */
export function MenuSheet({ sheet, standing }: { sheet: RefObject<HTMLDialogElement | null>; standing: Standing }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const counts = useCounts();
  const close = (): void => sheet.current?.close();
  return (
    <dialog
      ref={sheet}
      className="menu-sheet"
      aria-label={t("菜单")}
      onClick={(event) => event.target === event.currentTarget && close()}
      onKeyDown={() => undefined}
    >
      <div className="side">
        <div className="row">
          <b>{t("菜单")}</b>
          <button type="button" className="icon-button" aria-label={t("关闭")} onClick={close}>
            <Icon name="close" />
          </button>
        </div>
        <nav aria-label={t("全部菜单")}>
          {groupsOf(menu).map((group) => (
            <section key={group.type}>
              <h2>{t(group.name)}</h2>
              {visibleLeaves(group.nodes).map((node) => (
                <MenuLink
                  key={node.id}
                  node={node}
                  active={node.path === standing.activePath}
                  counts={counts}
                  onGo={close}
                />
              ))}
            </section>
          ))}
        </nav>
      </div>
    </dialog>
  );
}

/** Bottom bar of phones: the first screen of each group, then everything else. */
export function TabBar({ standing }: { standing: Standing }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const sheet = useRef<HTMLDialogElement>(null);
  const tabs = groupsOf(menu)
    .slice(0, 4)
    .map(({ entry, nodes }) => ({
      entry,
      label: nodes.length === 1 && nodes[0]?.children ? nodes[0].name : entry.name,
    }));
  return (
    <>
      <nav className="tabbar" aria-label={t("底部导航")}>
        {tabs.map(({ entry, label }) => (
          <Link key={entry.id} to={entry.path} aria-current={entry.path === standing.activePath ? "page" : undefined}>
            <Icon name={iconOf(entry.icon)} />
            <span>{t(label)}</span>
          </Link>
        ))}
        <button type="button" onClick={() => sheet.current?.showModal()}>
          <Icon name="menu" />
          <span>{t("菜单")}</span>
        </button>
      </nav>
      <MenuSheet sheet={sheet} standing={standing} />
    </>
  );
}
