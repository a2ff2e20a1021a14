import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import type { FormValues } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { EntryPhotos } from "./photos.tsx";

/** A new entry has a number of its second, and is of the device or unit whose log is looked at. */
const givenFor = ({ deviceId = "", unitId = "" }: Readonly<Record<string, string>>): FormValues => {
  const now = shanghaiClock(Date.now());
  return { code: `WH-${now.slice(0, 19).replaceAll(/[-:T]/g, "")}`, doneOn: now.slice(0, 10), deviceId, unitId };
};

/** The maintenance log, each entry with its photos. */
export function MaintenanceScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={EntryPhotos} given={givenFor} />;
}
