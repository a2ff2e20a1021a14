import { declarations, offers, orders } from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { isBlank, permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { Link, useNavigate, useSearchParams } from "react-router";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { knownId } from "../lists/list-address.ts";
import inputs from "../resource/field-input.module.css";
import type { Row } from "../resource/form-values.ts";
import type { InputProps } from "../resource/input-props.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { DeclarationGrounds } from "./declaration-grounds.tsx";
import styles from "./order-detail.module.css";
import { OrderDetail, SettlementDetail } from "./order-detail.tsx";
import { PlanTerms, usePlanTerms } from "./plan-terms.tsx";
import cellStyles from "./trade-cells.module.css";
import { abnormalCells, declarationCells, marketCell, noteCells, orderCells, settlementCells } from "./trade-cells.tsx";
import { useGivenOrder } from "./use-given-order.ts";

/** Orders, each with where it stands, its money and its weights. */
export function OrderScreen({ of }: { of: ResourceDeclaration }) {
  return (
    <ResourceScreen of={of} detail={OrderDetail} cells={orderCells} facts={orderFacts} share={wideShare} tellsHistory />
  );
}

/** What the detail of an order does not tell. */
const orderFacts = ["declaration", "lot", "mode"];
/** Vehicles and weights of an order are tables. */
const wideShare = 52;

/** Orders in which something is late or wrong, each with the way to it. */
export function AbnormalOrderScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={abnormalCells} detail={ToOrder} />;
}

/** The way to the order of a row. */
function ToOrder({ row }: { row: Row }) {
  const t = useTranslate();
  return (
    <p className={styles.detail}>
      <Link className="btn primary" to={`${orders.menu.path}?row=${row.order}`}>
        {t("打开订单")}
      </Link>
    </p>
  );
}

/** Settlements, each with its lines. */
export function SettlementScreen({ of }: { of: ResourceDeclaration }) {
  const given = useGivenOrder();
  return <ResourceScreen of={of} detail={SettlementDetail} cells={settlementCells} share={wideShare} given={given} />;
}

/** Credit and debit notes. */
export function NoteScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={noteCells} />;
}

/** Declarations of customers; a new one is for the plan that the address names. */
export function DeclarationScreen({ of }: { of: ResourceDeclaration }) {
  const [search] = useSearchParams();
  return (
    <ResourceScreen
      of={of}
      cells={declarationCells}
      detail={DeclarationGrounds}
      inputs={declarationInputs}
      preview={PlanTerms}
      given={() => ({ plan: knownId(search.get("plan")) ?? "" })}
    />
  );
}

/** Most open plans that are offered, the next loading day first. */
const mostOffers = 100;

/** Chooses an open plan by what one decides by: its day, heads left, weights and price. */
function OfferChoice({ id, value, onChange, onBlur, problem }: InputProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { data } = useQuery({
    queryKey: [...keysOf(offers), "choice"],
    queryFn: ({ signal }) => callPage(offers, { current: 1, size: mostOffers }, signal),
    staleTime: 0,
  });
  return (
    <select
      id={id}
      className={inputs.input}
      aria-invalid={problem !== undefined}
      value={String(value ?? "")}
      onChange={(event) => onChange(event.target.value)}
      onBlur={onBlur}
    >
      <option value="">{t("请选择")}</option>
      {data?.records.map((row) => (
        <option key={row.id} value={row.id}>
          {[
            String(row.day),
            nameOf(String(row.fieldName)),
            t("还剩 {count} 头", { count: Number(row.headsLeft) }),
            String(row.weights),
            isBlank(row.pricePerKg) ? t("合同价") : `${yuanText(Number(row.pricePerKg))} ${t("元/kg")}`,
          ].join(" · ")}
        </option>
      ))}
    </select>
  );
}
const declarationInputs = { plan: OfferChoice };

/** Where a plan is declared for, with its form open. */
const declareAt = (plan: string): string => `${declarations.customerMenu?.path}?row=new&plan=${plan}`;

/** Whether the person may declare for a plan: customers alone do. */
function useMayDeclare(): boolean {
  const { user, permissions } = useAccess();
  return user.tenant_type !== "group" && permissions.has(permissionOf(declarations, "edit"));
}

/** The button of an offer. */
function ToDeclare({ row }: { row: Row }) {
  const t = useTranslate();
  if (!useMayDeclare()) return null;
  return (
    <Link className="btn small" to={declareAt(row.id)} onClick={(event) => event.stopPropagation()}>
      {t("申报购猪")}
    </Link>
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

/** The price of a plan; of one at the contract's price what the reader's own contract says. */
function OfferPrice({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const isContract = isBlank(value);
  const mayDeclare = useMayDeclare();
  const { data } = usePlanTerms(isContract && mayDeclare ? row.id : "");
  const agreed = data?.terms.find(({ refusal, fenPerKg }) => refusal === undefined && fenPerKg !== undefined);
  const fen = isContract ? agreed?.fenPerKg : Number(value);
  return (
    <span className={isContract ? `${cellStyles.line} ${cellStyles.below}` : undefined}>
      {fen !== undefined && (
        <span className="num">
          {yuanText(fen)} {t("元/kg")}
        </span>
      )}
      {isContract && (fen === undefined ? <span>{t("合同价")}</span> : <small>{t("合同价")}</small>)}
    </span>
  );
}

const offerCells = { acts: ToDeclare, pricePerKg: OfferPrice, marketPerKg: marketCell };

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
