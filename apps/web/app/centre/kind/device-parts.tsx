import { GridCard } from "./grid-card.tsx";
import type { JudgedDevice } from "./judge.ts";
import { useKind } from "./kind-view.ts";
import { RecordsCard } from "./records-card.tsx";
import { StateStrip } from "./state-strip.tsx";
import { StaysCard } from "./stays-card.tsx";
import { TanksCard } from "./tanks-card.tsx";
import type { DeviceNow } from "./use-unit.ts";

/** The cards that a kind declares for its devices. @param wide those that need room: tables of records and the strip of the day */
export function DeviceParts({
  device,
  judged,
  wide = false,
}: {
  device: DeviceNow;
  judged: JudgedDevice;
  wide?: boolean;
}) {
  const { kind } = useKind();
  return (kind.pages?.parts ?? [])
    .filter(({ type }) => wide === (type !== "tanks"))
    .map((part) => {
      if (part.type === "tanks") return <TanksCard key={part.title.en} part={part} device={device} judged={judged} />;
      if (part.type === "strip") return <StateStrip key={part.title.en} part={part} device={device} />;
      if (part.type === "grid") return <GridCard key={part.title.en} part={part} deviceId={device.deviceId} />;
      if (part.type === "stays") return <StaysCard key={part.title.en} part={part} deviceId={device.deviceId} />;
      return <RecordsCard key={part.title.en} part={part} deviceId={device.deviceId} />;
    });
}
