import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { describe, expect, onTestFinished, test } from "vitest";
import { settingNames } from "../apps/server/src/setting-names.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const read = (path: string): string => readFileSync(join(root, path), "utf8");
const has = (command: string): boolean => {
  try {
    execFileSync("which", [command], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
};
const scratch = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "herdwise-deploy-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  return folder;
};

describe.skipIf(!has("haproxy") || !has("openssl"))("HAProxy", () => {
  const check = (text: string) => {
    const folder = scratch();
    mkdirSync(join(folder, "certificates"));
    const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "1"];
    const pem = (name: string) => join(folder, name);
    execFileSync("openssl", [...request, "-keyout", pem("key"), "-out", pem("certificate")], { stdio: "ignore" });
    writeFileSync(
      join(folder, "certificates", "all.pem"),
      readFileSync(pem("certificate"), "utf8") + readFileSync(pem("key"), "utf8"),
    );
    const file = join(folder, "haproxy.cfg");
    writeFileSync(
      file,
      text
        .replaceAll("/etc/haproxy/certificates/", `${folder}/certificates/`)
        .replace("    user haproxy\n    group haproxy\n", ""),
    );
    return execFileSync("haproxy", ["-c", "-f", file], { encoding: "utf8", stdio: ["ignore", "pipe", "pipe"] });
  };
  const whole = `${read("deploy/haproxy.cfg")}\n${read("deploy/haproxy-postgresql.cfg")}`;

  test("it takes both files as one, without a warning", () => {
    expect(check(whole)).toMatch(/^Configuration file is valid\s*$/);
    expect(() => check(whole.replace("retry-on conn-failure", "retry-on conn-failures"))).toThrow();
  });
});

test("what HAProxy asks a database is a start of the protocol and the question whether it restores", () => {
  const sent = [...read("deploy/haproxy-postgresql.cfg").matchAll(/send-binary (\w+)/g)].map(([, hex]) =>
    Buffer.from(hex ?? "", "hex"),
  );
  const [start, query] = sent;
  expect(start?.readUInt32BE(0)).toBe(start?.length);
  expect(start?.subarray(8).toString()).toBe("user\0haproxy_check\0database\0postgres\0\0");
  expect(query?.readUInt32BE(1)).toBe((query?.length ?? 0) - 1);
  expect(query?.subarray(5).toString()).toBe("select pg_is_in_recovery()\0");
});

describe("units of systemd", () => {
  const linesOf = (path: string) =>
    read(path)
      .split("\n")
      .filter((line) => /^[A-Z]\w+=/.test(line));
  const one = linesOf("deploy/herdwise.service");
  const several = linesOf("deploy/herdwise@.service");

  test("the one for several servers closes off what the one for a single server does", () => {
    const closing = one.slice(one.indexOf("NoNewPrivileges=yes"), one.indexOf("WantedBy=multi-user.target"));
    expect(closing.length).toBeGreaterThan(15);
    expect(closing.filter((line) => !several.includes(line))).toEqual([]);
  });

  test("each server has folders of its own, and time to stop: its delay, ten seconds, and some", () => {
    const own = several.filter(
      (line) => /Directory=|DATA_DIR|TMPDIR|COMPILE_CACHE/.test(line) && !line.startsWith("WorkingDirectory"),
    );
    expect(own.filter((line) => !line.includes("-%i"))).toEqual([]);
    const number = (pattern: RegExp) => Number(pattern.exec(several.join("\n"))?.[1]);
    expect(number(/^TimeoutStopSec=(\d+)/m)).toBeGreaterThan(number(/STOP_DELAY_SECONDS=(\d+)/) + 10);
    const settings = several.flatMap((line) => /^Environment=([A-Z_]+)=/.exec(line)?.[1] ?? []);
    expect(
      settings.filter((name) => !settingNames.has(name) && !["TMPDIR", "NODE_COMPILE_CACHE"].includes(name)),
    ).toEqual([]);
  });

  test.skipIf(!has("systemd-analyze"))("systemd reads both", () => {
    const folder = scratch();
    const verify = (name: string, text: string) => {
      // The program is not installed here.
      const file = join(folder, name);
      writeFileSync(
        file,
        text
          .replaceAll("/opt/herdwise/node_modules/node/bin/node", process.execPath)
          .replace(/^User=.*\nGroup=.*\n/m, ""),
      );
      return execFileSync("systemd-analyze", ["verify", "--man=no", file], {
        encoding: "utf8",
        stdio: ["ignore", "pipe", "pipe"],
      });
    };
    for (const [name, path] of [
      ["herdwise.service", "deploy/herdwise.service"],
      ["herdwise@1.service", "deploy/herdwise@.service"],
    ] as const)
      expect(verify(name, read(path))).toBe("");
    expect(() =>
      verify("herdwise@2.service", read("deploy/herdwise@.service").replace("ExecStart=/", "ExecStart=nowhere")),
    ).toThrow();
  });
});
