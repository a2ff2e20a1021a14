import { createHash, randomBytes } from "node:crypto";
import type { devicePage, QueryOf, Readings } from "@herdwise/contract";
import { notFound } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Session } from "../../http/session.ts";
import { type DeviceRepository, deviceSorts, type KnownDevice } from "./device.repository.ts";

export const tokenHashOf = (accessToken: string): Buffer => createHash("sha256").update(accessToken).digest();

export interface DeviceNeeds {
  repository: DeviceRepository;
  /** Told after a device's token was replaced, so that its connections end on every server. */
  onChanged: (deviceId: string) => void;
}

export function createDeviceService({ repository, onChanged }: DeviceNeeds) {
  return {
    async page(session: Session, query: QueryOf<typeof devicePage>) {
      const request = pageRequest(query, deviceSorts);
      const { kind, status, bound, farmId, unitId, name } = query;
      const { records, total } = await repository.page(
        session.tenantId,
        { kind, status, bound, farmId, unitId, word: name },
        request,
      );
      return pageOfRows(records, total, request);
    },

    async detail(session: Session, id: string) {
      const device = await repository.detail(session.tenantId, id);
      if (device === undefined) throw notFound("device.not_found");
      return { ...device, dropped: await repository.dropped(id) };
    },

    async latest(session: Session, id: string): Promise<Readings> {
      const readings = await repository.readings(session.tenantId, id);
      if (readings === undefined) throw notFound("device.not_found");
      return readings;
    },

    /** @throws when one of the ids is not a device of the session's tenant; which one is not told */
    async requireOwned(session: Session, ids: readonly string[]): Promise<void> {
      const owned = await repository.owned(session.tenantId, ids);
      if (owned.length !== new Set(ids).size) throw notFound("device.not_found");
    },

    readingsOf: (session: Session, ids: readonly string[]) => repository.readingsOf(session.tenantId, ids),

    environmentControllers: (session: Session) => repository.environmentControllers(session.tenantId),

    /** The device that an access token belongs to, for the device protocol. */
    byAccessToken: (accessToken: string): Promise<KnownDevice | undefined> =>
      repository.byTokenHash(tokenHashOf(accessToken)),

    /** Which of these devices may not go on with the token that they showed. */
    changedSince: (known: readonly KnownDevice[]) => repository.changedSince(known),

    /**
     * Gives a device another access token, for a token that was lost or stolen: the old one ends, and with it the connections
     * that were opened with it.
     * @returns the new token, which is not kept; undefined when there is no device of this serial number
     */
    async replaceToken(serialNumber: string): Promise<string | undefined> {
      const accessToken = randomBytes(24).toString("base64url");
      const id = await repository.setTokenHash(serialNumber, tokenHashOf(accessToken));
      if (id === undefined) return undefined;
      onChanged(id);
      return accessToken;
    },

    activate: (id: string) => repository.activate(id),
    mergeAttributes: (id: string, attributes: Record<string, unknown>) => repository.mergeAttributes(id, attributes),
    attributes: (id: string) => repository.attributes(id),
    counts: () => repository.counts(),
    showcase: () => repository.showcase(),

    /** Keys that a device has sent so far. */
    knownKeys: (id: string) => repository.knownKeys(id),
  };
}
export type DeviceService = ReturnType<typeof createDeviceService>;
