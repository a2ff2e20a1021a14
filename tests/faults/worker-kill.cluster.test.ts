import { execFile } from "node:child_process";
import { mkdtemp, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { promisify } from "node:util";
import { expect, inject, test } from "vitest";
import { isProcessAlive } from "../../apps/server/src/database/process-identity.ts";
import { demoDevices } from "../../apps/server/src/database/seeds/demo.ts";
import { createDatabase, onServer, templateName } from "../harness/database.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { Load } from "./load.ts";
import { startServerProcess } from "./server-process.ts";

const run = promisify(execFile);

/** A worker's PostgreSQL on this machine, which the test ends and starts again. */
async function openWorker(url: string) {
  const { directory, bin, port } = await onServer(url, async (client) => {
    const { rows } = await client.query<{ directory: string; bin: string; port: number }>(
      `select current_setting('data_directory') as directory, current_setting('port')::int as port,
              (select setting from pg_config where name = 'BINDIR') as bin`,
    );
    return rows[0] as { directory: string; bin: string; port: number };
  });
  const { uid, gid } = await stat(directory);
  return {
    port,
    /** Ends it at once, as a power cut would, and waits until nothing of it runs. */
    async kill(): Promise<void> {
      const pid = Number((await readFile(join(directory, "postmaster.pid"), "utf8")).split("\n")[0]);
      process.kill(pid, "SIGKILL");
      while (isProcessAlive(pid)) await pause(10);
    },
    /** In an empty environment, as the files of this user are not its own. What is left of the killed one keeps its memory for a moment, so this is tried until it succeeds. */
    async start(): Promise<void> {
      for (;;) {
        const word = ["-w", "-D", directory, "-l", `${directory}.log`, "start"];
        const started = await run(join(bin, "pg_ctl"), word, { uid, gid, cwd: "/", env: {} }).then(
          () => true,
          () => false,
        );
        if (started) return;
        await pause(200);
      }
    },
  };
}

test(
  "a worker that is killed under load loses nothing and doubles nothing, and the devices of the other go on",
  async () => {
    const server = inject("testServer");
    const [, workerUrl] = server.nodes;
    const worker = await openWorker(workerUrl ?? "");
    const database = await createDatabase(server, templateName(server.run, "migrated"), "kill");
    const read = <T extends object>(query: string): Promise<T[]> =>
      onServer(database.url, async (client) => (await client.query<T>(query)).rows);
    const dataDir = await mkdtemp(join(tmpdir(), "herdwise-worker-"));
    const load = new Load();
    const herdwise = await startServerProcess({ DATA_DIR: dataDir, DATABASE_URL: database.url });
    let isDown = false;
    try {
      await load.connect(herdwise.mqttPort);
      await load.firstAck;
      const placed = await read<{ serial: string; port: number }>(
        `select d.serial_number as serial, n.nodeport as port from devices d
         join pg_dist_placement p on p.shardid = get_shard_id_for_distribution_column('device_states', d.id)
         join pg_dist_node n on n.groupid = p.groupid`,
      );
      const portOf = new Map(placed.map(({ serial, port }) => [serial, port]));
      const acknowledged = (onDead: boolean) =>
        [...load.ofDevice].reduce((sum, [device, count]) => {
          const isOnDead = portOf.get(demoDevices()[device]?.serialNumber ?? "") === worker.port;
          return isOnDead === onDead ? sum + count : sum;
        }, 0);
      const more = async (onDead: boolean, count: number) => {
        const wanted = acknowledged(onDead) + count;
        while (acknowledged(onDead) < wanted) await pause(20);
      };
      await Promise.all([more(true, 200), more(false, 200)]);

      await worker.kill();
      isDown = true;
      // What was under way at the moment of the kill may still be acknowledged.
      let waiting: number;
      do {
        waiting = acknowledged(true);
        await more(false, 500);
      } while (acknowledged(true) !== waiting);
      // More than the room of one node, so that a room for all of them would be full.
      await more(false, 3000);
      expect(acknowledged(true)).toBe(waiting);

      await worker.start();
      isDown = false;
      await more(true, 200);
      load.pause();
      await load.settled();
      load.disconnect();
      expect(await herdwise.stop()).toBe(0);
      const { stored, lost, doubled, unasked } = await load.judge({ read });
      console.log(
        `worker-kill: ${load.sent} sent, ${load.acknowledged.size} acknowledged, ${stored} stored, ${lost} lost, ${doubled} doubled`,
      );
      expect({ lost, doubled, unasked }).toEqual({ lost: 0, doubled: 0, unasked: 0 });
      expect(stored).toBe(load.sent);
    } finally {
      load.disconnect();
      if (isDown) await worker.start();
      await herdwise.kill();
      await rm(dataDir, { recursive: true, force: true });
      await database.drop();
    }
  },
  onThisMachine(300_000),
);
