import { refuse } from "../../http/errors.ts";
import type { AccountScope } from "../../tenant-scope.ts";
import type { AgreementRepository } from "./agreement.repository.ts";

/** Versions of user agreement and privacy policy, and who consented to which when. */
export function createAgreementService(repository: AgreementRepository) {
  /** @throws {Refusal} 400 for an id that is no version in force */
  const requireCurrent = async (ids: readonly string[]): Promise<void> => {
    const known = new Set((await repository.current("zh")).map(({ id }) => id));
    if (ids.some((id) => !known.has(id))) throw refuse("agreements.unknown");
  };
  return {
    current: (lang: "zh" | "en" = "zh") => repository.current(lang),
    pending: (owner: AccountScope, lang: "zh" | "en" = "zh") => repository.pending(owner, lang),
    requireCurrent,
    async consent(owner: AccountScope, ids: readonly string[], remoteAddress: string): Promise<void> {
      await requireCurrent(ids);
      await repository.insertConsents(owner, ids, remoteAddress);
    },
  };
}
export type AgreementService = ReturnType<typeof createAgreementService>;
