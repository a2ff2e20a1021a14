import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { diskStorage, type FileStorage, s3Storage } from "./storage.ts";

let folder: string;
let service: Server;
/** What the service holds, by path, with the type that was sent along. */
const held = new Map<string, { body: Buffer; type: string }>();
const signed: string[] = [];

/** As much of S3 as is used: put, get and delete of an object by its path. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "herdwise-storage-"));
  service = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const path = (request.url ?? "").split("?")[0] ?? "";
    signed.push(request.headers.authorization ?? "");
    if (request.method === "PUT") {
      held.set(path, { body: Buffer.concat(parts), type: request.headers["content-type"] ?? "" });
      return response.end();
    }
    if (request.method === "DELETE") {
      held.delete(path);
      return response.writeHead(204).end();
    }
    const object = held.get(path);
    if (object === undefined) return response.writeHead(404).end("<Error><Code>NoSuchKey</Code></Error>");
    return response.writeHead(200, { "Content-Type": object.type }).end(object.body);
  });
  await new Promise<void>((resolve) => service.listen(0, "127.0.0.1", resolve));
});
afterAll(async () => {
  service.close();
  await rm(folder, { recursive: true });
});

const name = "upload/20260101/00000000-0000-4000-8000-000000000000.png";
const onS3 = () =>
  s3Storage({
    bucket: "herd",
    endpoint: `http://127.0.0.1:${(service.address() as AddressInfo).port}`,
    region: "cn-north-1",
    keyId: "the key",
    keySecret: "the secret",
  });

describe.each<[string, () => Promise<FileStorage>]>([
  ["disk", () => diskStorage(join(folder, "files"))],
  ["S3", onS3],
])("%s", (_what, open) => {
  test("gives back what was stored, until it is removed; removing what is not there is no error", async () => {
    const storage = await open();
    const source = join(folder, "source");
    const bytes = Buffer.from(Array.from({ length: 300_000 }, (_, index) => index % 251));
    await writeFile(source, bytes);
    await storage.put(name, source, "image/png");
    const parts: Buffer[] = [];
    for await (const part of await storage.read(name)) parts.push(part as Buffer);
    expect(Buffer.concat(parts).equals(bytes)).toBe(true);
    await storage.remove(name);
    await expect(
      storage.read(name).then(async (content) => {
        for await (const _part of content);
      }),
    ).rejects.toThrow();
    await storage.remove(name);
  });
});

test("on disk a file lies below the folder under its name", async () => {
  const source = join(folder, "source");
  await writeFile(source, "x");
  await (await diskStorage(join(folder, "files"))).put(name, source, "image/png");
  expect(await readFile(join(folder, "files", name), "utf8")).toBe("x");
});

test("at S3 it lies in the bucket with its type, and calls are signed for the region", async () => {
  const source = join(folder, "source");
  await writeFile(source, "x");
  await (await onS3()).put(name, source, "image/png");
  expect(held.get(`/herd/${name}`)).toEqual({ body: Buffer.from("x"), type: "image/png" });
  expect(signed.at(-1)).toMatch(/^AWS4-HMAC-SHA256 Credential=the key\/\d{8}\/cn-north-1\/s3\/aws4_request/);
});
