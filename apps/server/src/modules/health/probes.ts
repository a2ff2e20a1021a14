import { X509Certificate } from "node:crypto";
import { constants } from "node:fs";
import { access, readFile, rm, stat, statfs, writeFile } from "node:fs/promises";
import { connect } from "node:net";
import { join } from "node:path";
import { checkServerIdentity, connect as connectTls } from "node:tls";
import type { CertificateFacts, HealthFacts, Tried } from "./facts.ts";

const limitMs = 2000;
const codeOf = (error: unknown): string =>
  (error as { code?: string }).code ?? (error as { cause?: { code?: string } }).cause?.code ?? (error as Error).message;

/** "" when the work is done, else why not; credentials in addresses are not repeated. */
export async function tried(work: Promise<unknown>): Promise<string> {
  try {
    await work;
    return "";
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    return (code ?? message ?? String(error)).replaceAll(/\/\/[^@/\s]*@/g, "//");
  }
}

/** Whether something takes connections at a port. */
export function listens(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ host: host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host, port, timeout: limitMs });
    const end = (there: boolean) => {
      socket.destroy();
      resolve(there);
    };
    socket.once("connect", () => end(true));
    socket.once("error", () => end(false));
    socket.once("timeout", () => end(false));
  });
}

/** Who answers at the port of the server: this program, something else, or nobody. */
export async function whoAnswers(host: string, port: number): Promise<"answers" | "stranger" | "silent"> {
  const at = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  try {
    const answer = await fetch(`http://${at.includes(":") ? `[${at}]` : at}:${port}/healthz`, {
      signal: AbortSignal.timeout(limitMs),
    });
    const body = (await answer.json()) as { status?: string };
    return body.status === "ok" ? "answers" : "stranger";
  } catch {
    return (await listens(host, port)) ? "stranger" : "silent";
  }
}

/** Whether a service answers at all, whatever it says; "" where it does. */
export const reach = (url: string): Promise<string> =>
  fetch(url, { method: "HEAD", redirect: "manual", signal: AbortSignal.timeout(limitMs) }).then(
    () => "",
    (error: unknown) => codeOf(error),
  );

/** The certificate that an address shows; undefined where it shows none. */
export function certificateOf(url: string): Promise<HealthFacts["publicCertificate"]> {
  const { protocol, hostname, port } = new URL(url);
  if (protocol !== "https:") return Promise.resolve(undefined);
  const host = hostname.replace(/^\[|\]$/g, "");
  return new Promise((resolve) => {
    const socket = connectTls({
      host,
      port: port === "" ? 443 : Number(port),
      ...(/^[\d.:]+$/.test(host) ? {} : { servername: host }),
      // What is wrong with it is what is asked for.
      rejectUnauthorized: false,
      timeout: limitMs,
    });
    const end = (facts: HealthFacts["publicCertificate"]) => {
      socket.destroy();
      resolve(facts);
    };
    socket.once("error", (error) => end({ unreachable: codeOf(error) }));
    socket.once("timeout", () => end({ unreachable: "ETIMEDOUT" }));
    socket.once("secureConnect", () => {
      const shown = socket.getPeerCertificate();
      const wrongHost = checkServerIdentity(host, shown);
      const fault = wrongHost !== undefined ? wrongHost.message : String(socket.authorizationError ?? "");
      end({ validToMs: Date.parse(shown.valid_to), fault: socket.authorized && wrongHost === undefined ? "" : fault });
    });
  });
}

/** The certificate in a file of the broker. */
export async function certificateIn(file: string): Promise<CertificateFacts> {
  try {
    const certificate = new X509Certificate(await readFile(file));
    return { validToMs: certificate.validToDate.getTime(), fault: "" };
  } catch (error) {
    return { validToMs: Number.POSITIVE_INFINITY, fault: `${file}: ${codeOf(error)}` };
  }
}

/** How much room there is; another one only in tests. */
export type Room = (path: string) => Promise<{ freeBytes: number; totalBytes: number }>;
export const roomOf: Room = async (path) => {
  const { bavail, blocks, bsize } = await statfs(path);
  return { freeBytes: bavail * bsize, totalBytes: blocks * bsize };
};

/** Whether the data folder is there and can be written. A folder that is missing is not made. */
export async function dataFolder(folder: string, room: Room): Promise<HealthFacts["dataDir"]> {
  const there = await stat(folder).catch((error: NodeJS.ErrnoException) => error.code ?? "");
  if (there === "ENOENT") return { exists: false, fault: "" };
  if (typeof there === "string") return { exists: false, fault: there };
  if (!there.isDirectory()) return { exists: true, fault: "ENOTDIR" };
  const probe = join(folder, `.doctor-${process.pid}`);
  const fault = await tried(
    access(folder, constants.R_OK | constants.W_OK | constants.X_OK)
      .then(() => writeFile(probe, ""))
      .finally(() => rm(probe, { force: true })),
  );
  const disk = await room(folder).catch(() => undefined);
  return { exists: true, fault, ...(disk && { disk }) };
}

/** Whether a file is there. */
export const isThere = async (path: string): Promise<boolean> =>
  (await stat(path).catch(() => undefined)) !== undefined;

/** For what is tried only where it is configured. */
export const ifSet = <Value>(value: Value | undefined, work: (value: Value) => Promise<string>): Promise<Tried> =>
  value === undefined ? Promise.resolve(undefined) : work(value);
