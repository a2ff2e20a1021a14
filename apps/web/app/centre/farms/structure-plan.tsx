import type { StructureNode } from "@herdwise/contract";
import { type ReactNode, useMemo } from "react";
import { type Axes, type Place, projection } from "../../shared/drawings/projection.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import styles from "./farms.module.css";
import { alarmMark, alarmWords } from "./structure-tree.tsx";

/** Metres of a house in the drawing, and of the way between two. */
const house = { length: 30, width: 12, wall: 4, ridge: 8, gap: 10, aisle: 14 } as const;
/** More are not drawn; the tree has them. */
const mostDrawn = 24;
const axes: Omit<Axes, "origin"> = { x: [6, -1.5], y: [3.9, 3.3], z: 5.2 };
const margin = 26;
/** Height up to which the drawing grows with its panel, px. */
const tallest = 500;

type Corner = readonly [x: number, y: number];

interface Yard {
  width: number;
  height: number;
  ground: string;
  houses: { node: StructureNode; walls: string; gable: string; roof: string; back: string; label: Corner }[];
}

/** Houses in rows behind each other, projected. */
function yardOf(nodes: readonly StructureNode[]): Yard {
  const columns = nodes.length <= 5 ? 1 : nodes.length <= 12 ? 2 : 3;
  const rows = Math.max(1, Math.ceil(nodes.length / columns));
  const [east, south] = [
    columns * (house.length + house.aisle) + house.aisle,
    rows * (house.width + house.gap) + house.gap,
  ];
  const raw = projection({ ...axes, origin: [0, 0] });
  const corners = [raw([0, 0, 0]), raw([east, 0, 0]), raw([east, south, 0]), raw([0, south, 0])];
  const left = Math.min(...corners.map(([x]) => x)) - margin;
  const top = Math.min(...corners.map(([, y]) => y)) - house.ridge * axes.z - margin;
  const at = projection({ ...axes, origin: [-left, -top] });
  const shape = (places: readonly Place[]): string => places.map((place) => at(place).join(",")).join(" ");
  const { length, width, wall, ridge } = house;
  return {
    width: Math.max(...corners.map(([x]) => x)) - left + margin,
    height: Math.max(...corners.map(([, y]) => y)) - top + margin,
    ground: shape([
      [0, 0, 0],
      [east, 0, 0],
      [east, south, 0],
      [0, south, 0],
    ]),
    houses: nodes.map((node, index) => {
      const x = house.aisle + (index % columns) * (length + house.aisle);
      const y = house.gap + Math.floor(index / columns) * (width + house.gap);
      const middle = y + width / 2;
      return {
        node,
        walls: shape([
          [x, y + width, 0],
          [x + length, y + width, 0],
          [x + length, y + width, wall],
          [x, y + width, wall],
        ]),
        gable: shape([
          [x, y, 0],
          [x, y + width, 0],
          [x, y + width, wall],
          [x, middle, ridge],
          [x, y, wall],
        ]),
        roof: shape([
          [x, y + width, wall],
          [x + length, y + width, wall],
          [x + length, middle, ridge],
          [x, middle, ridge],
        ]),
        back: shape([
          [x, y, wall],
          [x + length, y, wall],
          [x + length, middle, ridge],
          [x, middle, ridge],
        ]),
        label: at([x + length / 2, middle, ridge]),
      };
    }),
  };
}

interface PlanProps {
  farm: StructureNode;
  /** What stands in the farm. */
  nodes: readonly StructureNode[];
  houseId: string | undefined;
  onSelect: (node: StructureNode) => void;
  /** Below the drawing: the units of the chosen house, the facts of the farm. */
  children: ReactNode;
}

