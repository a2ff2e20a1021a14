// node apps/mall-sandbox/src/main.ts --portal http://127.0.0.1:8080 --port 0; the secret is the first line of standard input.
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";
import { createSandbox } from "./sandbox.ts";

const { values } = parseArgs({
  options: {
    portal: { type: "string" },
    port: { type: "string", default: "0" },
    host: { type: "string", default: "0.0.0.0" },
  },
});
if (values.portal === undefined) {
  console.error("Name the portal: --portal http://127.0.0.1:8080");
  process.exit(1);
}
// Not an argument: those are readable by everybody on the machine.
const lines = createInterface({ input: process.stdin });
const secret = await new Promise<string>((resolve) => lines.once("line", resolve));
const server = createSandbox({ portal: values.portal, secret });
const stop = () => {
  lines.close();
  server.close();
  server.closeAllConnections();
};
// Whoever started this holds the other end: when it is gone, however it went, nobody needs the sandbox.
lines.once("close", stop);
server.listen(Number(values.port), values.host, () => {
  const address = server.address();
  console.log(`port ${typeof address === "object" && address !== null ? address.port : ""}`);
});
for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, stop);
