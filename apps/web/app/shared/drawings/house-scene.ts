import { house, probes } from "./house-places.ts";
import { houseAxes, type Place } from "./projection.ts";
import { bladePath, createPen, defs, element, group, type Pen, steadyRandom } from "./svg.ts";

/** What the house is doing, so that motion in the picture is true. */
export interface HouseState {
  /** One entry per gable fan, from the floor up: turning or still. */
  fans: readonly boolean[];
}

const fanPlaces = [
  { y: 1.7, z: 1.25, radius: 0.92 },
  { y: 4.55, z: 1.25, radius: 0.92 },
  { y: 7.45, z: 1.25, radius: 0.92 },
  { y: 10.3, z: 1.25, radius: 0.92 },
  { y: 4.05, z: 3.32, radius: 0.72 },
  { y: 6, z: 3.32, radius: 0.72 },
  { y: 7.95, z: 3.32, radius: 0.72 },
] as const;

/** Height of the roof's plane over a place across the house. */
const roofHeight = (y: number): number =>
  house.ridge - Math.abs(y - house.width / 2) * ((house.ridge - house.wall) / (house.width / 2));
const range = (from: number, to: number, step: number): number[] =>
  Array.from({ length: Math.floor((to - from) / step + 1e-9) + 1 }, (_, index) => from + index * step);

function ground({ face, line }: Pen): string {
  return [
    face("ground", [
      [-16, -6, 0],
      [33, -6, 0],
      [33, 19, 0],
      [-16, 19, 0],
    ]),
    face("ground-2", [
      [-13, 16.4, 0],
      [33, 16.4, 0],
      [33, 18.6, 0],
      [-13, 18.6, 0],
    ]),
    ...range(-11, 30, 3).map((x) =>
      line("stroke-3", [
        [x, 17.5, 0],
        [x + 1.4, 17.5, 0],
      ]),
    ),
    face("shade", [
      [-1.4, 0.2, 0],
      [30.8, 0.2, 0],
      [31.2, 14.1, 0],
      [-1.2, 14.1, 0],
    ]),
  ].join("");
}

function tree({ at }: Pen, place: Place, scale: number): string {
  const [x, y] = at(place);
  return group(
    { transform: `translate(${x},${y}) scale(${scale})` },
    element("ellipse", { class: "shade", cx: 3, cy: 1, rx: 14, ry: 5 }),
    element("path", { class: "stroke", d: "M0,0V-17M0,-9l5,-5" }),
    element("path", {
      class: "leaf outline-2",
      d: "M0,-48C14,-48 18,-31 14,-22C10,-13 -10,-13 -14,-22C-18,-31 -14,-48 0,-48Z",
    }),
    element("path", { class: "leaf-2", d: "M3,-47.4C14,-45 18,-31 14,-22C11,-16 5,-15 1,-15.4C8,-23 10,-37 3,-47.4Z" }),
  );
}

function silo({ at, cylinder }: Pen, x: number, y: number, height: number): string {
  const radius = 1.25;
  const rx = Math.round(radius * Math.hypot(25.4, 16.2) * 9.4) / 10;
  const ry = Math.round(rx * 3.6) / 10;
  const bands = [0.42, 0.72].map((share) => {
    const [cx, cy] = at([x, y, height * share]);
    return element("path", { class: "stroke-2", d: `M${cx - rx},${cy}A${rx},${ry} 0 0 0 ${cx + rx},${cy}` });
  });
  const [cx, roof] = at([x, y, height]);
  return (
    cylinder([x, y, 0], radius, height) +
    bands.join("") +
    element("path", {
      class: "face-top outline",
      d: `M${cx - rx},${roof}L${cx},${roof - 27}L${cx + rx},${roof}A${rx},${ry} 0 0 1 ${cx - rx},${roof}Z`,
    }) +
    element("path", {
      class: "stroke-2",
      d: `M${cx},${roof - 27}V${roof + ry}M${cx + rx - 6},${roof + 6}V${at([x, y, 0])[1]}`,
    })
  );
}

