// Writes files as they are asked for: a font of eight megabytes is taken apart for it, which must not hold the server's other work up.
import { parentPort } from "node:worker_threads";
import { type PaperInput, writeContractPdf } from "./contract-pdf.ts";

parentPort?.on("message", (input: PaperInput) => {
  writeContractPdf(input).then(
    ({ bytes, pages }) => parentPort?.postMessage({ answer: { bytes: new Uint8Array(bytes), pages } }),
    (error: unknown) => parentPort?.postMessage({ problem: String(error) }),
  );
});
