// `npm start`: installs, builds, and runs the server with demo data. Ctrl-C stops it cleanly. Words after `--` go to the server.
import { spawn } from "node:child_process";
import { join } from "node:path";
import { build, compileCache, install, node, root, serverFlags, serverMemory } from "./prepare.mjs";

install();
build();
const server = spawn(
  node,
  [
    ...serverFlags,
    join(root, "apps", "server", "src", "main.ts"),
    ...process.argv.slice(2).filter((word) => word !== "--dev"),
  ],
  {
    cwd: root,
    stdio: "inherit",
    env: { DEMO: "on", LOG_LEVEL: "warn", NODE_ENV: "production", ...serverMemory, ...compileCache, ...process.env },
  },
);
// A terminal sends Ctrl-C to the server, too; other senders reach only this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) server.kill("SIGTERM");
  });
}
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