/** Two rows of pens with slats, dividers, drinkers and pigs. */
function pens(pen: Pen): string {
  const { face, line, at } = pen;
  const parts: string[] = [
    face("floor", [
      [0, 0, 0],
      [30, 0, 0],
      [30, 12, 0],
      [0, 12, 0],
    ]),
  ];
  for (const y of range(0.6, 11.6, 0.62))
    if (Math.abs(y - 6) > 0.7)
      parts.push(
        line(
          "stroke-3",
          [
            [0, y, 0],
            [26, y, 0],
          ],
          { opacity: 0.75 },
        ),
      );
  parts.push(
    face("face-front", [
      [0, 5.35, 0.02],
      [26, 5.35, 0.02],
      [26, 6.65, 0.02],
      [0, 6.65, 0.02],
    ]),
  );
  parts.push(
    line("stroke-2", [
      [0, 5.35, 0],
      [26, 5.35, 0],
    ]),
    line("stroke-2", [
      [0, 6.65, 0],
      [26, 6.65, 0],
    ]),
  );
  // Inner face of the far side wall, with its lights.
  parts.push(
    face(
      "face-deep",
      [
        [0, 0, 0],
        [30, 0, 0],
        [30, 0, house.wall],
        [0, 0, house.wall],
      ],
      { opacity: 0.5 },
    ),
  );
  parts.push(
    ...range(2, 24, 2.4).map((x) =>
      face("glass outline-2", [
        [x, 0, 1.3],
        [x + 1.3, 0, 1.3],
        [x + 1.3, 0, 2.2],
        [x, 0, 2.2],
      ]),
    ),
  );

  const fence = (from: Place, to: Place): string => {
    const [x0, y0] = from;
    const [x1, y1] = to;
    return (
      face("glass", [
        [x0, y0, 0],
        [x1, y1, 0],
        [x1, y1, 0.85],
        [x0, y0, 0.85],
      ]) +
      [0.45, 0.85]
        .map((z) =>
          line("stroke-2", [
            [x0, y0, z],
            [x1, y1, z],
          ]),
        )
        .join("")
    );
  };
  const random = steadyRandom(20_261_121);
  const rows = [
    { from: 0.5, to: 5.35, aisle: 5.35 },
    { from: 6.65, to: 11.5, aisle: 6.65 },
  ];
  for (const { from, to, aisle } of rows) {
    if (aisle > 6) parts.push(fence([0, aisle, 0], [26, aisle, 0]));
    const beings: { y: number; art: string }[] = [];
    for (const x of range(0.3, 23.3, 3.2)) {
      parts.push(fence([x, from, 0], [x, to, 0]));
      for (let pig = 0; pig < 5; pig++) {
        const place: Place = [
          x + 0.7 + (pig % 2) * 1.35 + random() * 0.5,
          from + 0.7 + ((pig + random() * 0.7) / 5) * (to - from - 0.9),
          0,
        ];
        const heading = Math.round(random() * 360);
        const [px, py] = at(place);
        const scale = Math.round((1 + random() * 0.16) * 100) / 100;
        // Lying pigs are flatter; about a third of a calm house lies.
        const name = random() < 0.36 ? "pig-lying" : "pig";
        const mirrored = heading > 90 && heading < 270 ? -scale : scale;
        const tilt = Math.round((random() - 0.5) * 36 - 8);
        beings.push({
          y: place[1],
          art: element("use", {
            href: `#${name}`,
            transform: `translate(${px},${py}) rotate(${tilt}) scale(${mirrored},${scale})`,
          }),
        });
      }
    }
    parts.push(...beings.toSorted((a, b) => a.y - b.y).map(({ art }) => art));
    if (aisle < 6) parts.push(fence([0, aisle, 0], [26, aisle, 0]));
    // Water line with drinkers, feed auger above the pens.
    const pipeY = from + 2.5;
    parts.push(
      line("pipe", [
        [0.4, pipeY, 1.75],
        [25.6, pipeY, 1.75],
      ]),
    );
    parts.push(
      ...range(1.9, 24, 3.2).map(
        (x) =>
          line("pipe2", [
            [x, pipeY, 1.75],
            [x, pipeY, 0.75],
          ]) +
          line("stroke", [
            [x - 0.14, pipeY, 0.75],
            [x + 0.14, pipeY, 0.75],
          ]),
      ),
    );
    parts.push(
      line("stroke-2", [
        [0.4, pipeY + 1.2, 2.25],
        [25.8, pipeY + 1.2, 2.25],
      ]),
    );
  }
  return parts.join("");
}

