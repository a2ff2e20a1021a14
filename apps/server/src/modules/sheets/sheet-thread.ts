// The thread that reads a sheet somebody sent. It holds nothing of the server: what a sheet does to it ends with it.

import { once } from "node:events";
import { readFileSync } from "node:fs";
import { parentPort, workerData } from "node:worker_threads";
import { SheetProblem } from "./sheet-limits.ts";
import { readXls } from "./xls-rows.ts";
import { readXlsx } from "./xlsx-rows.ts";

const port = parentPort;
if (port === null) throw new Error("this runs as a thread only");
const { path } = workerData as { path: string };

try {
  const bytes = readFileSync(path);
  const compoundFile = bytes.subarray(0, 8).toString("hex") === "d0cf11e0a1b11ae1";
  const archive = bytes.subarray(0, 4).toString("hex") === "504b0304";
  if (!compoundFile && !archive) throw new SheetProblem("unreadable");
  const reading = (compoundFile ? readXls : readXlsx)(bytes, async (rows) => {
    port.postMessage({ rows });
    const [goOn] = await once(port, "message");
    return goOn === true;
  });
  await reading;
  port.postMessage({ end: true });
} catch (error) {
  port.postMessage({ fault: error instanceof SheetProblem ? error.fault : "unreadable" });
}
port.close();
