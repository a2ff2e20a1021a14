import { useMore } from "../kit/use-more.ts";
import styles from "./heat-map.module.css";

export interface HeatCell {
  /** undefined where nothing is known. */
  value: number | undefined;
  /** Read out, and shown where the cell is pointed at. */
  title: string;
  /** Shown in the cell where the map has room for it. */
  text?: string;
  /** Before or after the time that is told of: neither known nor missing. */
  isOutside?: boolean;
}

export interface HeatMapProps {
  /** What the whole tells, for those who do not see it. */
  label: string;
  corner: string;
  rows: readonly { key: string; name: string }[];
  columns: readonly { key: string; name: string; shown?: boolean }[];
  /** One list for each row. */
  cells: readonly (readonly HeatCell[])[];
  /** The value of the darkest colour; the highest of the cells where it is absent. */
  most?: number;
  /** Below the map: what the least and the most colour stand for. */
  least: string;
  highest: string;
  unknown: string;
}

const levels = 5;

/** A value's step of colour: 0 for nothing, 5 for the most. */
export const levelOf = (value: number, most: number): number =>
  value <= 0 || most <= 0 ? 0 : Math.min(levels, Math.ceil((value / most) * levels));

/**
 * Values in two directions as steps of one colour. It is a table: every cell can be read without its colour, and what nobody knows is
 * hatched and not pale.
 */
export function HeatMap({ label, corner, rows, columns, cells, most, least, highest, unknown }: HeatMapProps) {
  const top = most ?? Math.max(0, ...cells.flat().map(({ value = 0 }) => value));
  const scroller = useMore<HTMLElement>();
  return (
    <>
      <section
        ref={scroller}
        className={styles.wrap}
        aria-label={label}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls must be reachable by keyboard.
        tabIndex={0}
      >
        <table className={styles.map}>
          <caption className="visually-hidden">{label}</caption>
          <thead>
            <tr>
              <th scope="col">
                <span className="visually-hidden">{corner}</span>
              </th>
              {columns.map(({ key, name, shown = true }) => (
                <th key={key} scope="col">
                  {shown ? <span>{name}</span> : <span className="visually-hidden">{name}</span>}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {rows.map(({ key, name }, at) => (
              <tr key={key}>
                <th scope="row">{name}</th>
                {columns.map((column, index) => {
                  const cell = cells[at]?.[index];
                  const level = cell?.isOutside
                    ? "outside"
                    : cell?.value === undefined
                      ? "none"
                      : String(levelOf(cell.value, top));
                  return (
                    <td key={column.key} data-level={level} title={cell?.title}>
                      {cell?.text === undefined ? (
                        <span className="visually-hidden">{cell?.title}</span>
                      ) : (
                        <span>{cell.text}</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
      <p className={styles.key} aria-hidden="true">
        <span>{least}</span>
        {[0, 1, 2, 3, 4, 5].map((level) => (
          <i key={level} data-level={level} />
        ))}
        <span>{highest}</span>
        <i data-level="none" />
        <span>{unknown}</span>
      </p>
    </>
  );
}
