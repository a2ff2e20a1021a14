// For work-process.test.ts.
import { answerWork } from "./answer-work.ts";

answerWork<string, number>(async (what) => {
  if (what === "fail") throw new Error("as it was told");
  if (what === "end") process.exit(1);
  if (what === "hang") for (;;);
  if (what === "fill") {
    const kept: string[][] = [];
    for (;;) kept.push(Array.from({ length: 10_000 }, (_, at) => `${kept.length} ${at}`));
  }
  return process.pid;
});
