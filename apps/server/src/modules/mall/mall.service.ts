import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { mallCodeLifetimeS, mallThrottleMs } from "@herdwise/contract";
import type { Session } from "../../http/session.ts";
import type { Store } from "../../providers/store.ts";

/** How the mall answers: `code: 1` is success. */
export interface MallAnswer<T> {
  code: number;
  msg: string;
  data: T;
}

export interface MallPerson {
  userId: string;
  account: string;
  nickName: string;
  tenantId: string;
}

export interface MallDependencies {
  store: Store;
  /** Secret with which the mall's server proves itself; without one the exchange is closed. */
  mallSecret: () => string | undefined;
  /** Address of the customer-service chat; "" when there is none. */
  customerServiceUrl: () => string;
  personOf(session: Session): Promise<MallPerson>;
  /** A mall token ends when the session behind it ended. */
  isActive(sessionId: string): Promise<boolean>;
}

/** Lifetime of a mall token in seconds, that of our refresh token. */
const mallTokenLifetimeS = 604_800;

const sha256 = (text: string) => createHash("sha256").update(text).digest("base64url");
const ok = <T>(data: T): MallAnswer<T> => ({ code: 1, msg: "success", data });

/** The hand-off to the mall: we mint a one-time code, the mall's server turns it into who is signed in. */
export function createMallService({ store, mallSecret, customerServiceUrl, personOf, isActive }: MallDependencies) {
  return {
    /** At most one code per 3 s and session; it lives 60 s, works once, and is bound to the person. */
    async loginCode(session: Session): Promise<MallAnswer<string>> {
      if (!(await store.add(`mall-throttle:${session.id}`, "1", mallThrottleMs / 1000))) {
        return { code: 0, msg: "操作过于频繁，请稍后再试", data: "" };
      }
      const code = randomBytes(24).toString("base64url");
      const held = { sessionId: session.id, person: await personOf(session) };
      await store.set(`mall-code:${sha256(code)}`, JSON.stringify(held), mallCodeLifetimeS);
      return ok(code);
    },

    /** @param secret what the mall's server sent as its proof */
    async exchange(
      code: string,
      secret: string | undefined,
    ): Promise<MallAnswer<(MallPerson & { mallToken: string }) | null>> {
      const refused = (msg: string) => ({ code: 0, msg, data: null });
      const own = mallSecret();
      if (own === undefined || secret === undefined) return refused("商城未配置");
      const [given, expected] = [Buffer.from(sha256(secret)), Buffer.from(sha256(own))];
      if (!timingSafeEqual(given, expected)) return refused("商城未授权");
      const text = await store.take(`mall-code:${sha256(code)}`);
      if (text === undefined) return refused("登录码无效或已过期");
      const { sessionId, person } = JSON.parse(text) as { sessionId: string; person: MallPerson };
      if (!(await isActive(sessionId))) return refused("登录码无效或已过期");
      const mallToken = randomBytes(32).toString("base64url");
      await store.set(
        `mall-token:${sha256(mallToken)}`,
        JSON.stringify({ sessionId, userId: person.userId }),
        mallTokenLifetimeS,
      );
      return ok({ ...person, mallToken });
    },

    /** Ends a mall token, or forgets a code that was never used; unknown ones are as well ended. */
    async logOut(mallToken: string | undefined): Promise<MallAnswer<boolean>> {
      if (mallToken) {
        await store.delete(`mall-token:${sha256(mallToken)}`);
        await store.delete(`mall-code:${sha256(mallToken)}`);
      }
      return ok(true);
    },

    customerService(): MallAnswer<{ linkUrl: string } | null> {
      const linkUrl = customerServiceUrl();
      if (linkUrl === "") return { code: 0, msg: "客服暂未加载成功，请稍后再试", data: null };
      return ok({ linkUrl });
    },
  };
}
export type MallService = ReturnType<typeof createMallService>;
