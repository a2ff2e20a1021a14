/** What a process of `createWorkProcess` says to each piece of work. */
export type Said<Answer> = { answer: Answer } | { problem: string };

/** In the process of `createWorkProcess`: answers each piece of work, until its server is gone. */
export function answerWork<Input, Answer>(answerTo: (input: Input) => Promise<Answer>): void {
  // Ctrl-C reaches every process of the terminal; this one ends with its server, which may wait for what is being made.
  process.on("SIGINT", () => undefined);
  process.on("disconnect", () => process.exit());
  process.on("message", (input: Input) => {
    answerTo(input).then(
      (answer) => process.send?.({ answer } satisfies Said<Answer>),
      (error: unknown) => process.send?.({ problem: String(error) } satisfies Said<Answer>),
    );
  });
}
