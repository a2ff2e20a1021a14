import { execFile } from "node:child_process";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, onTestFinished, test } from "vitest";

const script = fileURLToPath(new URL("../scripts/wait-ready.mjs", import.meta.url));

/** A server whose /readyz gives these statuses in turn, the last one from then on. */
async function serve(statuses: number[]): Promise<{ port: number; asked: string[] }> {
  const asked: string[] = [];
  const server = createServer((request, answer) => {
    answer.statusCode = statuses[Math.min(asked.length, statuses.length - 1)] ?? 500;
    asked.push(request.url ?? "");
    answer.end("the database is being prepared");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { port: (server.address() as AddressInfo).port, asked };
}
const wait = (port: number, seconds: string) =>
  promisify(execFile)(process.execPath, [script, seconds], { env: { PORT: String(port) } });

test("a start is over when /readyz answers 200, and not before", async () => {
  const { port, asked } = await serve([503, 503, 200]);
  await wait(port, "60");
  expect(asked).toEqual(["/readyz", "/readyz", "/readyz"]);
});

test("one that never gets ready is told with its reason", async () => {
  const { port } = await serve([503]);
  await expect(wait(port, "0.5")).rejects.toThrow(/not ready after 0.5 s: 503 the database is being prepared/);
});
