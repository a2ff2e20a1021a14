interface AskedAhead {
  /** The access token that it was asked with. */
  readonly token: string;
  readonly answers: Partial<Record<string, Promise<Response>>>;
}

declare global {
  var askedAhead: AskedAhead | undefined;
}

/** Whether an answer was asked for in this session and nobody has taken it yet. */
export const isAskedAhead = (address: string, token: string | undefined): boolean =>
  globalThis.askedAhead?.token === token && globalThis.askedAhead?.answers[address] !== undefined;

/** The answer that was asked for ahead, for the first who asks, if it was asked in the same session. */
export function takeAhead(address: string, token: string | undefined): Promise<Response> | undefined {
  const ahead = globalThis.askedAhead;
  if (ahead === undefined || ahead.token !== token) return undefined;
  const answer = ahead.answers[address];
  delete ahead.answers[address];
  return answer;
}
