import { useEffect, useState } from "react";

/** Path of the dark squares of a code, one unit each; runs of a row become one rectangle. */
function pathOf(rows: readonly (readonly boolean[])[]): string {
  return rows
    .flatMap((row, y) =>
      row.flatMap((dark, x) => {
        if (!dark || row[x - 1]) return [];
        const light = row.indexOf(false, x);
        return [`M${x} ${y}h${(light < 0 ? row.length : light) - x}v1H${x}z`];
      }),
    )
    .join("");
}

/**
 * A text as a QR code, in the colour of its place. The encoder is fetched with the first one.
 * @param props.label what it is, in the chosen language
 */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const [drawing, setDrawing] = useState<{ size: number; path: string }>();
  useEffect(() => {
    let current = true;
    import("uqr").then(
      ({ encode }) => {
        const { data, size } = encode(text, { ecc: "M", border: 2 });
        if (current) setDrawing({ size, path: pathOf(data) });
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [text]);
  if (!drawing) return null;
  return (
    <svg
      viewBox={`0 0 ${drawing.size} ${drawing.size}`}
      shapeRendering="crispEdges"
      role="img"
      aria-label={label}
      data-url={text}
    >
      <path d={drawing.path} />
    </svg>
  );
}