/** Trusses and hangers: lines only, so that the pens stay readable beneath. */
function trusses({ line, at }: Pen): string {
  const chords = range(2.2, 26, 3.4).map((x) => {
    const top = (y: number): Place => [x, y, roofHeight(y)];
    return (
      line(
        "stroke-2",
        [
          [x, 0, 3],
          [x, 12, 3],
        ],
        { opacity: 0.7 },
      ) +
      line("stroke-2", [top(0), top(6), top(12)], { opacity: 0.7 }) +
      line("stroke-3", [[x, 2, 3], top(3), [x, 4, 3], top(6), [x, 8, 3], top(9), [x, 10, 3]])
    );
  });
  const hangers = [probes.temperature, probes.gas, probes.humidity].map((place) => {
    const [x, y, z] = place;
    const [cx, cy] = at(place);
    return (
      line("stroke", [
        [x, y, 3.4],
        [x, y, z],
      ]) +
      element("circle", { class: "face-top outline", cx, cy, r: 4.4 }) +
      element("circle", { cx, cy, r: 1.8, fill: "var(--d-air)" })
    );
  });
  return chords.join("") + hangers.join("");
}

function airInside({ curve }: Pen): string {
  return [
    curve("air", [
      [29, 8.6, 2.4],
      [22, 8.9, 1.7],
      [14, 8.6, 1.3],
      [6, 8.4, 1.2],
      [1, 8.2, 1.25],
    ]),
    curve("air slow", [
      [29, 10.4, 2.4],
      [21, 10.4, 1.5],
      [12, 10.2, 1.1],
      [4, 10.2, 1.1],
    ]),
    curve("air", [
      [29, 3.6, 2.4],
      [22, 3.4, 1.6],
      [14, 3.2, 1.35],
      [6, 3.6, 1.2],
      [1, 4.2, 1.25],
    ]),
    curve("air slow", [
      [29, 1.8, 2.5],
      [20, 1.8, 1.5],
      [11, 2, 1.2],
      [4, 2, 1.1],
    ]),
  ].join("");
}

/** The far slope whole, the near one only beside the gable and over the end rooms: cut faces are solid. */
function roof({ face, line }: Pen): string {
  const o = house.overhang;
  const eave = (y: number): number => roofHeight(y);
  const near = (x0: number, x1: number): string =>
    face("roof-2 outline", [
      [x0, 6, 5.4],
      [x1, 6, 5.4],
      [x1, 12 + o, eave(12 + o)],
      [x0, 12 + o, eave(12 + o)],
    ]);
  const seam = (x: number, y: number, opacity: number): string =>
    line(
      "stroke-3",
      [
        [x, 6, 5.4],
        [x, y, eave(y)],
      ],
      { opacity },
    );
  return [
    face("roof outline", [
      [-o, 6, 5.4],
      [30 + o, 6, 5.4],
      [30 + o, -o, eave(-o)],
      [-o, -o, eave(-o)],
    ]),
    ...range(0.3, 30, 1).map((x) => seam(x, -o, 0.4)),
    face("cut", [
      [house.cutFrom, 6, 5.4],
      [house.cutTo, 6, 5.4],
      [house.cutTo, 6, 5.18],
      [house.cutFrom, 6, 5.18],
    ]),
    near(house.cutTo, 30 + o),
    ...range(house.cutTo + 1, 30.4, 1).map((x) => seam(x, 12 + o, 0.35)),
    face("cut", [
      [house.cutTo, 6, 5.4],
      [house.cutTo, 12 + o, eave(12 + o)],
      [house.cutTo - 0.26, 12 + o, eave(12 + o)],
      [house.cutTo - 0.26, 6, 5.4],
    ]),
    line(
      "stroke dash",
      [
        [house.cutFrom, 12 + o, eave(12 + o)],
        [house.cutTo, 12 + o, eave(12 + o)],
      ],
      { opacity: 0.55 },
    ),
  ].join("");
}

