import type { MenuNode } from "@herdwise/contract";
import { type RefObject, useEffect, useRef } from "react";
import { Link } from "react-router";
import { Icon, iconOf } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { screenOfNode } from "../shared/session/access.ts";
import { useAccess } from "../shared/session/access-context.ts";
import { groupsOf, type Standing, visibleLeaves } from "../shared/session/menu.ts";

function MenuLink({ node, active, onGo }: { node: MenuNode; active: boolean; onGo?: (() => void) | undefined }) {
  const t = useTranslate();
  return (
    <Link
      to={node.path}
      aria-current={active ? "page" : undefined}
      {...(node.isOpen === 2 ? { target: "_blank", rel: "noopener" } : {})}
      {...(onGo ? { onClick: onGo } : {})}
    >
      <Icon name={iconOf(node.icon)} />
      {t(node.name)}
    </Link>
  );
}

/** Entries of a group: parents become headings above what they hold. */
function MenuTree({ nodes, activePath, onGo }: { nodes: readonly MenuNode[]; activePath: string; onGo?: () => void }) {
  const t = useTranslate();
  return nodes
    .filter((node) => !node.hidden && visibleLeaves([node]).length > 0)
    .map((node) =>
      screenOfNode(node) ? (
        <MenuLink key={node.id} node={node} active={node.path === activePath} onGo={onGo} />
      ) : (
        <section key={node.id}>
          <h2>{t(node.name)}</h2>
          <MenuTree
            nodes={(node.children ?? []).toSorted((a, b) => a.sort - b.sort)}
            activePath={activePath}
            {...(onGo ? { onGo } : {})}
          />
        </section>
      ),
    );
}

/** The current group's entries at the side; on a screen that no group holds, the first group's. */
export function SideMenu({ standing }: { standing: Standing }) {
  const t = useTranslate();
  const { menu } = useAccess();
  const group = standing.group ?? groupsOf(menu)[0];
  const side = useRef<HTMLElement>(null);
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
        {group && <MenuTree nodes={group.nodes} activePath={standing.activePath} />}
      </nav>
    </aside>
  );
}

/** All groups on a sheet, for phones. */
export function MenuSheet({ sheet, standing }: { sheet: RefObject<HTMLDialogElement | null>; standing: Standing }) {
  const t = useTranslate();
  const { menu } = useAccess();
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
                <MenuLink key={node.id} node={node} active={node.path === standing.activePath} onGo={close} />
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
