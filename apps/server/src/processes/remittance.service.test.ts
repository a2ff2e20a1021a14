import { expect, test } from "vitest";
import type { RemittanceStanding } from "../providers/remittance/remittance.ts";
import { createRemittances, type RunningRemittance, remittancesTogether } from "./remittance.service.ts";

const at = Date.UTC(2026, 6, 1);
interface Row extends RunningRemittance {
  state: "ordered" | "sent" | "arrived";
}
const row = (id: number, state: Row["state"], expiresAt = at + 1000): Row => ({
  id: String(id),
  state,
  arrivals: state === "arrived" ? 1 : 0,
  sentAt: state === "ordered" ? null : new Date(at),
  expiresAt: new Date(expiresAt),
});

/** A bank that says the same of each amount, and what it was asked and told in order. */
function bankOf(rows: Row[], says: RemittanceStanding | Error) {
  const done: string[] = [];
  const answer = async (what: string) => {
    done.push(what);
    if (says instanceof Error) throw says;
    return says;
  };
  const remittances = createRemittances<Row>({
    async running(state, after, owner) {
      return rows
        .filter((one) => one.state === state && Number(one.id) > Number(after) && (owner ?? one.id) === one.id)
        .slice(0, remittancesTogether);
    },
    orderOf: ({ id }) => ({
      id,
      accountName: "",
      bankName: "",
      branchName: "",
      bankCode: "",
      bankAccount: "",
      amountFen: 1,
    }),
    async step(one, event) {
      done.push(`${event} ${one.id}`);
      if (event === "send") rows[rows.indexOf(one)] = { ...one, state: "sent", sentAt: new Date(at) };
    },
    async recount({ id }, arrivals) {
      done.push(`count ${id} ${arrivals}`);
    },
    provider: {
      sandbox: true,
      send: ({ id }) => answer(`hand over ${id}`),
      standing: ({ id }) => answer(`ask ${id}`),
    },
    hours: 72,
    job: "lamps.remit-one",
    jobs: { enqueue: async () => "", wake() {} },
    now: () => at,
    onFault: () => done.push("fault"),
  });
  return { ...remittances, done };
}
const { signal } = new AbortController();
const sent: RemittanceStanding = { state: "sent", reference: "r" };

test("a new amount is handed over before the bank is asked for those that wait for their owners, and all of them are", async () => {
  const idle = Array.from({ length: remittancesTogether + 1 }, (_, id) => row(id + 1, "arrived"));
  const { remit, done } = bankOf([...idle, row(9000, "ordered")], sent);
  await remit(signal);
  expect(done.slice(0, 2)).toEqual(["hand over 9000", "send 9000"]);
  // What was handed over is asked for at the next run.
  expect(done.slice(2)).toHaveLength(remittancesTogether + 1);
  expect(done.at(-1)).toBe(`ask ${remittancesTogether + 1}`);
});

test("a bank that is away stops no other amount, and time ends one without asking", async () => {
  const { remit, done } = bankOf([row(1, "ordered"), row(2, "ordered", at - 1), row(3, "sent")], new Error("away"));
  await remit(signal);
  expect(done.toSorted()).toEqual(["ask 3", "expire 2", "fault", "fault", "hand over 1"]);
});

test("what the bank says twice is counted, and nothing that is known already is a step", async () => {
  const { remit, done } = bankOf([row(1, "arrived"), row(2, "sent")], {
    state: "arrived",
    reference: "r",
    arrivals: 2,
  });
  await remit(signal, "1");
  await remit(signal, "2");
  expect(done).toEqual(["ask 1", "count 1 2", "ask 2", "arrive 2"]);
  const known = bankOf([row(1, "sent")], sent);
  await known.remit(signal);
  expect(known.done).toEqual(["ask 1"]);
});
