import { createHash, timingSafeEqual } from "node:crypto";
import type { BodyOf, deviceClaim } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRepository } from "../audit/index.ts";
import type { BindingRepository } from "./binding.repository.ts";
import type { ClaimOfferRepository, ClaimRepository } from "./claim.repository.ts";

/** How long an offer of a device stands, in ms: what holds where the device says nothing, and the most. */
const durations = { usual: 86_400_000, most: 7 * 86_400_000 };
const longestSecret = 128;
/** Tries of one person, and for one device by whomever. */
const tries = { account: [{ max: 10, windowS: 600 }], device: [{ max: 20, windowS: 3600 }] };

export interface Claim {
  secretKey: string;
  durationMs: number;
}

/** What a device says to be claimed; undefined when it names no secret, with which anybody could claim it. */
export function claimIn(content: unknown): Claim | undefined {
  if (typeof content !== "object" || content === null) return undefined;
  const { secretKey, durationMs = durations.usual } = content as Record<string, unknown>;
  if (typeof secretKey !== "string" || secretKey === "" || secretKey.length > longestSecret) return undefined;
  if (typeof durationMs !== "number" || !(durationMs > 0)) return undefined;
  return { secretKey, durationMs: Math.min(durationMs, durations.most) };
}

const hashOf = (secret: string): Buffer => createHash("sha256").update(secret).digest();

export interface ClaimDependencies {
  offers: ClaimOfferRepository;
  repository: ClaimRepository;
  withAudit: <T>(
    work: (parts: { bindings: Pick<BindingRepository, "bind">; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  store: Store;
  nextId: () => string;
  /** Whether the tenant has shown who it is. */
  mayBind: (scope: TenantScope) => Promise<boolean>;
  /** The device belongs to another tenant from now on; its connections close. */
  onChanged: (deviceId: string) => void;
}

/** Customers take over devices that offer themselves. */
export function createClaimService({
  offers,
  repository,
  withAudit,
  store,
  nextId,
  mayBind,
  onChanged,
}: ClaimDependencies) {
  return {
    offer: (deviceId: string, { secretKey, durationMs }: Claim): Promise<void> =>
      offers.offer(deviceId, hashOf(secretKey), durationMs),

    /** @throws the same for a device that is unknown, bound, not offered, or has another secret */
    async claim(scope: TenantScope, { serialNumber, secretKey, ...place }: BodyOf<typeof deviceClaim>) {
      const { farmId, houseId, unitId } = place;
      if (!(await mayBind(scope))) throw refuse("device.not_authenticated");
      if (!(await repository.holdsPlace(scope, { farmId, houseId, unitId })))
        throw refuse("device.place", { field: "farmId" });
      const allowed =
        (await spend(store, `claim:account:${scope.accountId}`, tries.account)) &&
        (await spend(store, `claim:device:${hashOf(serialNumber).toString("base64")}`, tries.device));
      if (!allowed) throw refuse("rate.spent");
      const offered = await offers.attempt(serialNumber);
      const isRight = timingSafeEqual(offered?.secretHash ?? hashOf(""), hashOf(secretKey));
      if (offered === undefined || !isRight) throw refuse("device.claim_failed");
      const bound = await withAudit(async ({ bindings, audit }) => {
        const at = { farmId, houseId, unitId, positionX: undefined, positionY: undefined, heightCm: undefined };
        const ids = await bindings.bind(scope, offered.deviceId, at, nextId);
        if (ids.length === 0) throw refuse("device.claim_failed");
        const changes = [{ field: "bound", before: "unbound", after: "bound" }];
        const record = {
          resource: "device",
          rowId: offered.deviceId,
          rowTitle: offered.name,
          action: "update" as const,
        };
        await audit.append(scope.tenantId, scope, [{ ...record, changes }], nextId);
        return ids;
      });
      for (const id of bound) onChanged(id);
      return { deviceId: offered.deviceId, bound: bound.length };
    },
  };
}
export type ClaimService = ReturnType<typeof createClaimService>;
