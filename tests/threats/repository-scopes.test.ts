import { departments, roles } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { auditRepository } from "../../apps/server/src/modules/audit/index.ts";
import { authorizationRepository } from "../../apps/server/src/modules/authorization/authorization.repository.ts";
import { backgroundJobRepository } from "../../apps/server/src/modules/background-jobs/background-job.repository.ts";
import { deviceRepository } from "../../apps/server/src/modules/devices/index.ts";
import { farmRepository } from "../../apps/server/src/modules/farms/farm.repository.ts";
import { fileRepository } from "../../apps/server/src/modules/files/file.repository.ts";
import { identityRepository } from "../../apps/server/src/modules/identity/identity.repository.ts";
import { messageRepository } from "../../apps/server/src/modules/messages/index.ts";
import { organizationRepository } from "../../apps/server/src/modules/organization/organization.repository.ts";
import { roleGrantRepository } from "../../apps/server/src/modules/organization/role-grant.repository.ts";
import { historyRepository } from "../../apps/server/src/modules/telemetry/history.repository.ts";
import { telemetryRepository, utcDay } from "../../apps/server/src/modules/telemetry/index.ts";
import { partitionRepository } from "../../apps/server/src/modules/telemetry/partition.repository.ts";
import { rollUpRepository } from "../../apps/server/src/modules/telemetry/roll-up.repository.ts";
import { createRollUps } from "../../apps/server/src/modules/telemetry/roll-up.service.ts";
import { userRepository } from "../../apps/server/src/modules/users/user.repository.ts";
import { importRepository } from "../../apps/server/src/resources/import.repository.ts";
import { resourceRepository } from "../../apps/server/src/resources/resource.repository.ts";
import { systemScope, type TenantScope, tenantScopeOf } from "../../apps/server/src/tenant-scope.ts";
import { createSeededDatabase, type TestDatabase } from "../harness/database.ts";
import { changedBy, startChangeLog, takeChangesNow } from "./change-log.ts";

const theirs = "100002";
const mine = "100001";
const page = { offset: 0, limit: 50, orders: [] };
const now = Date.now();
const hours = [0, 10_000_000] as const;

let here: TestDatabase;
/** Somebody of each tenant who may do everything in it. */
let me: TenantScope;
let they: TenantScope;
/** Rows of the other tenant. */
const row = {
  farm: "",
  unit: "",
  device: "",
  role: "7001",
  below: "7002",
  department: "7011",
  subDepartment: "7012",
  post: "7021",
  file: "7031",
  job: "7041",
  message: "7051",
  import: "7061",
  account: "",
  membership: "",
  session: "7071",
  menu: "",
  otherMenu: "",
};

const scopeOf = async (tenantId: string): Promise<TenantScope> => {
  const { rows } = await here.database.pool.query<{ id: string; account: string }>(
    "select id::text, account_id::text as account from memberships where tenant_id = $1 order by id limit 1",
    [tenantId],
  );
  const [member] = rows;
  if (member === undefined) throw new Error(`${tenantId} has no member`);
  return tenantScopeOf({
    tenantId,
    everyTenant: false,
    rows: { all: true, departmentIds: [], own: true },
    accountId: member.account,
    membershipId: member.id,
    departmentId: "",
    remoteAddress: "203.0.113.9",
  });
};

