import { resourceScreens } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { Mark } from "../icons/mark.tsx";
import { ConfirmDialog } from "../kit/dialog.tsx";
import { tellIn } from "../language/tell.ts";
import { useJoin } from "../language/use-join.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { showToast } from "../states/toast-store.ts";
import type { Where } from "./conditions.ts";
import styles from "./remove-dialog.module.css";
import { callResource, keysOf } from "./resource-api.ts";

interface Obstacle {
  id: string;
  title: string;
  resource: string;
  count: number;
  names?: readonly string[];
  path?: string;
}

/** Rows to remove: ids, or all that a list's conditions select. */
export interface Removal {
  ids: readonly string[];
  where: Where | undefined;
  count: number;
  /** Names of the visible ones. */
  titles: readonly string[];
}

interface RemoveDialogProps extends Removal {
  of: ResourceDeclaration;
  /** What the removal would mean, where the screen tells that. */
  effect?: ReactNode;
  onRemoved: () => void;
  onClose: () => void;
}

const mostListed = 8;
/** More ids don't fit into a URL; obstacles to further rows are reported by the removal itself. */
const mostAsked = 500;

/** Confirms a removal, and shows obstacles and consequences. */
export function RemoveDialog({ of, ids, where, count, titles, effect, onRemoved, onClose }: RemoveDialogProps) {
  const t = useTranslate();
  const join = useJoin();
  const { number } = useFormats();
  const client = useQueryClient();
  const [refused, setRefused] = useState<string>();
  const query = where ?? { ids: ids.join(",") };
  const asked = where !== undefined || ids.length <= mostAsked;
  const obstacles = useQuery({
    queryKey: [...keysOf(of), "obstacles", query],
    queryFn: ({ signal }) => callResource<Obstacle[]>(of, "obstacles", { query, signal, quiet: true }),
    staleTime: 0,
    enabled: asked,
  });
  const nameOf = (resource: string): string =>
    t(resourceScreens.find(({ name }) => name === resource)?.title ?? resource);
  const [title] = titles;
  const single = count === 1 && title !== undefined && where === undefined;
  const what = single ? `“${title}”` : t("{count} 条{many}", { count: number(count), many: t(of.words.one) });
  const blocked = (obstacles.data ?? []).length > 0;
  const remove = async (): Promise<void> => {
    try {
      await callResource(of, "remove", { body: where ? { where, expected: count } : query, quiet: true });
    } catch (error) {
      const { reason } = asApiError(error);
      setRefused(tellIn(t, asApiError(error)));
      // Reloads the list behind the dialog, because its conditions now select other rows.
      if (reason === "rows.selection_changed") void client.invalidateQueries({ queryKey: keysOf(of) });
      throw error;
    }
    showToast({ kind: "ok", text: "已删除{what}", values: { what } });
    await client.invalidateQueries({ queryKey: keysOf(of) });
    onRemoved();
  };
  return (
    <ConfirmDialog
      title={t(where ? "删除筛选出的{what}？" : "删除{what}？", { what })}
      action={t("删除")}
      ready={!asked || (obstacles.isSuccess && !blocked)}
      onConfirm={remove}
      onClose={onClose}
    >
      {!single && titles.length > 0 && (
        <p>
          {count > titles.length
            ? t("{names} 等 {count} 项", { names: join(titles), count: number(count) })
            : join(titles)}
        </p>
      )}
      {asked && obstacles.isPending && <p role="status">{t("正在查看有没有被使用……")}</p>}
      {obstacles.isError && <p role="alert">{tellIn(t, asApiError(obstacles.error))}</p>}
      {blocked && (
        <>
          <p className="state major">
            <Mark name="major" />
            {t("还在使用，先处理这些：")}
          </p>
          <ul className={styles.obstacles}>
            {obstacles.data?.slice(0, mostListed).map(({ id, title: name, resource, count, names = [], path }) => (
              <li key={`${id} ${resource}`}>
                {!single && <b>{name}</b>}
                <span>
                  {t("{many}，共 {count}", { many: nameOf(resource), count: number(count) })}
                  {names.length > 0 && <small>{join([...names, ...(count > names.length ? ["…"] : [])])}</small>}
                </span>
                {path && (
                  <Link className="link" to={path} onClick={onClose}>
                    {t("去处理")}
                  </Link>
                )}
              </li>
            ))}
          </ul>
        </>
      )}
      {effect}
      {(!asked || (obstacles.isSuccess && !blocked)) && (
        <p>
          {t(asked ? "没有别处在用。删除后改动记录仍然保留。" : "有一条还在使用就一条都不删。删除后改动记录仍然保留。")}
        </p>
      )}
      {refused && (
        <p className="prob" role="alert">
          {refused}
        </p>
      )}
    </ConfirmDialog>
  );
}
