import { useEffect, useRef, useState } from "react";

/** Until the portal tells how the fans run, the picture shows a house at night: two of them turn. */
const fansAtNight = [true, true, false, false, false, false, false];

const draw = async (): Promise<string> =>
  (await import("../shared/drawings/house-scene.ts")).houseScene({ fans: fansAtNight });

/**
 * What the picture holds. Its code is larger than a form's, so a browser takes over what the server drew, and has the code
 * only when it comes from a page without the picture, such as by logging out.
 */
let markup = {
  __html: import.meta.env.SSR ? await draw() : (document.querySelector("svg[data-house]")?.innerHTML ?? ""),
};

/**
 * The house as a picture whose fans turn as those of the portal's showcase do.
 * @param fans one entry per gable fan, from the floor up; undefined while nothing is known
 */
export function HouseDrawing({ fans = fansAtNight }: { fans?: readonly boolean[] | undefined }) {
  const picture = useRef<SVGSVGElement>(null);
  const [shown, setShown] = useState(markup);
  useEffect(() => {
    if (shown.__html !== "") return undefined;
    let left = false;
    draw().then(
      (drawn) => {
        markup = { __html: drawn };
        if (!left) setShown(markup);
      },
      () => undefined, // A picture behind words: without network the words are enough.
    );
    return () => {
      left = true;
    };
  }, [shown]);
  // Another drawing needs its fans set again.
  useEffect(() => {
    for (const fan of picture.current?.querySelectorAll("[data-fan]") ?? []) {
      fan.toggleAttribute("data-on", fans[Number(fan.getAttribute("data-fan"))] ?? false);
    }
  }, [fans, shown]);
  return (
    <svg
      ref={picture}
      className="drawing"
      viewBox="0 0 1440 800"
      aria-hidden="true"
      data-house=""
      data-still={fans.some(Boolean) ? undefined : ""}
      suppressHydrationWarning
      dangerouslySetInnerHTML={shown}
    />
  );
}
