import { freshDevices } from "@herdwise/contract";
import { deviceKinds, judgedParameters } from "@herdwise/device-kinds";
import type { TenantScope } from "../../tenant-scope.ts";
import type { DeviceDependencies } from "./device.service.ts";
import type { FreshRepository } from "./fresh.repository.ts";

const dayMs = 86_400_000;

export interface ArrivalDependencies {
  repository: FreshRepository;
  judgedBy: NonNullable<DeviceDependencies["judgedBy"]>;
  now: () => number;
}

/** Devices that came lately, whichever way, up to their first value. */
export const createArrivals = ({ repository, judgedBy, now }: ArrivalDependencies) => ({
  /** @param id of one device, whenever it came; all that came lately without one */
  async list(scope: TenantScope, id: string | undefined) {
    const since = new Date(now() - freshDevices.days * dayMs);
    const rows = await repository.list(scope, { since, id, limit: freshDevices.most });
    return rows.map(({ parameters: held, ...device }) => {
      const keys = judgedParameters(deviceKinds[device.kind]);
      const parameters = Object.fromEntries(Object.entries(held).filter(([key]) => keys.includes(key)));
      const by = judgedBy({ ...device, id: device.deviceId, parameters });
      return { ...device, unitId: device.unitId ?? "", ...(by && { judgedBy: by }) };
    });
  },
});
export type Arrivals = ReturnType<typeof createArrivals>;
