import { mkdtemp, rm } from "node:fs/promises";
import { createServer, type Server } from "node:net";
import { join } from "node:path";
import { afterAll, beforeAll, expect, inject, test } from "vitest";
import { urlOf } from "../harness/database.ts";
import { scratchFolder } from "../harness/scratch-folder.ts";
import { startServerProcess } from "./server-process.ts";

let dataDir: string;
let taken: Server;
beforeAll(async () => {
  dataDir = await mkdtemp(join(await scratchFolder(), "herdwise-settings-"));
  taken = createServer();
  await new Promise<void>((resolve) => taken.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  taken.close();
  await rm(dataDir, { recursive: true, force: true });
});

const takenPort = () => String((taken.address() as { port: number }).port);
const database = () => urlOf(inject("testServer").url, "herdwise_that_is_not_there");

test.each([
  ["DATA_DIR", () => "/etc/hostname/data", /DATA_DIR is "\/etc\/hostname\/data", which can't be made or written here/],
  ["PORT", takenPort, /PORT is \d+, which is in use/],
  ["HOST", () => "192.0.2.1", /HOST is "192\.0\.2\.1", which is no address of this machine/],
  ["TRUST_PROXY", () => "the-proxy", /TRUST_PROXY holds "the-proxy"/],
  ["DATABASE_URL", database, /DATABASE_URL: there is no such database/],
])("a wrong %s is told by its name and without a stack", async (name, value, told) => {
  const started = startServerProcess({ DATA_DIR: dataDir, [name]: value(), LOG_LEVEL: "silent" });
  const message = await started.then(
    async (server) => {
      await server.kill();
      return "it started";
    },
    (error: Error) => error.message,
  );
  expect(message).toMatch(/^the server ended with 1:/);
  expect(message).toMatch(told);
  expect(message).not.toMatch(/\n\s+at /);
});
