import { mkdtemp, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { afterEach, expect, test, vi } from "vitest";
import { clusterDirectory, startEmbeddedPostgres } from "../../apps/server/src/database/embedded-postgres.ts";
import { silentLog } from "../../apps/server/src/database/log.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { volume } from "../harness/volume.ts";
import { type ServerProcess, startServerProcess } from "./server-process.ts";

const submits = volume({ short: 200, long: 1000 });
const kills = volume({ short: 2, long: 10 });
/** Submits that are under way at a time. */
const together = 20;

let server: ServerProcess | undefined;
let dataDir: string;
afterEach(async () => {
  await server?.stop();
  await rm(dataDir, { recursive: true, force: true });
});

test(`R03: PostgreSQL is killed ${kills} times among ${submits} submits: none is half written, a 200 means that it is there, and the same submit again makes no second row`, async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-submits-"));
  server = await startServerProcess({ DATA_DIR: dataDir, LOG_LEVEL: "error" });
  const address = `http://127.0.0.1:${server.httpPort}`;
  const cluster = await clusterDirectory(dataDir);
  // The writing calls of a session are limited.
  const tokens: string[] = [];
  for (let at = 0; at < 10; at += 1) tokens.push((await tokenOfDemo(address, "admin")).access_token);
  const submit = async (at: number): Promise<{ status: number; id: string | undefined }> => {
    const answer = await fetch(`${address}/api/muyuan-trade/slaughterhouse/submit`, {
      method: "POST",
      headers: {
        Authorization: basic,
        "Muyuan-Auth": `bearer ${tokens[at % tokens.length]}`,
        "Content-Type": "application/json",
        "Idempotency-Key": `submit-kill-${at}`,
      },
      body: JSON.stringify({ houseCode: `K-${at}`, houseName: `Kill ${at}`, regionCode: "411325", status: "1" }),
    });
    const { data } = (await answer.json()) as { data?: { id?: string } | null };
    return { status: answer.status, id: data?.id };
  };

  const answered = new Map<number, string>();
  const refusals = new Map<number, number>();
  let next = 0;
  let kill = 0;
  const worker = async (): Promise<void> => {
    while (next < submits) {
      const at = next;
      next += 1;
      // Spread over all of them, each among nineteen others that are under way.
      if (kill < kills && at >= Math.floor(((kill + 0.5) * submits) / kills)) {
        kill += 1;
        const [pid] = (await readFile(join(String(cluster), "postmaster.pid"), "utf8")).split("\n");
        process.kill(Number(pid), "SIGKILL");
      }
      // As a form does: sent again with the same key until it is answered.
      await vi.waitFor(
        async () => {
          const { status, id } = await submit(at);
          if (status === 200) answered.set(at, String(id));
          else refusals.set(status, (refusals.get(status) ?? 0) + 1);
          expect(status).toBe(200);
        },
        { timeout: 60_000, interval: 500 },
      );
    }
  };
  await Promise.all(Array.from({ length: together }, worker));
  expect(kill).toBe(kills);
  // A kill that no submit felt would prove nothing.
  expect([...refusals.keys()], server.output()).toEqual([503]);
  expect(await server.stop()).toBe(0);

  const postgres = await startEmbeddedPostgres({ directory: dataDir, log: silentLog });
  const client = new pg.Client({ connectionString: postgres.url() });
  await client.connect();
  const { rows } = await client.query<{ id: string; code: string; entries: number; keys: number }>(
    `select s.id::text, s.house_code as code,
            (select count(*)::int from audit_entries e where e.resource = 'slaughterhouse' and e.row_id = s.id) as entries,
            (select count(*)::int from idempotency_keys k where k.row_id = s.id) as keys
       from slaughterhouses s where s.house_code like 'K-%'`,
  );
  const { rows: strays } = await client.query(
    `select from audit_entries e where e.resource = 'slaughterhouse' and not exists (select from slaughterhouses s where s.id = e.row_id)
     union all select from idempotency_keys k where k.key like 'submit-kill-%' and not exists (select from slaughterhouses s where s.id = k.row_id)`,
  );
  await client.end();
  await postgres.stop();
  console.log(`submit-kill: ${submits} submits, ${kills} kills, ${refusals.get(503)} times 503 and sent again`);
  expect(strays).toEqual([]);
  expect(rows.filter(({ entries, keys }) => entries !== 1 || keys !== 1)).toEqual([]);
  expect(new Map(rows.map(({ code, id }) => [code, id]))).toEqual(
    new Map([...answered].map(([at, id]) => [`K-${at}`, id])),
  );
  expect(rows).toHaveLength(submits);
});
