import {
  deposits as depositList,
  payAttemptNewest,
  payAttemptProcess,
  payAttemptStart,
  payAttempts,
  payments as paymentList,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { refuse } from "../../http/errors.ts";
import type { ServerModule } from "../../module.ts";
import { dueRepository, eachDueId, processModule, type RowOf } from "../../processes/index.ts";
import { offeredBy, type PaymentProviders, standingBy } from "../../providers/payment/gateways.ts";
import { PaymentFault, type PayNotice } from "../../providers/payment/payment.ts";
import { type DatabaseHandle, scoped } from "../../resources/index.ts";
import { systemScope, type TenantScope } from "../../tenant-scope.ts";
import { customerLink, type TradeContext } from "./context.ts";
import type { DepositModule } from "./deposits.ts";
import { attemptsToLookAt, type HeldAttempt, type PayTarget, payAttemptRepository } from "./pay-attempt.repository.ts";
import type { PaymentModule } from "./payments.ts";

type AttemptRow = RowOf<typeof payAttemptProcess, { number: string; amountFen: string; payment: string | null }>;

/** How long a customer may pay, ms. */
const payableMs = 15 * 60_000;
/** Before this the provider's own notice is awaited, ms. */
const firstLookMs = 30_000;
const clock = systemScope("the payment provider is asked for what it did not tell");
const provided = systemScope("the payment provider's signed word moves what was paid");

/** What a notice of the provider led to. */
type Heard = "taken" | "known" | "unknown order";

export interface PayAttemptModule extends ServerModule {
  /** Takes the provider's word, once. */
  heard(notice: PayNotice): Promise<Heard>;
}

/** Attempts to pay by the provider: begun by customers, moved on by what the provider says or is asked, and nobody else. */
export function payAttemptModule(
  context: TradeContext,
  providers: PaymentProviders,
  { payments, deposits }: { payments: PaymentModule; deposits: DepositModule },
): PayAttemptModule {
  const { config, kysely, nextId, now, warn } = context.platform;
  const module = processModule(context, payAttemptProcess, payAttempts, {
    parts: (db: DatabaseHandle) => ({ db }),
    partyOf: (_row: AttemptRow) => undefined,
    on: {
      succeed: ({ asks }) => ({ ...asks, lookAt: null }),
      surplus: ({ asks }) => ({ ...asks, lookAt: null }),
    },
    receivers: {
      customer: { of: ({ createdBy }) => [createdBy], link: customerLink(payAttempts.customerMenu?.path) },
      desk: {
        of: ({ payment }, { db }) => context.deskOf(payment === null ? "deposit_edit" : "payment_edit", db),
      },
    },
    links: ({ payment, deposit }) => [
      ...(payment === null ? [] : ([["payment", payment]] as const)),
      ...(typeof deposit === "string" ? ([["deposit", deposit]] as const) : []),
    ],
    content: ({ number, amountFen }) => `${number}：${yuanText(Number(amountFen))}`,
    messages: "trade",
  });
  const inOne = <Result>(work: (db: DatabaseHandle) => Promise<Result>): Promise<Result> =>
    kysely.transaction().execute(work);

  /** Pays what waits for it. */
  const receive = async (db: DatabaseHandle, { payment, deposit }: PayTarget, reference: string): Promise<void> => {
    const asks = { bankReference: reference, receivedOn: shanghaiDay(now()) };
    const wish = { event: "receive", party: "provider", asks } as const;
    if (payment !== null) await payments.service.on(db).act(provided, { id: payment, ...wish });
    else if (deposit !== null) await deposits.service.on(db).act(provided, { id: deposit, ...wish });
  };
  /** Has what nothing waits for paid back, by a refund or a deposit of its own. */
  const payBack = async (
    db: DatabaseHandle,
    { tenantId, createdBy, payment, of }: HeldAttempt,
    said: PayNotice,
    payNotice: string,
  ): Promise<void> => {
    const row = { tenantId, createdBy, amountFen: said.amountFen, payNotice, party: "provider" } as const;
    if (payment !== null) await payments.service.on(db).begin(provided, { ...row, order: of, kind: "refund" });
    else {
      const id = await deposits.service.on(db).begin(provided, { ...row, lot: of });
      const asks = { bankReference: said.reference, receivedOn: shanghaiDay(now()) };
      if (id !== undefined)
        await deposits.service.on(db).act(provided, { id, event: "turn_back", party: "provider", asks });
    }
  };

  const heard = (said: PayNotice): Promise<Heard> =>
    inOne(async (db) => {
      const attempts = payAttemptRepository(db);
      const held = await attempts.hold(provided, said.id);
      if (held === undefined) return "unknown order";
      const notice = nextId();
      if (!(await attempts.keep(provided, notice, said))) return "known";
      const { id, state } = held;
      const runs = state === "started" || state === "unknown";
      const act = (event: "succeed" | "fail" | "surplus" | "again", asks = {}) =>
        module.service.on(db).act(provided, { id, event, party: "provider", asks });
      const asks = { reference: said.reference, receivedFen: said.amountFen };
      if (said.outcome === "failed") {
        if (runs) await act("fail");
      } else if (runs && held.targetState === "awaited" && said.amountFen === held.amountFen) {
        await receive(db, held, said.reference);
        await act("succeed", asks);
      } else {
        await payBack(db, held, said, notice);
        if (state === "succeeded" || state === "surplus") await act("again");
        else await act("surplus", asks);
      }
      return "taken";
    });

  /** Asks the provider for an attempt of which it told nothing. */
  const look = async (id: string): Promise<void> => {
    const standing = await standingBy(providers, { id }).catch((error: unknown) => {
      if (error instanceof PaymentFault) return undefined;
      throw error;
    });
    if (standing?.state === "paid") await heard({ id, outcome: "paid", ...standing });
    else if (standing?.state === "failed") await heard({ id, outcome: "failed", reference: "", amountFen: 0 });
    await inOne(async (db) => {
      const attempts = payAttemptRepository(db);
      const held = await attempts.hold(clock, id);
      if (held?.state === "started" || held?.state === "unknown") {
        if (held.expiresAt.getTime() <= now()) await module.service.on(db).act(clock, { id, event: "expire" });
        else if (standing === undefined && held.state === "started")
          await module.service.on(db).act(clock, { id, event: "doubt" });
      }
      await attempts.lookAgain(clock, id);
    });
  };

  const targetOf = ({ target, id }: { target: string; id: string }): PayTarget => ({
    payment: target === "payment" ? id : null,
    deposit: target === "deposit" ? id : null,
  });
  /** Begins an attempt, or finds the one that is under way. @throws {Refusal} where nothing can be paid online */
  const begin = (scope: TenantScope, target: PayTarget, channel: string) =>
    inOne(async (db) => {
      const attempts = payAttemptRepository(db);
      const due = await attempts.payable(scope, target);
      if (due === undefined) throw refuse("process.not_found");
      if (due.state !== "awaited" || due.kind === "refund") throw refuse("pay.not_awaited");
      const expiresAt = new Date(now() + payableMs);
      const runs = await attempts.newest(scope, target);
      if (runs?.state === "started" || runs?.state === "unknown") {
        if (runs.expiresAt.getTime() > now()) return { ...due, id: runs.id, expiresAt: runs.expiresAt };
        await module.service.on(db).act(clock, { id: runs.id, event: "expire" });
      }
      const lookAt = new Date(now() + firstLookMs);
      const id = await module.service
        .on(db)
        .begin(scope, { ...target, amountFen: due.amountFen, channel, expiresAt, lookAt });
      if (id === undefined) throw refuse("process.changed");
      return { ...due, id, expiresAt };
    });
  const start = async (scope: TenantScope, body: { target: string; id: string }) => {
    const provider = offeredBy(providers);
    if (provider === undefined) throw refuse("pay.off");
    if (scope.everyTenant) throw refuse("pay.customers");
    const { id, amountFen, number, expiresAt } = await begin(scope, targetOf(body), provider.channel);
    const { customerMenu } = body.target === "payment" ? paymentList : depositList;
    const returnUrl = `${config.publicUrl}${customerMenu?.path ?? ""}?row=${body.id}`;
    // The same order again where the customer comes back; what is not known of it now is asked by the clock.
    const { payUrl } = await provider
      .open({ id, amountFen, subject: number, returnUrl, expiresAt })
      .catch((error: unknown) => {
        if (!(error instanceof PaymentFault)) throw error;
        return { payUrl: "" };
      });
    return { id, payUrl };
  };

  return {
    ...module,
    heard,
    routes(router, http) {
      module.routes?.(router, http);
      router.on(payAttemptStart, ({ scope, body }) => start(scoped(scope), body));
      router.on(payAttemptNewest, async ({ scope, query }) => {
        const attempt = await payAttemptRepository(kysely).newest(scoped(scope), targetOf(query));
        return { offered: offeredBy(providers) !== undefined, ...(attempt && { attempt }) };
      });
    },
    jobs: [
      ...(module.jobs ?? []),
      {
        name: "pay_attempt.look",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 300,
        async run(_payload, { signal }) {
          const parts = { due: dueRepository(kysely), scope: clock, onFault: warn("a payment was not asked for") };
          await eachDueId(parts, attemptsToLookAt, look, signal);
        },
      },
    ],
  };
}
