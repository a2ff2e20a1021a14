import { useEffect, useState } from "react";

/**
 * A text as a QR code; the encoder is fetched with the first one.
 * @param props.label what it is, in the chosen language
 */
export function QrPicture({ text, label }: { text: string; label: string }) {
  const [picture, setPicture] = useState<string>();
  useEffect(() => {
    let current = true;
    import("uqr").then(
      ({ renderSVG }) => {
        const svg = renderSVG(text, { ecc: "M", border: 2 });
        if (current) setPicture(`data:image/svg+xml,${encodeURIComponent(svg)}`);
      },
      () => undefined,
    );
    return () => {
      current = false;
    };
  }, [text]);
  return picture ? <img src={picture} alt={label} width={220} height={220} /> : null;
}