beforeAll(async () => {
  here = await createSeededDatabase();
  const { pool, kysely } = here.database;
  me = await scopeOf(mine);
  they = await scopeOf(theirs);
  const one = async (sql: string, values: unknown[] = [theirs]) =>
    String((await pool.query<{ id: string }>(sql, values)).rows[0]?.id);
  row.farm = await one("select id::text from farms where tenant_id = $1 limit 1");
  row.device = await one(
    "select id::text from devices where tenant_id = $1 and kind = 'environment' and unit_id is not null limit 1",
  );
  row.unit = await one("select unit_id::text as id from devices where id = $1", [row.device]);
  row.account = they.accountId;
  row.membership = they.membershipId;
  // Menus that no role of the tenant grants as yet.
  const { rows: ungranted } = await pool.query<{ id: string }>(
    `select n.id::text from menus n where n.id not in (
       select rm.menu_id from role_menus rm join roles r on r.id = rm.role_id where r.tenant_id = $1) limit 2`,
    [theirs],
  );
  [row.menu, row.otherMenu] = ungranted.map(({ id }) => id) as [string, string];
  const hash = Buffer.alloc(32);
  await pool.query(
    `insert into roles (id, tenant_id, parent_id, role_name, role_alias) values (7001, $1, null, 'a', 'a'), (7002, $1, 7001, 'b', 'b')`,
    [theirs],
  );
  await pool.query("insert into role_menus (role_id, menu_id) values (7001, $1), (7002, $1), (7002, $2)", [
    row.menu,
    row.otherMenu,
  ]);
  await pool.query(
    `insert into departments (id, tenant_id, parent_id, dept_name, full_name, dept_category)
     values (7011, $1, null, 'a', 'a', '1'), (7012, $1, 7011, 'b', 'b', '1')`,
    [theirs],
  );
  await pool.query(
    "insert into posts (id, tenant_id, post_code, post_name, category) values (7021, $1, 'a', 'a', '1')",
    [theirs],
  );
  await pool.query("insert into membership_departments values ($1, 7011)", [row.membership]);
  await pool.query("insert into membership_posts values ($1, 7021)", [row.membership]);
  await pool.query("insert into membership_roles values ($1, 7001)", [row.membership]);
  await pool.query("insert into role_departments values (7001, 7011)");
  await pool.query(
    `insert into attachments (id, tenant_id, account_id, name, original_name, extension, content_type, size_bytes, sha256, visibility, state)
     values (7031, $1, $2, 'upload/20260101/00000000-0000-4000-8000-000000000001.png', 'a.png', 'png', 'image/png', 1, $3, 'private', 'kept')`,
    [theirs, row.account, hash],
  );
  await pool.query(
    `insert into background_jobs (id, tenant_id, account_id, kind, title, queue_id, state)
     values (7041, $1, $2, 'a', 'a', gen_random_uuid(), 'queued')`,
    [theirs, row.account],
  );
  await pool.query("insert into messages (id, account_id, kind, title) values (7051, $1, 'system', 'a')", [
    row.account,
  ]);
  await pool.query(
    'insert into imports (id, tenant_id, account_id, resource, attachment_id, file_name, state, choice) values (7061, $1, $2, $3, 7031, \'a\', \'checked\', \'{"sheet":0,"columns":[{"header":"a","field":"b","column":0}]}\')',
    [theirs, row.account, departments.name],
  );
  await pool.query(
    `insert into import_rows (import_id, row_number, cells, problems, version)
     values (7061, 1, '{"deptName":"a"}', '[]', 1), (7061, 2, '{"deptName":"a"}', '[{"field":"deptName","reason":"r","text":"t","values":{}}]', null)`,
  );
  await pool.query("insert into device_dropped_messages values ($1, 'too_fast', 3, now())", [row.device]);
  await pool.query("insert into device_events values ($1, 'a', 'b', now(), '{}')", [row.device]);
  await pool.query(
    `insert into authorization_payloads (model, id, payload, account_id, client_id, expires_at)
     values ('Grant', 'g', '{}', $1, 'app', now() + interval '1 hour')`,
    [row.account],
  );
  await pool.query(
    "insert into oauth_clients (id, client_id, name, redirect_uris, scopes, grant_types) values (7081, 'app', 'a', '{https://a}', '{}', '{}')",
  );
  await pool.query(
    "insert into sessions (id, account_id, tenant_id, membership_id, client_id) values (7071, $1, $2, $3, 'saber')",
    [row.account, theirs, row.membership],
  );
  await pool.query(
    "insert into session_tokens (token_hash, session_id, purpose, expires_at) values ($1, 7071, 'access', now() + interval '1 hour')",
    [hash],
  );
  await pool.query("update accounts set phone_encrypted = 'theirs' where id = $1", [row.account]);
  const telemetry = telemetryRepository(here.database, systemScope("a test puts readings there"));
  await telemetry.createPartition(utcDay(now));
  await telemetry.store(
    [
      {
        deviceId: row.device,
        numbers: new Map([["t_in", 0]]),
        rows: [{ at: now * 1000, values: { t_in: 21 }, clockSkew: false }],
      },
    ],
    [
      {
        deviceId: row.device,
        readings: { t_in: { value: 21, ts: now } },
        oldestAt: now * 1000,
        newestAt: now * 1000,
        onlineUntil: now,
      },
    ],
  );
  await telemetry.addKeys([{ deviceId: row.device, keys: ["t_in"] }]);
  const rollUps = createRollUps({
    inTransaction: (work) =>
      kysely.transaction().execute((transaction) => work(rollUpRepository(transaction, systemScope("a test")))),
    partitions: partitionRepository(kysely, systemScope("a test")),
    now: () => now + 3_600_000,
  });
  await rollUps.run(new AbortController().signal);
  await auditRepository(kysely).append(
    theirs,
    they,
    [{ resource: "role", rowId: "7001", rowTitle: "a", action: "update", changes: [] }],
    () => "7091",
  );
  await startChangeLog(pool);
});
afterAll(() => here.drop());

