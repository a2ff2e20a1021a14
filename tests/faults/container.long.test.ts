import { execFile, execFileSync, spawn } from "node:child_process";
import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { chmodSync, existsSync, globSync, readFileSync } from "node:fs";
import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, inject, onTestFinished, test } from "vitest";
import { freePort } from "../../apps/server/src/free-port.ts";
import { onServer } from "../harness/database.ts";
import { followDockerfile, isIgnored, nodeOfImage } from "../harness/dockerfile.ts";
import { onThisMachine } from "../harness/time-limit.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const run = promisify(execFile);
const works = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

/** The role of deploy/postgres-init.sh, made in the tests' PostgreSQL as the container of the database makes it. */
async function makeDatabase(folder: string): Promise<string> {
  const { url } = inject("testServer");
  const server = new URL(url);
  const name = `herdwise_container_${process.pid}`;
  const own = Object.assign(new URL(url), { username: name, password: "0123456789abcdef", pathname: `/${name}` }).href;
  const secret = join(folder, "database_url");
  await writeFile(secret, `${own}\n`);
  await run(join(root, "deploy/postgres-init.sh"), [], {
    env: {
      PATH: process.env.PATH ?? "",
      PGHOST: decodeURIComponent(server.hostname),
      PGPORT: server.port || "5432",
      PGPASSWORD: decodeURIComponent(server.password),
      POSTGRES_USER: decodeURIComponent(server.username),
      DATABASE_URL_SECRET: secret,
    },
  });
  onTestFinished(async () => {
    await onServer(url, (client) => client.query(`drop database if exists ${name} with (force)`));
    await onServer(url, (client) => client.query(`drop role if exists ${name}`));
  });
  const [role] = await onServer(
    url,
    async (client) =>
      (await client.query("select rolsuper, rolcreatedb, rolcreaterole from pg_roles where rolname = $1", [name])).rows,
  );
  expect(role).toEqual({ rolsuper: false, rolcreatedb: false, rolcreaterole: false });
  return secret;
}

test.skipIf(process.getuid?.() !== 0 || !works("psql", "--version"))(
  "what the Dockerfile copies and runs is a server that gets ready, as another user, without the packages of developers",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "herdwise-container-"));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    chmodSync(folder, 0o755);
    const ignored = readFileSync(join(root, ".dockerignore"), "utf8")
      .split("\n")
      .filter((line) => line !== "" && !line.startsWith("#"));
    const { stdout: tracked } = await run("git", ["ls-files"], { cwd: root, maxBuffer: 64 * 1024 * 1024 });
    const context = tracked.split("\n").filter((path) => path !== "" && !isIgnored(path, ignored));
    const stage = await followDockerfile(readFileSync(join(root, "deploy/Dockerfile"), "utf8"), {
      folder,
      contextFolder: root,
      context,
    });
    const program = join(stage.root, stage.workingDirectory);
    const held = (path: string) => existsSync(join(program, path));
    // What the server needs is there, what developers need is not.
    expect(
      ["node_modules/fastify", "node_modules/pg", "apps/web/build/server", "scripts/serve.mjs"].filter(
        (path) => !held(path),
      ),
    ).toEqual([]);
    const unwanted =
      "vitest typescript @typescript/native @biomejs/biome vite @react-router/dev playwright-core @sparticuz/chromium";
    expect(unwanted.split(" ").filter((name) => held(`node_modules/${name}`))).toEqual([]);
    expect(["tests", "docs", ".git", "apps/web/app"].filter(held)).toEqual([]);
    expect(globSync("{apps,packages}/**/*.test.ts", { cwd: program, exclude: ["**/node_modules/**"] })).toEqual([]);

    const secrets = join(folder, "secrets");
    await mkdir(secrets);
    const secret = await makeDatabase(secrets);
    await writeFile(join(secrets, "secret_key"), `${randomBytes(32).toString("base64")}\n`);
    const [uid = 0, gid = 0] = stage.user.split(":").map(Number);
    expect([uid, gid]).toEqual([1000, 1000]);
    const port = await freePort();
    const scratch = join(folder, "tmp");
    await mkdir(scratch);
    await chmod(scratch, 0o777);
    const options = {
      cwd: program,
      uid,
      gid,
      env: {
        ...Object.fromEntries(
          Object.entries(stage.environment).map(([name, value]) => [
            name,
            value.replace(/^\/tmp/, scratch).replace(/^\/var/, `${stage.root}/var`),
          ]),
        ),
        PATH: `${join(stage.root, "usr/local/bin")}:/usr/bin:/bin`,
        TMPDIR: scratch,
        HOST: "127.0.0.1",
        PORT: String(port),
        MQTT_PORT: "0",
        PUBLIC_URL: "https://farm.example",
        DATABASE_URL_FILE: secret,
        SECRET_KEY_FILE: join(secrets, "secret_key"),
      },
    };
    const [command = "", ...args] = stage.command;
    const server = spawn(join(stage.root, command === "node" ? nodeOfImage : command), args, options);
    let output = "";
    for (const stream of [server.stdout, server.stderr])
      stream.on("data", (chunk: Buffer) => {
        output += chunk.toString();
      });
    onTestFinished(() => {
      server.kill("SIGKILL");
    });
    const [check = "", ...checkArgs] = stage.healthCheck;
    const isHealthy = async () => {
      expect(server.exitCode, output).toBe(null);
      return run(check, checkArgs, options).then(
        () => true,
        () => false,
      );
    };
    // A check that is green before the server is ready would be no check.
    expect(await isHealthy()).toBe(false);
    await expect.poll(isHealthy, { timeout: onThisMachine(60_000), interval: 500 }).toBe(true);
    const page = await fetch(`http://127.0.0.1:${port}/login`);
    expect([page.status, await page.text()]).toEqual([200, expect.stringContaining("<!DOCTYPE html>")]);
    const { stdout: created } = await run("node", ["apps/server/src/cli/create-admin.ts", "chief"], options);
    expect(created).toContain("chief");
    // The program is the image's, not the server's.
    expect((await run("find", [program, "-writable", "-not", "-type", "l"], options)).stdout).toBe("");
    const size = Number((await run("du", ["-sm", "--exclude", nodeOfImage, stage.root])).stdout.split("\t")[0]);
    console.log(`container: ${context.length} files of the context, ${size} MB beside Node itself`);
    server.kill("SIGTERM");
    expect(await once(server, "exit")).toEqual([0, null]);
  },
  3_600_000,
);
