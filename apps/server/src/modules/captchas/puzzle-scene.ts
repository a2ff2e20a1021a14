import { blockPuzzle } from "@herdwise/contract";

/** Random from 0 to 1. Scenes hold no secret, so tests may give a sequence of their own. */
export type Chance = () => number;

const { width, height } = blockPuzzle;
const ink = "#26332d";

const skies = [
  ["#cfe3e8", "#f4efe2"],
  ["#bcd6e2", "#eef1e6"],
  ["#f3d9b8", "#f8efe0"],
  ["#c9d8ee", "#f5e9e4"],
  ["#d9d4ea", "#f3ece2"],
] as const;
const greens = ["#7fa06a", "#93ae72", "#6d9468", "#a3b77c", "#86a98a", "#5f8a63"] as const;
const crops = ["#c9b458", "#b7c26a", "#d3a75c", "#8fb06b", "#a8934f", "#9cbf8a"] as const;
const walls = ["#f1e7d3", "#e7ddc8", "#e9e4da", "#dfe3dc"] as const;
const roofs = ["#2f5d4b", "#a4553a", "#46667a", "#7a4a3c", "#3f6b5a"] as const;
const pigSkins = ["#e8b3a4", "#dea08f", "#efc3b3", "#c98d7c"] as const;

const fixed = (value: number) => Math.round(value * 10) / 10;

/** Draws farm landscapes in the brand's drawing language: flat faces, thin dark outlines, houses seen from above a corner. */
function createBrush(chance: Chance) {
  const between = (min: number, max: number) => min + chance() * (max - min);
  const one = <T>(choices: readonly T[]): T => choices[Math.floor(chance() * choices.length)] as T;
  const polygon = (points: readonly (readonly [number, number])[], fill: string, stroke = ink) =>
    `<polygon points="${points.map(([x, y]) => `${fixed(x)},${fixed(y)}`).join(" ")}" fill="${fill}" stroke="${stroke}"/>`;
  const line = (x1: number, y1: number, x2: number, y2: number) =>
    `<line x1="${fixed(x1)}" y1="${fixed(y1)}" x2="${fixed(x2)}" y2="${fixed(y2)}" stroke="${ink}"/>`;
  const circle = (x: number, y: number, r: number, fill: string, stroke = ink) =>
    `<circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(r)}" fill="${fill}" stroke="${stroke}"/>`;

  const hills = (base: number, swing: number, fill: string) => {
    const step = between(38, 70);
    let path = `M-10,${height + 5} L-10,${fixed(base)}`;
    let before: [number, number] = [-10, base];
    for (let x = -10 + step; x < width + step + 10; x += step) {
      const y = base + between(-swing, swing);
      const middle = (before[0] + x) / 2;
      path += ` C${fixed(middle)},${fixed(before[1])} ${fixed(middle)},${fixed(y)} ${fixed(x)},${fixed(y)}`;
      before = [x, y];
    }
    return `<path d="${path} L${width + 80},${height + 5} Z" fill="${fill}" stroke="${ink}"/>`;
  };

  const field = (x: number, y: number) => {
    const [w, h, lean] = [between(50, 110), between(18, 34), between(-26, 26)];
    const rows = Math.round(between(3, 7));
    const furrows = Array.from({ length: rows }, (_, row) => {
      const at = (row + 1) / (rows + 1);
      return line(x + w * at, y, x + w * at + lean, y + h);
    }).join("");
    const corners = [
      [x, y],
      [x + w, y],
      [x + w + lean, y + h],
      [x + lean, y + h],
    ] as const;
    return `${polygon(corners, one(crops))}<g opacity="0.45">${furrows}</g>`;
  };

  const tree = (x: number, y: number, size: number) => {
    const green = one(greens);
    const crown =
      chance() < 0.45
        ? polygon(
            [
              [x, y - size * 2.3],
              [x + size * 0.8, y - size * 0.5],
              [x - size * 0.8, y - size * 0.5],
            ],
            green,
          )
        : circle(x, y - size * 1.4, size * 0.85, green);
    return line(x, y, x, y - size) + crown;
  };

  const fan = (x: number, y: number, r: number) => {
    const turn = between(0, 120);
    const blades = [0, 120, 240]
      .map(
        (angle) =>
          `<path d="M0,0 Q${fixed(r * 0.7)},${fixed(-r * 0.5)} 0,${fixed(-r * 0.85)} Z" fill="${ink}" transform="rotate(${fixed(angle + turn)})"/>`,
      )
      .join("");
    return `${circle(x, y, r, "#dbe3df")}<g transform="translate(${fixed(x)},${fixed(y)})">${blades}</g>`;
  };

  const barn = (x: number, y: number) => {
    const [length, depth, wall, rise] = [between(52, 96), between(18, 30), between(14, 24), between(9, 17)];
    const [face, roof] = [one(walls), one(roofs)];
    const slope = depth * 0.5;
    const front = polygon(
      [
        [x, y],
        [x, y - wall],
        [x + depth / 2, y - wall - rise],
        [x + depth, y - wall],
        [x + depth, y],
      ],
      face,
    );
    const side = polygon(
      [
        [x + depth, y],
        [x + depth, y - wall],
        [x + depth + length, y - wall - slope],
        [x + depth + length, y - slope],
      ],
      one(walls),
    );
    const cover = polygon(
      [
        [x + depth / 2, y - wall - rise],
        [x + depth / 2 + length, y - wall - rise - slope],
        [x + depth + length + 2, y - wall - slope + 1],
        [x + depth + 2, y - wall + 1],
      ],
      roof,
    );
    const holes = Math.round(between(2, 5));
    const openings = Array.from({ length: holes }, (_, at) => {
      const along = (at + 0.5) / holes;
      const [fx, fy] = [x + depth + length * along, y - slope * along - wall * 0.45];
      return chance() < 0.55
        ? fan(fx, fy, wall * 0.26)
        : polygon(
            [
              [fx - 4, fy + 3],
              [fx - 4, fy - 3],
              [fx + 4, fy - 5],
              [fx + 4, fy + 1],
            ],
            "#9db9c2",
          );
    }).join("");
    return front + side + cover + openings;
  };

  const silo = (x: number, y: number) => {
    const [r, h] = [between(6, 11), between(26, 46)];
    const body = `<rect x="${fixed(x - r)}" y="${fixed(y - h)}" width="${fixed(r * 2)}" height="${fixed(h)}" fill="${one(walls)}" stroke="${ink}"/>`;
    const cap = `<path d="M${fixed(x - r)},${fixed(y - h)} Q${fixed(x)},${fixed(y - h - r * 1.3)} ${fixed(x + r)},${fixed(y - h)} Z" fill="${one(roofs)}" stroke="${ink}"/>`;
    const rings = [0.3, 0.55, 0.8].map((at) => line(x - r, y - h * at, x + r, y - h * at)).join("");
    return `${body}<g opacity="0.4">${rings}</g>${cap}`;
  };

  const pig = (x: number, y: number, size: number) => {
    const skin = one(pigSkins);
    const way = chance() < 0.5 ? 1 : -1;
    const legs = [-0.6, -0.3, 0.3, 0.6].map((at) => line(x + size * at, y - size * 0.3, x + size * at, y)).join("");
    const body = `<ellipse cx="${fixed(x)}" cy="${fixed(y - size * 0.6)}" rx="${fixed(size)}" ry="${fixed(size * 0.52)}" fill="${skin}" stroke="${ink}"/>`;
    const head = circle(x + way * size * 1.05, y - size * 0.75, size * 0.36, skin);
    const ear = polygon(
      [
        [x + way * size * 0.9, y - size],
        [x + way * size * 1.08, y - size * 1.3],
        [x + way * size * 1.2, y - size],
      ],
      skin,
    );
    const tail = `<path d="M${fixed(x - way * size)},${fixed(y - size * 0.7)} q${fixed(-way * size * 0.3)},${fixed(-size * 0.3)} ${fixed(-way * size * 0.1)},${fixed(-size * 0.45)}" fill="none" stroke="${ink}"/>`;
    return legs + tail + body + head + ear + circle(x + way * size * 1.15, y - size * 0.8, 0.9, ink, "none");
  };

  const fence = (y: number) => {
    const from = between(-20, 120);
    const posts = Math.round(between(6, 14));
    const gap = between(11, 17);
    const upright = Array.from({ length: posts }, (_, at) => line(from + at * gap, y, from + at * gap, y - 12)).join(
      "",
    );
    const to = from + (posts - 1) * gap;
    return upright + line(from, y - 4, to, y - 4) + line(from, y - 9, to, y - 9);
  };

  const sky = () => {
    const [top, bottom] = one(skies);
    const clouds = Array.from({ length: Math.round(between(1, 4)) }, () => {
      const [x, y, r] = [between(10, width - 10), between(10, 42), between(6, 12)];
      return `<g fill="#ffffff" opacity="0.75"><circle cx="${fixed(x)}" cy="${fixed(y)}" r="${fixed(r)}"/><circle cx="${fixed(x + r)}" cy="${fixed(y + 2)}" r="${fixed(r * 0.8)}"/><circle cx="${fixed(x - r)}" cy="${fixed(y + 3)}" r="${fixed(r * 0.7)}"/></g>`;
    }).join("");
    const sun =
      chance() < 0.6 ? circle(between(20, width - 20), between(16, 38), between(9, 15), "#f2c14e", "none") : "";
    return `<defs><linearGradient id="sky" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${top}"/><stop offset="1" stop-color="${bottom}"/></linearGradient></defs><rect width="${width}" height="${height}" fill="url(#sky)"/>${sun}${clouds}`;
  };

  return { between, one, hills, field, tree, barn, silo, pig, fence, sky };
}

