import type { Page } from "@herdwise/contract";
import type { Field, ResourceDeclaration } from "@herdwise/contract/resource";
import { useInfiniteQuery } from "@tanstack/react-query";
import { asApiError } from "../api/api-error.ts";
import { Button } from "../kit/button.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { FieldValue } from "./cell.tsx";
import { formFieldsOf } from "./form-values.ts";
import styles from "./history-tab.module.css";
import { callResource, keysOf } from "./resource-api.ts";

interface Entry {
  id: string;
  action: string;
  actorName: string;
  at: string;
  changes: { field: string; before: unknown; after: unknown }[];
}

const actionNames: Readonly<Record<string, string>> = {
  create: "新增",
  update: "修改",
  remove: "删除",
  import: "导入",
  undo: "撤销导入",
  move: "移动",
};
const pageSize = 20;

function Value({ field, value }: { field: Field | undefined; value: unknown }) {
  if (field) return <FieldValue field={field} value={value} />;
  return <span>{value === null || value === undefined || value === "" ? "--" : String(value)}</span>;
}

/** Who changed what of a row, the newest first. */
export function HistoryTab({ of, id }: { of: ResourceDeclaration; id: string }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const fields = new Map(formFieldsOf(of));
  const loaded = useInfiniteQuery({
    queryKey: [...keysOf(of), "history", id],
    queryFn: ({ signal, pageParam }) =>
      callResource<Page<Entry>>(of, "history", {
        query: { id, current: pageParam, size: pageSize },
        signal,
        quiet: true,
      }),
    initialPageParam: 1,
    getNextPageParam: (last) => (last.current < last.pages ? last.current + 1 : undefined),
    staleTime: 0,
  });
  if (loaded.error)
    return (
      <LoadingProblem error={asApiError(loaded.error)} onRetry={() => void loaded.refetch()} what={t("改动记录")} />
    );
  if (!loaded.data) return <TableSkeleton rows={4} />;
  const entries = loaded.data.pages.flatMap(({ records }) => records);
  if (entries.length === 0) return <p className={styles.none}>{t("还没有改动记录。")}</p>;
  return (
    <>
      <ol className={styles.history}>
        {entries.map(({ id: key, action, actorName, at, changes }) => (
          <li key={key}>
            <header>
              <b>{t(actionNames[action] ?? action)}</b>
              <span>{actorName}</span>
              <time>{dayTime(parseWireDateTime(at))}</time>
            </header>
            <dl>
              {changes.map(({ field: name, before, after }) => {
                const field = fields.get(name);
                return (
                  <div key={name}>
                    <dt>{t(field?.label ?? name)}</dt>
                    <dd>
                      {action !== "create" && (
                        <>
                          <del>
                            <Value field={field} value={before} />
                          </del>
                          <span aria-hidden="true"> → </span>
                          <span className="visually-hidden">{t("改为")}</span>
                        </>
                      )}
                      <ins>
                        <Value field={field} value={after} />
                      </ins>
                    </dd>
                  </div>
                );
              })}
            </dl>
          </li>
        ))}
      </ol>
      {loaded.hasNextPage && (
        <div className={styles.more}>
          <Button isDisabled={loaded.isFetchingNextPage} onPress={() => void loaded.fetchNextPage()}>
            {t("更早的改动")}
          </Button>
        </div>
      )}
    </>
  );
}
