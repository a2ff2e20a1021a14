import { expect, test } from "vitest";
import { memoryStore } from "../../providers/store.ts";
import { createVerificationService } from "./verification.service.ts";

/** A service, a code for registration that it sent, and a wrong one beside it. */
async function createBench() {
  let sent = "";
  const verification = createVerificationService({
    store: memoryStore(),
    sms: {
      async send({ variables }) {
        sent = variables.code ?? "";
      },
    },
    secretKey: "a key for tests that is long enough to be one",
    smsPerDay: () => 5000,
    isProven: async () => true,
    onError: (error) => {
      throw error;
    },
    now: Date.now,
  });
  const phone = "13900000001";
  const { id } = await verification.send(phone, ["register"], "203.0.113.7");
  const right = { phone, id, code: sent };
  return { verification, right, wrong: { ...right, code: String((Number(sent) + 1) % 1_000_000).padStart(6, "0") } };
}
const refused = { status: 400, message: "短信校验失败" };

test("a code that is only checked stays usable for its purpose, and each check is one of its five tries", async () => {
  const { verification, right, wrong } = await createBench();
  await expect(verification.check(right)).resolves.toBeUndefined();
  for (const other of [wrong, { ...right, phone: "13900000002" }, { ...right, id: "x" }, { ...right, id: undefined }])
    await expect(verification.check(other)).rejects.toMatchObject(refused);
  await expect(verification.prove(right, "login")).rejects.toThrow();
  await expect(verification.prove(right, "register")).resolves.toBeDefined();
  await expect(verification.check(right)).rejects.toMatchObject(refused);
});

test("T18: checks and uses together compare a code five times at most", async () => {
  const { verification, right, wrong } = await createBench();
  const checks = await Promise.allSettled(
    Array.from({ length: 1000 }, (_, at) => verification.check(at < 5 ? wrong : right)),
  );
  expect(checks.filter(({ status }) => status === "fulfilled")).toHaveLength(0);
  await expect(verification.prove(right, "register")).rejects.toThrow();
});
