import { preferenceLimits } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { AccountScope } from "../../tenant-scope.ts";
import type { PreferenceRepository } from "./preference.repository.ts";

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
};

/** What a person chose for screens. Everything is limited to one account. */
export function createPreferenceService(repository: PreferenceRepository) {
  return {
    list: (owner: AccountScope) => repository.list(owner),

    /** @param value JSON; "" removes the key */
    async submit(owner: AccountScope, key: string, value: string): Promise<void> {
      if (value === "") return repository.remove(owner, key);
      if (!isJson(value) || value.includes("\0")) throw refuse("preferences.not_json");
      if (Buffer.byteLength(value) > preferenceLimits.valueBytes) throw refuse("preferences.too_large");
      if (!(await repository.put(owner, key, value, preferenceLimits.keys))) throw refuse("preferences.too_many");
    },
  };
}
export type PreferenceService = ReturnType<typeof createPreferenceService>;
