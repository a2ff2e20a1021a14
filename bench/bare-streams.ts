// The least that a server can do which hands messages of devices to live streams: lines that arrive on one port go to all who follow the
// device by HTTP on the other, read once as JSON and written once. No log-in, no database, no rights: the ceiling of bench/live.ts.
import { once } from "node:events";
import { createServer as createHttp, type ServerResponse } from "node:http";
import { type AddressInfo, createServer } from "node:net";

const followed = new Map<string, Set<ServerResponse>>();

const lines = createServer((socket) => {
  socket.setEncoding("latin1");
  socket.on("error", () => undefined);
  let rest = "";
  socket.on("data", (chunk: string) => {
    const parts = (rest + chunk).split("\n");
    rest = parts.pop() ?? "";
    for (const line of parts) {
      const space = line.indexOf(" ");
      const id = line.slice(0, space);
      const { values } = JSON.parse(line.slice(space + 1)) as { values: Record<string, unknown> };
      const event = `event: telemetry\ndata: ${JSON.stringify({ type: "telemetry", id, readings: values })}\n\n`;
      for (const reader of followed.get(id) ?? []) reader.write(event);
    }
  });
});
const http = createHttp((request, response) => {
  const ids = new URL(request.url ?? "", "http://localhost").searchParams.get("ids")?.split(",") ?? [];
  response.writeHead(200, { "Content-Type": "text/event-stream" });
  response.write(": open\n\n");
  for (const id of ids) followed.set(id, (followed.get(id) ?? new Set()).add(response));
  response.once("close", () => {
    for (const id of ids) followed.get(id)?.delete(response);
  });
});
const portOf = async (server: typeof lines | typeof http): Promise<number> => {
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  return (server.address() as AddressInfo).port;
};
process.send?.([await portOf(lines), await portOf(http)]);
process.once("disconnect", () => process.exit());
