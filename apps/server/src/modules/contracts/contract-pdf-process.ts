// Writes files as they are asked for: a font of eight megabytes is taken apart for it, which must not hold the server's other work up.
import { answerWork } from "../../answer-work.ts";
import { type PaperInput, writeContractPdf } from "./contract-pdf.ts";

answerWork<PaperInput, { bytes: Uint8Array; pages: number }>(writeContractPdf);
