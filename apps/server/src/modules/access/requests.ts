import { accessRequestProcess, accessRequests, roleGrantCode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule } from "../../processes/index.ts";
import type { ResourceContext } from "../../resources/index.ts";
import { memberScope, type SystemScope } from "../../tenant-scope.ts";
import { accessRepository } from "./access.repository.ts";

interface RequestRow {
  readonly [column: string]: unknown;
  readonly id: string;
  readonly tenantId: string;
  readonly state: "waiting" | "granted" | "refused" | "expired";
  readonly version: number;
  readonly menuId: string;
  readonly screen: string;
  readonly menuCode: string;
  readonly asker: string;
  readonly createdBy: string;
  readonly updatedAt: Date;
}

/** One request stands for a day; asking again meanwhile tells nobody anew. */
const requestStandsMs = 86_400_000;

/** What those who may give roles are told of a request. */
const asked = ({ asker, screen, menuCode }: RequestRow): string =>
  `${asker} 申请开通“${screen}”（${menuCode}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。`;

/** Requests for screens. A member who asks is told of the answer; whoever asks may not answer. @param system why others are looked up */
export const accessRequestModule = (context: ResourceContext, system: SystemScope) =>
  processModule(context, accessRequestProcess, accessRequests, {
    parts: accessRepository,
    partyOf: (row: RequestRow, by) => (row.createdBy === by.accountId ? "asker" : "granter"),
    guards: {
      remind: ({ updatedAt }) =>
        context.platform.now() - updatedAt.getTime() < requestStandsMs ? refuse("access_request.reminded") : undefined,
      async grant({ tenantId, createdBy, menuId }, access) {
        const granted = await access.grantedMenus(memberScope(system, { tenantId, accountId: createdBy }));
        return granted.some(({ id }) => id === menuId) ? undefined : refuse("access_request.without");
      },
    },
    receivers: {
      asker: { of: ({ createdBy }) => [createdBy], link: () => "" },
      granters: {
        of: async ({ tenantId, createdBy }) =>
          (
            await accessRepository(context.platform.kysely).holdersOf(
              memberScope(system, { tenantId, accountId: "0" }),
              roleGrantCode,
            )
          )
            .map(({ accountId }) => accountId)
            .filter((id) => id !== createdBy),
      },
    },
    content: (row, event, { reason }) =>
      event === "remind" ? asked(row) : [row.screen, reason ?? ""].filter(Boolean).join("："),
    messages: "system",
    begun: { title: "权限申请", to: "granters", content: asked },
  });
