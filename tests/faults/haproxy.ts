import { type ChildProcess, execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { freePort } from "../../apps/server/src/free-port.ts";

const shipped = fileURLToPath(new URL("../../deploy/haproxy.cfg", import.meta.url));
const certificates = "/etc/haproxy/certificates/";

/** Whether HAProxy is installed; its tests are skipped without it. */
export const haproxyIsThere = ((): boolean => {
  try {
    execFileSync("haproxy", ["-v"], { stdio: "ignore" });
    return true;
  } catch {
    return false;
  }
})();

/** Ports of a server that HAProxy sends to. */
export interface Target {
  readonly httpPort: number;
  readonly mqttPort: number;
}

/** A running HAProxy with the configuration that is shipped. */
export interface Haproxy {
  readonly httpsPort: number;
  readonly mqttPort: number;
  /** What it thinks of the servers of HTTP, in order: UP, DOWN, or on the way to one of them. */
  states(): Promise<string[]>;
  /** Requests that it tried again, and those that it gave to another server. */
  counts(): Promise<{ retries: number; redispatches: number }>;
  close(): Promise<void>;
}

/** The shipped configuration with the ports, folders and addresses of a test. Throws where a line that it changes is not there. */
function configured(text: string, folder: string, ports: Record<string, number>, targets: readonly Target[]): string {
  const changes: [string | RegExp, string][] = [
    ["    user haproxy\n    group haproxy\n", ""],
    ["maxconn 20000\n", "maxconn 1000\n"],
    ["/run/haproxy/admin.sock mode 660", `${folder}/admin.sock mode 600`],
    ["bind :80\n", `bind 127.0.0.1:${ports.http}\n`],
    ["bind :443 ", `bind 127.0.0.1:${ports.https} `],
    ["bind :1883\n", `bind 127.0.0.1:${ports.mqtt}\n`],
    ["bind :8883 ", `bind 127.0.0.1:${ports.mqttTls} `],
    [certificates, `${folder}/certificates/`],
    [certificates, `${folder}/certificates/`],
    ...targets.flatMap(({ httpPort, mqttPort }, at): [string, string][] => [
      [`10.0.0.1${at + 1}:8080 check\n`, `127.0.0.1:${httpPort} check\n`],
      [`10.0.0.1${at + 1}:1883 check port 8080\n`, `127.0.0.1:${mqttPort} check port ${httpPort}\n`],
    ]),
  ];
  return changes.reduce((whole, [from, to]) => {
    if (!whole.includes(String(from))) throw new Error(`deploy/haproxy.cfg has no "${from}"`);
    return whole.replace(from, () => to);
  }, text);
}

/** Starts HAProxy before three servers, with a certificate of its own. */
export async function startHaproxy(targets: readonly Target[]): Promise<Haproxy> {
  const folder = await mkdtemp(join(tmpdir(), "herdwise-haproxy-"));
  await mkdir(join(folder, "certificates"));
  const [key, certificate] = [join(folder, "key.pem"), join(folder, "certificate.pem")];
  const request = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", "-subj", "/CN=localhost", "-days", "30"];
  execFileSync("openssl", [...request, "-keyout", key, "-out", certificate], { stdio: "ignore" });
  await writeFile(
    join(folder, "certificates", "all.pem"),
    `${await readFile(certificate, "utf8")}${await readFile(key, "utf8")}`,
  );
  const ports = { http: await freePort(), https: await freePort(), mqtt: await freePort(), mqttTls: await freePort() };
  const file = join(folder, "haproxy.cfg");
  await writeFile(file, configured(await readFile(shipped, "utf8"), folder, ports, targets));
  const child: ChildProcess = spawn("haproxy", ["-db", "-f", file], { stdio: ["ignore", "pipe", "pipe"] });
  let output = "";
  for (const stream of [child.stdout, child.stderr])
    stream?.on("data", (chunk: Buffer) => {
      output += chunk.toString();
    });
  const ask = async (command: string): Promise<string> => {
    const socket = connect(join(folder, "admin.sock"));
    let answer = "";
    socket.on("data", (chunk: Buffer) => {
      answer += chunk.toString();
    });
    socket.end(`${command}\n`);
    await once(socket, "close");
    return answer;
  };
  const rows = async (): Promise<Record<string, string>[]> => {
    const [head = "", ...lines] = (await ask("show stat")).trim().split("\n");
    const names = head.replace(/^# /, "").split(",");
    return lines.map((line) => Object.fromEntries(line.split(",").map((value, at) => [names[at] ?? "", value])));
  };
  for (;;) {
    if (child.exitCode !== null) throw new Error(`HAProxy ended:\n${output}`);
    try {
      await rows();
      break;
    } catch {
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
  return {
    httpsPort: ports.https,
    mqttPort: ports.mqtt,
    states: async () =>
      (await rows())
        .filter(({ pxname, svname }) => pxname === "herdwise" && svname?.startsWith("server"))
        .map(({ status = "" }) => status),
    async counts() {
      const backend = (await rows()).find(({ pxname, svname }) => pxname === "herdwise" && svname === "BACKEND");
      return { retries: Number(backend?.wretr), redispatches: Number(backend?.wredis) };
    },
    async close() {
      child.kill("SIGTERM");
      if (child.exitCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
