import type { JudgedDevice } from "@herdwise/device-kinds";

/** Figures of a table; the others stand on the page of the device. */
const shownFigures = 4;

/** The first figures; what is wrong at one of the devices comes instead of the last of those with which nothing is wrong. */
export function shownFiguresOf(
  figures: readonly string[],
  devices: readonly Pick<JudgedDevice, "problems">[],
): string[] {
  const wrong = new Set(devices.flatMap(({ problems }) => problems.map(({ key }) => key)));
  const shown = new Set(figures.toSorted((a, b) => Number(wrong.has(b)) - Number(wrong.has(a))).slice(0, shownFigures));
  return figures.filter((key) => shown.has(key));
}
