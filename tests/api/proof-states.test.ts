import {
  type RealNameState,
  type RealNameStep,
  type RemittanceState,
  type RemittanceStep,
  realNameProcess,
  remittanceProcess,
} from "@herdwise/contract";
import { type BankCardEvent, bankCardProcess } from "@herdwise/contract/bank-card-rules";
import type { RealNameKind } from "@herdwise/contract/real-name-checks";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { type BankAnswer, startBank } from "../harness/bank.ts";
import { cardNumber, customersOf, type Person } from "../harness/customers.ts";
import { type Caller, everyStep, passerBy } from "../harness/every-step.ts";

// What proves who a customer is: applications, remittances, bank cards. A bank of the test's own says each thing in each state.
let app: TestApp;
let people: ReturnType<typeof customersOf>;
let bank: Awaited<ReturnType<typeof startBank>>;
let admin: string;
let adminId: string;
beforeAll(async () => {
  bank = await startBank();
  app = await createTestApp(bank.environment);
  people = customersOf(app);
  admin = await app.logIn("admin");
  [{ id: adminId = "" } = {}] = await people.query<{ id: string }>("select id from accounts where account = 'admin'");
});
afterAll(async () => {
  await app.close();
  bank.stop();
});

const post = async (path: string, token: string, body: object): Promise<number> =>
  (await app.call({ method: "POST", path: `/api/muyuan-customer/${path}`, token, body })).status;
const encrypted = (text: string) => app.personalCipher.encrypt(text);

/** Who asks for steps of an application or a remittance; the group's reviewer has it in hand where a decision is asked for. */
async function callersOf(owner: Person): Promise<Caller<"owner" | "desk" | "bank" | "clock">[]> {
  return [
    { name: "owner", token: owner.token, party: "owner" },
    {
      name: "member without the right",
      token: (await people.person("worker", owner.tenantId)).token,
      party: undefined,
    },
    { name: "other tenant", token: (await people.customer()).token, party: undefined },
    { name: "customer service", token: (await people.person("customer_service", "000000")).token, party: undefined },
    { name: "reviewer", token: admin, party: "desk" },
    passerBy,
    { name: "bank", token: "", party: "bank" },
    { name: "clock", token: "", party: "clock" },
  ];
}

const items: Readonly<Record<RealNameKind, Readonly<Record<string, string>>>> = {
  personal: { personName: "郭海涛", idNumber: "11010519491231002X" },
  enterprise: {
    enterpriseName: "示例牧业有限公司",
    legalName: "郑有田",
    accountName: "示例牧业有限公司",
    bankAccount: "811122223333444455",
    bankCode: "402513600021",
  },
};
/** What a step needs beside the state. */
interface Needs {
  returned?: readonly string[];
  /** A reviewer's. */
  inHand?: boolean;
  licenceIsOver?: boolean;
  remittance?: RemittanceState;
  tries?: number;
  /** The remittance's time is over. */
  isLate?: boolean;
}
/** An application of a customer, and what puts it into a state. */
async function application(kind: RealNameKind) {
  const owner = await people.person("owner", await people.tenant(kind));
  const id = app.nextId();
  await people.query(
    `insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, submitted_by)
     values ($1, $2, $3, 'waiting', '示例', $4, $5)`,
    [id, owner.tenantId, kind, app.personalCipher.index(`real name ${id}`), owner.id],
  );
  const held = { owner, id, remittanceId: "" };
  return {
    held,
    async put(
      state: RealNameState,
      { returned = [], inHand = false, licenceIsOver = false, remittance, tries = 0, isLate = false }: Needs,
    ): Promise<void> {
      // Calls are counted by the minute.
      await app.pass(61);
      for (const [field, value] of Object.entries(items[kind]))
        await people.query(
          `insert into real_name_items (real_name_application_id, field, value_encrypted, verdict, reason)
           values ($1, $2, $3, $4::text, case $4::text when 'returned' then 'mismatch' else '' end)
           on conflict (real_name_application_id, field) do update
             set value_encrypted = excluded.value_encrypted, verdict = excluded.verdict, reason = excluded.reason`,
          [id, field, encrypted(value), returned.includes(field) ? "returned" : "open"],
        );
      await people.query("delete from real_name_remittances where real_name_application_id = $1", [id]);
      if (remittance !== undefined) {
        held.remittanceId = app.nextId();
        const arrived = ["arrived", "confirmed"].includes(remittance);
        await people.query(
          `insert into real_name_remittances (id, tenant_id, real_name_application_id, state, failure, amount_fen, sandbox, arrivals, tries,
             created_at, sent_at, expires_at)
           values ($1, $2, $3, $4::text, case $4::text when 'failed' then 'refused' else '' end, 1, false, $5, $6, now() - interval '2 days',
             case when $4::text <> 'ordered' then now() - interval '1 hour' end, now() + case when $7 then '-1 s' else '1 day' end::interval)`,
          [held.remittanceId, owner.tenantId, id, remittance, arrived ? 1 : 0, tries, isLate],
        );
      }
      await people.query(
        `update real_name_applications set state = $2, version = 1, round = 1, first_by = null, claimed_by = case when $3 then $4::bigint end,
           claimed_until = case when $3 then now() + interval '10 minutes' end, licence_until = case when $5 then '2026-01-01' else '2040-01-01' end::date
          where id = $1`,
        [id, state, inHand, adminId, licenceIsOver],
      );
    },
  };
}

