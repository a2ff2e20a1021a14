import { accessRequestProcess, plainText } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { createProcess, type StepParts } from "../../processes/index.ts";
import type { Store } from "../../providers/store.ts";
import { accountOf, type MemberScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";
import type { AccessRequestRow, RequestRepository } from "./request.repository.ts";

export interface RequestParts extends StepParts {
  requests: RequestRepository;
  addMenu: (scope: TenantScope, roleId: string, menuId: string) => Promise<void>;
}

export interface RequestDependencies {
  requests: RequestRepository;
  inOne: <T>(work: (parts: RequestParts) => Promise<T>) => Promise<T>;
  scope: SystemScope;
  /** Who may give roles. */
  grantersOf: (tenantId: string) => Promise<readonly string[]>;
  /** The screen of the queue. */
  linkOf: (tenantId: string) => string;
  nextId: () => string;
  now: () => number;
  store: Pick<Store, "add">;
}

/** After so long a request may be asked for again, s. */
const urgedAfterS = 86_400;

/** Requests for screens, from the asking to the answer. */
export function createRequestService({
  requests,
  inOne,
  scope: system,
  grantersOf,
  linkOf,
  nextId,
  now,
  store,
}: RequestDependencies) {
  const own = (row: AccessRequestRow, _look: unknown, by: TenantScope | SystemScope) =>
    accountOf(by) === row.accountId ? refuse("access_request.own") : undefined;
  const contentOf = ({ asker, menu, code }: AccessRequestRow) =>
    `${asker} 申请开通“${menu}”（${code}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。`;
  const { act, may } = createProcess(accessRequestProcess, {
    find: ({ requests: rows }: RequestParts, by, id) => rows.find(by, id),
    title: (row: AccessRequestRow) => row.code,
    content: ({ menu }) => `“${menu}”已经开通，请重新打开页面。`,
    guards: { grant: own, refuse: own },
    move: (parts, { row, state }, change: { reason?: string; askedAt?: Date } | undefined) =>
      parts.requests.move(system, row.id, { state, ...change }),
    receivers: {
      asker: { of: ({ accountId }) => [accountId], link: () => "" },
      granters: {
        of: async ({ tenantId, accountId }) => (await grantersOf(tenantId)).filter((id) => id !== accountId),
        link: ({ tenantId }) => linkOf(tenantId),
      },
    },
    nextId,
  });
  const answer = (by: TenantScope, row: { id: string; version: number }) =>
    ({ by, party: "granter", row: row.id, version: row.version }) as const;

  return {
    /** @returns false where it was asked for within a day */
    async ask(by: MemberScope, menuId: string): Promise<boolean> {
      const askedAt = new Date(now());
      return inOne(async (parts) => {
        const added = await parts.requests.insert(by, nextId(), menuId, askedAt);
        const waiting = await parts.requests.open(by, menuId);
        // Held from here on: others who asked at the same moment find it asked for.
        const row = waiting && (await parts.requests.find(system, waiting.id));
        if (row?.state !== "waiting") return false;
        const isLate = await store.add(`access:request:${row.id}`, "1", urgedAfterS);
        if (!added && !isLate) return false;
        const urged = { by: system, party: "asker", row, event: "urge" } as const;
        await act(parts, { ...urged, take: () => ({ change: { askedAt }, said: { content: contentOf(row) } }) });
        return true;
      });
    },

    async page(by: TenantScope, query: Parameters<typeof pageRequest>[0] & { queue?: string | undefined }) {
      const request = pageRequest(query, []);
      const { rows, total } = await requests.page(by, query.queue === "done" ? "done" : "waiting", request);
      const shown = rows.map(async (row) => ({ ...row, may: await may({}, by, row, "granter") }));
      return pageOfRows(await Promise.all(shown), total, request);
    },

    async grant(by: TenantScope, shown: { id: string; version: number; roleId: string }) {
      await inOne((parts) =>
        act(parts, {
          ...answer(by, shown),
          event: "grant",
          async take({ roles, menuId }) {
            if (!roles.some(({ id }) => id === shown.roleId)) throw refuse("access_request.role", { field: "roleId" });
            await parts.addMenu(by, shown.roleId, menuId);
            return undefined;
          },
        }),
      );
      return {};
    },

    async refuse(by: TenantScope, shown: { id: string; version: number; reason: string }) {
      const reason = plainText(shown.reason, { lines: true });
      const said = { change: { reason }, said: { content: reason } };
      await inOne((parts) => act(parts, { ...answer(by, shown), event: "refuse", take: () => said }));
      return {};
    },
  };
}
export type RequestService = ReturnType<typeof createRequestService>;
