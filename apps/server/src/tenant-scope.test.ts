import { describe, expect, test } from "vitest";
import type { Session } from "./http/session.ts";
import type { DeviceRepository } from "./modules/devices/device.repository.ts";
import { deviceProtocolRepository } from "./modules/devices/index.ts";
import type { FarmRepository } from "./modules/farms/farm.repository.ts";
import type { FileRepository } from "./modules/files/file.repository.ts";
import type { MessageRepository } from "./modules/messages/index.ts";
import type { HistoryRepository } from "./modules/telemetry/history.repository.ts";
import { telemetryRepository } from "./modules/telemetry/index.ts";
import type { UserRepository } from "./modules/users/user.repository.ts";
import type { ResourceRepository } from "./resources/resource.repository.ts";
import {
  accountScope,
  inTenant,
  memberScope,
  reachOf,
  type SystemScope,
  systemScope,
  type TenantReach,
  tenantScopeOf,
  withOwnRows,
} from "./tenant-scope.ts";

const reach: TenantReach = {
  tenantId: "100001",
  everyTenant: false,
  rows: { all: false, departmentIds: ["7"], own: false },
  accountId: "1",
  membershipId: "2",
  departmentId: "7",
  remoteAddress: "203.0.113.9",
};

describe("a scope", () => {
  test("of one tenant stays in it, whoever is named", () => {
    expect(inTenant(tenantScopeOf(reach), "100002")).toMatchObject({ tenantId: "100001", everyTenant: false });
    expect(inTenant(tenantScopeOf(reach), undefined)).toMatchObject({ tenantId: "100001", everyTenant: false });
  });

  test("of all tenants is limited to the one that is named, also to its own", () => {
    const group = tenantScopeOf({ ...reach, everyTenant: true });
    expect(inTenant(group, undefined)).toMatchObject({ everyTenant: true });
    expect(inTenant(group, "100002")).toMatchObject({ tenantId: "100002", everyTenant: false });
    expect(inTenant(group, "100001")).toMatchObject({ tenantId: "100001", everyTenant: false });
  });

  test("comes back whole from what a job carries", () => {
    const carried = JSON.parse(JSON.stringify(reachOf(tenantScopeOf(reach)))) as TenantReach;
    expect(tenantScopeOf(carried)).toEqual(tenantScopeOf(reach));
  });

  test("with the own rows changes nothing else", () => {
    expect(withOwnRows(tenantScopeOf(reach))).toEqual(tenantScopeOf({ ...reach, rows: { ...reach.rows, own: true } }));
  });

  test("of work without a session is asked for also where nobody compiled", () => {
    const forged = { because: "it looks like one" } as unknown as SystemScope;
    for (const given of [forged, undefined as unknown as SystemScope]) {
      expect(() => telemetryRepository(undefined as never, given)).toThrow("a system scope");
      expect(() => deviceProtocolRepository(undefined as never, given)).toThrow("a system scope");
      expect(() => accountScope(given, "1")).toThrow("a system scope");
      expect(() => memberScope(given, reach)).toThrow("a system scope");
    }
  });
});

/** Never run: the type check fails when one of these calls compiles. */
export function doNotCompile(
  farms: FarmRepository,
  devices: DeviceRepository,
  history: HistoryRepository,
  files: FileRepository,
  messages: MessageRepository,
  users: UserRepository,
  rows: ResourceRepository,
  session: Session,
) {
  const scope = tenantScopeOf(reach);
  const system = systemScope("a test of types");

  // Without a scope, and with what a scope is made of.
  // @ts-expect-error no scope
  farms.farms();
  // @ts-expect-error a tenant's id is no scope
  farms.units("100001");
  // @ts-expect-error undefined is no scope
  devices.detail(undefined, "1");
  // @ts-expect-error a tenant's id is no scope
  devices.page("100001", {}, { offset: 0, limit: 10, orders: [] });
  // @ts-expect-error the device's id is not enough
  history.rawRows("1", { fromMs: 0, toMs: 1 }, 10);
  // @ts-expect-error an account's id is no scope
  messages.unread("1");
  // @ts-expect-error two ids are no scope
  files.own({ accountId: "1", tenantId: "100001" }, { id: "1" });
  // @ts-expect-error the target's id is not enough
  users.setPassword("1", "hash");
  // @ts-expect-error no scope
  rows.byIds(["1"]);
  // @ts-expect-error no scope
  telemetryRepository(undefined as never);

  // With a scope of another kind.
  // @ts-expect-error a session reaches its own rows, not those of its tenant
  farms.farms(session);
  // @ts-expect-error nor does an account
  farms.farms(accountScope(system, "1"));
  // @ts-expect-error work without a session names a function of its own
  farms.farms(system);
  // @ts-expect-error an account is not in a tenant
  files.own(accountScope(system, "1"), { id: "1" });
  // @ts-expect-error a session never reaches everybody
  farms.totals(scope);
  // @ts-expect-error a session never reads what devices send by their tokens
  telemetryRepository(undefined as never, scope);

  // With a copy that says something else.
  // @ts-expect-error a copy is no scope
  farms.farms({ ...scope, tenantId: "100002" });
  // @ts-expect-error nor is one that says it reaches everything
  rows.byIds({ ...scope, everyTenant: true }, ["1"]);
  // @ts-expect-error what a scope is made of is none
  farms.farms(reach);

  // These do.
  farms.farms(scope);
  messages.unread(session);
  files.own(session, { id: "1" });
  messages.unread(scope);
}
