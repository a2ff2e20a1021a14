/** Why the server cannot start, in words that say what to do: it is told without a stack. */
export class StartFault extends Error {
  override readonly name: string = "StartFault";
}
