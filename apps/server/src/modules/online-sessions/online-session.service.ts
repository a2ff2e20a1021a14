import type { BodyOf, onlineSessionEnd, onlineSessionPage, QueryOf } from "@herdwise/contract";
import { describeDevice } from "../../callers.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Session } from "../../http/session.ts";
import { readSomeIds } from "../../ids.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { OnlineSessionRepository } from "./online-session.repository.ts";

interface Parts {
  sessions: OnlineSessionRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface OnlineSessionDependencies {
  repository: Pick<OnlineSessionRepository, "page">;
  inTransaction<T>(work: (parts: Parts) => Promise<T>): Promise<T>;
  /** Tells every server that a session ended, so that nothing goes on with it. */
  tellEnded(sessionId: string): void;
  notify(accountId: string, title: string, content: string): Promise<void>;
  onError: (error: unknown) => void;
  nextId: () => string;
}

const seenWithinS = { hour: 3600, day: 86_400 } as const;
const ownSession = (session: Session): string => session.preview?.sessionId ?? session.id;

/** Who is logged in, and ending that. */
export function createOnlineSessionService({
  repository,
  inTransaction,
  tellEnded,
  notify,
  onError,
  nextId,
}: OnlineSessionDependencies) {
  return {
    async page(session: Session, scope: TenantScope, { seen, ...query }: QueryOf<typeof onlineSessionPage>) {
      const request = pageRequest(query, []);
      const filter = { ...query, seenWithinS: seen && seenWithinS[seen] };
      const { rows, total } = await repository.page(scope, ownSession(session), filter, request);
      return pageOfRows(
        rows.map(({ userAgent, remoteAddress, createdAt, ...row }) => ({
          ...row,
          device: describeDevice(userAgent),
          address: remoteAddress,
          createTime: createdAt,
          current: row.id === ownSession(session),
        })),
        total,
        request,
      );
    },

    /** @throws Refusal 404 where none of them is open, or only the caller's own is */
    async end(
      session: Session,
      scope: TenantScope,
      { ids, accountId }: BodyOf<typeof onlineSessionEnd>,
    ): Promise<{ ended: number }> {
      const which = accountId === undefined ? { ids: readSomeIds(ids) } : { accountId };
      const ended = await inTransaction(async ({ sessions, audit }) => {
        const gone = await sessions.end(scope, which, ownSession(session));
        if (gone.length === 0) throw refuse("identity.session_missing");
        for (const [tenantId, ofTenant] of Map.groupBy(gone, (one) => one.tenantId)) {
          const records = [...Map.groupBy(ofTenant, (one) => one.accountId)].map(([id, own]) => ({
            resource: "session",
            rowId: id,
            rowTitle: own[0]?.personName ?? "",
            action: "remove" as const,
            changes: [{ field: "count", before: null, after: own.length }],
          }));
          await audit.append(tenantId, scope, records, nextId);
        }
        return gone;
      });
      for (const { id } of ended) tellEnded(id);
      for (const id of new Set(ended.map((one) => one.accountId)))
        await notify(id, "您的登录被管理员结束了", "请重新登录。如果不是您请求的，请联系管理员，并修改密码。").catch(
          onError,
        );
      return { ended: ended.length };
    },
  };
}