/** What says that a call found nothing. */
const isNothing = (found: unknown): boolean => {
  if (found === undefined || found === null || found === false || found === 0 || found === "") return true;
  if (Array.isArray(found)) return found.length === 0;
  if (found instanceof Map || found instanceof Set) return found.size === 0;
  if (typeof found === "object" && "total" in found && !("id" in found)) return found.total === 0;
  if (typeof found === "object" && "entries" in found) return found.entries === 0;
  return false;
};

type Repositories = ReturnType<typeof repositories>;
const repositories = () => {
  const { kysely, prepared } = here.database;
  const system = systemScope("a test of scopes");
  return {
    audit: auditRepository(kysely),
    authorization: authorizationRepository(kysely, system),
    departments: resourceRepository(kysely, departments),
    devices: deviceRepository(kysely),
    farms: farmRepository(kysely),
    files: fileRepository(kysely),
    grants: roleGrantRepository(kysely),
    history: historyRepository(kysely, prepared),
    identity: identityRepository(kysely, system),
    imports: importRepository(kysely, departments),
    jobs: backgroundJobRepository(kysely),
    messages: messageRepository(kysely),
    organization: organizationRepository(kysely),
    roles: resourceRepository(kysely, roles),
    users: userRepository(kysely),
  };
};

const problem = { field: "deptName", reason: "doubled", text: "t", values: {} } as const;
const checked = { rowNumber: 2, cells: { deptName: "z" }, problems: [], rowId: null, adds: true, notes: {} };

