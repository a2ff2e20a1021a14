import {
  type AccountEventKind,
  accountEventPage,
  unfamiliarAnswer,
  unfamiliarDays,
  unfamiliarLogIns,
} from "@herdwise/contract";
import { describeDevice } from "../../callers.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { type AccountScope, accountScope, systemScope } from "../../tenant-scope.ts";
import { accountLogRepository } from "./account-log.repository.ts";
import { unfamiliarOf } from "./unfamiliar.ts";

/** From where something was done. */
export interface EventCaller {
  userAgent: string;
  remoteAddress: string;
}

/**
 * Writes down what happened with an account. A fault is logged and never stops what happened.
 * @param detail what it is about, without personal data in full
 */
export type RecordEvent = (
  accountId: string,
  kind: AccountEventKind,
  of?: { detail?: string; caller?: EventCaller },
) => Promise<void>;

interface AccountLogDependencies {
  now: () => number;
  /** Leaves a message about the security of an account. */
  notify(accountId: string, title: string, content: string, link: string): Promise<void>;
}

export interface AccountLogModule extends ServerModule {
  readonly record: RecordEvent;
}

/** Title and content, keys of the translations. */
const unfamiliarWords = [
  "有一次没见过的登录",
  "您的账号从没用过的网络登录了。如果不是您，请到安全设置里点“不是我”，再改密码。",
] as const;
const whoever = systemScope("what happens with an account is written down, whoever did it");

/** The history that every person sees of the own account. */
export function createAccountLogModule(
  { kysely, nextId, warn }: Platform,
  { now, notify }: AccountLogDependencies,
): AccountLogModule {
  const log = accountLogRepository(kysely);
  const unfamiliar = async (owner: AccountScope) => {
    const logIns = await log.logIns(owner);
    const ids = new Set(unfamiliarOf(logIns).map(({ id }) => id));
    return logIns.filter(({ id }) => ids.has(id));
  };
  return {
    async record(accountId, kind, { detail = "", caller } = {}) {
      const owner = accountScope(whoever, accountId);
      const id = nextId();
      const row = {
        id,
        kind,
        detail,
        userAgent: (caller?.userAgent ?? "").slice(0, 400),
        remoteAddress: caller?.remoteAddress ?? "",
      };
      try {
        await log.insert(owner, row);
        if (kind === "log_in" && (await unfamiliar(owner)).some((one) => one.id === id))
          await notify(accountId, ...unfamiliarWords, "/selfCenter/safeManage");
      } catch (error) {
        warn("an event of an account was not written down")(error);
      }
    },
    routes(router) {
      router.on(unfamiliarLogIns, async ({ session }) => {
        const since = now() - unfamiliarDays * 86_400_000;
        return (await unfamiliar(session))
          .filter(
            ({ answer, changedSince, createdAt }) => answer !== "mine" && !changedSince && createdAt.getTime() > since,
          )
          .map(({ id, userAgent, remoteAddress, createdAt, answer }) => ({
            id,
            device: describeDevice(userAgent),
            address: remoteAddress,
            createTime: createdAt,
            foreign: answer === "foreign",
          }))
          .toReversed();
      });
      router.on(unfamiliarAnswer, async ({ session, body }) => {
        if (!(await log.answer(session, body.id, body.mine ? "mine" : "foreign"))) throw refuse("row.not_found");
        return {};
      });
      router.on(accountEventPage, async ({ session, query }) => {
        const request = pageRequest(query, []);
        const { rows, total } = await log.page(session, query.group, request);
        return pageOfRows(
          rows.map(({ id, kind, detail, userAgent, remoteAddress, createdAt }) => ({
            id,
            kind,
            detail,
            device: describeDevice(userAgent),
            address: remoteAddress,
            createTime: createdAt,
          })),
          total,
          request,
        );
      });
    },
    jobs: [
      {
        name: "account-log.sweep",
        schedule: "20 3 * * *",
        retries: 1,
        timeoutS: 300,
        run: () => log.sweep(whoever),
      },
    ],
  };
}
