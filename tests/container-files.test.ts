import { execFileSync } from "node:child_process";
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { DockerfileParser } from "dockerfile-ast";
import { validate } from "dockerfile-utils";
import { describe, expect, onTestFinished, test } from "vitest";
import { parse } from "yaml";
import { secretNames, settingNames } from "../apps/server/src/setting-names.ts";
import { isIgnored } from "./harness/dockerfile.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const has = (command: string, ...args: string[]): boolean => {
  try {
    execFileSync(command, args, { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};

describe("Dockerfile", () => {
  const text = read("deploy/Dockerfile");
  const instructions = DockerfileParser.parse(text).getInstructions();
  const last = instructions.slice(instructions.findLastIndex((instruction) => instruction.getKeyword() === "FROM"));
  const contentOf = (keyword: string) =>
    last
      .filter((instruction) => instruction.getKeyword() === keyword)
      .map((instruction) => instruction.getArgumentsContent());

  test("a linter finds nothing, and would", () => {
    expect(validate(text)).toEqual([]);
    expect(validate(`${text}\nRUNN x\n`)).toHaveLength(1);
    expect(validate(text.replace("scripts/serve.mjs scripts/", "scripts/serve.mjs scripts"))).toHaveLength(1);
  });

  test("the server runs as a numbered user, is asked for its readiness, and is told to stop", () => {
    expect(contentOf("USER")).toEqual(["1000:1000"]);
    expect(contentOf("HEALTHCHECK")).toEqual([expect.stringContaining("/readyz")]);
    // As a list: a shell in between would not pass SIGTERM on.
    expect(contentOf("CMD").map((command) => JSON.parse(command ?? ""))).toEqual([["node", "scripts/serve.mjs"]]);
    expect(contentOf("ENV").map((line) => line?.split("=")[0])).toEqual(["NODE_ENV", "DATA_DIR", "NODE_COMPILE_CACHE"]);
  });

  test("the manifest of every workspace is there before the packages are installed", () => {
    const { packages } = JSON.parse(read("package-lock.json")) as { packages: Record<string, unknown> };
    const workspaces = Object.keys(packages).filter((path) => /^(apps|packages)\/[^/]+$/.test(path));
    const copied = [...text.matchAll(/^COPY ((?:apps|packages)\/[^/\s]+)\/package\.json \1\/$/gm)].map(
      ([, path]) => path,
    );
    expect(copied.sort()).toEqual(workspaces.sort());
  });
});

test("secrets, data and tests stay out of the context of a build; what is built is in it", () => {
  const lines = read(".dockerignore")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
  const stays = [
    "deploy/.env",
    ".env",
    "apps/server/.env",
    "deploy/secrets/secret_key",
    "data/secret.key",
    ".git/config",
  ];
  stays.push("node_modules/a/index.js", "apps/web/build/client/a.js", "apps/server/src/config.test.ts", "x.log");
  expect(stays.filter((path) => !isIgnored(path, lines))).toEqual([]);
  const goes = ["package.json", "apps/server/src/config.ts", "packages/contract/src/index.ts", "scripts/serve.mjs"];
  expect(goes.filter((path) => isIgnored(path, lines))).toEqual([]);
});

interface Compose {
  services: Record<
    string,
    {
      image: string;
      ports?: string[];
      environment?: Record<string, string>;
      secrets?: string[];
      volumes?: string[];
      restart?: string;
    }
  >;
  secrets: Record<string, { file: string }>;
  volumes: Record<string, null>;
}

describe("compose.yaml", () => {
  const text = read("deploy/compose.yaml");
  const compose = parse(text) as Compose;

  test.skipIf(!has("docker-compose", "version"))("Compose reads it, with the settings of .env.example", () => {
    const folder = mkdtempSync(join(tmpdir(), "herdwise-compose-"));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    cpSync(join(root, "deploy/compose.yaml"), join(folder, "compose.yaml"));
    cpSync(join(root, "deploy/.env.example"), join(folder, ".env"));
    mkdirSync(join(folder, "secrets"));
    for (const { file } of Object.values(compose.secrets)) writeFileSync(join(folder, file), "x");
    const config = () =>
      execFileSync("docker-compose", ["-f", "compose.yaml", "--profile", "redis", "config"], {
        cwd: folder,
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
        env: { PATH: process.env.PATH ?? "" },
      });
    const resolved = parse(config()) as Compose;
    expect(Object.keys(resolved.services).sort()).toEqual(["herdwise", "postgres", "proxy", "redis"]);
    expect(resolved.services.herdwise?.environment).toMatchObject({ PUBLIC_URL: "https://farm.example" });
    writeFileSync(join(folder, "compose.yaml"), text.replace("restart: unless-stopped", "restrat: always"));
    expect(config).toThrow(/restrat/);
    writeFileSync(join(folder, "compose.yaml"), text);
    writeFileSync(join(folder, ".env"), "");
    expect(config).toThrow(/HERDWISE_HOST/);
  });

  test("every setting is one, and secrets come from files alone", () => {
    const { environment = {} } = compose.services.herdwise ?? {};
    expect(Object.keys(environment).filter((name) => !settingNames.has(name))).toEqual([]);
    expect(Object.keys(environment).filter((name) => secretNames.has(name) && name !== "REDIS_URL")).toEqual([]);
    for (const [name, value] of Object.entries(environment).filter(
      ([name]) => secretNames.has(name.replace(/_FILE$/, "")) && name.endsWith("_FILE"),
    ))
      expect([name, compose.services.herdwise?.secrets]).toEqual([
        name,
        expect.arrayContaining([value.replace("/run/secrets/", "")]),
      ]);
    for (const { file } of Object.values(compose.secrets)) expect(file).toMatch(/^\.\/secrets\//);
  });

  test("what is opened to the outside is the proxy and the devices' ports; the database and HTTP are not", () => {
    const opened = Object.fromEntries(
      Object.entries(compose.services).map(([name, { ports = [] }]) => [
        name,
        ports.map((port) => port.split(":").at(-1)),
      ]),
    );
    expect(opened).toEqual({ proxy: ["80", "443", "443/udp"], herdwise: ["1883", "8883"], postgres: [], redis: [] });
  });

  test("data lie in volumes, services come back by themselves, mounted files exist", () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(":")[0] ?? ""),
    );
    const named = mounts.filter((mount) => !mount.startsWith("."));
    expect(named.sort()).toEqual(Object.keys(compose.volumes).sort());
    expect(
      mounts.filter(
        (mount) => mount.startsWith("./") && mount !== "./certificates" && !existsSync(join(root, "deploy", mount)),
      ),
    ).toEqual([]);
    expect(Object.values(compose.services).map(({ restart }) => restart)).toEqual(
      Array.from({ length: 4 }, () => "unless-stopped"),
    );
    // Major versions that the tests run on: another one would not open the volume.
    expect(compose.services.postgres?.image).toMatch(/^postgres:18-/);
  });

  test("every variable that it reads is explained in .env.example", () => {
    const read_ = new Set([...text.matchAll(/\$\{([A-Z_]+)/g)].map(([, name]) => name ?? ""));
    const example = read("deploy/.env.example");
    const optional = new Set(["HERDWISE_VERSION"]);
    expect([...read_].filter((name) => !optional.has(name) && !new RegExp(`^#?${name}=`, "m").test(example))).toEqual(
      [],
    );
  });
});

test.skipIf(!has("caddy", "version"))("Caddy reads its file", () => {
  const run = (file: string) =>
    execFileSync("caddy", ["adapt", "--adapter", "caddyfile", "--config", file], {
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
      env: { PATH: process.env.PATH ?? "", HERDWISE_HOST: "farm.example", HOME: tmpdir() },
    });
  expect(run(join(root, "deploy/Caddyfile"))).toContain('"dial":"herdwise:8080"');
  const folder = mkdtempSync(join(tmpdir(), "herdwise-caddy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  writeFileSync(join(folder, "Caddyfile"), read("deploy/Caddyfile").replace("reverse_proxy", "reverse_proxi"));
  expect(() => run(join(folder, "Caddyfile"))).toThrow();
});
