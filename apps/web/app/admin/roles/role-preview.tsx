import type { GrantNode } from "@herdwise/contract";
import { useState } from "react";
import { menuGroups } from "../../screens.ts";
import { Icon, iconOf } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { alikeScreens, isButton, withBelow } from "./grant-states.ts";
import styles from "./role-preview.module.css";

interface RolePreviewProps {
  nodes: readonly GrantNode[];
  roleName: string;
  granted: ReadonlySet<string>;
  stored: ReadonlySet<string>;
  /** Whose rows they reach, in the chosen language. */
  reach: string;
}

/** What becomes of a menu or a button; undefined where it stays as it is. */
const changeOf = ({ id }: GrantNode, granted: ReadonlySet<string>, stored: ReadonlySet<string>) =>
  granted.has(id) === stored.has(id) ? undefined : granted.has(id) ? "given" : "taken";

/** The menu that somebody with this role alone would get, and what they could do on each screen. Nothing in it can be pressed. */
export function RolePreview({ nodes, roleName, granted, stored, reach }: RolePreviewProps) {
  const t = useTranslate();
  const every = nodes.flatMap((root) => withBelow(root).map((node) => ({ node, type: root.type })));
  const listed = every.filter(
    ({ node }) =>
      !isButton(node) && node.component !== "" && !node.hidden && (granted.has(node.id) || stored.has(node.id)),
  );
  const [chosen, setChosen] = useState<string>();
  const open =
    listed.find(({ node }) => node.id === chosen)?.node ?? listed.find(({ node }) => granted.has(node.id))?.node;
  const types = menuGroups.filter(({ type }) => listed.some((entry) => entry.type === type));
  const tag = (node: GrantNode) => {
    const change = changeOf(node, granted, stored);
    return (
      change && (
        <span className={`tag ${change === "given" ? "ok" : "critical"}`}>
          {t(change === "given" ? "多出" : "收回")}
        </span>
      )
    );
  };
  const buttons = open ? alikeScreens(nodes, open).flatMap(({ children = [] }) => children.filter(isButton)) : [];
  const pages = (open?.children ?? []).filter((child) => !isButton(child) && child.component !== "");
  const usable = open !== undefined && granted.has(open.id);
  return (
    <div className={styles.frame}>
      <p className={styles.bar}>
        <Icon name="eye" small />
        {t("正在以“{role}”的样子看，按还没保存的改动，不能操作。", { role: roleName })}
      </p>
      {listed.length === 0 ? (
        <p className={styles.nothing}>{t("这个角色还没有任何菜单：登录后只有自己的账号可以看。")}</p>
      ) : (
        <div className={styles.inside}>
          <nav aria-label={t("此角色的菜单")}>
            {types.map(({ type, name }) => (
              <section key={type}>
                <h2>{t(name)}</h2>
                <ul>
                  {listed
                    .filter((entry) => entry.type === type)
                    .map(({ node }) => (
                      <li key={node.id}>
                        <button
                          type="button"
                          aria-current={node === open ? "true" : undefined}
                          data-gone={!granted.has(node.id) || undefined}
                          onClick={() => setChosen(node.id)}
                        >
                          <Icon name={iconOf(node.icon)} small />
                          <span>{t(node.title)}</span>
                          {tag(node)}
                        </button>
                      </li>
                    ))}
                </ul>
              </section>
            ))}
          </nav>
          {open && (
            <div className={styles.screen} aria-live="polite">
              <h2>{t(open.title)}</h2>
              {!usable ? (
                <p>{t("保存后打不开这一页。")}</p>
              ) : (
                <>
                  {buttons.length > 0 && (
                    <ul className={styles.buttons} aria-label={t("能做的")}>
                      {buttons.map((button) => (
                        <li key={button.id} data-off={!granted.has(button.id) || undefined}>
                          {t(button.title)}
                          {!granted.has(button.id) && <span className="visually-hidden">{t("没有")}</span>}
                          {tag(button)}
                        </li>
                      ))}
                    </ul>
                  )}
                  {buttons.length > 0 && !buttons.some(({ id }) => granted.has(id)) && (
                    <p>{t("打开后看不到数据：一个按钮都没有授予。")}</p>
                  )}
                  {pages
                    .filter(({ id }) => granted.has(id))
                    .map((page) => (
                      <p key={page.id}>{t("从这里能打开：{page}", { page: t(page.title) })}</p>
                    ))}
                  <p>{t("能看到的数据：{reach}", { reach })}</p>
                </>
              )}
            </div>
          )}
        </div>
      )}
    </div>
  );
}
