import type { JudgedDevice, KindPart } from "@herdwise/device-kinds";
import type { ComponentProps } from "react";
import { GridCard } from "./grid-card.tsx";
import { useKind } from "./kind-view.ts";
import { RecordsCard } from "./records-card.tsx";
import { StateStrip } from "./state-strip.tsx";
import { StaysCard } from "./stays-card.tsx";
import { TanksCard } from "./tanks-card.tsx";
import { useAnalytics } from "./use-analytics.ts";
import type { DeviceNow } from "./use-unit.ts";

/** Tanks with the days that their stock lasts at the use of the last week. */
function StockedTanks(props: ComponentProps<typeof TanksCard>) {
  const { value } = useAnalytics(props.device.deviceId);
  const results = value?.devices[0]?.results ?? [];
  const { stock } = props.part;
  const lastsOf = (tank: number): number | undefined =>
    typeof stock === "string"
      ? results.find(({ id }) => id === stock)?.rows?.find(({ label }) => label === String(tank))?.value
      : results.find(({ id }) => id === stock?.[tank - 1])?.value;
  return <TanksCard {...props} stockDays={lastsOf} />;
}

/** The cards that a kind declares for its devices. @param types those of them that are shown here */
export function DeviceParts({
  device,
  judged,
  types,
  but,
}: {
  device: DeviceNow;
  judged: JudgedDevice;
  types: readonly KindPart["type"][];
  /** One that already stands elsewhere on the page. */
  but?: KindPart | undefined;
}) {
  const { kind } = useKind();
  return (kind.pages?.parts ?? [])
    .filter((part) => types.includes(part.type) && part !== but)
    .map((part) => {
      if (part.type === "tanks") {
        const Card = part.stock === undefined ? TanksCard : StockedTanks;
        return <Card key={part.title.en} part={part} device={device} judged={judged} />;
      }
      if (part.type === "strip") return <StateStrip key={part.title.en} part={part} device={device} />;
      if (part.type === "grid") return <GridCard key={part.title.en} part={part} deviceId={device.deviceId} />;
      if (part.type === "stays") return <StaysCard key={part.title.en} part={part} deviceId={device.deviceId} />;
      return <RecordsCard key={part.title.en} part={part} deviceId={device.deviceId} />;
    });
}