/**
 * A random farm landscape of 310×155 as SVG without text (fonts may be missing). Everywhere is something to see, so that
 * a piece from any place can be told from its surroundings.
 */
export function puzzleScene(chance: Chance): string {
  const brush = createBrush(chance);
  const { between, one } = brush;
  const parts = [
    brush.sky(),
    brush.hills(between(52, 66), 9, one(greens)),
    brush.hills(between(68, 82), 8, one(greens)),
  ];
  for (let x = between(-30, 0); x < width; x += between(60, 105)) parts.push(brush.field(x, between(84, 96)));
  for (let x = between(-6, 20); x < width; x += between(34, 66))
    parts.push(brush.tree(x, between(78, 94), between(7, 13)));
  const buildings: ((x: number, y: number) => string)[] = [brush.barn, brush.silo, brush.barn];
  for (let x = between(-10, 24); x < width - 20; x += between(70, 118)) {
    parts.push(one(buildings)(x, between(98, 124)));
    if (chance() < 0.5) parts.push(brush.silo(x - between(4, 12), between(104, 126)));
  }
  parts.push(brush.hills(between(126, 134), 4, one(greens)));
  if (chance() < 0.7) parts.push(brush.fence(between(134, 142)));
  for (let x = between(4, 40); x < width; x += between(38, 80))
    parts.push(brush.pig(x, between(138, 152), between(8, 13)));
  for (let x = between(0, 30); x < width; x += between(60, 130))
    parts.push(brush.tree(x, between(146, 158), between(9, 15)));
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" stroke-width="1" stroke-linejoin="round">${parts.join("")}</svg>`;
}