function nearWall({ face, line }: Pen): string {
  const { cutTo, sill, wall } = house;
  return [
    face("face-front outline", [
      [0, 12, 0],
      [cutTo, 12, 0],
      [cutTo, 12, sill],
      [0, 12, sill],
    ]),
    face("cut", [
      [0, 12, sill],
      [cutTo, 12, sill],
      [cutTo, 11.8, sill],
      [0, 11.8, sill],
    ]),
    face("face-front outline", [
      [cutTo, 12, 0],
      [30, 12, 0],
      [30, 12, wall],
      [cutTo, 12, wall],
    ]),
    face("cut", [
      [cutTo, 12, sill],
      [cutTo, 12, wall],
      [cutTo - 0.2, 12, wall],
      [cutTo - 0.2, 12, sill],
    ]),
    ...range(1, 24, 2).map((x) =>
      line("stroke-3", [
        [x, 12, 0],
        [x, 12, sill],
      ]),
    ),
  ].join("");
}

function gable(pen: Pen, fans: readonly boolean[]): string {
  const { face, line, at } = pen;
  const o = house.overhang;
  const parts = [
    face("face-side outline", [
      [0, 0, 0],
      [0, 12, 0],
      [0, 12, 3],
      [0, 6, 5.4],
      [0, 0, 3],
    ]),
    ...range(0.5, 11.5, 0.5).map((y) =>
      line(
        "stroke-3",
        [
          [0, y, 0],
          [0, y, roofHeight(y)],
        ],
        { opacity: 0.7 },
      ),
    ),
    face("face-deep", [
      [0, 0, 0],
      [0, 12, 0],
      [0, 12, 0.16],
      [0, 0, 0.16],
    ]),
  ];
  fanPlaces.forEach(({ y, z, radius }, index) => {
    const [cx, cy] = at([0, y, z]);
    // The wall's plane as a matrix: a fan is drawn once, flat, and leans with the wall.
    const [a, b, d] = [16.2 * radius, 14.2 * radius, 24.5 * radius].map((value) => Math.round(value * 100) / 100);
    const running = fans[index] ?? false;
    const blades = range(0, 288, 72).map((turn) => element("path", { d: bladePath, transform: `rotate(${turn})` }));
    parts.push(
      group(
        {
          transform: `matrix(${a},${b},0,${d},${cx},${cy})`,
          class: "fan",
          "data-fan": index,
          "data-on": running ? "" : undefined,
        },
        element("rect", {
          x: -1.16,
          y: -1.16,
          width: 2.32,
          height: 2.32,
          rx: 0.12,
          class: "face-front outline fixed-stroke",
        }),
        element("circle", { r: 1, class: "face-deep outline fixed-stroke" }),
        group({ class: "rotor" }, group({ class: "spin" }, ...blades), element("circle", { r: 0.16 })),
        element("circle", { r: 0.56, class: "stroke-3 fixed-stroke" }),
        element("path", { class: "stroke-3 fixed-stroke", d: "M-1,0H1M0,-1V1" }),
      ),
    );
  });
  parts.push(
    // Roof over the gable: the strip of the near slope that was left standing, and the edge board.
    face("roof-2 outline", [
      [-o, 6, 5.4],
      [house.cutFrom, 6, 5.4],
      [house.cutFrom, 12 + o, roofHeight(12 + o)],
      [-o, 12 + o, roofHeight(12 + o)],
    ]),
    line(
      "stroke-3",
      [
        [0.4, 6, 5.4],
        [0.4, 12 + o, roofHeight(12 + o)],
      ],
      { opacity: 0.35 },
    ),
    face("cut", [
      [house.cutFrom, 6, 5.4],
      [house.cutFrom, 12 + o, roofHeight(12 + o)],
      [house.cutFrom + 0.26, 12 + o, roofHeight(12 + o)],
      [house.cutFrom + 0.26, 6, 5.4],
    ]),
    line(
      "stroke",
      [
        [-o, -o, roofHeight(-o)],
        [-o, 6, 5.4],
        [-o, 12 + o, roofHeight(12 + o)],
      ],
      { "stroke-width": 3 },
    ),
  );
  const [mx, my] = at([6, 0.2, 5]);
  parts.push(
    element("path", { class: "stroke", d: `M${mx},${my}v-40` }),
    element("rect", { class: "face-top outline", x: mx - 5, y: my - 20, width: 10, height: 13, rx: 2 }),
    element("circle", { cx: mx, cy: my - 42, r: 3, fill: "var(--d-air)" }),
    element("path", {
      fill: "none",
      stroke: "var(--d-air)",
      d: `M${mx - 9},${my - 48}a12,12 0 0 0 0,12M${mx + 9},${my - 48}a12,12 0 0 1 0,12M${mx - 15},${my - 52}a20,20 0 0 0 0,20M${mx + 15},${my - 52}a20,20 0 0 1 0,20`,
    }),
  );
  return parts.join("");
}

