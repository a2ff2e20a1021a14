import type { ListDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useCallback, useEffect, useMemo, useState } from "react";
import { useMedia } from "../kit/use-media.ts";
import { useLanguage, useTranslate } from "../language/use-language.ts";
import { usePreference } from "../query/use-preference.ts";
import { useAccess } from "../session/access-context.ts";
import { arranged, columnsOf, isShown } from "./columns.ts";
import { conditionsOf, queueNamesOf, setConditions, wireNamesOf, withoutConditions } from "./conditions.ts";
import { type ListChoice, readListChoice } from "./list-choice.ts";
import { itemsOf } from "./list-items.ts";
import type { ListState } from "./list-state.ts";
import { countOf } from "./resource-api.ts";
import { useLastSearch } from "./use-last-search.ts";
import { useListState } from "./use-list-state.ts";
import { queryOf, useLastRows, useRows } from "./use-rows.ts";
import { useSelection } from "./use-selection.ts";
import { useTree } from "./use-tree.ts";
import { queueOf } from "./views.ts";

/**
 * Everything about a list: its state in the URL, the person's settings, and its rows.
 * @param beside whether an open row leaves the list no more room than a phone has
 * @param collects whether moves in a tree are kept until they are saved together
 */
export function useList(
  of: ListDeclaration,
  { beside, collects = false }: { beside?: (state: ListState) => boolean; collects?: boolean } = {},
) {
  const t = useTranslate();
  const language = useLanguage();
  const { user } = useAccess();
  const onPhone = useMedia("(max-width: 760px)");
  const tenants = user.tenant_type === "group" && of.scope === "own-or-all-tenants";
  const conditions = useMemo(() => conditionsOf(of), [of]);
  const columns = useMemo(
    () => columnsOf(of, { tenants, t, stretch: language === "zh" ? 1 : 1.25 }),
    [of, tenants, t, language],
  );
  const sorts = useMemo(() => columns.filter(({ sortable }) => sortable).map(({ id }) => id), [columns]);
  const queueNames = useMemo(() => queueNamesOf(of, conditions), [of, conditions]);
  const names = useMemo(() => [...conditions.flatMap(wireNamesOf), ...queueNames], [conditions, queueNames]);
  const [state, change] = useListState(names, sorts, of.page !== undefined);
  const narrow = onPhone || beside?.(state) === true;
  const readChoice = useCallback((kept: unknown) => readListChoice(kept, of.title), [of.title]);
  const [choice, setChoice] = usePreference<ListChoice>(`list.${of.name}`, readChoice);
  const shownColumns = useMemo(
    () => arranged(columns, choice.columns).filter((column) => isShown(column, choice.columns, of.title)),
    [columns, choice.columns, of.title],
  );

  const needed = (of.searchFirst ?? []).flatMap((name) => conditions.filter((condition) => condition.name === name));
  const ready =
    needed.length === 0 || needed.some((condition) => wireNamesOf(condition).some((name) => state.where[name]));
  const lastSearch = useLastSearch(`${user.user_id}_${of.name}`, state, needed.length > 0 && ready);
  const isTree = of.tree !== undefined;
  const paged = useRows(of, state, ready && !isTree);
  const tree = useTree(of, state, { enabled: ready && isTree, collects });
  const listed = useMemo(() => paged.rows && itemsOf(paged.rows), [paged.rows]);
  const items = isTree ? tree.items : listed;
  const total = isTree ? (items?.length ?? 0) : paged.total;
  const error = isTree ? tree.error : paged.error;
  const rows = useMemo(() => items?.map(({ row }) => row), [items]);
  const last = useLastRows(rows);
  const [showLast, setShowLast] = useState(false);
  useEffect(() => {
    if (!error) setShowLast(false);
  }, [error]);
  const filtered = setConditions(conditions, state.where).length > 0 || state.keyword !== "";
  const everything = useQuery({
    ...countOf(of, { keyword: "", where: withoutConditions(state.where, conditions) }),
    enabled: filtered && !isTree && paged.rows !== undefined,
  });
  const ofTree = useQuery({
    ...countOf(of, { keyword: state.keyword, where: state.where }),
    enabled: isTree && tree.items !== undefined,
  });
  /** Name of the condition whose editor is open; "*" for the page of all conditions. */
  const [entering, setEntering] = useState<string>();
  const [choosingColumns, setChoosingColumns] = useState(false);
  const selection = useSelection(JSON.stringify(queryOf(state)), total);
  return {
    of,
    narrow,
    conditions,
    queueNames,
    queue: queueOf(of.views ?? [], queueNames, { ...of.given, ...state.where }),
    columns,
    shownColumns,
    sorts,
    state,
    change,
    choice,
    setChoice,
    needed,
    ready,
    lastSearch,
    isTree,
    paged,
    tree,
    items,
    rows,
    total,
    error,
    reload: isTree ? tree.reload : paged.reload,
    last,
    showLast,
    setShowLast,
    filtered,
    /** There is no row at all, whatever the conditions. */
    isEmpty: ready && items?.length === 0 && !filtered && !error,
    /** Number of rows at all levels of a tree, loaded or not; of a list its total; 0 until it is known. */
    count: isTree ? (ofTree.data ?? 0) : total,
    /** Number of rows without conditions; undefined where none is set. */
    outOf: filtered ? everything.data : undefined,
    entering,
    setEntering,
    choosingColumns,
    setChoosingColumns,
    selection,
  };
}
export type UsedList = ReturnType<typeof useList>;
