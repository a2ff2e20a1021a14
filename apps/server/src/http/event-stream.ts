/** One open stream of server-sent events, as services see it. */
export interface EventStream {
  /**
   * Sends one event; resolves when the socket took it, so that a slow reader slows its own stream only.
   * @param payload not to be changed afterwards: what is sent to many is written out once
   */
  send(event: string, payload: object): Promise<void>;
  /** Ends the stream from this side. */
  end(): void;
  /** Aborted when the reader leaves, `end` is called, or the server stops. */
  signal: AbortSignal;
}
