import { type AuditLookUps, auditSentence } from "@herdwise/contract/audit-sentence";
import { englishOf } from "../../ui-texts.ts";
import type { TellEntries } from "../audit/index.ts";
import type { AuditNameRepository } from "./audit-name.repository.ts";
import { deviceWords } from "./device-words.ts";

/** Puts entries into words; names that they refer to are read together. */
export function createSentences(names: AuditNameRepository): TellEntries {
  const lookUps = (nameOf: AuditLookUps["nameOf"]): AuditLookUps => ({
    english: englishOf,
    nameOf,
    device: deviceWords,
  });
  return async (scope, rows) => {
    const asked = new Map<string, Set<string>>();
    // Told once without names, so that it is known which ones are needed.
    const noting = lookUps((of, id) => {
      const ids = asked.get(of) ?? new Set();
      asked.set(of, ids.add(id));
      return undefined;
    });
    for (const row of rows) auditSentence(row, noting);
    const found = new Map(
      await Promise.all(
        [...asked].map(async ([of, ids]): Promise<[string, ReadonlyMap<string, string>]> => {
          const named = await names.names(scope, of, [...ids]);
          return [of, new Map(named.map(({ id, name }) => [id, name]))];
        }),
      ),
    );
    const look = lookUps((of, id) => found.get(of)?.get(id));
    return rows.map((row) => ({ ...row, ...auditSentence(row, look) }));
  };
}
