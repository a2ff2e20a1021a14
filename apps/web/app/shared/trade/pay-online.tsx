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
import type { Row } from "../resource/form-values.ts";
import { keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { showToast } from "../states/toast-store.ts";
import styles from "./bank-line-match.module.css";

/** While a payment is under way it is asked for this often, ms. */
const renewMs = 5000;

/** How a payment or deposit is paid online, and where the newest attempt stands. */
function PayOnline({ row, target }: { row: Row; target: "payment" | "deposit" }) {
  const t = useTranslate();
  const { time } = useFormats();
  const client = useQueryClient();
  const { permissions, user } = useAccess();
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  const { data } = useQuery({
    queryKey: [...keysOf(payAttempts), "newest", target, row.id],
    queryFn: async ({ signal }) => {
      const newest = await call(payAttemptNewest, { query: { target, id: row.id }, signal, quiet: true });
      // What was paid moved the row that stands here.
      if (newest.attempt?.state === "succeeded" && row.state === "awaited")
        void client.invalidateQueries({ queryKey: keysOf(target === "payment" ? payments : deposits) });
      return newest;
    },
    enabled: permissions.has(permissionOf(payAttempts, "view")),
    refetchInterval: ({ state }) => (isUnderWay(state.data?.attempt?.state) ? renewMs : false),
    staleTime: 0,
  });
  const ofGroup = user.tenant_type === "group";
  const mayPay =
    data?.offered === true &&
    !ofGroup &&
    permissions.has(permissionOf(payAttempts, "edit")) &&
    row.state === "awaited" &&
    row.kind !== "refund";
  if (!data || (!mayPay && !data.attempt)) return null;
  const { attempt } = data;
  const face = attempt && payAttempts.process.states[attempt.state as keyof typeof payAttempts.process.states];
  const menu = ofGroup ? payAttempts.menu : payAttempts.customerMenu;
  const pay = () =>
    submit(async () => {
      const { payUrl } = await call(payAttemptStart, { body: { target, id: row.id }, quiet: true });
      if (payUrl === "") showToast({ kind: "error", text: "支付网关现在没有答复，请稍后再试，或者用银行转账" });
      else window.location.assign(payUrl);
    });
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
      {mayPay && (
        <p>
          <Button kind="primary" isDisabled={busy} onPress={() => void pay()}>
            {t(isUnderWay(attempt?.state) ? "继续支付" : "去支付")}
          </Button>
        </p>
      )}
      <Refusal text={refused} />
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

/** Payments, each with the way to pay it online. */
export function PaymentScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={PayPayment} />;
}

/** Deposits, each with the way to pay it online. */
export function DepositScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} detail={PayDeposit} />;
}
