/** A span of time, with its name in the address. */
export interface Span {
  id: string;
  name: string;
  spanMs: number;
  /** When it ends; absent for one that ends now. */
  endMs?: number;
  /** Asked for less often: it stands in a list behind the others. */
  rare?: boolean;
}
