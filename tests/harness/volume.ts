import { inject } from "vitest";

declare module "vitest" {
  interface ProvidedContext {
    /** `long` in `npm run test:long`. */
    runLength: "short" | "long";
    /** Which parts a short run takes of what is too much for each run. */
    turn: number;
  }
}

/**
 * How much of the same a test tries: a share in each run, all of it in `npm run test:long`, which runs the files that call this.
 * What a test asserts does not depend on it.
 */
export const volume = <Value>({ short, long }: { short: Value; long: Value }): Value =>
  inject("runLength") === "long" ? long : short;

/**
 * Whether this run takes the item at a place of a long list: each run another part of the list, so that as many commits as there are
 * parts see all of it; `npm run test:long` takes every item. `npm test` prints the run's turn, which HERDWISE_TEST_TURN repeats.
 * @param parts in how many the list is taken
 */
export const isInTurn = (place: number, parts: number): boolean =>
  inject("runLength") === "long" || (place + inject("turn")) % parts === 0;

/** The items of a list that this run takes, see `isInTurn`. */
export const inTurn = <Item>(items: readonly Item[], parts: number): readonly Item[] =>
  items.filter((_, place) => isInTurn(place, parts));
