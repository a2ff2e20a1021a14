/** A file that answers a call. */
export interface SentFile {
  /** Under which a browser saves it. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}
