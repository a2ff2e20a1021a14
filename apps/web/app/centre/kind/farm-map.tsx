import type { KindFarm } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import { markPaths } from "../../shared/icons/mark.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { stateMarks } from "./unit-states.ts";

interface MapProps {
  farms: readonly KindFarm[];
  place: string | undefined;
  worst: (id: string) => UnitState;
  onChoose: (place: string | undefined) => void;
}

const width = 248;
const height = 150;
const margin = 34;

type Located = KindFarm & { latitude: number; longitude: number };
const isLocated = (farm: KindFarm): farm is Located => farm.latitude !== undefined && farm.longitude !== undefined;

/** Puts the farms on the sheet so that all fit and none is stretched: one scale for both directions. */
function layOut(farms: readonly Located[]): { farm: Located; x: number; y: number }[] {
  const middleLatitude = farms.reduce((sum, farm) => sum + farm.latitude, 0) / farms.length;
  const shrink = Math.cos((middleLatitude * Math.PI) / 180);
  const flat = farms.map((farm) => ({ farm, east: farm.longitude * shrink, north: farm.latitude }));
  const easts = flat.map(({ east }) => east);
  const norths = flat.map(({ north }) => north);
  const middleEast = (Math.min(...easts) + Math.max(...easts)) / 2;
  const middleNorth = (Math.min(...norths) + Math.max(...norths)) / 2;
  const scale = Math.min(
    (width - 2 * margin) / Math.max(0.02, Math.max(...easts) - Math.min(...easts)),
    (height - 1.7 * margin) / Math.max(0.02, Math.max(...norths) - Math.min(...norths)),
  );
  const spots = flat.map(({ farm, east, north }) => ({
    farm,
    x: Math.round(width / 2 + (east - middleEast) * scale),
    y: Math.round(height / 2 - 4 - (north - middleNorth) * scale),
  }));
  // Neighbours whose signs would cover each other are moved apart; the map is a sketch, not a survey.
  for (const [index, spot] of spots.entries()) {
    for (const other of spots.slice(0, index)) {
      const apart = spot.y - other.y;
      if (Math.abs(spot.x - other.x) < 46 && Math.abs(apart) < 38) spot.y = other.y + (apart < 0 ? -38 : 38);
    }
  }
  const lowest = Math.max(...spots.map(({ y }) => y));
  const highest = Math.min(...spots.map(({ y }) => y));
  const lift = lowest > height - 26 ? lowest - (height - 26) : highest < 26 ? highest - 26 : 0;
  return spots.map((spot) => ({ ...spot, y: spot.y - lift }));
}

/** "周家营商品场" is "周家营" on a map, "Zhoujiaying commercial farm" its first word; a name that would vanish stays whole. */
const shortName = (name: string): string =>
  /^\p{Script=Latin}/u.test(name)
    ? name.replace(/ .*$/, "")
    : name.replace(/(商品|保育|繁殖|扩繁|公猪|种猪|核心育种|家庭)?(猪场|农场|场|站)$/, "") || name;

/** Where the farms lie to each other. Shown from two located farms on; a map of one place says nothing. */
export function FarmMap({ farms, place, worst, onChoose }: MapProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const located = farms.filter(isLocated);
  if (located.length < 2) return null;
  const chosen = farms.find((farm) => farm.id === place || farm.houses.some((house) => house.id === place));
  return (
    <svg
      className="map drawing"
      viewBox={`0 0 ${width} ${height}`}
      aria-label={t("场区分布示意，{count} 个场区", { count: located.length })}
    >
      <rect width={width} height={height} className="ground" />
      {[30, 58, 88, 118].map((y) => (
        <path
          key={y}
          className="stroke-3"
          fill="none"
          d={`M-10,${y}C44,${y - 16} 76,${y + 16} 124,${y + 6}S212,${y - 22} 260,${y - 4}`}
        />
      ))}
      {layOut(located).map(({ farm, x, y }) => {
        const state = worst(farm.id);
        const { mark, tone } = stateMarks[state];
        return (
          <g key={farm.id} transform={`translate(${x},${y})`}>
            <a
              href={`?place=${farm.id}`}
              aria-label={nameOf(farm.name)}
              aria-current={farm.id === chosen?.id ? "true" : undefined}
              onClick={(event) => {
                event.preventDefault();
                onChoose(place === farm.id ? undefined : farm.id);
              }}
            >
              {farm.id === chosen?.id && <circle r="17" className="here" />}
              <rect x="-22" y="-22" width="44" height="44" fill="transparent" />
              <path d="M-9,4V-3L0,-10 9,-3V4z" className="face-top outline" />
              <g className={`state ${tone}`} transform="translate(4,-18)">
                <circle cx="6" cy="6" r="7.5" className="ground" />
                <path d={markPaths[mark]} fillRule="evenodd" fill="currentColor" />
              </g>
              <text y="19" textAnchor="middle" className="map-text">
                {shortName(nameOf(farm.name))}
              </text>
            </a>
          </g>
        );
      })}
    </svg>
  );
}
