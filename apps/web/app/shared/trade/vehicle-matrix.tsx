import { type OrderView, transits, weighings as weighingDeclaration } from "@herdwise/contract";
import { permissionOf } from "@herdwise/contract/resource";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import { useAccess } from "../session/access-context.ts";
import { FlagText } from "./flag-text.tsx";
import styles from "./order-detail.module.css";
import { kg } from "./trade-figures.ts";

type Vehicle = OrderView["vehicles"][number];

const paperFaces: Readonly<Record<Vehicle["quarantine"]["state"], Parameters<typeof StateTag>[0]>> = {
  ok: { word: "有效", mark: "ok" },
  missing: { word: "没有登记", mark: "major" },
  expired: { word: "已失效", mark: "critical" },
  few: { word: "头数不够", mark: "major" },
};

/** Of a vehicle that has left: how they stood when it left. */
const departedFaces: typeof paperFaces = {
  ok: { word: "出发时有效", mark: "ok" },
  missing: { word: "出发时没有登记", mark: "major" },
  expired: { word: "出发时已失效", mark: "critical" },
  few: { word: "出发时头数不够", mark: "major" },
};
const facesOf = ({ departedAt }: Vehicle) => (departedAt === "" ? paperFaces : departedFaces);

/** How a condition stands, with what it is known by. */
function Stands({ face, note = "" }: { face: Parameters<typeof StateTag>[0] | undefined; note?: ReactNode }) {
  return (
    <span>
      {face && <StateTag {...face} plain />}
      {note && <small className="num">{note}</small>}
    </span>
  );
}

/** Conditions by vehicles: which one may load, what each of them lacks, and how far it has come. */
export function VehicleMatrix({ vehicles, weighings }: Pick<OrderView, "vehicles" | "weighings">) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { user, permissions } = useAccess();
  if (vehicles.length === 0) return null;
  const menu = user.tenant_type === "group" ? transits.menu : transits.customerMenu;
  const mayOpen = permissions.has(permissionOf(transits, "view"));
  const timeOf = (value: string): string => (value === "" ? "—" : dayTime(parseWireDateTime(value)));
  // On two lines: three vehicles stand beside each other.
  const until = (number: string, end: string): ReactNode =>
    number !== "" && (
      <>
        {number}
        <br />
        {t("至 {until}", { until: end })}
      </>
    );
  const states: Readonly<Record<string, Parameters<typeof StateTag>[0]>> = transits.process.states;
  const weighed: Readonly<Record<string, Parameters<typeof StateTag>[0]>> = weighingDeclaration.process.states;
  const hasLeft = vehicles.some(({ departedAt }) => departedAt !== "");
  // What no vehicle has reached takes no row.
  const rows: readonly (readonly [name: string, cell: (vehicle: Vehicle) => ReactNode, isKnown?: boolean])[] = [
    [t("头数"), ({ heads }) => <span className="num">{heads}</span>],
    [
      t("洗消证"),
      (vehicle) => (
        <Stands
          face={facesOf(vehicle)[vehicle.disinfection.state]}
          note={until(vehicle.disinfection.number, timeOf(vehicle.disinfection.until))}
        />
      ),
    ],
    [
      t("检疫证"),
      (vehicle) => (
        <Stands
          face={facesOf(vehicle)[vehicle.quarantine.state]}
          note={until(vehicle.quarantine.number, vehicle.quarantine.until)}
        />
      ),
    ],
    [t("状态"), ({ state }) => <Stands face={states[state]} />],
    [
      t("过磅"),
      ({ plate }) => {
        const found = weighings.filter((one) => one.plate === plate);
        const [last] = found.slice(-1);
        return last ? <Stands face={weighed[last.state]} note={`${kg(last.netGrams)} kg`} /> : "—";
      },
      weighings.length > 0,
    ],
    [t("出发"), ({ departedAt }) => <span className="num">{timeOf(departedAt)}</span>, hasLeft],
    [
      t("到达"),
      ({ arrivedAt, destination }) => (
        <span>
          <span className="num">{timeOf(arrivedAt)}</span>
          {destination !== "" && (
            <small>
              <Translated text={destination} />
            </small>
          )}
        </span>
      ),
      vehicles.some(({ arrivedAt, destination }) => arrivedAt !== "" || destination !== ""),
    ],
    // A way on which nothing was seen takes no row either.
    [
      t("路线"),
      ({ flags }) =>
        flags.length === 0 ? (
          "—"
        ) : (
          <Stands face={{ word: "要看", mark: "major" }} note={t("{count} 处", { count: flags.length })} />
        ),
      vehicles.some(({ flags }) => flags.length > 0),
    ],
  ];
  const flagged = vehicles.filter(({ flags }) => flags.length > 0);
  return (
    <div className={styles.part}>
      <h3>{t("车辆")}</h3>
      <ScrollTable label={t("车辆")} className={`${styles.table} ${styles.matrix}`}>
        <thead>
          <tr>
            <th>{t("车牌")}</th>
            {vehicles.map(({ id, plate }, order) => (
              <th key={id} lang="zh-CN" style={{ order }}>
                {mayOpen ? (
                  <Link className="link" to={`${menu?.path}?row=${id}`}>
                    {plate}
                  </Link>
                ) : (
                  plate
                )}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows
            .filter(([, , isKnown = true]) => isKnown)
            .map(([name, cell]) => (
              <tr key={name}>
                <th scope="row">{name}</th>
                {vehicles.map((vehicle, order) => (
                  <td key={vehicle.id} data-name={name} className={styles.paper} style={{ order }}>
                    {cell(vehicle)}
                  </td>
                ))}
              </tr>
            ))}
        </tbody>
      </ScrollTable>
      {flagged.map(({ id, plate, flags }) => (
        <section key={id} className={styles.flags} aria-label={t("{plate} 的路线", { plate })}>
          <b lang="zh-CN">{plate}</b>
          <ul>
            {flags.map((flag) => (
              <li key={`${flag.kind} ${flag.fromMs}`}>
                <FlagText flag={flag} />
              </li>
            ))}
          </ul>
        </section>
      ))}
    </div>
  );
}
