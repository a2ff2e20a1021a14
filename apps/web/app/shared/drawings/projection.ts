/** A point on the drawing, px. */
export type Point = readonly [x: number, y: number];
/** A point in the yard, metres: x along the house, y across it towards the viewer, z up. */
export type Place = readonly [x: number, y: number, z: number];

export interface Axes {
  /** Pixels right and down per metre along each axis. */
  x: Point;
  y: Point;
  /** Pixels up per metre. */
  z: number;
  /** Where [0, 0, 0] lies. */
  origin: Point;
}

/** Axonometry of every telling picture (language.md): seen from the exhaust gable. */
export const houseAxes: Axes = { x: [25.4, -6], y: [16.2, 14.2], z: 24.5, origin: [372, 512] };
/** The same view at the size of a small picture. */
export const smallAxes: Axes = { x: [9, -3.2], y: [6.6, 5.2], z: 9, origin: [58, 74] };

const rounded = (value: number): number => Math.round(value * 10) / 10;

/** Projects places of one picture. */
export const projection =
  ({ x: ax, y: ay, z: az, origin }: Axes) =>
  ([x, y, z]: Place): Point => [
    rounded(origin[0] + ax[0] * x + ay[0] * y),
    rounded(origin[1] + ax[1] * x + ay[1] * y - az * z),
  ];
