/* SVG as text: these pictures are drawn on the server only, so that their code never reaches a browser that merely reads
   the page. Attributes instead of style="", because the content security policy forbids inline styles. */
import { type Axes, type Place, type Point, projection } from "./projection.ts";

export type Attributes = Readonly<Record<string, string | number | undefined>>;

/** One element with its attributes; numbers are rounded to a tenth of a pixel by their makers. */
export function element(name: string, attributes: Attributes, content = ""): string {
  const pairs = Object.entries(attributes)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => ` ${key}="${value}"`)
    .join("");
  return content === "" ? `<${name}${pairs}/>` : `<${name}${pairs}>${content}</${name}>`;
}

export const group = (attributes: Attributes, ...content: readonly string[]): string =>
  element("g", attributes, content.join("") || " ");

/** Shapes that are drawn elsewhere by reference. */
export const defs = (...content: readonly string[]): string => element("defs", {}, content.join(""));

/** Drawing tools of one picture: everything is given in metres and comes out projected. */
export function createPen(axes: Axes) {
  const at = projection(axes);
  const points = (places: readonly Place[]): string => places.map((place) => at(place).join(",")).join(" ");
  const face = (className: string, places: readonly Place[], attributes: Attributes = {}): string =>
    element("polygon", { class: className, points: points(places), ...attributes });
  const line = (className: string, places: readonly Place[], attributes: Attributes = {}): string =>
    element("polyline", { class: className, points: points(places), ...attributes });

  /** Curve through places (Catmull-Rom as Béziers). */
  const curve = (className: string, places: readonly Place[]): string => {
    const path = places.map(at);
    const [first] = path;
    if (!first) return "";
    const parts = path.slice(1).map((end, index) => {
      const start = path[index] ?? end;
      const before = path[index - 1] ?? start;
      const after = path[index + 2] ?? end;
      const control = (from: Point, to: Point, base: Point, sign: 1 | -1): string =>
        [0, 1]
          .map(
            (axis) => Math.round((base[axis] ?? 0) * 10 + (sign * ((to[axis] ?? 0) - (from[axis] ?? 0)) * 10) / 6) / 10,
          )
          .join(",");
      return `C${control(before, end, start, 1)} ${control(start, after, end, -1)} ${end.join(",")}`;
    });
    return element("path", { class: className, d: `M${first.join(",")}${parts.join("")}` });
  };

  /** A box with its three visible faces, each in its own tone. */
  const box = (
    [x0, y0, z0]: Place,
    [x1, y1, z1]: Place,
    tones = { top: "face-top", front: "face-front", side: "face-side" },
  ): string =>
    face(`${tones.side} outline`, [
      [x0, y0, z0],
      [x0, y1, z0],
      [x0, y1, z1],
      [x0, y0, z1],
    ]) +
    face(`${tones.front} outline`, [
      [x0, y1, z0],
      [x1, y1, z0],
      [x1, y1, z1],
      [x0, y1, z1],
    ]) +
    face(`${tones.top} outline`, [
      [x0, y0, z1],
      [x1, y0, z1],
      [x1, y1, z1],
      [x0, y1, z1],
    ]);

  /** An upright cylinder; `top` is the class of its upper face. */
  const cylinder = (
    [x, y, z]: Place,
    radius: number,
    height: number,
    top = "face-top",
    body = "face-front",
  ): string => {
    const [cx, base] = at([x, y, z]);
    const [, roof] = at([x, y, z + height]);
    const rx = Math.round(radius * Math.hypot(axes.x[0], axes.y[0]) * 9.4) / 10;
    const ry = Math.round(rx * 3.6) / 10;
    return (
      element("path", {
        class: `${body} outline`,
        d: `M${cx - rx},${roof}V${base}A${rx},${ry} 0 0 0 ${cx + rx},${base}V${roof}A${rx},${ry} 0 0 1 ${cx - rx},${roof}Z`,
      }) + element("ellipse", { class: `${top} outline`, cx, cy: roof, rx, ry })
    );
  };

  return { at, face, line, curve, box, cylinder };
}

export type Pen = ReturnType<typeof createPen>;

/** Numbers in [0, 1) that are the same in every rendering (Lehmer), so that pictures don't change between visits. */
export function steadyRandom(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

/** One blade of a rotor of radius 1; five of them make a fan in every picture. */
export const bladePath = "M0,-.12 C.10,-.45 .42,-.82 .55,-.62 C.62,-.40 .30,-.16 .10,-.02 Z";
