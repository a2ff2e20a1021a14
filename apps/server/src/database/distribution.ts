import { type Kysely, type RawBuilder, sql } from "kysely";
import type pg from "pg";
import type { DB } from "./generated/database.ts";
import { type DatabaseLog, silentLog } from "./log.ts";

/**
 * Tables that grow with devices and their messages. On Citus they are distributed by device and co-located, so the rows of one
 * device lie together on one node; all other tables stay on the coordinator. The first one leads the co-location group.
 */
export const distributedTables = [
  "device_states",
  "device_readings",
  "telemetry_keys",
  "telemetry",
  "telemetry_minutes",
  "telemetry_hours",
  "telemetry_days",
  "telemetry_unreliable_days",
  "device_events",
] as const;
const leader = distributedTables[0];
const column = "device_id";

/** Oldest major version of Citus that this was written for. */
const oldestCitus = 13;

/** Lock that a distribution holds, so that two do not run at once. */
const lockKey = 7_236_403;

/** The database can't be distributed, or is not distributed as it should be. */
export class DistributionError extends Error {
  override readonly name = "DistributionError";
}

type Client = Pick<pg.ClientBase, "query">;

async function rowsOf<Row extends object>(client: Client, text: string, values: unknown[] = []): Promise<Row[]> {
  return (await client.query<Row & pg.QueryResultRow>(text, values)).rows;
}

/** Names of the tables that Citus distributes by device, empty on an ordinary PostgreSQL. */
async function distributedNow(client: Client): Promise<Set<string>> {
  const [citus] = await rowsOf<{ there: boolean }>(
    client,
    "select exists (select from pg_extension where extname = 'citus') as there",
  );
  if (!citus?.there) return new Set();
  const rows = await rowsOf<{ name: string }>(
    client,
    `select c.relname as name from pg_dist_partition p join pg_class c on c.oid = p.logicalrelid
      where p.partmethod = 'h' and c.relname = any($1)`,
    [[...distributedTables]],
  );
  return new Set(rows.map(({ name }) => name));
}

const isDistributedText = "select to_regprocedure('public.remove_distributed_rows()') is not null as distributed";

/** `isDistributed` for a connection. */
export async function hasDistribution(client: Client): Promise<boolean> {
  return (await rowsOf<{ distributed: boolean }>(client, isDistributedText))[0]?.distributed ?? false;
}

/**
 * Whether the tables that grow with devices are distributed, for statements that Citus takes in another form only.
 * The function that `distribute` makes tells it, because the catalog of Citus is not on an ordinary PostgreSQL.
 * @param db a pool or an open transaction
 */
export async function isDistributed(db: Kysely<DB>): Promise<boolean> {
  const { rows } = await sql<{ distributed: boolean }>`${sql.raw(isDistributedText)}`.execute(db);
  return rows[0]?.distributed ?? false;
}

/**
 * How a CTE with rows of devices is read: where they are distributed it is fetched from the nodes before all else, because Citus
 * takes no correlated or outer joins of such rows with those of other tables; elsewhere it is planned as part of its statement.
 * @param db a pool or an open transaction
 */
export const fetchedFirst = async (db: Kysely<DB>): Promise<RawBuilder<unknown>> =>
  (await isDistributed(db)) ? sql`materialized` : sql`not materialized`;

/**
 * What stands in the way of a distribution, as sentences for the operator.
 * @param pending migrations that were not applied
 */
