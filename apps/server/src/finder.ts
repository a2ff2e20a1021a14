import type { Endpoint, FoundKind, FoundThing } from "@herdwise/contract";
import type { TenantScope } from "./tenant-scope.ts";

/** A thing as its own list has it. `key` is the row of the index that led to it. */
export type FoundRow = Omit<FoundThing, "within"> & {
  readonly key: string;
  /** Where it is not the farm, house or unit that the index knows. */
  readonly within?: readonly string[];
};

/**
 * Finds things of one kind. The index of names proposes keys, and `read` gives those of them that the reader's list has, so that
 * nothing is found that a list would not show.
 */
export interface Finder extends Pick<FoundKind, "kind" | "name" | "icon" | "states"> {
  /** Kind of the index that proposes its keys, where that is another. */
  readonly indexed?: string;
  /** Operations whose access and scope decide: whoever may not call both finds nothing. */
  readonly page: Endpoint;
  readonly detail: Endpoint;
  /** Only for the group's staff, or only for customers, where each has a list of its own. */
  readonly of?: "group" | "customers";
  /** Things by their keys, as the list reads them. */
  read(scope: TenantScope, keys: readonly string[]): Promise<readonly FoundRow[]>;
  /** Things by a part of their numbers, for lists that have an index of their own; the index of names has none of them. */
  search?(scope: TenantScope, word: string, limit: number): Promise<readonly FoundRow[]>;
  /** Letters that all its numbers begin with. */
  readonly letters?: string;
}

/** What is found of a row that has a title and a number, opened by its id. @param path of its own page */
export const numberedRow = (
  { id, title, number, state }: { id: string; title: string; number: string; state: string },
  path: string,
): Omit<FoundRow, "within"> => ({ key: id, id, name: title, code: number, state, opens: [`${path}?id=${id}`] });