/** A farm drawn from above: a label at each house chooses it, as its row in the tree does. */
export function StructurePlan({ farm, nodes, houseId, onSelect, children }: PlanProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const houses = useMemo(() => nodes.filter(({ kind }) => kind === "house"), [nodes]);
  const drawn = houses.slice(0, mostDrawn);
  const yard = useMemo(() => yardOf(houses.slice(0, mostDrawn)), [houses]);
  return (
    <section className={`card ${styles.plan}`} aria-labelledby="plan-title">
      <header>
        <h2 id="plan-title">{nameOf(farm.name)}</h2>
        <p className="mut">{t("点一栋，树和图一起选中")}</p>
      </header>
      {drawn.length === 0 ? (
        <p className={styles.none}>{t("这个场区还没有猪舍。新增猪舍后，这里会画出来。")}</p>
      ) : (
        <div className={styles.sheet}>
          <div className={styles.drawing} style={{ maxWidth: `${Math.round((tallest * yard.width) / yard.height)}px` }}>
            <svg viewBox={`0 0 ${yard.width} ${yard.height}`} aria-hidden="true">
              <polygon className={styles.ground} points={yard.ground} />
              {yard.houses.map(({ node, walls, gable, roof, back }) => (
                <g
                  key={node.id}
                  className={styles.house}
                  data-on={node.id === houseId || undefined}
                  data-off={!node.inUse || node.headCount === 0 || undefined}
                >
                  <polygon className={styles.back} points={back} />
                  <polygon className={styles.gable} points={gable} />
                  <polygon className={styles.wall} points={walls} />
                  <polygon className={styles.roof} points={roof} />
                </g>
              ))}
            </svg>
            <ul>
              {yard.houses.map(({ node, label: [x, y] }) => {
                const mark = alarmMark(node);
                return (
                  <li key={node.id} style={{ left: `${(x / yard.width) * 100}%`, top: `${(y / yard.height) * 100}%` }}>
                    <button type="button" aria-pressed={node.id === houseId} onClick={() => onSelect(node)}>
                      <b>
                        {nameOf(node.name)}
                        {mark && (
                          <span className={`state ${mark}`}>
                            <Mark name={mark} />
                            <span className="visually-hidden">
                              {t(alarmWords(node), { count: number(node.alarms) })}
                            </span>
                          </span>
                        )}
                      </b>
                      <span className="num">
                        {t("{units} 单元，{count} 头", { units: number(node.units), count: number(node.headCount) })}
                      </span>
                    </button>
                  </li>
                );
              })}
            </ul>
          </div>
        </div>
      )}
      {houses.length > drawn.length && (
        <p className={styles.none}>{t("图上画了前 {count} 栋，其余的在树里。", { count: number(drawn.length) })}</p>
      )}
      {children}
    </section>
  );
}

/** The units of a house side by side, each with how full it is. */
export function UnitCards({
  house: of,
  nodes,
  unitId,
  onSelect,
}: {
  house: StructureNode;
  nodes: readonly StructureNode[];
  unitId: string | undefined;
  onSelect: (node: StructureNode) => void;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const units = nodes.filter(({ kind }) => kind === "unit");
  const shown = units.slice(0, 60);
  return (
    <div className={styles.units}>
      <h3>{t("{name}，{count} 个单元", { name: nameOf(of.name), count: number(units.length) })}</h3>
      <ul>
        {shown.map((unit) => (
          <li key={unit.id}>
            <button type="button" aria-pressed={unit.id === unitId} onClick={() => onSelect(unit)}>
              <span>{nameOf(unit.name)}</span>
              <b className="num">
                {number(unit.headCount)}
                {unit.capacity > 0 && <small> / {number(unit.capacity)}</small>}
              </b>
              <i aria-hidden="true" data-over={unit.headCount > unit.capacity || undefined}>
                <em style={{ width: `${Math.min(100, (unit.headCount / Math.max(1, unit.capacity)) * 100)}%` }} />
              </i>
            </button>
          </li>
        ))}
      </ul>
      {units.length > shown.length && (
        <p className="mut">{t("这里是前 {count} 个，其余的在树里。", { count: number(shown.length) })}</p>
      )}
    </div>
  );
}
