/** An open stream of server-sent events, as services use it. */
export interface EventStream {
  /**
   * Sends one event.
   * @param payload must not be changed afterwards, because it is serialized once for all readers
   * @returns a promise to wait for while the socket is full, so that a slow reader slows only its own stream
   */
  send(event: string, payload: object): Promise<void> | undefined;
  /** Ends the stream from this side. */
  end(): void;
  /** Aborted when the client disconnects, `end` is called, or the server stops. */
  signal: AbortSignal;
}
