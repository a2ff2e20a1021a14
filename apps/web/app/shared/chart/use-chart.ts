import type { EChartsType } from "echarts/core";
import { type RefObject, useEffect, useRef } from "react";
import { init } from "./echarts.ts";

/** A chart that lives in an element and follows its size. Set its options in an effect of the screen. */
export function useChart<Frame extends HTMLElement>(): {
  frame: RefObject<Frame | null>;
  chart: RefObject<EChartsType | undefined>;
} {
  const frame = useRef<Frame>(null);
  const chart = useRef<EChartsType>(undefined);
  useEffect(() => {
    if (!frame.current) return;
    const made = init(frame.current, null, { renderer: "svg" });
    chart.current = made;
    const watch = new ResizeObserver(() => made.resize());
    watch.observe(frame.current);
    return () => {
      watch.disconnect();
      made.dispose();
    };
  }, []);
  return { frame, chart };
}
