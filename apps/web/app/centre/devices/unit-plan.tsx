import { type PointerEvent, useRef } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./unit-plan.module.css";

/** Shares of the unit's length and width in ten-thousandths, from the west end and the north side. */
interface PlanPoint {
  x: number;
  y: number;
}

const size = { width: 400, height: 176 };
const wall = 6;
const pens = 7;
const aisle = 24;
const inner = { width: size.width - 2 * wall, height: size.height - 2 * wall };
const penWidth = inner.width / pens;
const penHeight = (inner.height - aisle) / 2;
const bounded = (share: number): number => Math.round(Math.min(1, Math.max(0, share)) * 10_000);

/** A unit from above, with two rows of pens along an aisle, and where a device hangs in it. */
export function UnitPlan({
  point,
  onPoint,
  label,
}: {
  point: PlanPoint | undefined;
  /** Without it the plan only shows. */
  onPoint?: (point: PlanPoint) => void;
  /** In the chosen language: what the picture tells. */
  label: string;
}) {
  const t = useTranslate();
  const drawing = useRef<SVGSVGElement>(null);
  const put = (event: PointerEvent): void => {
    const box = drawing.current?.getBoundingClientRect();
    if (!onPoint || !box || box.width === 0) return;
    const at = {
      x: ((event.clientX - box.left) / box.width) * size.width,
      y: ((event.clientY - box.top) / box.height) * size.height,
    };
    onPoint({ x: bounded((at.x - wall) / inner.width), y: bounded((at.y - wall) / inner.height) });
  };
  const pin = point && {
    x: wall + (point.x / 10_000) * inner.width,
    y: wall + (point.y / 10_000) * inner.height,
  };
  const penBoxes = [0, 1].flatMap((row) =>
    Array.from({ length: pens }, (_, at) => ({
      key: `${row} ${at}`,
      x: wall + at * penWidth,
      y: wall + row * (penHeight + aisle),
    })),
  );
  return (
    <figure className={styles.plan}>
      <svg
        ref={drawing}
        viewBox={`0 0 ${size.width} ${size.height}`}
        role="img"
        aria-label={label}
        data-movable={onPoint !== undefined || undefined}
        onPointerDown={(event) => {
          if (!onPoint) return;
          event.currentTarget.setPointerCapture(event.pointerId);
          put(event);
        }}
        onPointerMove={(event) => event.buttons > 0 && put(event)}
      >
        <rect className={styles.floor} x={wall} y={wall} width={inner.width} height={inner.height} />
        {penBoxes.map(({ key, x, y }) => (
          <rect key={key} className={styles.pen} x={x} y={y} width={penWidth} height={penHeight} />
        ))}
        <rect className={styles.wall} x={wall / 2} y={wall / 2} width={size.width - wall} height={size.height - wall} />
        {pin && (
          <g className={styles.pin} transform={`translate(${pin.x} ${pin.y})`}>
            <circle r="11" />
            <path d="M-5 0H5M0-5V5" />
          </g>
        )}
      </svg>
      <figcaption>
        <span>{t("西端")}</span>
        <span>{t("东端（风机）")}</span>
      </figcaption>
    </figure>
  );
}
