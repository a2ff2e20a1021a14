/** What a driver does, in the order of a trip. `position` says only where the vehicle is. */
export const driverActs = ["disinfect", "quarantine", "depart", "arrive", "position"] as const;
export type DriverAct = (typeof driverActs)[number];

/** The one next step of a driver: an act, or whom the vehicle waits for. */
export type DriverStep = Exclude<DriverAct, "position"> | "clear" | "load" | "done" | "off";

/**
 * The one next step of a trip.
 * @param waiting acts that wait on the phone to be sent; they count as done
 */
export function driverStep(
  {
    state,
    disinfection,
    quarantine,
  }: { state: string; disinfection: { state: string }; quarantine: { state: string } },
  waiting: readonly string[] = [],
): DriverStep {
  if (state === "cancelled") return "off";
  if (state === "arrived" || state === "closed" || waiting.includes("arrive")) return "done";
  if (state === "departed" || waiting.includes("depart")) return "arrive";
  if (disinfection.state !== "ok" && !waiting.includes("disinfect")) return "disinfect";
  if (quarantine.state !== "ok" && !waiting.includes("quarantine")) return "quarantine";
  return state === "planned" ? "clear" : state === "ready" ? "load" : "depart";
}
