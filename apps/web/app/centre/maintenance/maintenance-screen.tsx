import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import { Mark } from "../../shared/icons/mark.tsx";
import { TranslatedLine } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Nothing } from "../../shared/resource/cell.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { FormValues, Row } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { EntryPhotos } from "./photos.tsx";

/** A new entry has a number of its second, and is of the device or unit whose log is looked at. */
const givenFor = ({ deviceId = "", unitId = "" }: Readonly<Record<string, string>>): FormValues => {
  const now = shanghaiClock(Date.now());
  return { code: `WH-${now.slice(0, 19).replaceAll(/[-:T]/g, "")}`, doneOn: now.slice(0, 10), deviceId, unitId };
};

/** A day on which work is due again: late, soon, later, or done meanwhile. */
function DueDay({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const day = String(value ?? "").slice(0, 10);
  if (day === "") return <Nothing />;
  if (row.due !== "late" && row.due !== "soon")
    return <span className={row.due === "none" ? "num mut" : "num"}>{day}</span>;
  const mark = row.due === "late" ? "major" : "minor";
  return (
    <span className={`state ${mark}`}>
      <Mark name={mark} />
      <span className="num">{day}</span> {t(row.due === "late" ? "已过" : "快到了")}
    </span>
  );
}

const cells: Cells = {
  nextDueOn: DueDay,
  // Without a device it was work in a unit.
  deviceId: ({ row }) => {
    const place = String(row.deviceName || row.unitName || "");
    return place === "" ? <Nothing /> : <TranslatedLine text={place} />;
  },
};

/** The maintenance log, each entry with its photos. */
export function MaintenanceScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} detail={EntryPhotos} given={givenFor} />;
}
