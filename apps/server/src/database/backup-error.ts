/** A backup can't be taken or used; the message says why, and what to do. */
export class BackupError extends Error {
  override readonly name = "BackupError";
}
