/**
 * What one connection, and all together, may have under way: their messages wait for the commit. Beyond it nothing more is
 * read from the socket, so that the sender waits and not the server's memory. A message counts with its payload and
 * `messageCost`, about what a small one costs once it is parsed; a request whose answer may be much larger than itself counts
 * with `answerCost`. Bytes.
 */
export const flowLimits = {
  connection: 2 * 1024 * 1024,
  all: 16 * 1024 * 1024,
  messageCost: 512,
  answerCost: 64 * 1024,
} as const;

/** A connection that reads nothing until there is room. */
interface Waiting {
  resume(): void;
}

/** What all connections of a broker have under way. */
export class Flow {
  private held = 0;
  private messages = 0;
  private stopped = false;
  private readonly waiting = new Set<Waiting>();
  private whenIdle: (() => void) | undefined;

  get isFull(): boolean {
    return this.stopped || this.held >= flowLimits.all;
  }

  /** Bytes that count as under way. */
  get heldBytes(): number {
    return this.held;
  }

  add(cost: number): void {
    this.held += cost;
    this.messages += 1;
  }

  remove(cost: number): void {
    this.held -= cost;
    this.messages -= 1;
    if (this.messages === 0) this.whenIdle?.();
    for (const connection of this.waiting) {
      if (this.isFull) return;
      this.waiting.delete(connection);
      connection.resume();
    }
  }

  wait(connection: Waiting): void {
    this.waiting.add(connection);
  }

  forget(connection: Waiting): void {
    this.waiting.delete(connection);
  }

  /** Nothing more is read. Resolves when nothing is under way any more, or after `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.stopped = true;
    if (this.messages === 0) return;
    await new Promise<void>((resolve) => {
      const limit = setTimeout(resolve, limitMs);
      this.whenIdle = () => {
        clearTimeout(limit);
        resolve();
      };
    });
  }
}
