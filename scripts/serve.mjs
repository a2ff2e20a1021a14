// `npm run serve`: runs an installed and built portal for real use, without demo data. SIGTERM stops it cleanly.
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { compileCache, node, root, serverFlags, serverMemory } from "./prepare.mjs";

// Nothing is installed or built here: under a supervisor the program's own folder may be read-only.
const missing = [
  !existsSync(node) && "npm ci",
  !existsSync(join(root, "apps", "web", "build", "client")) && "npm run build",
].filter(Boolean);
if (missing.length > 0) {
  console.error(`Not ready to serve. Run first: ${missing.join(" && ")}`);
  process.exit(1);
}
const server = spawn(
  node,
  [...serverFlags, join(root, "apps", "server", "src", "cli", "serve.ts"), ...process.argv.slice(2)],
  {
    cwd: root,
    stdio: "inherit",
    env: { DEMO: "off", NODE_ENV: "production", ...serverMemory, ...compileCache, ...process.env },
  },
);
// A terminal sends Ctrl-C to the server, too; other senders reach only this process.
for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) {
  process.on(signal, () => {
    if (signal !== "SIGINT" || !process.stdin.isTTY) server.kill("SIGTERM");
  });
}
server.on("exit", (code, signal) => process.exit(code ?? (signal ? 1 : 0)));
