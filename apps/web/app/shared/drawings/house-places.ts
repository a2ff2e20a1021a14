import type { Place } from "./projection.ts";

/** Metres. The picture, its chips and its shadows all follow from these. */
export const house = {
  length: 30,
  width: 12,
  wall: 3,
  ridge: 5.4,
  overhang: 0.7,
  cutFrom: 1.4,
  cutTo: 24.2,
  sill: 0.75,
};

/** Places in the house that value chips point at. */
export const probes = {
  temperature: [10.2, 3.4, 1.9],
  gas: [20.8, 3.4, 1.9],
  humidity: [15.4, 8.4, 1.9],
  fans: [0, 10.3, 1.25],
  pen: [7.2, 10.6, 0.4],
  filter: [28, 13.7, 1.5],
  weather: [31.4, 15.4, 3.6],
} as const satisfies Record<string, Place>;

export const fanCount = 7;
