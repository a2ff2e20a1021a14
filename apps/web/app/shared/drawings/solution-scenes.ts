import { type Axes, type Place, smallAxes } from "./projection.ts";
import { bladePath, createPen, element, group, type Pen } from "./svg.ts";

const solutionNames = [
  "environment",
  "biosafety",
  "smart-farm",
  "deodorization",
  "manure-water",
  "farmland",
  "farm-design",
  "feed-mill",
  "farm-monitoring",
  "park-monitoring",
] as const;
export type SolutionName = (typeof solutionNames)[number];

const shifted = (dx: number, dy: number): Axes => ({
  ...smallAxes,
  origin: [smallAxes.origin[0] + dx, smallAxes.origin[1] + dy],
});

/** A hall with a pitched roof, ridge along x. */
function hall(pen: Pen, x: number, y: number, length: number, width: number, wall: number, rise: number): string {
  const middle = y + width / 2;
  const over = 0.35;
  return (
    pen.face("face-front outline", [
      [x, y + width, 0],
      [x + length, y + width, 0],
      [x + length, y + width, wall],
      [x, y + width, wall],
    ]) +
    pen.face("face-side outline", [
      [x, y, 0],
      [x, y + width, 0],
      [x, y + width, wall],
      [x, middle, wall + rise],
      [x, y, wall],
    ]) +
    pen.face("roof-2 outline", [
      [x - over, middle, wall + rise],
      [x + length + over, middle, wall + rise],
      [x + length + over, y - over, wall],
      [x - over, y - over, wall],
    ]) +
    pen.face("roof outline", [
      [x - over, middle, wall + rise],
      [x + length + over, middle, wall + rise],
      [x + length + over, y + width + over, wall - 0.2],
      [x - over, y + width + over, wall - 0.2],
    ])
  );
}

function mast(pen: Pen, place: Place): string {
  const [x, y] = pen.at(place);
  return (
    element("path", { class: "stroke", d: `M${x},${y}v-18` }) +
    element("circle", { cx: x, cy: y - 19, r: 2.5, fill: "var(--d-air)" }) +
    element("path", {
      fill: "none",
      stroke: "var(--d-air)",
      d: `M${x - 6},${y - 24}a8,8 0 0 0 0,10M${x + 6},${y - 24}a8,8 0 0 1 0,10`,
    })
  );
}