export async function obstacles(client: Client, pending: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  const [citus] = await rowsOf<{ version: string }>(
    client,
    "select extversion as version from pg_extension where extname = 'citus'",
  );
  if (citus === undefined) return ["The extension citus is not in this database: create extension citus"];
  if (Number.parseInt(citus.version, 10) < oldestCitus)
    found.push(`Citus ${citus.version} is too old: version ${oldestCitus} or newer is needed`);
  const [place] = await rowsOf<{ group: number }>(client, "select groupid as group from pg_dist_local_group");
  if (place?.group !== 0) found.push("This is a worker: DATABASE_URL must name the coordinator");
  const nodes = await rowsOf<{ node: string; active: boolean; shards: boolean; group: number }>(
    client,
    `select nodename || ':' || nodeport as node, isactive as active, shouldhaveshards as shards, groupid as group
       from pg_dist_node where noderole = 'primary'`,
  );
  if (!nodes.some(({ group }) => group === 0))
    found.push("The coordinator has no address: select citus_set_coordinator_host('its name', its port)");
  if (!nodes.some(({ active, shards }) => active && shards))
    found.push("No node may hold shards: select citus_add_node('name of a worker', its port)");
  for (const { node } of nodes.filter(({ active }) => !active)) found.push(`Node ${node} is not active`);
  if (pending.length > 0)
    found.push(`${pending.length} migrations are not applied: start the server once, then stop it`);
  if (found.length > 0) return found;

  const missing = await rowsOf<{ name: string }>(
    client,
    `select t.name from unnest($1::text[]) as t (name) where to_regclass('public.' || t.name) is null`,
    [[...distributedTables]],
  );
  for (const { name } of missing) found.push(`There is no table ${name}`);
  const unique = await rowsOf<{ table: string; key: string }>(
    client,
    `select c.relname as table, i.indexrelid::regclass::text as key from pg_index i join pg_class c on c.oid = i.indrelid
      where i.indisunique and c.relname = any($1) and not exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = $2 and a.attnum = any(i.indkey::int2[]))`,
    [[...distributedTables], column],
  );
  for (const { table, key } of unique) found.push(`${key} of ${table} is unique without ${column}`);
  const incoming = await rowsOf<{ name: string; table: string; target: string }>(
    client,
    `select f.conname as name, f.conrelid::regclass::text as table, f.confrelid::regclass::text as target
       from pg_constraint f join pg_class c on c.oid = f.confrelid join pg_class o on o.oid = f.conrelid
      where f.contype = 'f' and f.conparentid = 0 and c.relname = any($1) and not (o.relname = any($1))`,
    [[...distributedTables]],
  );
  for (const { name, table, target } of incoming)
    found.push(`${name} of ${table} refers to ${target}, which is to be distributed`);
  const [growing] = await rowsOf<{ names: string[] | null }>(
    client,
    `select array_agg(c.relname::text order by 1) as names from pg_class c
       join pg_attribute a on a.attrelid = c.oid and a.attname = $2
      where c.relkind = 'p' and c.relname <> all($1)`,
    [[...distributedTables], column],
  );
  for (const name of growing?.names ?? [])
    found.push(`${name} grows with devices, and this version does not distribute it`);
  return found;
}

/** How rows of one table lie on the nodes. */
export interface TableDistribution {
  table: string;
  distributed: boolean;
  shards: number;
  /** Rows as seen through the coordinator. */
  rows: number;
  /** Placements of its shards on each node. */
  nodes: { node: string; shards: number; bytes: number }[];
}

const count = async (client: Client, table: string): Promise<number> =>
  (await rowsOf<{ rows: number }>(client, `select count(*)::float8 as rows from ${table}`))[0]?.rows ?? 0;

/** Where the tables that can be distributed are. */
export async function distributionStatus(client: Client): Promise<TableDistribution[]> {
  const distributed = await distributedNow(client);
  const placements =
    distributed.size === 0
      ? []
      : await rowsOf<{ table: string; node: string; shards: number; bytes: number }>(
          client,
          // A partition is a table of its own, whose shards count for its parent.
          `select coalesce(p.relname, c.relname) as table, s.nodename || ':' || s.nodeport as node,
                  count(distinct s.shardid) filter (where p.oid is null)::int as shards, sum(s.shard_size)::float8 as bytes
             from citus_shards s join pg_class c on c.oid = s.table_name::regclass
             left join pg_inherits i on i.inhrelid = c.oid left join pg_class p on p.oid = i.inhparent
            where coalesce(p.relname, c.relname) = any($1) group by 1, 2 order by 1, 2`,
          [[...distributedTables]],
        );
  const found: TableDistribution[] = [];
  for (const table of distributedTables) {
    const nodes = placements
      .filter((placement) => placement.table === table)
      .map(({ node, shards, bytes }) => ({ node, shards, bytes }));
    found.push({
      table,
      distributed: distributed.has(table),
      shards: nodes.reduce((sum, { shards }) => sum + shards, 0),
      rows: await count(client, table),
      nodes,
    });
  }
  return found;
}

/**
 * What is wrong with the distribution of a database, as sentences for the operator; empty where all is as `distribute` leaves it.
 */
