import pg from "pg";
import { openDatabase } from "../../apps/server/src/database/connection.ts";
import { distribute } from "../../apps/server/src/database/distribution.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { onServer, urlOf } from "./database.ts";

/** Shards of each table in tests: two on each of two workers, enough that devices lie apart. */
const testShards = 4;

interface CitusNode {
  host: string;
  port: number;
  group: number;
}

const nodesOf = (url: string): Promise<CitusNode[]> =>
  onServer(url, async (client) => {
    const { rows } = await client.query<CitusNode>(
      `select nodename as host, nodeport as port, groupid as group from pg_dist_node
        where noderole = 'primary' and isactive order by groupid`,
    );
    return rows;
  });

/** Address of the same database on another node. */
function urlAt(url: string, { host, port }: CitusNode): string {
  const at = new URL(url);
  at.hostname = host;
  at.port = String(port);
  return at.href;
}

/**
 * Addresses of a database on the coordinator and the workers, the coordinator first.
 * @param url a database on the coordinator that has the extension and the workers
 */
export async function nodeUrls(url: string): Promise<string[]> {
  return (await nodesOf(url)).map((node) => (node.group === 0 ? url : urlAt(url, node)));
}

/**
 * Gives a database of that name on every node the extension, and makes the nodes known to each other.
 * @param url a database on the coordinator that has the extension and the workers
 * @param count number of nodes with the coordinator; all by default
 */
export async function joinNodes(url: string, name: string, count?: number): Promise<void> {
  const nodes = (await nodesOf(url)).slice(0, count);
  for (const node of (await nodeUrls(url)).slice(0, count))
    await onServer(urlOf(node, name), (client) => client.query("create extension if not exists citus"));
  await onServer(urlOf(url, name), async (client) => {
    for (const { host, port, group } of nodes) {
      const how = group === 0 ? "citus_set_coordinator_host" : "citus_add_node";
      await client.query(`select ${how}($1, $2)`, [host, port]);
    }
  });
}

/** Distributes a migrated database. */
export async function distributeForTests(url: string, shards = testShards): Promise<void> {
  const database = openDatabase({ url, poolSize: 1, applicationName: "herdwise-test-setup", log: silentLog });
  const client = await database.pool.connect();
  try {
    await client.query("set statement_timeout = 0");
    await distribute(client, { shards, pending: [] });
  } finally {
    client.release();
    await database.close();
  }
}

/** Ends what Citus itself keeps connected to a database and lets nobody in any more, so that it can be copied. */
export async function sealTemplate(nodes: readonly string[], name: string): Promise<void> {
  for (const node of nodes) {
    await onServer(node, async (client) => {
      await client.query(`alter database ${pg.escapeIdentifier(name)} with allow_connections false`);
      await client.query("select pg_terminate_backend(pid) from pg_stat_activity where datname = $1", [name]);
    });
  }
}

/** Makes a database with nothing but the extension on the first `count` nodes of a cluster. */
export async function createOnNodes(url: string, name: string, count?: number): Promise<void> {
  for (const node of (await nodeUrls(url)).slice(0, count))
    await onServer(node, (client) => client.query(`CREATE DATABASE ${name} TEMPLATE template0`));
  await joinNodes(url, name, count);
}
