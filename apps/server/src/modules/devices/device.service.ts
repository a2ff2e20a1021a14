import { createHash, randomBytes } from "node:crypto";
import {
  type DeviceKindId,
  type DeviceStatus,
  type devicePage,
  deviceStatuses,
  type JudgedBy,
  type QueryOf,
  type Readings,
} from "@herdwise/contract";
import { deviceKinds, judgedParameters } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type DeviceRepository, deviceSorts, type Place } from "./device.repository.ts";
import { isDevicePassword } from "./device-password.ts";
import type { DeviceProtocolRepository, KnownDevice } from "./device-protocol.repository.ts";

export const tokenHashOf = (accessToken: string): Buffer => createHash("sha256").update(accessToken).digest();

export interface DeviceDependencies {
  repository: DeviceRepository;
  protocol: DeviceProtocolRepository;
  /** Told after a device's token was replaced, so that its connections end on every server. */
  onChanged: (deviceId: string) => void;
  /** What a device is judged by beside its kind; nothing where it is absent. */
  judgedBy?: (device: JudgedDevice) => JudgedBy | undefined;
}

interface JudgedDevice {
  id: string;
  tenantId: string;
  kind: DeviceKindId;
  farmId: string | null;
  houseId: string | null;
  unitId: string | null;
  parameters: Record<string, unknown>;
}

export function createDeviceService({
  repository,
  protocol,
  onChanged,
  judgedBy = () => undefined,
}: DeviceDependencies) {
  return {
    async page(scope: TenantScope, query: QueryOf<typeof devicePage>) {
      const request = pageRequest(query, deviceSorts);
      const { kind, status, bound, farmId, unitId, name } = query;
      const { rows, total } = await repository.page(
        scope,
        { kind, status, bound, farmId, unitId, word: name },
        request,
      );
      return pageOfRows(rows, total, request);
    },

    /** How many devices there are in each state, and in all. */
    async countsByStatus(scope: TenantScope) {
      const counts = await repository.countsByStatus(scope);
      const held = deviceStatuses.map((status) => [status, counts[status] ?? 0] as const);
      return {
        ...(Object.fromEntries(held) as Record<DeviceStatus, number>),
        total: held.reduce((sum, [, count]) => sum + count, 0),
      };
    },

    async detail(scope: TenantScope, id: string) {
      const device = await repository.detail(scope, id);
      if (device === undefined) throw refuse("device.not_found");
      const [dropped, rejected] = await Promise.all([repository.dropped(scope, id), repository.rejected(scope, id)]);
      const keys = judgedParameters(deviceKinds[device.kind]);
      const parameters = Object.fromEntries(Object.entries(device.parameters).filter(([key]) => keys.includes(key)));
      const by = judgedBy({ ...device, parameters });
      return { ...device, dropped, rejected, ...(by && { judgedBy: by }) };
    },

    async latest(scope: TenantScope, id: string): Promise<Readings> {
      const readings = await repository.readings(scope, id);
      if (readings === undefined) throw refuse("device.not_found");
      return readings;
    },

    /** @throws when one of the ids is not a device that the scope reaches; which one is not told */
    async requireOwned(scope: TenantScope, ids: readonly string[]): Promise<void> {
      const owned = await repository.owned(scope, ids);
      if (owned.length !== new Set(ids).size) throw refuse("device.not_found");
    },

    async placedOfKind(scope: TenantScope, kind: DeviceKindId, place?: Place) {
      const placed = await repository.placedOfKind(scope, kind, place);
      return placed.map((device) => {
        const by = judgedBy({ ...device, id: device.deviceId, kind });
        return by ? { ...device, judgedBy: by } : device;
      });
    },
    countOfKind: (scope: TenantScope, kind: DeviceKindId) => repository.countOfKind(scope, kind),
    /** How many devices of a kind stand where, and how they are. */
    countsOfKind: (scope: TenantScope, kind: DeviceKindId) => repository.countsOfKind(scope, kind),

    async parameters(scope: TenantScope, id: string) {
      const parameters = await repository.parameters(scope, id);
      if (parameters === undefined) throw refuse("device.not_found");
      return parameters;
    },

    /** The device that logs in by user name and password, for the device protocol; undefined unless all of it fits. */
    async byLogin(userName: string, password: string, clientId: string): Promise<KnownDevice | undefined> {
      for (const { passwordHash, ...device } of await protocol.byUserName(userName, clientId))
        if (await isDevicePassword(password, passwordHash)) return device;
      return undefined;
    },

    /** The device that an access token belongs to, for the device protocol. */
    byAccessToken: (accessToken: string): Promise<KnownDevice | undefined> =>
      protocol.byTokenHash(tokenHashOf(accessToken)),

    /** Which of these devices may not go on with the token that they showed. */
    changedSince: (known: readonly KnownDevice[]) => protocol.changedSince(known),

    /**
     * Gives a device another access token, for a token that was lost or stolen: the old one ends, and with it the connections
     * that were opened with it.
     * @returns the new token, which is not kept; undefined when there is no device of this serial number
     */
    async replaceToken(serialNumber: string): Promise<string | undefined> {
      const accessToken = randomBytes(24).toString("base64url");
      const id = await protocol.setTokenHash(serialNumber, tokenHashOf(accessToken));
      if (id === undefined) return undefined;
      onChanged(id);
      return accessToken;
    },

    activate: (id: string) => protocol.activate(id),
    mergeAttributes: (id: string, attributes: Record<string, unknown>) => protocol.mergeAttributes(id, attributes),
    attributes: (id: string) => protocol.attributes(id),
    counts: () => protocol.counts(),
    showcase: () => protocol.showcase(),
    showcaseOf: (kind: DeviceKindId) => protocol.showcaseOf(kind),
    /** Means of the hours of a device of `showcaseOf`. */
    hoursOf: protocol.hoursOf,
  };
}
export type DeviceService = ReturnType<typeof createDeviceService>;