export async function distributionFaults(client: Client): Promise<string[]> {
  const distributed = await distributedNow(client);
  const faults = distributedTables
    .filter((table) => !distributed.has(table))
    .map((table) => `${table} is not distributed`);
  if (distributed.size === 0) return ["Nothing is distributed: npm run cluster -- distribute"];
  const names = [...distributed];
  const placed = await rowsOf<{ name: string; colocation: number; column: string; shards: number }>(
    client,
    `select table_name::text as name, colocation_id as colocation, distribution_column as column, shard_count::int as shards
       from citus_tables where table_name::text = any($1)`,
    [names],
  );
  const led = placed.find(({ name }) => name === leader);
  for (const { name, colocation, column: by, shards } of placed) {
    if (by !== column) faults.push(`${name} is distributed by ${by} instead of ${column}`);
    if (led !== undefined && (colocation !== led.colocation || shards !== led.shards))
      faults.push(`${name} does not lie together with ${leader}`);
  }
  const nodes = await rowsOf<{ node: string; active: boolean }>(
    client,
    "select nodename || ':' || nodeport as node, isactive as active from pg_dist_node where noderole = 'primary'",
  );
  for (const { node } of nodes.filter(({ active }) => !active)) faults.push(`Node ${node} is not active`);
  const answers = await rowsOf<{ node: string; fault: string | null }>(
    client,
    `select from_nodename || ':' || from_nodeport as node,
            case when not result then 'does not reach ' || to_nodename || ':' || to_nodeport end as fault
       from citus_check_cluster_node_health() where result is not true`,
  );
  for (const { node, fault } of answers) faults.push(`Node ${node} ${fault ?? "gives no answer"}`);
  const partitions = await rowsOf<{ name: string }>(
    client,
    `select c.relname as name from pg_inherits i join pg_class c on c.oid = i.inhrelid join pg_class p on p.oid = i.inhparent
      where p.relname = any($1) and not exists (select from pg_dist_partition d where d.logicalrelid = c.oid)`,
    [names],
  );
  for (const { name } of partitions) faults.push(`The partition ${name} is not distributed`);
  const keys = await rowsOf<{ name: string; table: string }>(
    client,
    `select f.conname as name, f.conrelid::regclass::text as table from pg_constraint f join pg_class c on c.oid = f.conrelid
      where f.contype = 'f' and f.conparentid = 0 and c.relname = any($1)`,
    [names],
  );
  for (const { name, table } of keys) faults.push(`${table} still has the foreign key ${name}`);
  const [guard] = await rowsOf<{ there: boolean }>(
    client,
    "select exists (select from pg_trigger where tgrelid = 'devices'::regclass and tgname = $1) as there",
    [removalTrigger],
  );
  if (!guard?.there) faults.push("Rows of a removed device would stay: the trigger on devices is missing");
  const [plans] = await rowsOf<{ definition: string }>(
    client,
    `select pg_get_viewdef('${plansView}'::regclass) as definition`,
  );
  if (!/sessions as materialized/i.test(plans?.definition ?? ""))
    faults.push(`The view ${plansView} is the one of a single database: run "distribute" again`);
  // With a dead node nothing more can be counted.
  if (answers.length > 0) return faults;
  for (const table of names) {
    const [left] = await rowsOf<{ rows: number }>(
      client,
      `with held as materialized (select distinct ${column} from ${table})
       select count(*)::int as rows from held where ${column} not in (select id from devices)`,
    );
    if ((left?.rows ?? 0) > 0 && withForeignKey.has(table))
      faults.push(`${table} has rows of ${left?.rows} devices that do not exist`);
  }
  return faults;
}

/** Tables whose foreign key to devices is replaced; the rest never had one, because each row would be looked up. */
const withForeignKey: ReadonlySet<string> = new Set([
  "device_states",
  "device_readings",
  "telemetry_keys",
  "telemetry_unreliable_days",
  "device_events",
]);

const removalTrigger = "devices_distributed_rows";
/** Citus allows no foreign keys from distributed to local tables, so a trigger removes what a key removed. */
const removalGuard = `
  create or replace function remove_distributed_rows() returns trigger language plpgsql as $$
  begin
    ${[...withForeignKey].map((table) => `delete from ${table} where ${column} = old.id;`).join("\n    ")}
    return null;
  end $$;
  create or replace trigger ${removalTrigger} after delete on devices for each row execute function remove_distributed_rows();`;

