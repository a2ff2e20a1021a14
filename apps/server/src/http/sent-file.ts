/** A file that is sent while it is made. */
export interface Download {
  /** Under which a browser saves it. */
  readonly name: string;
  readonly contentType: string;
  /** Pieces of it; a failure among them breaks the transfer. */
  readonly content: AsyncGenerator<Buffer | string>;
}

/** A file that answers a call. */
export interface SentFile {
  /** Under which a browser saves it. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}