/** The scrubber that washes the exhaust air, with its packings, nozzles and basin. */
function scrubber(pen: Pen): string {
  const { box, face, line, at } = pen;
  const [x0, y0, x1, y1, h] = [-8.2, -4, -3.4, 2.2, 3.9];
  const parts = [
    face("shade", [
      [x0 - 0.6, y0 + 0.2, 0],
      [x1 + 0.6, y0 + 0.2, 0],
      [x1 + 1.3, y1 + 1, 0],
      [x0 - 0.2, y1 + 1, 0],
    ]),
    box([x0, y0, 0], [x1, y1, h]),
  ];
  for (const [index, x] of range(x0 + 0.3, x1 - 0.9, 1.13).entries()) {
    parts.push(
      face(
        "outline-2",
        [
          [x, y1, 1],
          [x + 0.9, y1, 1],
          [x + 0.9, y1, 3.3],
          [x, y1, 3.3],
        ],
        { fill: "var(--air-soft)" },
      ),
    );
    parts.push(
      ...range(1.15, 3.1, 0.3).map((z) =>
        line("stroke-3", [
          [x, y1, z],
          [x + 0.45, y1, z + 0.16],
          [x + 0.9, y1, z],
        ]),
      ),
    );
    const [nx, ny] = at([x + 0.45, y1, 3.55]);
    parts.push(
      element("path", {
        class: "pipe2",
        d: `M${nx},${ny}l-5,10M${nx},${ny}v12M${nx},${ny}l5,10`,
        opacity: index % 2 ? 0.6 : 0.9,
      }),
    );
  }
  parts.push(
    face(
      "water-face",
      [
        [x0 + 0.3, y1, 0.25],
        [x1 - 0.2, y1, 0.25],
        [x1 - 0.2, y1, 0.7],
        [x0 + 0.3, y1, 0.7],
      ],
      { opacity: 0.5 },
    ),
    line("pipe2", [
      [x0 + 0.3, y1, 3.58],
      [x1 - 0.2, y1, 3.58],
    ]),
    face("face-deep outline-2", [
      [x0 + 0.8, y0 + 0.8, h],
      [x1 - 0.5, y0 + 0.8, h],
      [x1 - 0.5, y1 - 0.8, h],
      [x0 + 0.8, y1 - 0.8, h],
    ]),
    ...range(x0 + 1.3, x1 - 0.7, 0.55).map((x) =>
      line("stroke-2", [
        [x, y0 + 0.8, h],
        [x, y1 - 0.8, h],
      ]),
    ),
  );
  for (const [index, place] of (
    [
      [-6.4, -2, h],
      [-5.2, -0.6, h],
      [-4.6, -2.4, h],
    ] as const
  ).entries()) {
    const [x, y] = at(place);
    parts.push(
      element("path", { class: index === 1 ? "air slow" : "air", d: `M${x},${y}c-7,-14 9,-22 2,-38s6,-16 4,-24` }),
    );
  }
  return parts.join("");
}

function exhaustAir({ curve }: Pen): string {
  return [2, 4.6, 7.4, 10.3]
    .map((y, index) =>
      curve(index > 1 ? "air slow" : "air", [
        [-0.1, y, 1.2],
        [-1.3, y + 0.4, 0.7],
        [-2.4, y - 0.9 - index * 0.9, 0.35],
        [-3.3, 1.6 - index * 0.15, 0.9 - index * 0.12],
      ]),
    )
    .join("");
}