const scenes: Readonly<Record<SolutionName, () => string>> = {
  environment: () => {
    const pen = createPen(smallAxes);
    const [cx, cy] = pen.at([3, 6, 2.7]);
    const blades = [0, 72, 144, 216, 288].map((turn) =>
      element("path", { d: bladePath, transform: `rotate(${turn})` }),
    );
    return (
      pen.box([0, 0, 0], [6, 6, 5]) +
      group(
        { transform: `matrix(18,-6.4,0,18,${cx},${cy})` },
        element("circle", { r: 1, class: "face-deep outline fixed-stroke" }),
        group({ fill: "var(--d-line)" }, group({ class: "spin slow" }, ...blades), element("circle", { r: 0.14 })),
        element("circle", { r: 0.56, class: "stroke-3 fixed-stroke" }),
      ) +
      pen.curve("air", [
        [3.6, 6.2, 2],
        [4.6, 8.6, 1.4],
        [7.2, 9.4, 1],
      ]) +
      pen.curve("air slow", [
        [1.8, 6.2, 2],
        [2.8, 8.6, 1.4],
        [5.4, 9.4, 1],
      ])
    );
  },
  biosafety: () => {
    const pen = createPen(smallAxes);
    return (
      pen.box([0, 0, 0], [8, 5, 4]) +
      pen.face("face-deep outline", [
        [0.8, 5, 0],
        [2.6, 5, 0],
        [2.6, 5, 3],
        [0.8, 5, 3],
      ]) +
      pen.face("leaf outline", [
        [5.4, 5, 0],
        [7.2, 5, 0],
        [7.2, 5, 3],
        [5.4, 5, 3],
      ]) +
      pen.line("pipe2", [
        [3.2, 5, 3.3],
        [4.9, 5, 3.3],
      ]) +
      [3.4, 4, 4.6]
        .map((x) =>
          pen.line(
            "pipe2",
            [
              [x, 5, 3.1],
              [x, 5, 1.2],
            ],
            { "stroke-dasharray": "3 3" },
          ),
        )
        .join("") +
      pen.curve("air", [
        [1.7, 6.4, 0],
        [4.2, 7.2, 0],
        [6.6, 6.6, 0],
      ])
    );
  },
  "smart-farm": () => {
    const pen = createPen(smallAxes);
    return (
      hall(pen, 0, 0, 8.4, 5, 2.5, 2.2) +
      [0.8, 2.8, 4.8, 6.8]
        .map((x) =>
          pen.face("glass outline-2", [
            [x, 5, 0.9],
            [x + 1.1, 5, 0.9],
            [x + 1.1, 5, 1.8],
            [x, 5, 1.8],
          ]),
        )
        .join("") +
      mast(pen, [4.6, 2.5, 4.7])
    );
  },
  deodorization: () => {
    const pen = createPen(smallAxes);
    const packs = [0.5, 2.2, 3.9].map(
      (x) =>
        pen.face(
          "outline-2",
          [
            [x, 5.2, 0.8],
            [x + 1.3, 5.2, 0.8],
            [x + 1.3, 5.2, 4.4],
            [x, 5.2, 4.4],
          ],
          { fill: "var(--air-soft)" },
        ) +
        [1.2, 2, 2.8, 3.6]
          .map((z) =>
            pen.line("stroke-3", [
              [x, 5.2, z],
              [x + 0.65, 5.2, z + 0.3],
              [x + 1.3, 5.2, z],
            ]),
          )
          .join(""),
    );
    const plumes = (
      [
        [2, 2, 6.4],
        [3.6, 3.2, 6.4],
      ] as const
    ).map((place, index) => {
      const [x, y] = pen.at(place);
      return element("path", { class: index ? "air slow" : "air", d: `M${x},${y}c-5,-8 6,-13 1,-22s4,-9 3,-13` });
    });
    return (
      pen.box([0, 0, 0], [5.8, 5.2, 6.4]) +
      packs.join("") +
      pen.face(
        "water-face",
        [
          [0.3, 5.2, 0.15],
          [5.5, 5.2, 0.15],
          [5.5, 5.2, 0.6],
          [0.3, 5.2, 0.6],
        ],
        { opacity: 0.55 },
      ) +
      plumes.join("")
    );
  },
  "manure-water": () => {
    const pen = createPen(shifted(-10, 0));
    return (
      pen.face("ground", [
        [-1.4, -1, 0],
        [10.4, -1, 0],
        [10.4, 7.4, 0],
        [-1.4, 7.4, 0],
      ]) +
      pen.cylinder([5.6, 0.6, 0], 2.4, 3.9, "water-face") +
      pen.cylinder([1.2, 2.2, 0], 2.4, 3.9, "pit") +
      pen.line("pipe", [
        [2.6, 3.4, 0.7],
        [5.6, 4.2, 0.7],
      ]) +
      pen.cylinder([6.6, 4.6, 0], 1.9, 1.8, "leaf")
    );
  },
  farmland: () => {
    const pen = createPen(shifted(-24, -4));
    const strips = [0, 1.9, 3.8, 5.7].map((y, index) =>
      pen.face(index % 2 ? "leaf outline-2" : "ground-2 outline-2", [
        [0, y, 0],
        [10, y, 0],
        [10, y + 1.9, 0],
        [0, y + 1.9, 0],
      ]),
    );
    const sprouts = [0.9, 4.7].flatMap((y) =>
      Array.from({ length: 8 }, (_, index) => {
        const [x, top] = pen.at([0.7 + index * 1.2, y, 0]);
        return element("path", {
          fill: "none",
          stroke: "var(--d-sprout)",
          "stroke-width": 1.2,
          "stroke-linecap": "round",
          d: `M${x},${top}v-7M${x},${top - 3}q-5,-1 -5,-5M${x},${top - 3}q5,-1 5,-5`,
        });
      }),
    );
    return (
      strips.join("") +
      sprouts.join("") +
      pen.line("pipe2", [
        [10.6, -0.6, 0],
        [10.6, 8.2, 0],
      ]) +
      [0.9, 4.7]
        .map((y) =>
          pen.line("pipe2", [
            [10.6, y, 0],
            [9.4, y, 0],
          ]),
        )
        .join("")
    );
  },
  "farm-design": () => {
    const pen = createPen(shifted(-26, 2));
    const grid = [
      ...Array.from({ length: 12 }, (_, x) =>
        pen.line("stroke-3", [
          [x, 0, 0],
          [x, 9, 0],
        ]),
      ),
      ...Array.from({ length: 10 }, (_, y) =>
        pen.line("stroke-3", [
          [0, y, 0],
          [11, y, 0],
        ]),
      ),
    ];
    const block = (x: number, y: number): string =>
      pen.box([x, y, 0], [x + 3, y + 2.2, 1.5], { top: "roof", front: "face-front", side: "face-side" });
    return (
      pen.face("face-top outline", [
        [0, 0, 0],
        [11, 0, 0],
        [11, 9, 0],
        [0, 9, 0],
      ]) +
      grid.join("") +
      block(6.6, 1) +
      block(2.2, 1.4) +
      pen.line("stroke dash", [
        [7, 5.6, 0],
        [10, 5.6, 0],
        [10, 7.8, 0],
        [7, 7.8, 0],
        [7, 5.6, 0],
      ]) +
      block(2.4, 5.2)
    );
  },
  "feed-mill": () => {
    const pen = createPen(shifted(-2, 8));
    const [tx, ty] = pen.at([6.4, 1, 6.8]);
    const [bx, by] = pen.at([1.2, 1.4, 4.8]);
    return (
      pen.box([6, 0, 0], [8.4, 2.6, 7]) +
      pen.cylinder([4, 1.2, 0], 1.5, 5.2) +
      pen.cylinder([0.8, 1.6, 0], 1.5, 5.2) +
      element("path", { class: "stroke", d: `M${bx},${by}L${tx},${ty}` }) +
      pen.box([2.2, 4.4, 0], [7.6, 7, 2], { top: "roof", front: "face-front", side: "face-side" }) +
      pen.face("glass outline-2", [
        [3, 7, 0.5],
        [4.2, 7, 0.5],
        [4.2, 7, 1.4],
        [3, 7, 1.4],
      ])
    );
  },
  "farm-monitoring": () => {
    const pen = createPen(shifted(-6, 6));
    const [x, y] = pen.at([10, 2.4, 0]);
    const [lx, ly] = pen.at([6.6, 3, 2.4]);
    return (
      hall(pen, 0, 0, 8, 2.8, 1.7, 1.3) +
      element("path", { class: "stroke", d: `M${x},${y}v-62h-6` }) +
      element("path", { class: "face-top outline", d: `M${x - 20},${y - 66}l14,3l-2,8l-14,-3z` }) +
      hall(pen, 0, 4.2, 8, 2.8, 1.7, 1.3) +
      element("path", {
        class: "glass",
        d: `M${x - 8},${y - 58}L${lx - 12},${ly + 6}L${lx + 20},${ly + 16}Z`,
        opacity: 0.8,
      })
    );
  },
  "park-monitoring": () => {
    const pen = createPen(shifted(-34, 4));
    return (
      pen.box([6.2, 0, 0], [9.4, 2.4, 5.6]) +
      pen.box([2.6, 0.4, 0], [5.8, 2.6, 7]) +
      [1.4, 3, 4.6]
        .map(
          (z) =>
            pen.face("glass outline-2", [
              [3, 2.6, z],
              [4, 2.6, z],
              [4, 2.6, z + 0.9],
              [3, 2.6, z + 0.9],
            ]) +
            pen.face("glass outline-2", [
              [4.5, 2.6, z],
              [5.4, 2.6, z],
              [5.4, 2.6, z + 0.9],
              [4.5, 2.6, z + 0.9],
            ]),
        )
        .join("") +
      pen.box([6.4, 4, 0], [9.2, 6.4, 4.4]) +
      pen.line("pipe2", [
        [4.6, 5, 0.6],
        [6.4, 5, 0.6],
      ]) +
      pen.box([0, 3.6, 0], [4.6, 6.4, 2.6], { top: "roof", front: "face-front", side: "face-side" }) +
      pen.line("stroke dash", [
        [0, 8, 0],
        [11, 8, 0],
      ])
    );
  },
};

/** A small picture of a solution, as SVG content for the view box below. */
export const solutionScene = (name: SolutionName): string => scenes[name]();

export const solutionViewBox = "16 -16 188 144";
