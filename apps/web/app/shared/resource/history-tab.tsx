import type { AuditEntry, Page } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useInfiniteQuery } from "@tanstack/react-query";
import { asApiError } from "../api/api-error.ts";
import { AuditTimeline } from "../audit/audit-timeline.tsx";
import { Button } from "../kit/button.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useTranslate } from "../language/use-language.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./history-tab.module.css";
import { callResource, keysOf } from "./resource-api.ts";

type Entry = Pick<AuditEntry, "id" | "sentence" | "details"> & { at: string };

const pageSize = 20;

/** History of a row's changes, newest first. */
export function HistoryTab({ of, id }: { of: ResourceDeclaration; id: string }) {
  const t = useTranslate();
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
      <AuditTimeline heading="h3" entries={entries.map(({ at, ...entry }) => ({ ...entry, createTime: at }))} />
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
