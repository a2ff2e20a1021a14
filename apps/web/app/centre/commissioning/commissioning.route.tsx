import { useSearchParams } from "react-router";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { SectionWait } from "../../shared/states/section-wait.tsx";
import { CommissioningHere } from "./commissioning-here.tsx";
import { ConfirmAlarm } from "./confirm-alarm.tsx";
import { RecordScreen } from "./record-screen.tsx";
import { RunScreen } from "./run-screen.tsx";
import { UnitList } from "./unit-list.tsx";
import { useCommissioning } from "./use-commissioning.ts";

function OneList({ id }: { id: string }) {
  const t = useTranslate();
  const open = useCommissioning(id);
  const { list, error, reload } = open;
  if (list === undefined) {
    if (error) return <LoadingProblem error={error} onRetry={reload} what={t("调试单")} />;
    return <SectionWait />;
  }
  return (
    <>
      {error && error.code !== 0 && <LoadingProblem error={error} onRetry={reload} what={t("调试单")} kept />}
      {list.state === "open" ? <RunScreen list={list} open={open} /> : <RecordScreen list={list} />}
    </>
  );
}

/** Commissioning: the units, the list of one under way or signed, and the confirmation of a test alarm. */
export default function CommissioningScreen() {
  const t = useTranslate();
  const [search] = useSearchParams();
  const [id, unit, confirm] = ["id", "unit", "confirm"].map((name) => search.get(name) ?? "");
  if (id)
    return (
      <>
        <Crumbs />
        <OneList key={id} id={id} />
      </>
    );
  if (confirm)
    return (
      <>
        <Crumbs />
        <ConfirmAlarm key={confirm} itemId={confirm} />
      </>
    );
  if (unit)
    return (
      <>
        <Crumbs />
        <div className="page-head">
          <h1>{t("单元调试")}</h1>
        </div>
        <CommissioningHere unitId={unit} fresh />
      </>
    );
  return <UnitList />;
}
