// The ceiling of bench/pages-of-lists.ts: a bare Fastify handler that answers 20 made-up rows with their count, without a database. In a
// process of its own, as the server is. Tells its parent its port.
import Fastify from "fastify";

const records = Array.from({ length: 20 }, (_, at) => ({
  id: String(2_126_256_251_227_251_000 + at),
  name: `3 单元环控器 ${at}`,
  serialNumber: `ENV-ZJY-${String(at).padStart(2, "0")}`,
  status: "online",
  farmName: "中原牧业张寨一场",
  reportAt: "2026-11-27 10:00:00",
  createTime: "2026-11-01 08:30:00",
  total: at * 31,
}));
const app = Fastify();
app.get("/list", async () => ({
  code: 200,
  success: true,
  data: { records, total: 157, size: 20, current: 1, pages: 8 },
  msg: "",
}));
await app.listen({ host: "127.0.0.1", port: 0 });
process.send?.((app.server.address() as { port: number }).port);
