import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link } from "react-router";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
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

/** The own farms with what stands in each. */
export function FarmScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={FarmHeads} />;
}

/** Units with their heads. */
export function UnitScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={UnitHeads} />;
}
