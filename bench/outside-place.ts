import { createOnNodes, distributeForTests, nodeUrls } from "../tests/harness/citus.ts";
import { dropDatabase, onServer, urlOf } from "../tests/harness/database.ts";

/** A database of a benchmark on the server of DATABASE_URL. */
export interface OutsidePlace {
  readonly url: string;
  /** Distributes telemetry where BENCH_NODES asks for it; called after the migration. */
  distribute(): Promise<void>;
  remove(): Promise<void>;
}

/**
 * Makes a database for a benchmark.
 * @param outside DATABASE_URL; with BENCH_NODES a database of a Citus coordinator that knows the workers
 * @param nodeCount BENCH_NODES: number of nodes with the coordinator, all of which get shards; 0 for no distribution
 */
export async function openOutsidePlace(outside: string, nodeCount: number): Promise<OutsidePlace> {
  const name = `herdwise_bench_${process.pid}`;
  const url = urlOf(outside, name);
  if (nodeCount === 0) {
    await onServer(outside, (client) => client.query(`CREATE DATABASE ${name}`));
    return { url, distribute: async () => undefined, remove: () => dropDatabase([outside], name) };
  }
  const nodes = (await nodeUrls(outside)).slice(0, nodeCount);
  if (nodes.length < nodeCount) throw new Error(`the cluster has ${nodes.length} nodes`);
  await createOnNodes(outside, name, nodeCount);
  await onServer(url, (client) =>
    client.query("select citus_set_node_property(nodename, nodeport, 'shouldhaveshards', true) from pg_dist_node"),
  );
  // Twelve shards lie evenly on one, two and three nodes.
  return { url, distribute: () => distributeForTests(url, 12), remove: () => dropDatabase(nodes, name) };
}
