import { createHmac, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { mobilePhonePattern, normalizePhone, type SmsPurpose, type SmsSent, smsLimits } from "@herdwise/contract";
import { Refusal, refuse } from "../../http/errors.ts";
import { addressBucket } from "../../providers/address.ts";
import { type Budget, spend } from "../../providers/budget.ts";
import { SmsFault, type SmsKind, type SmsMessage, type SmsSender } from "../../providers/sms/sms.ts";
import type { Store } from "../../providers/store.ts";

/** A number gets no more than this, whatever for. */
const resendBudget: Budget = { max: 1, windowS: smsLimits.resendS };
const numberBudgets: readonly Budget[] = [
  { max: smsLimits.perHour, windowS: 3600 },
  { max: smsLimits.perDay, windowS: 86_400 },
];
/** A farm with many people sits behind one address. */
const addressBudgets: readonly Budget[] = [
  { max: 60, windowS: 3600 },
  { max: 200, windowS: 86_400 },
];

const dayS = 86_400;

const kindOf: Record<SmsPurpose, SmsKind> = {
  login: "login",
  register: "register",
  "reset-password": "reset-password",
  "retrieve-account": "account-names",
  "verify-phone": "verify-phone",
  "prove-old-phone": "verify-phone",
  "new-phone": "verify-phone",
  "take-phone-back": "verify-phone",
  "contract-sign": "contract-code",
  "close-account": "verify-phone",
  "bank-card": "verify-phone",
};

interface HeldCode {
  phone: string;
  purposes: readonly SmsPurpose[];
  mac: string;
  /** Milliseconds since 1970. */
  until: number;
}

/** What a person gives to prove a number. */
interface CodeProof {
  phone: string;
  id: string | undefined;
  code: string | undefined;
}

export interface VerificationDependencies {
  store: Store;
  sms: SmsSender;
  /** Keys the hashes of codes and numbers, so that a look into the store shows neither. */
  secretKey: string;
  /** SMS that all numbers together get within 24 hours. */
  smsPerDay: () => number;
  /** Whether the owner of an account proved a number. */
  isProven: (phone: string) => Promise<boolean>;
  onError: (error: unknown) => void;
  now: () => number;
}

/** Codes that open an account: only numbers that somebody proved get them. */
const opensAccount: readonly SmsPurpose[] = ["login", "reset-password"];

/** Reads a mobile number in any of its forms. @throws {Refusal} 400 请输入正确的手机号 */
export function phoneOf(text: string): string {
  const phone = normalizePhone(text);
  if (!mobilePhonePattern.test(phone)) throw refuse("verification.phone");
  return phone;
}

/** Codes by SMS that prove a phone. */
export function createVerificationService({
  store,
  sms,
  secretKey,
  smsPerDay,
  isProven,
  onError,
  now,
}: VerificationDependencies) {
  const macKey = createHmac("sha256", secretKey).update("sms codes").digest();
  const mac = (text: string) => createHmac("sha256", macKey).update(text).digest("base64url");
  const codeKey = (id: string) => `sms:code:${id}`;
  const triesKey = (id: string) => `sms:tries:${id}`;

  const budgetOf = (phone: string) => `sms:${mac(phone)}`;

  /** @throws {Refusal} 429 when a budget is spent, 503 without the store: nothing is sent that can't be counted */
  const spendFor = async (phone: string, remoteAddress: string): Promise<void> => {
    let allowed: boolean;
    let allowedToday = true;
    try {
      // What the resend limit refuses costs the address nothing; what the address is refused costs the number one minute.
      allowed =
        (await spend(store, budgetOf(phone), [resendBudget])) &&
        (await spend(store, `sms-from:${addressBucket(remoteAddress)}`, addressBudgets)) &&
        (await spend(store, budgetOf(phone), numberBudgets));
      if (allowed) allowedToday = await spend(store, "sms-all", [{ max: smsPerDay(), windowS: dayS }]);
    } catch (error) {
      onError(error);
      throw refuse("verification.store_away");
    }
    if (!allowed) throw refuse("verification.budget");
    if (!allowedToday) {
      onError(new Error("the SMS of the day are spent (SMS_PER_DAY)"));
      throw refuse("verification.day_spent");
    }
  };

  /** @throws {Refusal} 400 when the service refuses or does not answer */
  const deliver = async (message: SmsMessage): Promise<void> => {
    try {
      await sms.send(message);
    } catch (error) {
      onError(error);
      // Nothing arrived, so the person need not wait for the next try.
      await store.delete(`budget:${budgetOf(message.phone)}:${resendBudget.windowS}`);
      if (!(error instanceof SmsFault)) throw error;
      throw refuse("verification.sms_failed");
    }
  };

  /** @throws {Refusal} 503 without the store: nothing passes that can't be counted */
  const guarded = async <T>(work: () => Promise<T>): Promise<T> => {
    try {
      return await work();
    } catch (error) {
      if (error instanceof Refusal) throw error;
      onError(error);
      throw refuse("verification.store_away");
    }
  };

  /** Counts a try, then compares. @returns the code's record when number and digits fit */
  const compare = async (phone: string, proof: CodeProof): Promise<{ held: HeldCode; text: string } | undefined> => {
    const { id = "" } = proof;
    const code = (proof.code ?? "").normalize("NFKC").trim();
    if (id === "" || id.length > 100 || !/^\d{6}$/.test(code)) return undefined;
    // Counted before it is compared: of a thousand guesses at once five are compared.
    // The count outlives the code, so a code whose tries are used up is burnt.
    if ((await store.count(triesKey(id), smsLimits.lifetimeS)) > smsLimits.tries) return undefined;
    const text = await store.get(codeKey(id));
    if (text === undefined) return undefined;
    const held = JSON.parse(text) as HeldCode;
    const fits = timingSafeEqual(Buffer.from(mac(`${id}.${code}`)), Buffer.from(held.mac));
    return fits && held.phone === mac(phone) ? { held, text } : undefined;
  };

  return {
    /**
     * Sends a code. Every number gets a message and the caller one answer, whether it has an account or not: that is what keeps answer,
     * time and failures from telling. A number that nobody proved reads that it has no account in place of a code that would open one.
     * @param purposes what the code may be used for
     */
    async send(
      text: string,
      purposes: readonly [SmsPurpose, ...SmsPurpose[]],
      remoteAddress: string,
    ): Promise<SmsSent> {
      const phone = phoneOf(text);
      const id = randomUUID();
      const code = String(randomInt(10 ** smsLimits.digits)).padStart(smsLimits.digits, "0");
      const until = now() + smsLimits.lifetimeS * 1000;
      const mayOpen = !purposes.every((purpose) => opensAccount.includes(purpose)) || (await isProven(phone));
      const held: HeldCode = { phone: mac(phone), purposes, mac: mac(`${id}.${code}`), until };
      await spendFor(phone, remoteAddress);
      await store.set(codeKey(id), JSON.stringify(held), smsLimits.lifetimeS);
      await deliver(
        mayOpen
          ? { phone, kind: kindOf[purposes[0]], variables: { code } }
          : { phone, kind: "no-account", variables: {} },
      );
      return { success: true, phone, id };
    },

    /** Sends another message under the same budgets. */
    async notify(message: SmsMessage, remoteAddress: string): Promise<void> {
      await spendFor(message.phone, remoteAddress);
      await deliver(message);
    },

    /**
     * Uses a code up. Wrong number, purpose, code, or none left: all the same refusal.
     * @returns what makes the code usable again, for when the step that it was for was refused for another reason
     * @throws {Refusal} 400 短信验证码不正确或已失效
     */
    async prove(proof: CodeProof, purpose: SmsPurpose): Promise<{ phone: string; giveBack: () => Promise<void> }> {
      const phone = phoneOf(proof.phone);
      return guarded(async () => {
        const { id = "" } = proof;
        const compared = await compare(phone, proof);
        // Whoever takes it is the one; others that were right at the same moment are not.
        if (!compared?.held.purposes.includes(purpose) || (await store.take(codeKey(id))) === undefined) {
          throw refuse("verification.code");
        }
        const { held, text } = compared;
        const giveBack = async () => {
          // Another server's clock, or one that was set back, must not lengthen the life of a code.
          const leftS = Math.min(Math.floor((held.until - now()) / 1000), smsLimits.lifetimeS);
          if (leftS > 0) await store.set(codeKey(id), text, leftS);
        };
        return { phone, giveBack };
      });
    },

    /**
     * Tells whether a code is right, whatever it is for, and leaves it usable. It costs a try like any use, so it finds no
     * code faster than the step that the code is for.
     * @throws {Refusal} 400 短信校验失败
     */
    async check(proof: CodeProof): Promise<void> {
      const phone = phoneOf(proof.phone);
      await guarded(async () => {
        if ((await compare(phone, proof)) === undefined) throw refuse("verification.check");
      });
    },
  };
}
export type VerificationService = ReturnType<typeof createVerificationService>;
