import type { LiveEvent } from "@herdwise/contract";

/** An open live stream. */
export interface LiveReader {
  readonly events: LiveEvent[];
  /** Resolves when the server ended it. */
  readonly ended: Promise<void>;
  isOpen(): boolean;
  close(): void;
}

/** Opens a live stream as a page does, and waits until the server serves it. */
export async function openLive(
  base: string,
  authorization: Record<string, string>,
  ids: string[],
): Promise<LiveReader> {
  const gone = new AbortController();
  const answer = await fetch(`${base}/api/muyuan-iot/live?ids=${ids.join(",")}`, {
    headers: { ...authorization, accept: "text/event-stream" },
    signal: gone.signal,
  });
  if (answer.status !== 200 || answer.body === null) throw new Error(`the stream was answered ${answer.status}`);
  const events: LiveEvent[] = [];
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  // The comment that the server begins with.
  let rest = (await reader.read()).value ?? "";
  let isOpen = true;
  const take = () => {
    const parts = rest.split("\n\n");
    rest = parts.pop() ?? "";
    for (const part of parts) {
      const line = part.split("\n").find((text) => text.startsWith("data: "));
      if (line !== undefined) events.push(JSON.parse(line.slice(6)) as LiveEvent);
    }
  };
  const ended = (async () => {
    try {
      for (;;) {
        take();
        const { done, value } = await reader.read();
        if (done) return;
        rest += value;
      }
    } finally {
      isOpen = false;
    }
  })();
  ended.catch(() => undefined);
  return { events, ended, isOpen: () => isOpen, close: () => gone.abort() };
}