test.each(["personal", "enterprise"] as const)(
  "an application of kind %s takes the steps of its table, by whom it names, and no other",
  async (kind) => {
    const { held, put } = await application(kind);
    const { id } = held;
    const changed = kind === "personal" ? { personName: "郭海天" } : { legalName: "郑有天" };
    const verdicts = (reason: string) =>
      Object.keys(items[kind]).map((field, at) => ({ field, reason: at === 0 ? reason : "none" }));
    const asks: Partial<Record<RealNameStep, (token: string) => Promise<number>>> = {
      resubmit: (token) => post("real-name/resubmit", token, { id, values: changed }),
      resubmit_account: (token) =>
        post("real-name/resubmit", token, { id, values: { bankAccount: "811122223333444466" } }),
      remit_again: (token) => post("real-name/remittance/again", token, { id }),
      confirm: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 1 }),
      mistype: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 2 }),
      spend_tries: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 2 }),
      withdraw: (token) => post("real-name/withdraw", token, { id }),
      accept: (token) => post("real-name-review/decide", token, { id, version: 1, verdicts: verdicts("none") }),
      return: (token) => post("real-name-review/decide", token, { id, version: 1, verdicts: verdicts("mismatch") }),
    };
    const tried = await everyStep(realNameProcess, {
      query: people.query,
      kind,
      table: "real_name_applications",
      id: () => id,
      rest: `(select json_agg(i order by i.field)::text from real_name_items i where i.real_name_application_id = t.id)
        || coalesce((select json_agg(r order by r.id)::text from real_name_remittances r where r.real_name_application_id = t.id), '')`,
      history: ["real_name_events", "real_name_application_id"],
      unwritten: ["remit_again", "mistype"],
      // After the first of two looks nothing is decided.
      toldElsewhere: ["accept"],
      callers: (await callersOf(held.owner)).filter(
        (caller): caller is Caller<"owner" | "desk" | "clock"> => caller.party !== "bank",
      ),
      put: (state, step) =>
        put(state, {
          returned: step === "resubmit_account" ? ["bankAccount"] : Object.keys(changed),
          inHand: step === "accept" || step === "return",
          licenceIsOver: step === "suspend",
          ...(["confirm", "mistype", "spend_tries"].includes(step) && { remittance: "arrived" as const }),
          ...(["remit_again", "resubmit_account"].includes(step) && { remittance: "failed" as const }),
          tries: step === "spend_tries" ? 2 : 0,
        }),
      async ask(step, { token, party }) {
        if (party === "clock") {
          if (step !== "suspend") return "no way";
          await app.runJob("real-name.licences");
          return undefined;
        }
        return (await asks[step]?.(token)) ?? "no way";
      },
      refusesTaken: ["mistype", "spend_tries"],
      // That a newer one takes the place of an older one is tests/api/real-name.test.ts's.
      elsewhere: ["passed replace desk", "suspended replace desk"],
    });
    expect(tried).toBeGreaterThan(300);
  },
);

test("a remittance takes the steps of its table, by whom it names, and no other", async () => {
  const { held, put } = await application("enterprise");
  const { id } = held;
  const asks: Partial<Record<RemittanceStep, (token: string) => Promise<number>>> = {
    confirm: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 1 }),
    mistype: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 2 }),
    spend_tries: (token) => post("real-name/remittance/confirm", token, { id, amountFen: 2 }),
    follow: (token) => post("real-name/remittance/again", token, { id }),
  };
  const says: Partial<Record<RemittanceStep, BankAnswer>> = {
    send: { state: "sent" },
    arrive: { state: "arrived" },
    fail: { state: "failed", failure: "no_account" },
  };
  const tried = await everyStep(remittanceProcess, {
    query: people.query,
    table: "real_name_remittances",
    id: () => held.remittanceId,
    auditedAs: () => id,
    rest: `(select row_to_json(a)::text || (select count(*) from real_name_events e where e.real_name_application_id = a.id)
              || (select json_agg(n order by n.id)::text from real_name_remittances n where n.real_name_application_id = a.id)
              from real_name_applications a where a.id = t.real_name_application_id)`,
    toldElsewhere: ["arrive", "fail", "expire"],
    callers: (await callersOf(held.owner)).map((caller) => ({
      ...caller,
      party: caller.party === "desk" ? undefined : caller.party,
    })),
    put: (state, step) =>
      put("remitting", { remittance: state, tries: step === "spend_tries" ? 2 : 0, isLate: step === "expire" }),
    async ask(step, { name, token }) {
      if (token !== "") return (await asks[step]?.(token)) ?? "no way";
      const answer = says[step];
      if (name === (answer === undefined ? "bank" : "clock") || (answer === undefined && step !== "expire"))
        return "no way";
      await bank.saying(answer, () => app.runJob("real-name.remit"));
      return undefined;
    },
    refusesTaken: ["mistype", "spend_tries"],
  });
  expect(tried).toBeGreaterThan(120);
});

