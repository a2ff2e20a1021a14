/** The tests that have to see a fault. */
export interface Tests {
  readonly files: readonly string[];
  /** Regular expression on the names of the tests; all of the files when it is left out. */
  readonly names?: string;
}

/** One change of a source: an exact text that occurs once in its file, and what stands there instead. */
interface Edit {
  readonly file: string;
  readonly find: string;
  readonly replace: string;
}

/** A fault to plant. Several edits are one fault where a defence has two walls. */
export interface Mutant {
  /** What it breaks and how, `<part>: <fault>`; unique. */
  readonly name: string;
  readonly edits: readonly Edit[];
  readonly tests: Tests;
}

/** Fault by its one place. */
export type Fault = readonly [name: string, find: string, replace: string, tests?: Tests];

/** Makes mutants of one file from a list. @param tests of those that name none themselves */
export const faultsIn = (file: string, tests: Tests, faults: readonly Fault[]): Mutant[] =>
  faults.map(([name, find, replace, own = tests]) => ({ name, edits: [{ file, find, replace }], tests: own }));

/** What is wrong with a list of mutants, given the sources; empty when all of them can be planted. */
export function mutantFaults(mutants: readonly Mutant[], read: (file: string) => string): string[] {
  const faults: string[] = [];
  const seen = new Set<string>();
  for (const { name, edits } of mutants) {
    if (seen.has(name)) faults.push(`${name}: the name is taken`);
    seen.add(name);
    for (const { file, find, replace } of edits) {
      const count = read(file).split(find).length - 1;
      if (count !== 1) faults.push(`${name}: ${file} has its text ${count} times`);
      if (find === replace) faults.push(`${name}: nothing is changed in ${file}`);
    }
  }
  return faults;
}
