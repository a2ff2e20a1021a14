import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { lazy, Suspense } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

const PlanBoardScreen = lazy(async () => ({ default: (await import("./plan-board.tsx")).PlanBoardScreen }));

/** Sale plans as a week's board or as a list; the address says which. */
export function PlanScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const [search, change] = useAddressValues({ isStep: true });
  const isList = search.get("show") === "list";
  const choice = (
    <fieldset className="seg" aria-label={t("怎么看")}>
      <button type="button" aria-pressed={!isList} onClick={() => change({ show: undefined, row: undefined })}>
        {t("看板")}
      </button>
      <button type="button" aria-pressed={isList} onClick={() => change({ show: "list", row: undefined })}>
        {t("列表")}
      </button>
    </fieldset>
  );
  if (isList) return <ResourceScreen of={of} head={choice} />;
  return (
    <Suspense fallback={<TableSkeleton rows={12} />}>
      <PlanBoardScreen of={of} head={choice} />
    </Suspense>
  );
}
