import type { LiveFigures } from "@herdwise/contract";
import { liveFigures } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { call } from "./call.ts";

const pollMs = 30_000;

/** The portal's public figures, renewed every 30 s while the page is visible; a failed renewal keeps the last ones. */
export function useLiveFigures(initial: LiveFigures | undefined): LiveFigures | undefined {
  const [figures, setFigures] = useState(initial);
  useEffect(() => {
    const renew = (): void => {
      if (document.visibilityState !== "visible") return;
      call(liveFigures, { quiet: true }).then(setFigures, () => undefined);
    };
    if (!initial) renew();
    const timer = setInterval(renew, pollMs);
    document.addEventListener("visibilitychange", renew);
    return () => {
      clearInterval(timer);
      document.removeEventListener("visibilitychange", renew);
    };
  }, [initial]);
  return figures;
}

/** A number out of readings. */
export function readingNumber(figures: LiveFigures | undefined, key: string): number | undefined {
  const value = figures?.showcase?.readings[key]?.value;
  return typeof value === "number" ? value : undefined;
}

/** Which of the first fans of the showcase unit turn. */
export const turningFans = (figures: LiveFigures | undefined, count: number): boolean[] =>
  Array.from({ length: count }, (_, index) => figures?.showcase?.readings[`fan_${index + 1}`]?.value === true);
