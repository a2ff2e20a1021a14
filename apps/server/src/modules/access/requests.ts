import { accessRequestProcess, accessRequests, roleGrantCode } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { processModule, type RowOf } from "../../processes/index.ts";
import type { DatabaseHandle, ResourceContext } from "../../resources/index.ts";
import { memberScope, type SystemScope } from "../../tenant-scope.ts";
import { accessRepository, type HoldersOf } from "./access.repository.ts";

type RequestRow = RowOf<
  typeof accessRequestProcess,
  { menuId: string; screen: string; menuCode: string; asker: string }
>;

/** One request stands for a day; asking again meanwhile tells nobody anew. */
const requestStandsMs = 86_400_000;

/** What those who may give roles are told of a request. */
const asked = ({ asker, screen, menuCode }: RequestRow): string =>
  `${asker} 申请开通“${screen}”（${menuCode}）。同意的话，请在其角色中勾选这个菜单，或换一个角色。`;

/**
 * Requests for screens. A member who asks is told of the answer; whoever asks may not answer.
 * @param holdersOf who gives roles in a tenant @param system why others are looked up
 */
export const accessRequestModule = (context: ResourceContext, holdersOf: HoldersOf, system: SystemScope) =>
  processModule(context, accessRequestProcess, accessRequests, {
    parts: (db: DatabaseHandle) => ({ db, access: accessRepository(db) }),
    partyOf: (row: RequestRow, by) => (row.createdBy === by.accountId ? "asker" : "granter"),
    guards: {
      remind: ({ updatedAt }) =>
        context.platform.now() - updatedAt.getTime() < requestStandsMs ? refuse("access_request.reminded") : undefined,
      async grant({ tenantId, createdBy, menuId }, { access }) {
        const granted = await access.grantedMenus(memberScope(system, { tenantId, accountId: createdBy }));
        return granted.some(({ id }) => id === menuId) ? undefined : refuse("access_request.without");
      },
    },
    receivers: {
      asker: { of: ({ createdBy }) => [createdBy], link: () => "" },
      granters: {
        of: async ({ tenantId, createdBy }, { db }) =>
          (await holdersOf(system, tenantId, roleGrantCode, db)).filter((id) => id !== createdBy),
      },
    },
    content: (row, event) => (event === "remind" ? asked(row) : undefined),
    messages: "system",
    begun: { title: "权限申请", to: "granters", content: asked },
  });
