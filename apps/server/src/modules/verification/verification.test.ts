import type { SmsPurpose } from "@herdwise/contract";
import { afterEach, expect, test } from "vitest";
import { onEachStore, type StoreBench } from "../../../../../tests/harness/redis.ts";
import { volume } from "../../../../../tests/harness/volume.ts";
import { SmsFault, type SmsMessage } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";
import { createVerificationService } from "./verification.service.ts";

/** A number of which no account is proven. */
const unproven = "13900000099";

onEachStore((open) => {
  const benches: StoreBench[] = [];
  afterEach(async () => {
    for (const bench of benches.splice(0)) await bench.close();
  });

  async function createBench(change: (store: Store) => Store = (store) => store, smsPerDay = 5000) {
    const bench = await open();
    benches.push(bench);
    let clock = 1_000_000_000_000;
    let down = false;
    const sent: SmsMessage[] = [];
    const faults: unknown[] = [];
    const store = change(bench.store);
    const verification = createVerificationService({
      store,
      sms: {
        async send(message) {
          if (down) throw new SmsFault("down");
          sent.push(message);
        },
      },
      secretKey: "a key for tests that is long enough to be one",
      smsPerDay: () => smsPerDay,
      isProven: async (phone) => phone !== unproven,
      onError: (error) => faults.push(error),
      now: () => clock,
    });
    const send = async (phone = "13900000001", purpose: SmsPurpose = "login", address = "203.0.113.7") => {
      const { id } = await verification.send(phone, [purpose], address);
      return { phone, id, code: sent.at(-1)?.variables.code };
    };
    return {
      verification,
      store,
      sent,
      faults,
      send,
      async pass(s: number) {
        clock += s * 1000;
        await bench.pass(s * 1000);
      },
      setClockBack: (s: number) => {
        clock -= s * 1000;
      },
      cut: (is: boolean) => {
        down = is;
      },
    };
  }

  test("a number that nobody proved reads that it has no account in place of a code that opens one", async () => {
    const { verification, sent, send, pass } = await createBench();
    for (const purpose of ["login", "reset-password"] as const) {
      const { id } = await send(unproven, purpose);
      expect(sent.at(-1)).toEqual({ phone: unproven, kind: "no-account", variables: {} });
      expect(id).not.toBe("");
      await send("13900000001", purpose, "203.0.113.8");
      expect(sent.at(-1)?.variables.code).toMatch(/^\d{6}$/);
      await pass(61);
    }
    const { id } = await verification.send(unproven, ["register"], "203.0.113.7");
    expect([id !== "", sent.at(-1)?.kind]).toEqual([true, "register"]);
  });

  test("a code of six digits proves its number once, within five minutes", async () => {
    const { verification, send, pass } = await createBench();
    const first = await send();
    expect(first.code).toMatch(/^\d{6}$/);
    expect((await verification.prove(first, "login")).phone).toBe("13900000001");
    await expect(verification.prove(first, "login")).rejects.toThrow("短信验证码不正确或已失效");
    await pass(61);
    const second = await send();
    await pass(301);
    await expect(verification.prove(second, "login")).rejects.toThrow();
  });

  test("T18: a code serves its purpose and its number only", async () => {
    const { verification, send } = await createBench();
    const code = await send("13900000001", "register");
    await expect(verification.prove(code, "reset-password")).rejects.toThrow();
    await expect(verification.prove({ ...code, phone: "13900000002" }, "register")).rejects.toThrow();
    await expect(verification.prove({ ...code, id: undefined }, "register")).rejects.toThrow();
    await expect(verification.prove({ ...code, code: "" }, "register")).rejects.toThrow();
    await expect(verification.prove(code, "register")).resolves.toMatchObject({ phone: "13900000001" });
  });

  test("T18: of 1,000 guesses at once at most five are compared, then the code is burnt", async () => {
    const { verification, send } = await createBench();
    const right = await send();
    const wrong = (at: number) => String((Number(right.code) + 1 + at) % 1_000_000).padStart(6, "0");
    // The right code comes sixth and after: were more than five compared, one of the 995 would pass.
    const guesses = await Promise.allSettled(
      Array.from({ length: 1000 }, (_, at) =>
        verification.prove(at < 5 ? { ...right, code: wrong(at) } : right, "login"),
      ),
    );
    expect(guesses.filter(({ status }) => status === "fulfilled")).toHaveLength(0);
    await expect(verification.prove(right, "login")).rejects.toThrow();
  });

  test("T18: of 1,000 right answers at once one passes", async () => {
    const { verification, send } = await createBench();
    const right = await send();
    const answers = await Promise.allSettled(Array.from({ length: 1000 }, () => verification.prove(right, "login")));
    expect(answers.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
  });

  test("a code that is given back works again, no longer than it would have", async () => {
    const { verification, send, pass } = await createBench();
    const code = await send();
    await (await verification.prove(code, "login")).giveBack();
    await (await verification.prove(code, "login")).giveBack();
    await pass(299);
    await expect(verification.prove(code, "login")).resolves.toBeDefined();
    await pass(61);
    const late = await send();
    const proof = await verification.prove(late, "login");
    await pass(301);
    await proof.giveBack();
    await expect(verification.prove(late, "login")).rejects.toThrow();
  });

  test("R08: a code that is given back while the clock is two hours behind does not live longer", async () => {
    const { verification, send, pass, setClockBack } = await createBench();
    const code = await send();
    const proof = await verification.prove(code, "login");
    setClockBack(2 * 3600);
    await proof.giveBack();
    await pass(301);
    await expect(verification.prove(code, "login")).rejects.toThrow("短信验证码不正确或已失效");
  });

  const everySeconds = volume({ short: 2, long: 1 });
  const sends = 5000 / everySeconds;
  test(`T17: ${sends} sends to one number within 5,000 s give exactly the cap`, async () => {
    const { sent, send, pass } = await createBench();
    for (let at = 0; at < sends; at += 1) {
      await send("13900000001", "login", `203.0.${at % 256}.7`).catch(() => undefined);
      await pass(everySeconds);
    }
    // Five in the first hour, five more in the 1,400 s after it: the day's ten.
    expect(sent).toHaveLength(10);
    await pass(3600);
    await expect(send()).rejects.toThrow("短信发送过于频繁");
    await pass(86_400);
    await expect(send()).resolves.toBeDefined();
  });

  test(`T17: ${sends} sends at once give one`, async () => {
    const { sent, send } = await createBench();
    await Promise.allSettled(Array.from({ length: sends }, () => send()));
    expect(sent).toHaveLength(1);
  });

  test("T17: one address gets 60 numbers an hour, and another address is not concerned", async () => {
    const { sent, send } = await createBench();
    for (let at = 0; at < 100; at += 1) await send(`139000${String(at).padStart(5, "0")}`).catch(() => undefined);
    expect(sent).toHaveLength(60);
    await expect(send("13911111111", "login", "203.0.113.8")).resolves.toBeDefined();
  });

  test("T17: while the store is away nothing is sent and nothing passes", async () => {
    const away = async () => Promise.reject(new Error("away"));
    const { sent, send, faults, verification } = await createBench((store) => ({ ...store, count: away }));
    await expect(send()).rejects.toMatchObject({ status: 503 });
    await expect(verification.prove({ phone: "13900000001", id: "x", code: "123456" }, "login")).rejects.toMatchObject({
      status: 503,
    });
    expect(sent).toHaveLength(0);
    expect(faults).toHaveLength(2);
  });

  test.each([
    "13900000001",
    " 139 0000 0001 ",
    "139-0000-0001",
    "+8613900000001",
    "+86 139 0000 0001",
    "008613900000001",
    "8613900000001",
    "１３９０００００００１",
    "＋８６　139 0000 0001",
    "(+86)13900000001",
  ])("T14: %s is the same number", async (form) => {
    const { send } = await createBench();
    await send("13900000001");
    await expect(send(form)).rejects.toThrow("短信发送过于频繁");
  });

  test("T14: addresses of one IPv6 network and forms of one IPv4 address are one", async () => {
    const { sent, send } = await createBench();
    const forms = ["2001:db8:1:2::1", "2001:0db8:0001:0002:ffff::9", "2001:DB8:1:2:3:4:5:6"];
    for (let at = 0; at < 100; at += 1)
      await send(`139000${String(at).padStart(5, "0")}`, "login", forms[at % 3]).catch(() => undefined);
    expect(sent).toHaveLength(60);
    for (let at = 0; at < 100; at += 1) {
      await send(`138000${String(at).padStart(5, "0")}`, "login", at % 2 ? "203.0.113.7" : "::ffff:203.0.113.7").catch(
        () => undefined,
      );
    }
    expect(sent).toHaveLength(120);
  });

  test("R26: a service that fails is told, and the number may try again at once", async () => {
    const { send, cut, faults } = await createBench();
    cut(true);
    await expect(send()).rejects.toMatchObject({ status: 400, message: "短信发送失败" });
    expect(faults).toHaveLength(1);
    cut(false);
    await expect(send()).resolves.toBeDefined();
  });

  test("T17: all numbers and addresses together get no more than the SMS of a day", async () => {
    const { send, sent, faults, pass } = await createBench((store) => store, 3);
    const to = (at: number) => send(`1390000100${at}`, "login", `203.0.113.${at}`);
    for (let at = 0; at < 3; at += 1) await to(at);
    await expect(to(3)).rejects.toMatchObject({ reason: "verification.day_spent", status: 429 });
    expect(sent).toHaveLength(3);
    expect(String(faults)).toContain("SMS_PER_DAY");
    await pass(86_401);
    await to(4);
    expect(sent).toHaveLength(4);
  });

  test("T12: the store holds neither number nor code", async () => {
    const written: string[] = [];
    const { send, store: _store } = await createBench((store) => ({
      ...store,
      set: async (key, value, lifetimeS) => {
        written.push(key, value);
        await store.set(key, value, lifetimeS);
      },
      count: async (key, lifetimeS, amount) => {
        written.push(key);
        return store.count(key, lifetimeS, amount);
      },
    }));
    const { code } = await send();
    const all = written.join(" ");
    expect(all).not.toContain("13900000001");
    expect(all).not.toMatch(new RegExp(`\\b${code}\\b`));
  });

  test.each(["", "12345", "23900000001", "139000000012", "+8512345678901", "139000000ab"])(
    "%s is no number",
    async (text) => {
      await expect((await createBench()).send(text)).rejects.toThrow("请输入正确的手机号");
    },
  );
});
