import { figureOf, type JudgedUnit } from "@herdwise/device-kinds";
import { memo } from "react";
import { Link } from "react-router";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { figureLimit } from "./figure-limit.ts";
import { kindPath, useDeclared, useKind, useUnitWords } from "./kind-view.ts";
import { KnownHere } from "./known-places.tsx";
import { StateMark } from "./state-mark.tsx";
import { verdictAttributes } from "./verdict-mark.tsx";

/** Whether a tile has no figure to show. */
export const isSilent = ({ state }: Pick<JudgedUnit, "state">): boolean =>
  state === "empty" || state === "washing" || state === "bare" || state === "silent";

/** Longer units stand in the legend alone. */
const longestUnit = 4;

/** The first figure of the declaration, of the device that the unit stands by. */
function Figure({ judged }: { judged: JudgedUnit }) {
  const { kind } = useKind();
  const { number } = useFormats();
  const declared = useDeclared();
  const [key = ""] = kind.pages?.figures ?? [];
  const value = figureOf(kind, judged.device.readings, key);
  const { unit, decimals } = declared(key, value);
  const limit = figureLimit(kind, judged);
  if (isSilent(judged) || value === undefined) return <span className="value">—</span>;
  return (
    <>
      <span className="value" {...verdictAttributes(judged.verdictOf(key))}>
        {number(value, decimals)}
        {unit.length <= longestUnit && <small>{unit}</small>}
      </span>
      {limit !== undefined && (
        <span className="share">
          <i style={{ width: `${(100 * value) / limit}%` }} />
        </span>
      )}
    </>
  );
}

/** One unit: its figure loud, its state by shape and word. */
export const UnitTile = memo(function UnitTile({ judged }: { judged: JudgedUnit }) {
  const t = useTranslate();
  const words = useUnitWords();
  const { kind, TileBody = Figure, TileState, tileAttributes } = useKind();
  const { unit, state, freshness } = judged;
  const silent = isSilent(judged);
  const classes = [
    "tile",
    state,
    silent ? "silent" : "",
    state === "offline" ? "silent unreachable" : "",
    freshness === "stale" && state !== "offline" ? "stale" : "",
  ];
  return (
    <Link
      className={classes.filter(Boolean).join(" ")}
      to={kindPath(kind.kind, "unit", unit.id)}
      {...tileAttributes?.(judged)}
    >
      <span className="tile-head">
        <b>{unit.name.replace(/\s*单元$/, "")}</b>
        {TileState ? <TileState judged={judged} /> : <StateMark state={state} />}
      </span>
      <TileBody judged={judged} />
      <span className="words" title={words(judged)}>
        {words(judged)}
      </span>
      <KnownHere id={unit.id} />
      <span className="visually-hidden">{t("打开单元")}</span>
    </Link>
  );
});
