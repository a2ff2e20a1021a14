import { bladePath } from "../../shared/drawings/svg.ts";
import { markPaths } from "../../shared/icons/mark.tsx";

/** Numbers from `from` in equal steps. */
export const steps = (count: number, from: number, step: number): number[] =>
  Array.from({ length: count }, (_, index) => from + index * step);

interface ChipProps {
  x: number;
  y: number;
  name: string;
  value: string;
  unit: string;
  width?: number;
  faded?: boolean;
}

/** A value at its place. */
export function Chip({ x, y, name, value, unit, width = 92, faded = false }: ChipProps) {
  return (
    <g className={faded ? "faded" : undefined}>
      <rect x={x} y={y} width={width} height="28" rx="6" className="plate" />
      <text x={x + 10} y={y + 19} className="plate-name">
        {name}
      </text>
      <text x={x + width - 10} y={y + 19} className="plate-value" textAnchor="end">
        {value}
        <tspan className="plate-unit" dx="2">
          {unit}
        </tspan>
      </text>
    </g>
  );
}

export interface FanView {
  number: number;
  running: boolean | undefined;
  /** Drive in %, for the fans that have one. */
  drive: number | undefined;
  /** Its current is off by more than the rules allow. */
  faulty: boolean;
}

/** Seconds of a turn: a fan at half speed turns half as fast as its neighbour. */
const turnS = (drive: number | undefined): string => `${(1.1 / Math.max(0.2, (drive ?? 100) / 100)).toFixed(2)}s`;

/** A fan of the gable, seen from outside: teal and turning, grey and still, or with its fault's mark. */
export function Fan({
  x,
  y,
  fan,
  named,
  moving,
}: {
  x: number;
  y: number;
  fan: FanView;
  named: boolean;
  moving: boolean;
}) {
  const { running = false, faulty } = fan;
  const radius = running ? 25 : 22;
  const colour = faulty ? "var(--major-mark)" : running ? "var(--d-air)" : "var(--d-line-2)";
  return (
    <>
      <g transform={`translate(${x},${y})`}>
        <rect x="-29" y="-29" width="58" height="58" rx="3" className="face-top outline-2" />
        <circle
          r={radius + 2}
          fill={running ? "var(--air-soft)" : "var(--d-deep)"}
          stroke={colour}
          strokeWidth={running || faulty ? 2 : 1}
        />
        <g transform={`scale(${radius})`} fill={colour} opacity={running || faulty ? 1 : 0.55}>
          <g
            className={running && moving ? "spin" : undefined}
            style={running && moving ? { animationDuration: turnS(fan.drive) } : undefined}
          >
            {steps(5, 0, 72).map((turn) => (
              <path key={turn} d={bladePath} transform={`rotate(${turn})`} />
            ))}
          </g>
          <circle r=".14" />
        </g>
        {faulty && (
          <g transform="translate(16,-32) scale(1.35)">
            <circle cx="6" cy="6" r="7.5" fill="var(--surface)" />
            <path fill="var(--major-mark)" fillRule="evenodd" d={markPaths.major} />
          </g>
        )}
      </g>
      {named && (
        <text x={x} y={y + 43} className={running ? "caption bold" : "caption"} textAnchor="middle">
          {running && fan.drive !== undefined ? `F${fan.number} ${Math.round(fan.drive)}%` : `F${fan.number}`}
        </text>
      )}
    </>
  );
}

/** A pig from the side, standing on y = 0, facing right; about 60 px long at scale 1. */
export function Pig({ x, y, scale, mirrored }: { x: number; y: number; scale: number; mirrored: boolean }) {
  return (
    <g transform={`translate(${x},${y}) scale(${mirrored ? -scale : scale},${scale})`}>
      <path className="pig-2" d="M-18,-10l-.5,10h4l2,-9zM12,-10l1.5,10h-4l-2,-9z" />
      <path
        className="pig"
        d="M-26,-17C-26.5,-27 -17,-31 -3,-31C9,-31 17,-29 23,-24L31,-20.5C34,-19.5 34.5,-13.5 31.5,-12.5L24,-10.5C17,-6 8,-6.5 -4,-6.5C-18,-6.5 -25,-9 -26,-17Z"
      />
      <path className="pig" d="M-13,-8.5v8.5h4.5l1.5,-8.5zM7,-8.5l1,8.5h4.5l.5,-8.5z" />
      <path className="pig-2" d="M14,-28.5l9,-3.5l-.5,9.5z" />
      <path className="pig-2" d="M31,-20.5q3,4 .5,8" fill="none" />
      <circle cx="26" cy="-19.5" r="1.1" fill="var(--d-line)" />
      <path fill="none" stroke="var(--d-pig-line)" strokeWidth=".9" d="M-26,-20c-5,0 -6,-5 -2.5,-6.5c3,-1 3.5,3 .5,3" />
    </g>
  );
}

/** Two leaves of an inlet in the ceiling; they swing down as it opens. */
export function Inlet({ x, opening }: { x: number; opening: number | undefined }) {
  const angle = ((opening ?? 0) / 100) * 72;
  return (
    <>
      <rect x={x - 20} y="193" width="40" height="14" className="floor" />
      <g stroke="var(--d-line)" strokeWidth="3" strokeLinecap="round" opacity={opening === undefined ? 0.35 : 1}>
        <path d="M0,0h19" transform={`translate(${x - 20},209) rotate(${angle})`} />
        <path d="M0,0h-19" transform={`translate(${x + 20},209) rotate(${-angle})`} />
      </g>
      <circle cx={x - 20} cy="209" r="2.6" className="face-top outline" />
      <circle cx={x + 20} cy="209" r="2.6" className="face-top outline" />
    </>
  );
}
