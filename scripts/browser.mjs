// Finds a Chromium for the browser tests.
import { spawnSync } from "node:child_process";
import { accessSync, constants } from "node:fs";
import { delimiter, join } from "node:path";

// The shell is the same engine without windows, for half the work of its main process.
const names = ["chromium-headless-shell", "chromium", "chromium-browser", "google-chrome-stable", "google-chrome"];

function inPath() {
  for (const folder of (process.env.PATH ?? "").split(delimiter)) {
    for (const name of names) {
      const path = join(folder, name);
      try {
        accessSync(path, constants.X_OK);
        return path;
      } catch {
        // Not here.
      }
    }
  }
  return undefined;
}

/** Debian's Chromium, where this process may install packages. */
function fromApt() {
  if (process.platform !== "linux" || process.getuid?.() !== 0) return undefined;
  const apt = (args) =>
    spawnSync("apt-get", args, { stdio: "ignore", env: { ...process.env, DEBIAN_FRONTEND: "noninteractive" } });
  if (apt(["--version"]).status !== 0) return undefined;
  console.log("Installing Chromium for the browser tests ...");
  const install = ["install", "-y", "-qq", "--no-install-recommends", "chromium-headless-shell", "fonts-noto-cjk"];
  if (apt(install).status !== 0) {
    apt(["update", "-qq"]);
    apt(install);
  }
  return inPath();
}

/** The Chromium that an npm package carries, unpacked into the temporary folder. */
async function fromPackage() {
  if (process.platform !== "linux" || process.arch !== "x64") return undefined;
  try {
    const { default: chromium } = await import("@sparticuz/chromium");
    return { executablePath: await chromium.executablePath(), args: chromium.args };
  } catch {
    return undefined;
  }
}

const runs = ({ executablePath }) =>
  spawnSync(executablePath, ["--version"], { stdio: "ignore", timeout: 20_000 }).status === 0;

/** @returns {Promise<{executablePath: string, args: string[]} | undefined>} */
export async function findBrowser() {
  const named = (path) => path && { executablePath: path, args: [] };
  for (const find of [() => named(inPath()), () => named(fromApt()), fromPackage]) {
    const browser = await find();
    if (browser && runs(browser)) return browser;
  }
  return undefined;
}
