import { rejected } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { AgreementRepository } from "./agreement.repository.ts";

/** Versions of user agreement and privacy policy, and who consented to which when. */
export function createAgreementService(repository: AgreementRepository) {
  /** @throws {Refusal} 400 for an id that is no version in force */
  const requireCurrent = async (ids: readonly string[]): Promise<void> => {
    const known = new Set((await repository.current("zh")).map(({ id }) => id));
    if (ids.some((id) => !known.has(id))) throw rejected("agreements.unknown", "协议已更新，请重新阅读并同意");
  };
  return {
    current: (lang: "zh" | "en" = "zh") => repository.current(lang),
    pending: (session: Session, lang: "zh" | "en" = "zh") => repository.pending(session.accountId, lang),
    requireCurrent,
    async consent(session: Session, ids: readonly string[], remoteAddress: string): Promise<void> {
      await requireCurrent(ids);
      await repository.insertConsents(session.accountId, ids, remoteAddress);
    },
  };
}
export type AgreementService = ReturnType<typeof createAgreementService>;
