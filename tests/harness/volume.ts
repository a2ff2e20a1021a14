import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** `long` in `npm run test:long`. */
    runLength: "short" | "long";
  }
}

/**
 * How much of the same a test tries: a share in each run, all of it in `npm run test:long`, which runs the files that call this.
 * What a test asserts does not depend on it.
 */
export const volume = <Value>({ short, long }: { short: Value; long: Value }): Value =>
  inject("runLength") === "long" ? long : short;
