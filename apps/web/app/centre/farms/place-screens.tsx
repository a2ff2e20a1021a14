import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link } from "react-router";
import { Mark } from "../../shared/icons/mark.tsx";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./farms.module.css";
import { Counts } from "./inventory-counts.tsx";
import { useInventory } from "./use-inventory.ts";
import { useLevel } from "./use-structure.ts";

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

/** Alarms that are open in a place, with the way to them. */
function Alarms({ value }: { value: unknown }) {
  const t = useTranslate();
  const { number } = useFormats();
  const count = Number(value ?? 0);
  if (count === 0) return <span className="mut num">0</span>;
  return (
    <Link
      className="state major num"
      to="/selfCenter/vet/alarm"
      aria-label={t("{count} 条告警", { count })}
      onClick={(event) => event.stopPropagation()}
    >
      <Mark name="major" />
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
