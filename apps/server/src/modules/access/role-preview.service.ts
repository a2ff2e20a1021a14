import type { RoleSession } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { Caller, IdentityService } from "../identity/index.ts";
import type { AccessRepository } from "./access.repository.ts";

export interface RolePreviewDependencies {
  repository: Pick<AccessRepository, "role">;
  identity: Pick<IdentityService, "openPreview" | "leavePreview">;
  inTransaction<T>(work: (audit: Pick<AuditRepository, "append">) => Promise<T>): Promise<T>;
  nextId: () => string;
}

/** Looking at the portal through a role. */
export function createRolePreviewService({ repository, identity, inTransaction, nextId }: RolePreviewDependencies) {
  return {
    /** @throws Refusal 404 for a role that the scope does not reach, 400 for one of another tenant, whose rows are not the caller's */
    async open(session: Session, scope: TenantScope, roleId: string, caller: Caller): Promise<RoleSession> {
      const role = await repository.role(scope, roleId);
      if (role === undefined) throw refuse("row.not_found");
      if (role.tenantId !== session.tenantId) throw refuse("preview.other_tenant");
      const opened = {
        resource: "role",
        rowId: role.id,
        rowTitle: role.roleName,
        action: "preview",
        changes: [],
      } as const;
      // Noted first, so that no preview is open without its entry.
      await inTransaction((audit) => audit.append(role.tenantId, scope, [opened], nextId));
      return { ...(await identity.openPreview(session, role.id, caller)), roleName: role.roleName };
    },
    leave: (session: Session): Promise<void> => identity.leavePreview(session),
  };
}
export type RolePreviewService = ReturnType<typeof createRolePreviewService>;
