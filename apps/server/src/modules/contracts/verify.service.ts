import { leastHashDigits } from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { addressBucket } from "../../providers/address.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import type { SystemScope } from "../../tenant-scope.ts";
import type { DocumentRepository, FoundDocument } from "./document.repository.ts";
import { maskedParty } from "./present.ts";
import type { WordsService } from "./words.service.ts";

/** Questions from one address: a hash is not guessed, and an office that checks a folder gets through. */
const budgets = [{ max: 120, windowS: 3600 }] as const;
const digitsOfAll = 64;

const nothing = { number: "", version: 0, pages: 0, ended: false, signatures: [] };

/** Tells whoever holds a document, or the hash on its signature page, whether it was signed here. Of others it says nothing. */
export function createVerifyService({
  documents,
  words,
  store,
  everybody,
}: {
  documents: DocumentRepository;
  words: WordsService;
  store: Store;
  everybody: SystemScope;
}) {
  const intact = (held: FoundDocument): boolean => words.bytesOf(held) !== undefined;

  return {
    /** @throws {Refusal} 400 for what is no hash or too short a part of one, 429 when the address asked too often */
    async verify(text: string, remoteAddress: string) {
      const hash = text.replace(/\s/g, "").toLowerCase();
      if (!/^[0-9a-f]+$/.test(hash) || hash.length < leastHashDigits || hash.length > digitsOfAll)
        throw refuse("contract.hash", { field: "hash", values: { least: leastHashDigits } });
      if (!(await spend(store, `contract-verify:${addressBucket(remoteAddress)}`, budgets)))
        throw refuse("contract.verify_limit");
      const bytes = (fill: string) => Buffer.from(hash.padEnd(digitsOfAll, fill), "hex");
      const rows = await documents.byHash(everybody, bytes("0"), bytes("f"));
      const [held] = rows;
      // Two that begin so: nobody can say which one is meant.
      if (held === undefined || rows.length > 1) return { ...nothing, result: "unknown" as const, sha256: hash };
      const signatures = await documents.signatures(everybody, held.contractId, held.version);
      return {
        result: !intact(held) ? ("damaged" as const) : held.kind,
        sha256: held.sha256.toString("hex"),
        number: held.number,
        version: held.version,
        pages: held.pages,
        ended: held.state === "ended",
        signatures: signatures.map(({ side, signerEncrypted, signedTime }) => ({
          side,
          party: maskedParty(words.openSigner(signerEncrypted).party),
          signedTime,
        })),
      };
    },
  };
}
export type VerifyService = ReturnType<typeof createVerifyService>;