/** Calls that name rows of the other tenant. Reads come first, and what removes comes last. */
const calls: Record<string, (of: Repositories, scope: TenantScope) => Promise<unknown>> = {
  "a device": ({ devices }, scope) => devices.detail(scope, row.device),
  "devices of a unit": ({ devices }, scope) => devices.page(scope, { unitId: row.unit }, page),
  "what a device lost": ({ devices }, scope) => devices.dropped(scope, row.device),
  "newest readings": ({ devices }, scope) => devices.readings(scope, row.device),
  "which devices are reached": ({ devices }, scope) => devices.owned(scope, [row.device]),
  "parameters of a device": ({ devices }, scope) => devices.parameters(scope, row.device),
  "the device of a unit": ({ farms }, scope) => farms.environmentDeviceId(scope, row.unit),
  "events of a device": ({ history }, scope) => history.eventPage(scope, row.device, {}, page),
  "which devices' values are reached": ({ history }, scope) => history.reached(scope, [row.device]),
  "raw values of a device": ({ history }, scope) =>
    history.rawRows(scope, row.device, { fromMs: 0, toMs: now + 1 }, 10),
  "values of a device by the minute": ({ history }, scope) =>
    history.minutes(scope, [row.device], ["t_in"], hours).then(({ reached, minutes }) => [...reached, ...minutes]),
  "points of a device by the hour": ({ history }, scope) =>
    history.hourPoints(scope, [row.device], ["t_in"], hours).then(({ reached, series }) => [...reached, ...series]),
  "values of a device by the hour": ({ history }, scope) => history.hours(scope, row.device, ["t_in"], hours),
  "points of a device by the day": ({ history }, scope) =>
    history.dayPoints(scope, [row.device], ["t_in"], 0, 50_000).then(({ reached, series }) => [...reached, ...series]),
  "what an export calls a device": ({ history }, scope) => history.deviceNames(scope, [row.device]),
  "a file": ({ files }, scope) => files.own(scope, { id: row.file }),
  "files by name": ({ files }, scope) => files.page(scope, "a.png", page),
  "a job": ({ jobs }, scope) => jobs.find(scope, row.job),
  "the audit trail of a row": ({ audit }, scope) => audit.page(scope, { rowId: "7001" }, page),
  "the chain of a tenant": ({ audit }, scope) => audit.verify(scope, theirs),
  "members of departments": ({ organization }, scope) => organization.membersOfDepartments(scope, [row.department]),
  "members of posts": ({ organization }, scope) => organization.membersOfPosts(scope, [row.post]),
  "members of roles": ({ organization }, scope) => organization.membersOfRoles(scope, [row.role]),
  "menus of roles": ({ grants }, scope) => grants.menusOf(scope, [row.role]),
  "departments of roles": ({ grants }, scope) => grants.departmentsOf(scope, [row.role]),
  "how many hold a role": ({ grants }, scope) => grants.memberCount(scope, row.role),
  "who would lose what": ({ grants }, scope) => grants.affected(scope, row.role, [], 10),
  "what the roles below would lose": ({ grants }, scope) => grants.lostBelow(scope, row.role, []),
  people: ({ users }, scope) => users.ofAccounts(scope, [row.account]),
  "roles by id": ({ users }, scope) => users.rolesOf(scope, [row.role]),
  "roles that grant more": ({ users }, scope) =>
    users.rolesBeyond(tenantScopeOf({ ...scope, membershipId: "0" }), [row.role]),
  "people who may do more": ({ users }, scope) =>
    users.accountsBeyond(tenantScopeOf({ ...scope, membershipId: "0" }), [row.account]),
  "a row of a resource": ({ departments: of }, scope) => of.byIds(scope, [row.department]),
  "how many rows stand below a row": ({ roles: of }, scope) => of.children(scope, [row.role]),
  "what stands above a row": ({ departments: of }, scope) => of.ancestors(scope, row.subDepartment),
  "the path of a row": ({ departments: of }, scope) => of.paths(scope, [row.subDepartment]),
  "the height of a tree": ({ departments: of }, scope) => of.heightBelow(scope, row.department),
  siblings: ({ departments: of }, scope) => of.siblings(scope, row.department),
  "an import": ({ imports }, scope) => imports.byId(scope, row.import),
  "the state of an import": ({ imports }, scope) => imports.lock(scope, row.import),
  "numbers of an import's rows": ({ imports }, scope) => imports.rowNumbers(scope, row.import),
  "rows of an import": ({ imports }, scope) => imports.rowsBetween(scope, row.import, 0, 10, { goodOnly: false }),
  "a page of an import": ({ imports }, scope) => imports.rowPage(scope, row.import, { all: true }, page),
  "a row of an import": ({ imports }, scope) => imports.row(scope, row.import, 1),
  "rows of an import with a text": ({ imports }, scope) => imports.rowsWith(scope, row.import, "deptName", ["a"], 10),
  "columns matched in imports": ({ imports }, scope) => imports.matchedColumns(scope),
  "problems of an import": ({ imports }, scope) => imports.groups(scope, row.import),
  "written rows of an import": ({ imports }, scope) => imports.writtenBetween(scope, row.import, 0, 10),
  "a grant to an application": ({ authorization }, scope) => authorization.ownsGrant(scope, "g"),

  "problems put to an import": ({ imports }, scope) => imports.markDoubles(scope, row.import, "deptName", problem),
  "rows put into an import": ({ imports }, scope) => imports.putRows(scope, row.import, [checked]),
  "rows of an import kept": ({ imports }, scope) =>
    imports.keepWritten(scope, row.import, [{ rowNumber: 1, rowId: "5", before: null, version: 9 }]),
  "where an import was read": ({ imports }, scope) =>
    imports.putSource(scope, row.import, { sheets: [], sheet: 0, headerRow: 1, start: [] }, []),
  "an import moved on": ({ imports }, scope) => imports.setState(scope, row.import, ["checked"], "failed"),
  "places of siblings": ({ departments: of }, scope) => of.setPlaces(scope, [row.subDepartment, row.department]),
  "a row changed": ({ departments: of }, scope) => of.update(scope, row.department, { remark: "z" }, undefined),
  "rows changed": ({ departments: of }, scope) => of.updateMany(scope, [row.department], { remark: "y" }),
  "a person changed": ({ users }, scope) => users.changeAccount(scope, row.account, { realName: "z" }, undefined),
  "a membership changed": ({ users }, scope) => users.changeMembership(scope, row.membership, { code: "z" }),
  "a password set": ({ users }, scope) => users.setPassword(scope, row.account, "z", true),
  "versions moved on": ({ users }, scope) => users.touchAccounts(scope, [row.account]),
  "roles of a person set": ({ users }, scope) => users.setRoles(scope, row.membership, [row.below]),
  "departments of a role set": ({ grants }, scope) => grants.setDepartments(scope, row.role, [row.subDepartment]),
  "roles below trimmed": ({ grants }, scope) => grants.trimBelow(scope, row.role),
  "menus of a role set": ({ grants }, scope) => grants.setMenus(scope, row.role, [row.otherMenu]),
  "grants copied": ({ grants }, scope) => grants.copyGrants(scope, row.role, row.below),
  "a file kept": ({ files }, scope) => files.release(scope, { ids: [row.file] }),
  "a job cancelled": ({ jobs }, scope) => jobs.cancel(scope, [row.job]),
  "messages read": ({ messages }, scope) => messages.setRead(scope, { ids: [row.message], groups: [] }, true),
  "messages removed": ({ messages }, scope) => messages.remove(scope, { ids: [row.message], groups: [] }),
  "sessions ended": ({ identity }, scope) => identity.endOwnSessions(scope, [row.session], "removed"),
  "rows of an import removed": ({ imports }, scope) => imports.clear(scope, row.import),
  "rows removed": ({ departments: of }, scope) => of.remove(scope, [row.subDepartment]),
  "members removed": ({ users }, scope) => users.removeMembers(scope, [row.membership]),
};

describe("a repository, whatever its caller forgot to check", () => {
  test.each(Object.keys(calls))("reaches no row of another tenant: %s", async (name) => {
    const call = calls[name] as (typeof calls)[string];
    const { pool } = here.database;
    await takeChangesNow(pool);
    const found = await call(repositories(), me);
    expect(isNothing(found), JSON.stringify(found)).toBe(true);
    expect(changedBy(await takeChangesNow(pool))).toEqual([]);
    // The same call in the tenant's own name does find or change something, or the test would prove nothing.
    const own = await call(repositories(), they);
    const changed = changedBy(await takeChangesNow(pool)).length > 0;
    expect(changed || !isNothing(own), JSON.stringify(own)).toBe(true);
  });
});