/** Air filter house on the intake side, service room, water tanks, weather mast and the stockman. */
function surroundings(pen: Pen): string {
  const { box, face, line, curve, cylinder, at } = pen;
  const parts: string[] = [box([25.2, 12, 0], [30, 13.7, 2.7])];
  for (const x of range(25.5, 29.4, 0.56)) {
    parts.push(
      face(
        "outline-2",
        [
          [x, 13.7, 0.5],
          [x + 0.42, 13.7, 0.5],
          [x + 0.42, 13.7, 2.35],
          [x, 13.7, 2.35],
        ],
        { fill: "var(--air-soft)" },
      ),
    );
    parts.push(
      ...range(0.75, 2.2, 0.3).map((z) =>
        line("stroke-3", [
          [x, 13.7, z],
          [x + 0.42, 13.7, z + 0.12],
        ]),
      ),
    );
  }
  parts.push(
    curve("air", [
      [32.6, 17.4, 0.8],
      [31, 16.2, 0.9],
      [29.4, 14.9, 1.1],
      [28.2, 14, 1.3],
    ]),
    curve("air slow", [
      [30.6, 18, 0.7],
      [29, 16.6, 0.8],
      [27.4, 15.1, 1],
      [26.6, 14, 1.2],
    ]),
    curve("air slow", [
      [33.4, 15.6, 1],
      [32, 15, 1.2],
      [30.6, 14.3, 1.3],
      [29.6, 13.9, 1.5],
    ]),
    face("shade", [
      [9, 15, 0],
      [18.6, 15, 0],
      [18.9, 17.2, 0],
      [9.2, 17.2, 0],
    ]),
    box([13.4, 14.2, 0], [17.8, 16.4, 2.3]),
    face("glass outline-2", [
      [14, 16.4, 0.7],
      [15, 16.4, 0.7],
      [15, 16.4, 1.7],
      [14, 16.4, 1.7],
    ]),
    face("glass outline-2", [
      [15.6, 16.4, 0],
      [16.6, 16.4, 0],
      [16.6, 16.4, 1.9],
      [15.6, 16.4, 1.9],
    ]),
    cylinder([9.8, 15.3, 0], 0.85, 2.4),
    cylinder([11.8, 15.3, 0], 0.85, 2.4),
    line("pipe2", [
      [9.8, 15.6, 1.6],
      [13.4, 15.4, 1.6],
    ]),
    line("pipe", [
      [13.6, 14.2, 1.3],
      [13.6, 12.1, 1.3],
      [13.6, 11.9, 1.75],
      [13.6, 9.15, 1.75],
    ]),
  );
  for (const [x, level] of [
    [9.8, 0.5],
    [11.8, 0.74],
  ] as const) {
    const [cx, low] = at([x, 15.3, 0.25]);
    const [, high] = at([x, 15.3, 0.25 + 1.9 * level]);
    const [, rim] = at([x, 15.3, 2.15]);
    parts.push(
      element("path", {
        d: `M${cx - 12},${low + 6}V${rim + 6}`,
        stroke: "var(--d-line-3)",
        "stroke-width": 4,
        "stroke-linecap": "round",
      }),
    );
    parts.push(
      element("path", {
        d: `M${cx - 12},${low + 6}V${high + 6}`,
        stroke: "var(--d-water)",
        "stroke-width": 4,
        "stroke-linecap": "round",
      }),
    );
  }
  const [wx, wy] = at([31.4, 15.4, 0]);
  const [, top] = at(probes.weather);
  parts.push(
    element("path", { class: "stroke", d: `M${wx},${wy}V${top}M${wx - 12},${top}h24M${wx - 6},${wy}h12` }),
    element("circle", { class: "face-top outline", cx: wx - 13, cy: top - 2, r: 4 }),
    element("path", { class: "face-top outline", d: `M${wx + 8},${top - 8}h8v8h-8z` }),
  );
  const [px, py] = at([19.9, 17.1, 0]);
  parts.push(
    element("ellipse", { class: "shade", cx: px, cy: py, rx: 10, ry: 3.5 }),
    element("path", { class: "roof outline", d: `M${px - 5},${py}v-14c-2,-8 1,-15 5,-15s7,7 5,15v14h-4v-11h-2v11z` }),
    element("circle", { class: "outline", fill: "var(--d-pig)", cx: px, cy: py - 34, r: 4.8 }),
    element("path", { class: "leaf-2", d: `M${px - 5.5},${py - 35.5}a5.5,5.5 0 0 1 11,0z` }),
    element("rect", { class: "face-top outline", x: px + 5, y: py - 20, width: 5, height: 7, rx: 1 }),
  );
  return parts.join("");
}

