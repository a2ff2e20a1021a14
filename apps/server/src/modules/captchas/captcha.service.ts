import { createHash, randomInt, randomUUID, timingSafeEqual } from "node:crypto";
import { blockPuzzle, type CaptchaReply } from "@herdwise/contract";
import { OAuthRefusal, Refusal, refuse } from "../../http/errors.ts";
import { addressBucket } from "../../providers/address.ts";
import { type Budget, spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import { drawCharacters, randomCharacters } from "./character-picture.ts";
import { decryptPoint, encryptPoint, readPoint } from "./point-cipher.ts";
import { createPuzzlePool, type PuzzlePool } from "./puzzle-picture.ts";

/** Answers of AJ-Captcha (wire.md 4.2); the texts are the family's. */
const replies = {
  ok: ["0000", null],
  fault: ["9999", "服务器内部异常"],
  empty: ["0011", null],
  expired: ["6110", "验证码已失效，请重新获取"],
  wrong: ["6111", "验证失败"],
  unknownType: ["6112", "不支持的验证码类型"],
  getLimit: ["6201", "get接口请求次数超限，请稍后再试!"],
  locked: ["6202", "接口验证失败数过多，请稍后再试"],
  checkLimit: ["6204", "check接口请求次数超限，请稍后再试!"],
  verifyLimit: ["6205", "verify请求次数超限!"],
  invalid: ["6206", "无效请求，请重新获取验证码"],
} as const;

/** Per client (address and browser), as the family counts. */
const getBudget: Budget = { max: 120, windowS: 60 };
const checkBudget: Budget = { max: 600, windowS: 60 };
const verifyBudget: Budget = { max: 600, windowS: 60 };
/** Per address, because a browser's name is easily changed. */
const addressGetBudget: Budget = { max: 1200, windowS: 60 };
const addressCheckBudget: Budget = { max: 6000, windowS: 60 };
const addressVerifyBudget: Budget = { max: 6000, windowS: 60 };
/** More failed checks than this in a minute lock `get`. */
const failuresPerMinute = 5;
const lockS = 300;
/** Seconds that a picture of characters can be used, once. */
const pictureLifetimeS = 1800;

const keyCharacters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const newSecretKey = () => Array.from({ length: 16 }, () => keyCharacters[randomInt(keyCharacters.length)]).join("");

/** Every field of the family's answer, in its order; clients read a few of them. */
const emptyPuzzle = {
  captchaId: null,
  projectCode: null,
  captchaType: null,
  captchaOriginalPath: null,
  captchaFontType: null,
  captchaFontSize: null,
  secretKey: null,
  originalImageBase64: null,
  point: null,
  jigsawImageBase64: null,
  wordList: null,
  pointList: null,
  pointJson: null,
  token: null,
  result: false,
  captchaVerification: null,
  clientUid: null,
  ts: null,
  browserInfo: null,
};

const answer = (kind: keyof typeof replies, repData: unknown = null, repMsg?: string): CaptchaReply => ({
  repCode: replies[kind][0],
  repMsg: repMsg ?? replies[kind][1],
  repData,
  success: kind === "ok",
});

const missing = (field: string): CaptchaReply => answer("empty", null, `${field}不能为空`);

/** Who asks. Limits count per address and browser; a puzzle may be solved only by the browser that got it. */
export interface CaptchaClient {
  remoteAddress: string;
  userAgent: string;
}

interface OpenPuzzle {
  x: number;
  secretKey: string;
  browser: string;
}

/** What Captcha-Code must be for a key. */
interface Proof {
  kind: "puzzle" | "picture";
  expected: string;
  browser: string;
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const equal = (a: string, b: string) => {
  const [x, y] = [Buffer.from(a), Buffer.from(b)];
  return x.length === y.length && timingSafeEqual(x, y);
};

/** Whether a drag hits: x is cut to a whole pixel first, y never moves (wire.md 4.2). */
export const hits = (point: { x: number; y: number }, x: number): boolean =>
  Math.abs(Math.trunc(point.x) - x) <= blockPuzzle.tolerance && point.y === blockPuzzle.y;

export interface CaptchaDependencies {
  store: Store;
  puzzles?: PuzzlePool;
}

export function createCaptchaService({ store, puzzles = createPuzzlePool() }: CaptchaDependencies) {
  const puzzleKey = (token: string) => `captcha:puzzle:${token}`;
  const proofKey = (key: string) => `captcha:proof:${key}`;
  const clientKey = ({ remoteAddress, userAgent }: CaptchaClient) =>
    md5(`${addressBucket(remoteAddress)}\n${userAgent}`);

  const countFailure = async (client: CaptchaClient): Promise<void> => {
    const key = clientKey(client);
    if ((await store.count(`captcha:failures:${key}`, 60)) > failuresPerMinute) {
      await store.set(`captcha:locked:${key}`, "1", lockS);
    }
  };

  const mayGet = async (client: CaptchaClient): Promise<"ok" | "locked" | "getLimit"> => {
    if ((await store.get(`captcha:locked:${clientKey(client)}`)) !== undefined) return "locked";
    return (await spendOf("get", client, getBudget, addressGetBudget)) ? "ok" : "getLimit";
  };

  /** Spends one try of `what` from the client's budget and from the address's. */
  const spendOf = async (what: string, client: CaptchaClient, ofClient: Budget, ofAddress: Budget) =>
    (await spend(store, `captcha-${what}:${clientKey(client)}`, [ofClient])) &&
    (await spend(store, `captcha-${what}:${addressBucket(client.remoteAddress)}`, [ofAddress]));

  /**
   * @returns what was used up; undefined when it does not pass
   * @throws {Refusal} 429 with repCode 6205 beyond the limit
   */
  const use = async (key: string, code: string, client: CaptchaClient): Promise<string | undefined> => {
    if (!(await spendOf("verify", client, verifyBudget, addressVerifyBudget))) {
      const [repCode, repMsg] = replies.verifyLimit;
      throw refuse("captcha.verify_limit", { more: { repCode, repMsg } });
    }
    if (key === "" || code === "" || key.length > 100 || code.length > 600) return undefined;
    // Taken whatever the code is: one use, also of a hundred at once.
    const held = await store.take(proofKey(key));
    if (held === undefined) return undefined;
    const { kind, expected, browser } = JSON.parse(held) as Proof;
    if (browser !== md5(client.userAgent)) return undefined;
    const fits = kind === "puzzle" ? equal(code, expected) : equal(code.trim().toUpperCase(), expected);
    return fits ? held : undefined;
  };

  return {
    /** captcha/get: a new puzzle. */
    async puzzle(captchaType: string | undefined, client: CaptchaClient): Promise<CaptchaReply> {
      if (captchaType === undefined || captchaType === "") return missing("captchaType");
      if (captchaType !== "blockPuzzle") return answer("unknownType");
      const allowed = await mayGet(client);
      if (allowed !== "ok") return answer(allowed);
      const { x, picture, piece } = await puzzles.take();
      const token = randomUUID().replaceAll("-", "");
      const secretKey = newSecretKey();
      const open: OpenPuzzle = { x, secretKey, browser: md5(client.userAgent) };
      await store.set(puzzleKey(token), JSON.stringify(open), blockPuzzle.lifetimeS);
      return answer("ok", {
        ...emptyPuzzle,
        secretKey,
        originalImageBase64: picture,
        jigsawImageBase64: piece,
        token,
      });
    },

    /** captcha/check: one try per token, whatever the result. */
    async check(
      request: { captchaType?: string | undefined; pointJson?: string | undefined; token?: string | undefined },
      client: CaptchaClient,
    ): Promise<CaptchaReply> {
      const { captchaType, pointJson, token } = request;
      for (const [name, value] of Object.entries({ captchaType, token, pointJson })) {
        if (value === undefined || value === "") return missing(name);
      }
      if (captchaType !== "blockPuzzle") return answer("unknownType");
      if (!(await spendOf("check", client, checkBudget, addressCheckBudget))) return answer("checkLimit");
      const held = await store.take(puzzleKey(token ?? ""));
      if (held === undefined) {
        await countFailure(client);
        return answer("expired");
      }
      const { x, secretKey, browser } = JSON.parse(held) as OpenPuzzle;
      const text = decryptPoint(secretKey, pointJson ?? "");
      const point = text === undefined ? undefined : readPoint(text);
      if (text === undefined || point === undefined || browser !== md5(client.userAgent) || !hits(point, x)) {
        await countFailure(client);
        return answer("wrong");
      }
      const proof: Proof = { kind: "puzzle", expected: encryptPoint(secretKey, `${token}---${text}`), browser };
      await store.set(proofKey(token ?? ""), JSON.stringify(proof), blockPuzzle.solvedLifetimeS);
      return answer("ok", { ...emptyPuzzle, captchaType, pointJson, token, result: true });
    },

    /** What captcha/get and captcha/check answer to a call that can't be read, or that failed here. */
    problem: (kind: "invalid" | "fault") => answer(kind),

    /**
     * oauth/captcha: five characters as a picture, the alternative for who can't drag.
     * @throws {Refusal} 429 beyond the limits of captcha/get
     */
    async picture(client: CaptchaClient): Promise<{ key: string; image: string }> {
      if ((await mayGet(client)) !== "ok") throw refuse("captcha.limit");
      const key = randomUUID();
      const characters = randomCharacters();
      const png = await drawCharacters(characters);
      const proof: Proof = { kind: "picture", expected: characters, browser: md5(client.userAgent) };
      await store.set(proofKey(key), JSON.stringify(proof), pictureLifetimeS);
      return { key, image: `data:image/png;base64,${png.toString("base64")}` };
    },

    /**
     * Verifies and uses up a passed captcha: key and code are token and captchaVerification of a solved puzzle, or key and
     * text of a picture. A missing or empty key or code is wrong, never "none needed".
     * @throws {Refusal} 400 验证码不正确, 429 verify请求次数超限!
     */
    async requireCaptcha(key: string | undefined, code: string | undefined, client: CaptchaClient): Promise<void> {
      if ((await use(key ?? "", code ?? "", client)) === undefined) throw refuse("captcha.wrong");
    },

    /**
     * As `requireCaptcha`, for oauth/token.
     * @returns makes it usable again, for a right password that needs the choice of a tenant
     * @throws {OAuthRefusal} access_denied
     */
    async requireCaptchaForToken(
      key: string | undefined,
      code: string | undefined,
      client: CaptchaClient,
    ): Promise<() => Promise<void>> {
      const used = await use(key ?? "", code ?? "", client).catch((error: unknown) => {
        if (error instanceof Refusal) throw new OAuthRefusal(error.status, "access_denied", error.message, error.more);
        throw error;
      });
      if (used === undefined) throw new OAuthRefusal(400, "access_denied", "验证码不正确");
      return () => store.set(proofKey(key ?? ""), used, blockPuzzle.solvedLifetimeS);
    },
  };
}
export type CaptchaService = ReturnType<typeof createCaptchaService>;
