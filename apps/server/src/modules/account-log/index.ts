import { type AccountEventKind, accountEventPage } from "@herdwise/contract";
import { describeDevice } from "../../callers.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import { accountLogRepository } from "./account-log.repository.ts";

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

export interface AccountLogModule extends ServerModule {
  readonly record: RecordEvent;
}

const whoever = systemScope("what happens with an account is written down, whoever did it");

/** The history that every person sees of the own account. */
export function createAccountLogModule({ kysely, nextId, warn }: Platform): AccountLogModule {
  const log = accountLogRepository(kysely);
  return {
    record: (accountId, kind, { detail = "", caller } = {}) =>
      log
        .insert(accountScope(whoever, accountId), {
          id: nextId(),
          kind,
          detail,
          userAgent: (caller?.userAgent ?? "").slice(0, 400),
          remoteAddress: caller?.remoteAddress ?? "",
        })
        .catch(warn("an event of an account was not written down")),
    routes(router) {
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
