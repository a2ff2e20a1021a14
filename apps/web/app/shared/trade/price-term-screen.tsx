import { orders } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { Link } from "react-router";
import { contractPaths } from "../contracts/words.ts";
import { useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./order-detail.module.css";
import { termCells } from "./trade-cells.tsx";

/** Above a price term: its contract, and the orders that hang on it. */
function Ways({ row }: { row: Row }) {
  const t = useTranslate();
  const { user } = useAccess();
  const isStaff = user.tenant_type === "group";
  const contract = String(row.number ?? "").replace(/-\d+$/, "");
  return (
    <p className={styles.detail}>
      <span className={styles.way}>
        <Link className="btn" to={`${isStaff ? contractPaths.desk : contractPaths.list}?q=${contract}`}>
          {t("打开合同")}
        </Link>
        <Link className="btn" to={`${isStaff ? orders.menu.path : orders.customerMenu?.path}?f.contractTerm=${row.id}`}>
          {t("它的订单")}
        </Link>
      </span>
    </p>
  );
}

/** Price terms of signed contracts, with volume, use and prices. */
export function PriceTermScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={termCells} detail={Ways} />;
}
