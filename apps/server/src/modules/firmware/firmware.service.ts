import { createHash } from "node:crypto";
import type { Readable } from "node:stream";
import {
  type BodyOf,
  type FirmwareState,
  firmwareBytes,
  type firmwareRollout,
  type firmwareRolloutStep,
  firmwareStates,
  type firmwareUpdatePage,
  type firmwareUpdateRetry,
  type firmwareUpload,
  type QueryOf,
  type RolloutStep,
} from "@herdwise/contract";
import { createGate } from "../../gate.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type { FirmwareProtocolRepository, FirmwareRepository, RolloutRow } from "./firmware.repository.ts";

/** Bytes of one chunk at most. */
const largestChunk = 1024 * 1024;
/** Reads at a time: a device may ask for a whole file, and a farm's devices ask together. */
const readsAtATime = 4;
const longestError = 500;

export interface FirmwareDependencies {
  repository: FirmwareRepository;
  protocol: FirmwareProtocolRepository;
  withAudit: <T>(
    work: (parts: { firmware: FirmwareRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  nextId: () => string;
  /** Tells the servers that a device has settings to be sent. */
  wake: (deviceId: string) => void;
}

type RolloutState = RolloutRow["state"];
/** From which states each step leads where. */
const moves: Readonly<
  Record<RolloutStep, { from: readonly RolloutState[]; to: RolloutState; pauseReason: RolloutRow["pauseReason"] }>
> = {
  next: { from: ["running"], to: "running", pauseReason: "" },
  pause: { from: ["running"], to: "paused", pauseReason: "person" },
  resume: { from: ["paused"], to: "running", pauseReason: "" },
  stop: { from: ["running", "paused"], to: "stopped", pauseReason: "" },
};

/** The words of a device that end up in the table; the first two states are ours. */
const isReported = (value: unknown): value is FirmwareState =>
  firmwareStates.some((state, at) => at > 1 && state === value);

export function createFirmwareService({ repository, protocol, withAudit, nextId, wake }: FirmwareDependencies) {
  const found = async (scope: TenantScope, id: string) => {
    const rollout = await repository.rollout(scope, id);
    if (rollout === undefined) throw refuse("firmware.not_found");
    return rollout;
  };

  const inTurn = createGate(readsAtATime);

  return {
    async page(query: Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(request);
      return pageOfRows(rows, total, request);
    },

    versions: repository.versions,

    async upload(
      scope: TenantScope,
      { kind, title, version }: QueryOf<typeof firmwareUpload>,
      file: { content: Readable; truncated(): boolean },
    ) {
      const parts: Buffer[] = [];
      for await (const part of file.content) parts.push(part as Buffer);
      const bytes = Buffer.concat(parts);
      if (file.truncated() || bytes.length === 0) throw refuse("firmware.size");
      const id = nextId();
      const row = { id, kind, title, version, sizeBytes: bytes.length };
      const checksum = createHash("sha256").update(bytes).digest("hex");
      await withAudit(async ({ firmware, audit }) => {
        await firmware.insert({ ...row, checksum, createdBy: scope.accountId }, bytes).catch((error: unknown) => {
          throw (error as { code?: unknown }).code === "23505" ? refuse("firmware.version_taken") : error;
        });
        const changes = [{ field: "checksum", before: null, after: checksum }];
        const record = { resource: "firmware", rowId: id, rowTitle: `${title} ${version}`, action: "create" as const };
        await audit.append(installationChain, scope, [{ ...record, changes }], nextId);
      });
      const stored = await repository.package(id);
      if (stored === undefined) throw refuse("firmware.not_found");
      return stored;
    },

    async rollouts(scope: TenantScope, query: Parameters<typeof pageRequest>[0]) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.rollouts(scope, request);
      return pageOfRows(rows, total, request);
    },

    async rollout(
      scope: TenantScope,
      { packageId, deviceIds, stages = [], maxFailures }: BodyOf<typeof firmwareRollout>,
    ) {
      const of = await repository.package(packageId);
      if (of === undefined) throw refuse("firmware.not_found");
      const shares = [...new Set([...stages, 100])].toSorted((a, b) => a - b);
      const id = nextId();
      const told = await withAudit(async ({ firmware, audit }) => {
        const devices = await firmware.insertRollout(scope, {
          id,
          packageId,
          stages: shares,
          deviceIds,
          maxFailures,
        });
        if (devices === 0) throw refuse("firmware.no_devices");
        const offered = await firmware.offer(scope, id);
        const changes = [{ field: "devices", before: null, after: devices }];
        const record = {
          resource: "firmware_rollout",
          rowId: id,
          rowTitle: `${of.title} ${of.version}`,
          action: "create" as const,
        };
        await audit.append(installationChain, scope, [{ ...record, changes }], nextId);
        return offered;
      });
      for (const deviceId of told) wake(deviceId);
      return found(scope, id);
    },

    async step(scope: TenantScope, { id, step }: BodyOf<typeof firmwareRolloutStep>) {
      const rollout = await found(scope, id);
      const stage = step === "next" ? rollout.stage + 1 : rollout.stage;
      if (stage >= rollout.stages.length) throw refuse("firmware.last_stage");
      const { from, to, pauseReason } = moves[step];
      const told = await withAudit(async ({ firmware, audit }) => {
        const moved = await firmware.setState(
          scope,
          id,
          { stage: rollout.stage, states: from },
          { stage, state: to, pauseReason, forgive: step === "resume" },
        );
        if (!moved) throw refuse("firmware.not_running");
        if (to !== "running") await firmware.withdraw(scope, id);
        const offered = to === "running" ? await firmware.offer(scope, id) : [];
        const changes =
          step === "next"
            ? [{ field: "stage", before: rollout.stage, after: stage }]
            : [{ field: "state", before: rollout.state, after: to }];
        const record = { resource: "firmware_rollout", rowId: id, rowTitle: rollout.title, action: "update" as const };
        await audit.append(installationChain, scope, [{ ...record, changes }], nextId);
        return offered;
      });
      for (const deviceId of told) wake(deviceId);
      return found(scope, id);
    },

    /** Offers the package once more to a device that failed. */
    async retry(scope: TenantScope, { rolloutId, deviceId }: BodyOf<typeof firmwareUpdateRetry>) {
      const rollout = await found(scope, rolloutId);
      const told = await withAudit(async ({ firmware, audit }) => {
        if (!(await firmware.retry(scope, rolloutId, deviceId))) throw refuse("firmware.not_failed");
        const changes = [{ field: "retry", before: "FAILED", after: deviceId }];
        const record = {
          resource: "firmware_rollout",
          rowId: rolloutId,
          rowTitle: rollout.title,
          action: "update" as const,
        };
        await audit.append(installationChain, scope, [{ ...record, changes }], nextId);
        return firmware.offer(scope, rolloutId);
      });
      for (const id of told) wake(id);
      return found(scope, rolloutId);
    },

    async updates(scope: TenantScope, query: QueryOf<typeof firmwareUpdatePage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.updates(scope, query.rolloutId, query.state, request);
      return pageOfRows(rows, total, request);
    },

    /**
     * One chunk of the package that is offered to a device.
     * @param size bytes of a chunk, at most 1 MiB of which are given; 0 asks for the whole file
     * @returns no bytes behind the end; undefined when this package is not offered to the device
     */
    chunk(
      deviceId: string,
      wanted: { title: string; version: string } | undefined,
      size: number,
      chunk: number,
    ): Promise<Buffer | undefined> {
      const length = size > 0 ? Math.min(size, largestChunk) : firmwareBytes;
      return inTurn(() => protocol.read(deviceId, wanted, Math.min(chunk * length, 2 ** 30), length));
    },

    /** Looks for what a device tells of an update in the values that it sent. */
    async reported(deviceId: string, values: Readonly<Record<string, unknown>>): Promise<void> {
      const { fw_state: state, fw_error: error = "" } = values;
      if (!isReported(state)) return;
      const rolloutId = await protocol.reported(deviceId, state, String(error).slice(0, longestError));
      if (rolloutId === undefined || (state !== "UPDATED" && state !== "FAILED")) return;
      if ((await protocol.settle(rolloutId)) === "paused") await protocol.withdraw(rolloutId);
    },
  };
}
export type FirmwareService = ReturnType<typeof createFirmwareService>;
