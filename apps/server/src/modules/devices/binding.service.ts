import { randomInt, timingSafeEqual } from "node:crypto";
import {
  type BodyOf,
  type deviceBind,
  type deviceBlock,
  type deviceLabels,
  type deviceLookUp,
  type devicePlace,
  verificationCodeLength,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { addressBucket } from "../../providers/address.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import type { BindingRepository, LabelledRow } from "./binding.repository.ts";
import type { ClaimRepository, DevicePlace } from "./claim.repository.ts";

/**
 * Tries with a code, right ones too. A code has a million values: against one device a day's tries meet it once in ten
 * thousand times, from whatever number of accounts and addresses.
 */
const tries = {
  account: [
    { max: 20, windowS: 600 },
    { max: 200, windowS: 86_400 },
  ],
  address: [{ max: 120, windowS: 3600 }],
  device: [
    { max: 20, windowS: 3600 },
    { max: 100, windowS: 86_400 },
  ],
};

const newCode = (): string => String(randomInt(10 ** verificationCodeLength)).padStart(verificationCodeLength, "0");

export interface BindingDependencies {
  repository: BindingRepository;
  places: Pick<ClaimRepository, "holdsPlace">;
  withAudit: <T>(
    work: (parts: { bindings: BindingRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  cipher: PersonalCipher;
  store: Store;
  nextId: () => string;
  /** Whether the tenant has shown who it is, without which nothing may be bound (decisions.md 8). */
  mayBind: (scope: TenantScope) => Promise<boolean>;
  /** Labels that the demo published; none outside of a demo. */
  demoLabels: readonly { readonly serialNumber: string; readonly code: string }[];
  /** The device belongs to another tenant or place from now on, or may not come in any more. */
  onChanged: (deviceId: string) => void;
}

/** Devices find their customers by what stands on their labels, and leave them again. */
export function createBindingService(dependencies: BindingDependencies) {
  const { repository, places, withAudit, cipher, store, nextId, mayBind, onChanged } = dependencies;

  const requireAllowed = async (scope: TenantScope): Promise<void> => {
    if (!(await mayBind(scope))) throw refuse("device.not_authenticated");
  };

  /** The device of a label. @throws the same for one that is unknown, bound, kept out, unlabelled, or has another code */
  const byLabel = async (
    scope: TenantScope,
    { serialNumber, code }: { serialNumber: string; code: string },
  ): Promise<LabelledRow> => {
    await requireAllowed(scope);
    const allowed =
      (await spend(store, `bind:account:${scope.accountId}`, tries.account)) &&
      (await spend(store, `bind:address:${addressBucket(scope.remoteAddress)}`, tries.address)) &&
      (await spend(store, `bind:device:${cipher.index(serialNumber.trim()).toString("base64")}`, tries.device));
    if (!allowed) throw refuse("rate.spent");
    const found = await repository.bindable(scope, serialNumber.trim());
    const held = found === undefined || found.codeEncrypted === "" ? "" : cipher.decrypt(found.codeEncrypted);
    const isRight = timingSafeEqual(cipher.index(held), cipher.index(code.trim()));
    if (found === undefined || held === "" || !isRight) throw refuse("device.label", { field: "code" });
    return found;
  };

  const requirePlace = async (scope: TenantScope, place: DevicePlace): Promise<void> => {
    if (!(await places.holdsPlace(scope, place))) throw refuse("device.place", { field: "farmId" });
  };

  const entry = (id: string, title: string, changes: AuditRecord["changes"]): AuditRecord => ({
    resource: "device",
    rowId: id,
    rowTitle: title,
    action: "update",
    changes,
  });

  return {
    async demoLabels(scope: TenantScope) {
      const found = await Promise.all(
        dependencies.demoLabels.map(async ({ serialNumber, code }) => {
          const device = await repository.bindable(scope, serialNumber);
          return device === undefined ? [] : [{ name: device.name, serialNumber, kind: device.kind, code }];
        }),
      );
      return found.flat();
    },

    async lookUp(scope: TenantScope, body: BodyOf<typeof deviceLookUp>) {
      const { name, serialNumber, kind, createTime } = await byLabel(scope, body);
      return { name, serialNumber, kind, createTime };
    },

    async bind(scope: TenantScope, { serialNumber, code, ...at }: BodyOf<typeof deviceBind>) {
      const place = placeOf(at);
      await requireAllowed(scope);
      await requirePlace(scope, place);
      const device = await byLabel(scope, { serialNumber, code });
      const bound = await withAudit(async ({ bindings, audit }) => {
        const ids = await bindings.bind(scope, device.id, { ...place, ...positionOf(at) }, nextId);
        if (ids.length === 0) throw refuse("device.label", { field: "code" });
        const changes = [{ field: "bound", before: "unbound", after: "bound" }];
        await audit.append(scope.tenantId, scope, [entry(device.id, device.name, changes)], nextId);
        return ids;
      });
      for (const id of bound) onChanged(id);
      return { deviceId: device.id, bound: bound.length };
    },

    async unbindEffects(scope: TenantScope, id: string) {
      const counts = await repository.unbindCounts(scope, id);
      if (counts === undefined) throw refuse("device.not_found");
      return counts;
    },

    /** @returns what it ended */
    async unbind(scope: TenantScope, id: string) {
      const { counts, gone } = await withAudit(async ({ bindings, audit }) => {
        const before = await bindings.unbindCounts(scope, id);
        const left = await bindings.unbind(scope, id, nextId);
        if (before === undefined || left.length === 0) throw refuse("device.not_found");
        const changes = [{ field: "bound", before: "bound", after: "unbound" }];
        const records = left.map((device) => entry(device.id, device.name, changes));
        await audit.append(scope.tenantId, scope, records, nextId);
        return { counts: before, gone: left };
      });
      for (const device of gone) onChanged(device.id);
      return counts;
    },

    async place(scope: TenantScope, { id, ...at }: BodyOf<typeof devicePlace>): Promise<void> {
      const place = placeOf(at);
      await requirePlace(scope, place);
      await withAudit(async ({ bindings, audit }) => {
        const before = await bindings.place(scope, id, { ...place, ...positionOf(at) });
        if (before === undefined) throw refuse("device.not_found");
        const after = { farmId: place.farmId, houseId: place.houseId ?? "", unitId: place.unitId ?? "" };
        const changes = Object.entries(after)
          .map(([field, value]) => ({ field, before: before[field as keyof typeof after] ?? "", after: value }))
          .filter((change) => change.before !== change.after);
        await audit.append(scope.tenantId, scope, [entry(id, before.name, changes)], nextId);
      });
      onChanged(id);
    },

    async block(scope: TenantScope, { id, blocked }: BodyOf<typeof deviceBlock>): Promise<void> {
      await withAudit(async ({ bindings, audit }) => {
        const device = await bindings.block(scope, id, blocked);
        if (device === undefined) throw refuse("device.not_found");
        const changes = [{ field: "blocked", before: !blocked, after: blocked }];
        await audit.append(device.tenantId, scope, [entry(id, device.name, changes)], nextId);
      });
      onChanged(id);
    },

    /** Codes for labels; those that have none get one. */
    async labels(scope: TenantScope, { ids, renew = false }: BodyOf<typeof deviceLabels>) {
      return withAudit(async ({ bindings, audit }) => {
        const devices = await bindings.labelled(scope, ids);
        if (devices.length !== ids.length) throw refuse("device.not_found");
        const labels = devices.map((device) => ({
          ...device,
          fresh: renew || device.codeEncrypted === "",
          code: renew || device.codeEncrypted === "" ? newCode() : cipher.decrypt(device.codeEncrypted),
        }));
        const fresh = labels.filter((label) => label.fresh);
        if (fresh.length > 0)
          await bindings.setCodes(
            scope,
            fresh.map(({ id, code }) => ({ id, codeEncrypted: cipher.encrypt(code) })),
          );
        for (const [tenantId, of] of Map.groupBy(labels, (label) => label.tenantId)) {
          const records = of.map(({ id, name, fresh: made }) =>
            entry(id, name, [{ field: "label", before: null, after: made ? "new" : "shown" }]),
          );
          await audit.append(tenantId, scope, records, nextId);
        }
        return labels.map(({ id, name, serialNumber, kind, code }) => ({ id, name, serialNumber, kind, code }));
      });
    },
  };
}
export type BindingService = ReturnType<typeof createBindingService>;

type Place = Omit<BodyOf<typeof devicePlace>, "id">;
const placeOf = ({ farmId, houseId, unitId }: Place): DevicePlace => ({ farmId, houseId, unitId });
/** A place in a unit has no meaning without the unit. */
const positionOf = ({ unitId, positionX, positionY, heightCm }: Place) =>
  unitId === undefined
    ? { positionX: undefined, positionY: undefined, heightCm: undefined }
    : { positionX, positionY, heightCm };
