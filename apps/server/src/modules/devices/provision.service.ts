import { createHash, randomBytes, timingSafeEqual } from "node:crypto";
import type { BodyOf, provisionPage, provisionSubmit, QueryOf } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import { hashDevicePassword } from "./device-password.ts";
import type { NewCredentials, ProvisionedDeviceRepository, ProvisionRepository } from "./provision.repository.ts";

/** Requests of one address, and of everybody together, per minute. */
const requests = { address: [{ max: 60, windowS: 60 }], all: [{ max: 3000, windowS: 60 }] };
/** A serial number as a device may give it to itself. */
const serialNumber = /^[0-9A-Za-z][0-9A-Za-z._-]{2,63}$/;
const login = /^[^\p{Cc}]{1,128}$/u;
const leastToken = 16;

const sha256 = (text: string): Buffer => createHash("sha256").update(text).digest();
const newSecret = (): string => randomBytes(24).toString("base64url");
const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** An answer as ThingsBoard gives it; the doubled status is what older clients read. */
const answer = (status: "SUCCESS" | "NOT_FOUND" | "FAILURE", more: Record<string, unknown>) => ({
  status,
  provisionDeviceStatus: status,
  ...more,
});
const failed = (errorMsg: string) => answer("FAILURE", { errorMsg });
/** One answer for a wrong key, a wrong secret and a device that is not there: nothing can be learnt by asking. */
const notFound = () => answer("NOT_FOUND", { errorMsg: "Provision data was not found!" });

export interface ProvisionDependencies {
  repository: ProvisionRepository;
  withAudit: <T>(
    work: (parts: { profiles: ProvisionRepository; audit: Pick<AuditRepository, "append"> }) => Promise<T>,
  ) => Promise<T>;
  /** Runs in one transaction. */
  registering: <T>(work: (devices: ProvisionedDeviceRepository) => Promise<T>) => Promise<T>;
  store: Store;
  nextId: () => string;
  onChanged: (deviceId: string) => void;
  onRegistered: (device: { serialNumber: string; profile: string; strategy: string }) => void;
}

/** What a device asks to be let in with, and what it is told. */
async function credentialsFor(request: Readonly<Record<string, unknown>>) {
  const type = textOf(request.credentialsType) || "ACCESS_TOKEN";
  if (type === "ACCESS_TOKEN") {
    const token = textOf(request.token) || newSecret();
    if (token.length < leastToken || token.length > 128 || !login.test(token))
      return { error: `token must have ${leastToken} to 128 characters` };
    const credentials: NewCredentials = { tokenHash: sha256(token) };
    return { type, value: token, credentials };
  }
  if (type === "MQTT_BASIC") {
    const clientId = textOf(request.clientId);
    const userName = textOf(request.username);
    const password = textOf(request.password) || newSecret();
    if (
      !login.test(userName) ||
      (clientId !== "" && !login.test(clientId)) ||
      password.length < 8 ||
      password.length > 128
    )
      return { error: "MQTT_BASIC needs a username, and a password of 8 to 128 characters" };
    const basic = { clientId, userName, passwordHash: await hashDevicePassword(password) };
    const value = { clientId, userName, password };
    return { type, value, credentials: { tokenHash: randomBytes(32), basic } };
  }
  return { error: `credentialsType ${type.slice(0, 32)} is not supported: use ACCESS_TOKEN or MQTT_BASIC` };
}

/** Devices register themselves with the key and secret of a profile. */
export function createProvisionService(dependencies: ProvisionDependencies) {
  const { repository, withAudit, registering, store, nextId, onChanged, onRegistered } = dependencies;
  return {
    /**
     * Answers a request to be registered, whatever it holds.
     * @param address of the caller, whose requests are limited; undefined when it is not known
     */
    async provision(request: Readonly<Record<string, unknown>>, address: string | undefined) {
      const mayAsk =
        (await spend(store, `provision:address:${address ?? "unknown"}`, requests.address)) &&
        (await spend(store, "provision:all", requests.all));
      if (!mayAsk) return failed("Too many requests, try again later");
      const profile = await repository.byKey(textOf(request.provisionDeviceKey));
      const isRight = timingSafeEqual(sha256(textOf(request.provisionDeviceSecret)), profile?.secretHash ?? sha256(""));
      if (profile === undefined || !isRight) return notFound();
      // Hexadecimal: a serial number begins with a letter or a figure.
      const name = textOf(request.deviceName) || randomBytes(12).toString("hex");
      if (!serialNumber.test(name)) return failed("deviceName: 3 to 64 letters, digits, points, - and _");
      const wanted = await credentialsFor(request);
      if (wanted.credentials === undefined) return failed(wanted.error);
      const { credentials } = wanted;
      const id = nextId();
      try {
        const registered = await registering(async (devices) => {
          if (profile.strategy === "CHECK_PRE_PROVISIONED") return devices.equip(name, profile.kind, credentials);
          const device = { id, serialNumber: name, kind: profile.kind, isGateway: profile.gateways };
          return (await devices.create(device, credentials)) ? id : undefined;
        });
        if (registered === undefined)
          return profile.strategy === "CHECK_PRE_PROVISIONED" ? notFound() : failed("Failed to provision device!");
        onChanged(registered);
      } catch (error) {
        // The token or the user name is another device's; which one is not told.
        if ((error as { code?: unknown }).code === "23505") return failed("Failed to provision device!");
        throw error;
      }
      onRegistered({ serialNumber: name, profile: profile.name, strategy: profile.strategy });
      return answer("SUCCESS", { credentialsType: wanted.type, credentialsValue: wanted.value });
    },

    async page(query: QueryOf<typeof provisionPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page(request);
      return pageOfRows(rows, total, request);
    },

    /** @returns the key and the secret, which is not kept */
    async submit(scope: TenantScope, { name, kind, strategy, gateways = false }: BodyOf<typeof provisionSubmit>) {
      const id = nextId();
      const provisionKey = newSecret();
      const secret = newSecret();
      await withAudit(async ({ profiles, audit }) => {
        await profiles.insert({
          id,
          name,
          kind,
          strategy,
          gateways,
          provisionKey,
          secretHash: sha256(secret),
          createdBy: scope.accountId,
        });
        const changes = Object.entries({ name, kind, strategy, gateways }).map(([field, after]) => ({
          field,
          before: null,
          after,
        }));
        const record = { resource: "provision_profile", rowId: id, rowTitle: name, action: "create" as const };
        await audit.append(installationChain, scope, [{ ...record, changes }], nextId);
      });
      return { id, provisionKey, provisionSecret: secret };
    },

    async remove(scope: TenantScope, id: string): Promise<void> {
      await withAudit(async ({ profiles, audit }) => {
        const name = await profiles.remove(id);
        if (name === undefined) throw refuse("row.not_found");
        const record = { resource: "provision_profile", rowId: id, rowTitle: name, action: "remove" as const };
        await audit.append(installationChain, scope, [{ ...record, changes: [] }], nextId);
      });
    },
  };
}
export type ProvisionService = ReturnType<typeof createProvisionService>;
