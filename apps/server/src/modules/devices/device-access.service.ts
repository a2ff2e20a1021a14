import { randomBytes } from "node:crypto";
import type { BodyOf, deviceGateway, deviceLogin } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import type { DeviceAccess, DeviceRepository } from "./device.repository.ts";
import { tokenHashOf } from "./device.service.ts";
import { hashDevicePassword } from "./device-password.ts";

export interface DeviceAccessDependencies {
  /** Runs in one transaction with its entry of the audit trail. */
  withAudit: <T>(
    work: (parts: { devices: DeviceRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  nextId: () => string;
  /** Told after a change, so that the device's connections end on every server. */
  onChanged: (deviceId: string) => void;
}

const isTaken = (error: unknown): boolean => (error as { code?: unknown } | null)?.code === "23505";

/** How devices log in, and what they may do for others; staff changes it. */
export function createDeviceAccessService({ withAudit, nextId, onChanged }: DeviceAccessDependencies) {
  const change = async (
    scope: TenantScope,
    id: string,
    action: "reset" | "update",
    changes: AuditRecord["changes"],
    work: (devices: DeviceRepository) => Promise<{ name: string; tenantId: string } | undefined>,
  ): Promise<void> => {
    await withAudit(async ({ devices, audit }) => {
      const device = await work(devices);
      if (device === undefined) throw refuse("device.not_found");
      const record = { resource: "device", rowId: id, rowTitle: device.name, action, changes };
      await audit.append(device.tenantId, scope, [record], nextId);
    });
    onChanged(id);
  };
  const setAccess = (scope: TenantScope, id: string, access: DeviceAccess, what: string): Promise<void> =>
    change(scope, id, "reset", [{ field: "credentials", before: null, after: what }], (devices) =>
      devices.setAccess(scope, id, access).catch((error: unknown) => {
        throw isTaken(error) ? refuse("device.login_taken", { field: "loginName" }) : error;
      }),
    );

  return {
    /** @returns the new token, which is not kept */
    async renewToken(scope: TenantScope, id: string): Promise<{ accessToken: string }> {
      const accessToken = randomBytes(24).toString("base64url");
      await setAccess(scope, id, { tokenHash: tokenHashOf(accessToken), login: undefined }, "token");
      return { accessToken };
    },

    /** Lets a device log in by user name and password; its access token ends. */
    async setLogin(scope: TenantScope, { id, loginName, password, clientId = "" }: BodyOf<typeof deviceLogin>) {
      const login = { userName: loginName, clientId, passwordHash: await hashDevicePassword(password) };
      await setAccess(scope, id, { tokenHash: randomBytes(32), login }, "login");
      return {};
    },

    async setGateway(scope: TenantScope, { id, isGateway, mayCreateChildren }: BodyOf<typeof deviceGateway>) {
      const flags = { isGateway, mayCreateChildren };
      const changes = Object.entries(flags).map(([field, after]) => ({ field, before: null, after }));
      await change(scope, id, "update", changes, (devices) => devices.setGateway(scope, id, flags));
      return {};
    },
  };
}
export type DeviceAccessService = ReturnType<typeof createDeviceAccessService>;
