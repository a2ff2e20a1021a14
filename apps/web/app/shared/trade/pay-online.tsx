import { deposits, payAttemptNewest, payAttemptStart, payAttempts, payments } from "@herdwise/contract";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { Link } from "react-router";
import { call } from "../api/call.ts";
import { Refusal } from "../forms/refusal.tsx";
import { useSubmission } from "../forms/use-submission.ts";
import { Button } from "../kit/button.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { showToast } from "../states/toast-store.ts";
import styles from "./bank-line-match.module.css";
import { attemptCells, depositCells, paymentCells } from "./trade-cells.tsx";

/** While a payment is under way it is asked for this often, ms. */
const renewMs = 5000;

type Target = "payment" | "deposit";
/** What is to be paid, as a row of its list or an order has it. */
type Payable = Readonly<{ id: string; state?: unknown; kind?: unknown }>;

/** Whether somebody may pay online at all, before it is known whether it is offered. */
function useMayPay(row: Payable): boolean {
  const { permissions, user } = useAccess();
  return (
    user.tenant_type !== "group" &&
    permissions.has(permissionOf(payAttempts, "edit")) &&
    row.state === "awaited" &&
    row.kind !== "refund"
  );
}

/** The newest attempt to pay a row online, and whether it is offered. */
function useNewest(row: Payable, target: Target, wanted = true) {
  const client = useQueryClient();
  const { permissions } = useAccess();
  return useQuery({
    queryKey: [...keysOf(payAttempts), "newest", target, row.id],
    queryFn: async ({ signal }) => {
      const newest = await call(payAttemptNewest, { query: { target, id: row.id }, signal, quiet: true });
      // What was paid moved the row that stands here.
      if (newest.attempt?.state === "succeeded" && row.state === "awaited")
        void client.invalidateQueries({ queryKey: keysOf(target === "payment" ? payments : deposits) });
      return newest;
    },
    enabled: wanted && permissions.has(permissionOf(payAttempts, "view")),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.attempt?.state) ? renewMs : false),
    staleTime: 0,
  }).data;
}

/** The button that leads to the payment provider, where what is awaited can be paid there. */
export function PayButton({ row, target, small = false }: { row: Payable; target: Target; small?: boolean }) {
  const t = useTranslate();
  const mayPay = useMayPay(row);
  const data = useNewest(row, target, mayPay);
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  if (!mayPay || data?.offered !== true) return null;
  const pay = () =>
    submit(async () => {
      const { payUrl } = await call(payAttemptStart, { body: { target, id: row.id }, quiet: true });
      if (payUrl === "") showToast({ kind: "error", text: "支付网关现在没有答复，请稍后再试，或者用银行转账" });
      else window.location.assign(payUrl);
    });
  return (
    <>
      <Button kind="primary" small={small} isDisabled={busy} onPress={() => void pay()}>
        {t(isUnderWay(data.attempt?.state) ? "继续支付" : "去支付")}
      </Button>
      <Refusal text={refused} />
    </>
  );
}

/** How a payment or deposit is paid online, and where the newest attempt stands. */
function PayOnline({ row, target }: { row: Row; target: Target }) {
  const t = useTranslate();
  const { time } = useFormats();
  const { user } = useAccess();
  const mayPay = useMayPay(row);
  const data = useNewest(row, target);
  if (!data || (!(mayPay && data.offered) && !data.attempt)) return null;
  const { attempt } = data;
  const face = attempt && payAttempts.process.states[attempt.state as keyof typeof payAttempts.process.states];
  const menu = user.tenant_type === "group" ? payAttempts.menu : payAttempts.customerMenu;
  return (
    <section className={styles.part} aria-labelledby="pay-online">
      <h3 id="pay-online">{t("在线付款")}</h3>
      {attempt && (
        <p>
          {face && <StateTag {...face} plain />}{" "}
          <Link className="link num" to={`${menu?.path}?row=${attempt.id}`}>
            {attempt.number}
          </Link>{" "}
          {isUnderWay(attempt.state) &&
            t("{time} 前付款有效", { time: time(parseWireDateTime(attempt.expiresAt) ?? 0) })}
        </p>
      )}
      <div>
        <PayButton row={row} target={target} />
      </div>
    </section>
  );
}

const isUnderWay = (state: string | undefined): boolean => state === "started" || state === "unknown";

function PayPayment({ row }: { row: Row }) {
  return <PayOnline row={row} target="payment" />;
}
function PayDeposit({ row }: { row: Row }) {
  return <PayOnline row={row} target="deposit" />;
}

/** The state of what is paid, with the way to pay it. */
const payable = (target: Target, cells: Cells): Cells => {
  const Own = cells.state;
  return {
    ...cells,
    state: ({ row, value }) => (
      <span className={styles.payable}>
        {Own && <Own row={row} value={value} />}
        <PayButton row={row} target={target} small />
      </span>
    ),
  };
};
const ownPaymentCells = payable("payment", paymentCells);
const ownDepositCells = payable("deposit", depositCells);

/** The way to what was paid online, which is a list of its own. */
function OnlineList() {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const menu = user.tenant_type === "group" ? payAttempts.menu : payAttempts.customerMenu;
  if (menu === undefined || !permissions.has(permissionOf(payAttempts, "view"))) return null;
  return (
    <Link className="btn" to={menu.path}>
      {t("在线支付记录")}
    </Link>
  );
}

/** Payments, each with the way to pay it online. */
export function PaymentScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={ownPaymentCells} detail={PayPayment} head={<OnlineList />} />;
}

/** Deposits, each with the way to pay it online. */
export function DepositScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={ownDepositCells} detail={PayDeposit} />;
}

/** What was paid online, each with what it pays. */
export function PayAttemptScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={attemptCells} />;
}