/** Colours as attributes: rules that name an ancestor don't reach into a shape that is used by reference. */
const skin = { fill: "var(--d-pig)", stroke: "var(--d-pig-line)", "stroke-width": 0.9 };
const shade = { fill: "var(--d-pig-2)", stroke: "var(--d-pig-line)", "stroke-width": 0.8 };

/** Pigs as shared shapes: seen from above and the side, simple and calm. */
const pigShapes = (): string =>
  defs(
    group(
      { id: "pig" },
      element("ellipse", { fill: "var(--d-shade)", cx: 1, cy: 4.5, rx: 14, ry: 4.5 }),
      element("path", { ...shade, d: "M-9,1l-.6,5h2.6l.8,-4.5zM7,1l.8,5h-2.6l-.9,-4.5z" }),
      element("path", {
        ...skin,
        d: "M-14,-3.5C-14.5,-9.5 -8,-11 -1,-11C6,-11 10,-9.5 12,-7.5L16.5,-6C18.5,-5.5 18.5,-2.5 16.5,-2.2L12,-1C8,3 -2,3.5 -8,2.5C-12,1.8 -13.8,-.5 -14,-3.5Z",
      }),
      element("path", { ...shade, d: "M7.5,-9.5l4.5,-2.5l.6,4.5z" }),
      element("circle", { cx: 13.4, cy: -5.4, r: 0.8, fill: "var(--d-line)" }),
      element("path", {
        fill: "none",
        stroke: "var(--d-pig-line)",
        "stroke-width": 0.9,
        d: "M-14,-5c-2.5,-.5 -3,-3 -1,-3.5",
      }),
    ),
    group(
      { id: "pig-lying" },
      element("ellipse", { fill: "var(--d-shade)", cx: 1, cy: 3, rx: 15, ry: 4.5 }),
      element("path", {
        ...skin,
        d: "M-15,-1C-15,-6.5 -8,-8 0,-8C7,-8 11,-6.5 13,-4.5L17,-2.5C18.5,-1.5 18,1 16,1L12,1.5C8,4.5 -3,5 -9,4C-13,3.3 -15,1.5 -15,-1Z",
      }),
      element("path", { ...shade, d: "M8,-6.5l4.5,-2l.4,4.2z" }),
      element("path", {
        fill: "none",
        stroke: "var(--d-pig-line)",
        "stroke-width": 0.8,
        d: "M13.5,-1.8q1,.8 2,.2M-6,3.8q4,-2.6 8,-.2",
      }),
    ),
  );

/** The whole yard as SVG content for a 1440 × 800 view box: roof cut open, pens, air, water, scrubber, filter, silos. */
export function houseScene({ fans }: HouseState): string {
  const pen = createPen(houseAxes);
  return [
    pigShapes(),
    ground(pen),
    tree(pen, [28.6, -4.6, 0], 1),
    tree(pen, [25.4, -5, 0], 0.8),
    tree(pen, [8.4, -4.2, 0], 0.9),
    tree(pen, [5.9, -4, 0], 0.7),
    silo(pen, 20.6, -2.6, 8.2),
    silo(pen, 24.4, -2.6, 8.2),
    pens(pen),
    airInside(pen),
    trusses(pen),
    roof(pen),
    nearWall(pen),
    scrubber(pen),
    gable(pen, fans),
    exhaustAir(pen),
    surroundings(pen),
    tree(pen, [-13.4, 2.6, 0], 0.85),
  ].join("");
}