test("a bank card takes the steps of its table, by whom it names, and no other", async () => {
  const owner = await people.customer();
  const finance = await people.person("finance", owner.tenantId);
  const [id, number] = [app.nextId(), cardNumber(770_001)];
  await people.query(
    `insert into bank_cards (id, tenant_id, created_by, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four)
     values ($1, $2, $3, '中国农业银行', $4, $5, $6, $7, '4444')`,
    [
      id,
      owner.tenantId,
      owner.id,
      encrypted(number),
      app.personalCipher.index(number),
      encrypted(owner.name),
      encrypted(owner.phone),
    ],
  );
  const path = (verb: string) => `bank-card/${verb}`;
  const asks: Partial<Record<BankCardEvent, (token: string) => Promise<number>>> = {
    confirm: (token) => post(path("confirm"), token, { id, amountFen: 42 }),
    mistype: (token) => post(path("confirm"), token, { id, amountFen: 43 }),
    spend_tries: (token) => post(path("confirm"), token, { id, amountFen: 43 }),
    remit_again: (token) => post(path("remit-again"), token, { id }),
    make_default: (token) => post(path("make-default"), token, { id }),
    keep_default: (token) => post(path("keep-default"), token, { id }),
    unbind: (token) => post(path("unbind"), token, { id }),
  };
  const says: Partial<Record<BankCardEvent, BankAnswer>> = {
    send: { state: "sent" },
    arrive: { state: "arrived" },
    fail: { state: "failed", failure: "no_account" },
  };
  const tried = await everyStep(bankCardProcess, {
    query: people.query,
    table: "bank_cards",
    id: () => id,
    rest: "(select json_agg(n order by n.id)::text from bank_card_remittances n where n.bank_card_id = t.id)",
    callers: [
      ...(await callersOf(owner)).map((caller) => ({
        ...caller,
        party: caller.party === "desk" ? undefined : caller.party,
      })),
      { name: "colleague with the right", token: finance.token, party: "owner" },
    ],
    async put(state, event) {
      await app.pass(61);
      const waits = state === "verified" && ["keep_default", "apply_default"].includes(event);
      await people.query(
        `update bank_cards set state = $2, version = 1, is_default = false, number_encrypted = $3, phone_encrypted = $3, holder_encrypted = $3,
           number_index = $4, default_at = case when $5 then now() + case when $6 then '-1 s' else '1 day' end::interval end where id = $1`,
        [
          id,
          state,
          state === "unbound" ? "" : encrypted(number),
          state === "unbound" ? null : app.personalCipher.index(number),
          waits,
          event === "apply_default",
        ],
      );
      await people.query("delete from bank_card_remittances where bank_card_id = $1", [id]);
      await people.query(
        `insert into bank_card_remittances (id, tenant_id, bank_card_id, amount_fen, failure, sandbox, arrivals, tries, created_at, sent_at, expires_at)
         values ($1, $2, $3, 42, $4, false, $5, $6, now() - interval '2 days', case when $7 then now() - interval '1 hour' end,
           now() + case when $8 then '-1 s' else '1 day' end::interval)`,
        [
          app.nextId(),
          owner.tenantId,
          id,
          state === "failed" ? "refused" : "",
          state === "arrived" || state === "verified" ? 1 : 0,
          event === "spend_tries" ? 2 : 0,
          state !== "ordered",
          event === "expire",
        ],
      );
    },
    async ask(event, { name, token }) {
      if (token !== "") return (await asks[event]?.(token)) ?? "no way";
      const answer = says[event];
      const byClock = event === "expire" || event === "apply_default";
      if (answer === undefined ? name === "bank" || !byClock : name === "clock") return "no way";
      await bank.saying(answer, () => app.runJob("bank-cards.remit"));
      return undefined;
    },
    refusesTaken: ["mistype", "spend_tries"],
  });
  expect(tried).toBeGreaterThan(300);
});
