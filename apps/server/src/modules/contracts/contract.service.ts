import { writeFile } from "node:fs/promises";
import {
  type BodyOf,
  type ContractEvent,
  type contractCode,
  contractEventsFor,
  type contractHistory,
  type contractPage,
  type contractReject,
  type contractSign,
  plainText,
  type QueryOf,
  smsLimits,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import { writePersonal } from "../../http/personal.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { Store } from "../../providers/store.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";
import type { FileService } from "../files/index.ts";
import type { VerificationService } from "../verification/index.ts";
import type { ContractRepository, ContractRow } from "./contract.repository.ts";
import { answerOf, type ContractParts, type ContractProcess, type ContractStep } from "./contract-process.ts";
import type { DocumentRepository } from "./document.repository.ts";
import { contractOf, happeningOf } from "./present.ts";
import type { TermRepository } from "./term.repository.ts";
import { sha256Of, type WordsService } from "./words.service.ts";
import type { WritePaper } from "./write-paper.ts";

export interface ContractDependencies {
  process: ContractProcess;
  contracts: ContractRepository;
  documents: DocumentRepository;
  terms: TermRepository;
  inOne: <T>(work: (parts: ContractParts) => Promise<T>) => Promise<T>;
  words: WordsService;
  writePaper: WritePaper;
  cipher: PersonalCipher;
  files: Pick<FileService, "make" | "withDraft">;
  verification: Pick<VerificationService, "send" | "prove">;
  store: Store;
  /** Whether the customer's authentication is in force. */
  isProven: (scope: MemberScope) => Promise<boolean>;
  /** Name of the group as a party. */
  groupName: () => Promise<string>;
  /** Finds what a hash means, whosever it is. */
  everybody: SystemScope;
  publicUrl: string;
  nextId: () => string;
  now: () => number;
}

/** Who acts for a customer. */
export interface Customer {
  scope: TenantScope;
  maySign: boolean;
}

/** How long a copy of a document can be fetched, s. */
const copyLifetimeS = 600;

/** A contract as both sides see it. */
export async function detailOf(
  row: ContractRow,
  scope: TenantScope,
  { documents, terms, words, groupName }: Pick<ContractDependencies, "documents" | "terms" | "words" | "groupName">,
  { sentOnly }: { sentOnly: boolean },
) {
  const [versions, termUse, signatures, signed, group] = await Promise.all([
    documents.versions(scope, row.id, sentOnly),
    terms.ofContract(scope, row.id),
    documents.signatures(scope, row.id, row.version),
    documents.document(scope, row.id, row.version, "signed"),
    groupName(),
  ]);
  // A draft that goes on from what was sent is the desk's own until it is sent.
  const current = versions.findLast(({ version }) => version <= row.version);
  if (current === undefined) throw refuse("contract.not_found");
  return {
    ...contractOf(row),
    group,
    reason: row.reason,
    words: words.wordsView(current),
    versions: versions.map(({ version, writtenBy, createTime, sentTime, reason }) => ({
      version,
      writtenBy,
      createTime,
      sentTime,
      reason,
    })),
    signatures: signatures.map((signature) => words.signatureView(signature)),
    signedSha256: signed?.sha256.toString("hex") ?? "",
    termUse,
    damaged: signed !== undefined && words.bytesOf(signed) === undefined,
  };
}

/** The customers' side: reading, signing, sending back. */
export function createContractService(dependencies: ContractDependencies) {
  const { process, contracts, documents, inOne, words, writePaper, cipher, files, verification, store } = dependencies;
  const { isProven, groupName, publicUrl, nextId, now } = dependencies;
  const codeKey = (codeId: string) => `contract-code:${codeId}`;
  const boundTo = (scope: TenantScope, id: string, version: number) => `${scope.accountId} ${id} ${version}`;

  const found = async (scope: TenantScope, id: string): Promise<ContractRow> => {
    const row = await contracts.findSent(scope, id);
    if (row === undefined) throw refuse("contract.not_found");
    return row;
  };

  const step = async (
    by: TenantScope,
    { id, version }: { id: string; version: number },
    event: ContractEvent,
    take: (row: ContractRow, parts: ContractParts) => Promise<{ change: ContractStep }>,
  ) =>
    answerOf(
      await inOne((parts) =>
        process.act(parts, { by, party: "signer", row: id, version, event, take: (row) => take(row, parts) }),
      ),
    );

  const phoneOf = async (scope: TenantScope) => {
    const signer = await documents.signer(scope);
    const phone = signer === undefined || signer.phoneEncrypted === "" ? "" : cipher.decrypt(signer.phoneEncrypted);
    return { account: signer?.account ?? "", name: signer?.name ?? "", phone };
  };

  return {
    async page({ scope }: Customer, query: QueryOf<typeof contractPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await contracts.page(
        scope,
        { list: query.list ?? "all", keyword: query.keyword?.trim() },
        request,
      );
      return pageOfRows(rows.map(contractOf), total, request);
    },

    async detail({ scope, maySign }: Customer, id: string) {
      const row = await found(scope, id);
      const [{ phone }, proven, detail] = await Promise.all([
        phoneOf(scope),
        isProven(scope),
        detailOf(row, scope, dependencies, { sentOnly: true }),
      ]);
      return {
        ...detail,
        may: contractEventsFor(row.state, maySign ? "signer" : "reader"),
        needs: { proven, right: maySign, phoneBound: phone !== "" },
        signerPhone: phone,
      };
    },

    async version(scope: TenantScope, id: string, version: number) {
      await found(scope, id);
      const row = (await documents.versions(scope, id, true)).find((one) => one.version === version);
      if (row === undefined) throw refuse("contract.not_found");
      return words.wordsView(row);
    },

    async history(scope: TenantScope, query: QueryOf<typeof contractHistory>) {
      const request = pageRequest(query, []);
      const { rows, total } = await contracts.events(scope, { id: query.id, sentOnly: true }, request);
      return pageOfRows(rows.map(happeningOf), total, request);
    },

    summary: (scope: TenantScope) => contracts.summary(scope),

    /** Opening is written down once; what is not to be opened any more stays as it is. */
    async see({ scope, maySign }: Customer, id: string) {
      const row = await found(scope, id);
      if (row.state !== "sent") return { id, state: row.state };
      const party = maySign ? ("signer" as const) : ("reader" as const);
      return inOne(async (parts) => {
        const held = await parts.contracts.find(scope, id, true);
        if (held?.state !== "sent") return { id, state: held?.state ?? row.state };
        return answerOf(await process.act(parts, { by: scope, party, row: held, event: "see" }));
      });
    },

    /** @throws {Refusal} 404, 400 when what is stored is not what was signed */
    async document(scope: TenantScope, id: string, which: "customer" | "desk") {
      const row = which === "customer" ? await found(scope, id) : await contracts.find(scope, id);
      if (row === undefined) throw refuse("contract.not_found");
      const versions = await documents.versions(scope, id, true);
      const version = versions.findLast((one) => one.version <= row.version)?.version;
      const held =
        version === undefined
          ? undefined
          : ((await documents.document(scope, id, version, "signed")) ??
            (await documents.document(scope, id, version, "document")));
      if (held === undefined) throw refuse("contract.no_document");
      const bytes = words.bytesOf(held);
      if (bytes === undefined) throw refuse("contract.damaged");
      const fileName = `${row.number} ${row.title}.pdf`;
      const attachmentId = await files.withDraft(async (path) => {
        await writeFile(path, bytes, { mode: 0o600 });
        const contentType = "application/pdf";
        return files.make(scope, {
          path,
          originalName: fileName,
          extension: "pdf",
          contentType,
          lifetimeS: copyLifetimeS,
        });
      });
      await inOne((parts) =>
        parts.contracts.addEvent(scope, id, {
          id: nextId(),
          what: "download",
          side: which,
          accountId: scope.accountId,
          version: held.version,
        }),
      );
      return { attachmentId, fileName, sha256: held.sha256.toString("hex") };
    },

    /** @throws {Refusal} 404, 400 when it is not to be signed, 409 for another version */
    async sendCode(scope: TenantScope, { id, version }: BodyOf<typeof contractCode>) {
      const row = await found(scope, id);
      if (row.version !== version) throw refuse("contract.changed", { values: { name: row.changedBy } });
      if (!contractEventsFor(row.state, "signer").includes("sign")) throw refuse("contract.state");
      const { phone } = await phoneOf(scope);
      if (phone === "") throw refuse("contract.no_phone");
      const sent = await verification.send(phone, ["contract-sign"], scope.remoteAddress);
      await store.set(codeKey(sent.id), boundTo(scope, id, version), smsLimits.lifetimeS);
      return { codeId: sent.id, signerPhone: phone };
    },

    /** Signs for the customer. Callers made sure that the person proved lately who they are. */
    async sign(scope: TenantScope, { id, version, codeId, code }: BodyOf<typeof contractSign>) {
      const row = await found(scope, id);
      if (row.version !== version) throw refuse("contract.changed", { values: { name: row.changedBy } });
      if (!contractEventsFor(row.state, "signer").includes("sign")) throw refuse("contract.state");
      if (row.signBy !== null && row.signBy.getTime() < now()) throw refuse("contract.too_late");
      if (!(await isProven(scope))) throw refuse("contract.not_proven");
      const { account, name, phone } = await phoneOf(scope);
      if (phone === "") throw refuse("contract.no_phone");
      // A code for one contract is none for another.
      if ((await store.get(codeKey(codeId))) !== boundTo(scope, id, version))
        throw refuse("verification.code", { field: "code" });
      const proof = await verification.prove({ phone, id: codeId, code }, "contract-sign");
      try {
        const [held, versions, before, group] = await Promise.all([
          documents.document(scope, id, version, "document"),
          documents.versions(scope, id, true),
          documents.signatures(scope, id, version),
          groupName(),
        ]);
        const current = versions.find((one) => one.version === version);
        if (held === undefined || current === undefined) throw refuse("contract.no_document");
        if (words.bytesOf(held) === undefined) throw refuse("contract.damaged");
        const at = new Date(now());
        const signer = {
          party: row.customer,
          signer: name,
          account,
          phone: String(writePersonal("mask-phone", phone)),
        };
        const sha256 = held.sha256.toString("hex");
        const signedWords = words.open(current.wordsEncrypted);
        const paper = words.paperInput(row, version, group, signedWords);
        const { bytes, pages } = await writePaper({
          ...paper,
          signed: {
            sha256,
            verifyUrl: words.verifyUrl(publicUrl, sha256),
            signatures: [
              ...before.map((one) => ({
                ...words.openSigner(one.signerEncrypted),
                side: one.side,
                atMs: one.signedTime.getTime(),
              })),
              { ...signer, side: "customer", atMs: at.getTime() },
            ],
          },
        });
        return await step(scope, { id, version }, "sign", async (_row, { documents: kept, terms }) => {
          const priced = (signedWords.terms ?? []).map((term) => ({ ...term, id: nextId() }));
          await terms.keep(scope, id, priced);
          await kept.keepSignature(scope, id, version, {
            side: "customer",
            signerEncrypted: words.sealSigner(signer),
            sha256: held.sha256,
            signedTime: at,
            remoteAddress: scope.remoteAddress,
          });
          await kept.keepDocument(scope, {
            contractId: id,
            version,
            kind: "signed",
            sealedEncrypted: words.sealBytes(bytes),
            sha256: sha256Of(bytes),
            pages,
          });
          return { change: { signedAt: at } };
        });
      } catch (error) {
        await proof.giveBack();
        throw error;
      }
    },

    reject(scope: TenantScope, { reason: given, ...shown }: BodyOf<typeof contractReject>) {
      const reason = requireReason(given);
      return step(scope, shown, "reject", async (row, { documents: kept }) => {
        await kept.setReason(scope, row.id, row.version, reason);
        return { change: { reason, body: reason } };
      });
    },
  };
}
export type ContractService = ReturnType<typeof createContractService>;

/** @throws {Refusal} where nothing but spaces was said */
export function requireReason(reason: string): string {
  const said = plainText(reason, { lines: true });
  if (said === "") throw refuse("contract.reason", { field: "reason" });
  return said;
}
