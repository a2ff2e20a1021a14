import { alarmOpen } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { worstMark } from "../alarms/worst-mark.ts";
import styles from "./farms.module.css";
import { Counts } from "./inventory-counts.tsx";
import { useInventory } from "./use-inventory.ts";
import { useLevel } from "./use-structure.ts";

/** Alarms are asked for anew this often, ms. */
const renewMs = 30_000;
const structurePath = "/selfCenter/pigFarmArchitecture/factoryManagement";

/** What stands in a farm, above what it is. */
function FarmHeads({ row }: { row: Row }) {
  const t = useTranslate();
  const { number } = useFormats();
  const farm = useLevel("").data?.find(({ id }) => id === row.id);
  if (!farm) return null;
  const facts = [
    ["存栏", farm.headCount],
    ["设计存栏", farm.capacity],
    ["单元", farm.units],
    ["设备", farm.devices],
  ] as const;
  return (
    <div className={styles.summary}>
      <dl className={styles.counts}>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{t(name)}</dt>
            <dd>
              <b className="num">{number(value)}</b>
            </dd>
          </div>
        ))}
      </dl>
      <p>
        <Link className="link" to={`${structurePath}?farm=${row.id}`}>
          {t("看猪场结构和存栏台账")}
        </Link>
      </p>
    </div>
  );
}

/** Heads of a unit, above what it is. */
function UnitHeads({ row }: { row: Row }) {
  const { permissions } = useAccess();
  const loaded = useInventory(permissions.has("inventory_view") ? row.id : undefined);
  if (!loaded.data) return null;
  return (
    <div className={styles.summary}>
      <Counts unit={loaded.data} />
    </div>
  );
}

/** The open alarms of the tenant, asked once for all rows of a list. */
const useOpenAlarms = (enabled: boolean) =>
  useQuery({
    queryKey: ["alarms of places"],
    queryFn: ({ signal }) => call(alarmOpen, { signal, quiet: true }),
    staleTime: renewMs,
    refetchInterval: renewMs,
    enabled,
  });

/** Alarms that are open in a place, marked by the worst of them, with the way to them. */
function Alarms({ row, value }: { row: { id: string }; value: unknown }) {
  const t = useTranslate();
  const { number } = useFormats();
  const count = Number(value ?? 0);
  const { data } = useOpenAlarms(count > 0);
  const mark = worstMark(data?.alarms ?? [], row.id, Date.now());
  if (count === 0) return <span className="mut num">0</span>;
  return (
    <Link
      className={mark === undefined ? "link num" : `state ${mark} num`}
      to="/selfCenter/vet/alarm"
      aria-label={t("{count} 条告警", { count })}
      onClick={(event) => event.stopPropagation()}
    >
      {mark !== undefined && <Mark name={mark} />}
      {number(count)}
    </Link>
  );
}
const placeCells: Cells = { alarms: Alarms };

/** The own farms with what stands in each. */
export function FarmScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={placeCells} detail={FarmHeads} />;
}

/** Pig houses with what stands in each. */
export function PigHouseScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={placeCells} />;
}

/** Units are called alike in each house. */
const unitCells: Cells = {
  ...placeCells,
  name: ({ row }) => <TranslatedPlace names={[String(row.houseName ?? ""), String(row.name)]} />,
};

/** Units with their heads. */
export function UnitScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={unitCells} detail={UnitHeads} />;
}
