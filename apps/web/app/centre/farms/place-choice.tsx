import { farmTree } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";

/** Farms, or the units of farms, of the session's tenant. */
export function PlaceChoice({
  kind,
  value,
  onChoose,
}: {
  kind: "unit" | "farm";
  value: string;
  onChoose: (id: string) => void;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const { value: tree, error, reload } = useLoad("farm tree", (signal) => call(farmTree, { signal, quiet: true }));
  if (error && !tree) return <LoadingProblem error={error} onRetry={reload} what={t("场区")} />;
  const label = t(kind === "unit" ? "选一个单元" : "选一个场区");
  return (
    <select className="input" aria-label={label} value={value} onChange={({ target }) => onChoose(target.value)}>
      <option value="">{label}</option>
      {(tree ?? []).map((farm) =>
        kind === "farm" ? (
          <option key={farm.id} value={farm.id}>
            {nameOf(farm.name)}
          </option>
        ) : (
          <optgroup key={farm.id} label={nameOf(farm.name)}>
            {farm.houses.flatMap((house) =>
              house.units.map((unit) => (
                <option key={unit.id} value={unit.id}>
                  {`${nameOf(house.name)} ${nameOf(unit.name)}`}
                </option>
              )),
            )}
          </optgroup>
        ),
      )}
    </select>
  );
}
