/** One open stream of server-sent events, as services see it. */
export interface EventStream {
  /**
   * Sends one event.
   * @param payload not to be changed afterwards: what is sent to many is written out once
   * @returns what to wait for while the socket is full, so that a slow reader slows its own stream only
   */
  send(event: string, payload: object): Promise<void> | undefined;
  /** Ends the stream from this side. */
  end(): void;
  /** Aborted when the reader leaves, `end` is called, or the server stops. */
  signal: AbortSignal;
}
