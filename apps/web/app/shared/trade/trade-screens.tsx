import { declarations } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { Link, useNavigate, useSearchParams } from "react-router";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { knownId } from "../lists/list-address.ts";
import type { Row } from "../resource/form-values.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./order-detail.module.css";
import { OrderDetail, SettlementDetail } from "./order-detail.tsx";
import { PlanTerms } from "./plan-terms.tsx";

/** Orders, each with where it stands, its money and its weights. */
export function OrderScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={OrderDetail} cells={orderCells} facts={orderFacts} share={wideShare} />;
}

/** Until when an order is to be paid, while it is. */
function PayBy({ row, value }: { row: Row; value: unknown }) {
  const { dayTime } = useFormats();
  if (row.state !== "waiting_payment") return <span className="mut">--</span>;
  return <span className="num">{dayTime(parseWireDateTime(String(value)))}</span>;
}

const orderCells = { payBy: PayBy };
/** What the detail of an order does not tell. */
const orderFacts = ["declaration", "lot", "mode", "plate"];
/** Vehicles and weights of an order are tables. */
const wideShare = 52;

/** Settlements, each with its lines. */
export function SettlementScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={SettlementDetail} cells={settlementCells} share={wideShare} />;
}

/** What is left to be paid, in which direction. */
function Left({ value }: { value: unknown }) {
  const t = useTranslate();
  const fen = Number(value);
  if (fen === 0) return <span className="mut">{t("已结清")}</span>;
  return (
    <span className="num">
      {fen < 0 && <span className="mut">{t("要退")} </span>}
      {yuanText(Math.abs(fen))} {t("元")}
    </span>
  );
}

const settlementCells = { leftFen: Left };

/** Declarations of customers; a new one is for the plan that the address names. */
export function DeclarationScreen({ of }: { of: ResourceDeclaration }) {
  const [search] = useSearchParams();
  return <ResourceScreen of={of} preview={PlanTerms} given={() => ({ plan: knownId(search.get("plan")) ?? "" })} />;
}

/** Where a plan is declared for, with its form open. */
const declareAt = (plan: string): string => `${declarations.customerMenu?.path}?row=new&plan=${plan}`;

/** Whether the person may declare for a plan: customers alone do. */
function useMayDeclare(): boolean {
  const { user, permissions } = useAccess();
  return user.tenant_type !== "group" && permissions.has(permissionOf(declarations, "edit"));
}

/** The heads that are left, with the way to declare for them. */
function HeadsLeft({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const { number } = useFormats();
  const mayDeclare = useMayDeclare();
  return (
    <>
      <span className="num">{t("{count} 头", { count: number(Number(value)) })}</span>
      {mayDeclare && (
        <>
          {" "}
          <Link className="link" to={declareAt(row.id)} onClick={(event) => event.stopPropagation()}>
            {t("申报购猪")}
          </Link>
        </>
      )}
    </>
  );
}

/** Above an offer: the way to declare for it. */
function Declare({ row }: { row: Row }) {
  const t = useTranslate();
  if (!useMayDeclare()) return null;
  return (
    <p className={styles.detail}>
      <Link className="btn primary" to={declareAt(row.id)}>
        {t("申报购猪")}
      </Link>
    </p>
  );
}

const offerCells = { headsLeft: HeadsLeft };

/** Published plans, which customers declare for. */
export function OfferScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const navigate = useNavigate();
  const mayDeclare = useMayDeclare();
  return (
    <ResourceScreen
      of={of}
      cells={offerCells}
      detail={Declare}
      actions={({ id }) =>
        mayDeclare
          ? [{ id: "declare", icon: "sheet", name: t("申报购猪"), onAction: () => void navigate(declareAt(id)) }]
          : []
      }
    />
  );
}