/** Plans of vaccinations with what became of them, by events of injectors. */
const plansView = "vaccination_plan_rows";
/**
 * The view of migration 0755 with the sessions of injectors read before they are joined: Citus plans no correlated query over
 * distributed events. Sessions are few beside other events, as an injector tells one for each task.
 */
const plansOverNodes = `
  create or replace view ${plansView} as
  with sessions as materialized (
    select i.tenant_id, e.body ->> 'task' as task, e.ts
      from devices i join device_events e on e.device_id = i.id and e.type = 'session_closed' where i.kind = 'needleless')
  select p.*,
         case
           when d.is_done then 'done'
           when p.planned_on > d.today then 'planned'
           when p.planned_on = d.today then 'today'
           when p.planned_on >= d.today - 7 and exists (select from sessions s where s.tenant_id = p.tenant_id) then 'overdue'
           else 'unheard'
         end as state
    from vaccination_plans p
   cross join lateral (
     select (now() at time zone 'Asia/Shanghai')::date as today,
            exists (
              select from sessions s where s.tenant_id = p.tenant_id and s.task = p.task
                 and s.ts > p.planned_on - interval '60 days' and s.ts < p.planned_on + interval '60 days') as is_done) d`;

/** What `distribute` did with one table. */
export interface Distributed {
  table: string;
  rows: number;
  shards: number;
}

export interface DistributionOptions {
  /** Number of shards of each table; a shard is what moves between nodes. */
  shards: number;
  pending: readonly string[];
  log?: DatabaseLog;
}

/**
 * Distributes the tables that grow with devices. Each table is one transaction that locks it, counts its rows before and
 * after, and is undone where the counts differ; so after a kill the next run continues.
 * @param client a connection without a time limit for statements
 * @returns the tables that this call distributed; none where all were
 * @throws DistributionError with all obstacles, before anything was changed, or when a count differs
 */
export async function distribute(client: Client, options: DistributionOptions): Promise<Distributed[]> {
  const { shards, pending, log = silentLog } = options;
  await client.query("select pg_advisory_lock($1)", [lockKey]);
  try {
    const found = await obstacles(client, pending);
    if (found.length > 0) throw new DistributionError(found.join("\n"));
    await client.query(removalGuard);
    // Of the version before; a function of the row keeps migrations from changing the table.
    await client.query("drop function if exists device_status(devices, device_states, boolean)");
    const done: Distributed[] = [];
    const already = await distributedNow(client);
    for (const table of distributedTables) {
      if (already.has(table)) continue;
      done.push(await distributeTable(client, table, shards));
      log.info({ table, rows: done.at(-1)?.rows }, "Table distributed");
    }
    await removeCopies(client);
    await client.query(plansOverNodes);
    return done;
  } finally {
    await client.query("select pg_advisory_unlock($1)", [lockKey]);
  }
}

async function distributeTable(client: Client, table: string, shards: number): Promise<Distributed> {
  await client.query("begin");
  try {
    await client.query(`lock table ${table} in access exclusive mode`);
    const before = await count(client, table);
    const keys = await rowsOf<{ name: string }>(
      client,
      `select quote_ident(conname) as name from pg_constraint where contype = 'f' and conparentid = 0 and conrelid = $1::regclass`,
      [table],
    );
    for (const { name } of keys) await client.query(`alter table ${table} drop constraint ${name}`);
    const triggers = await rowsOf<{ name: string }>(
      client,
      "select quote_ident(tgname) as name from pg_trigger where tgrelid = $1::regclass and not tgisinternal",
      [table],
    );
    for (const { name } of triggers) await client.query(`drop trigger ${name} on ${table}`);
    const how = table === leader ? `shard_count => ${shards}, colocate_with => 'none'` : `colocate_with => '${leader}'`;
    await client.query(`select create_distributed_table('${table}', '${column}', ${how})`);
    const after = await count(client, table);
    if (after !== before)
      throw new DistributionError(
        `${table} had ${before} rows and has ${after} distributed; nothing of it was changed`,
      );
    await client.query("commit");
    return { table, rows: after, shards };
  } catch (error) {
    await client.query("rollback");
    throw error;
  }
}

/** The rows that stay behind on the coordinator, unseen, when a table with rows is distributed. */
async function removeCopies(client: Client): Promise<void> {
  for (const table of await distributedNow(client))
    await client.query("select truncate_local_data_after_distributing_table($1::regclass)", [table]);
}
