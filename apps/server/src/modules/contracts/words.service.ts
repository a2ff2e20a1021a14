import { createHash } from "node:crypto";
import {
  type ContractForm,
  type ContractValues,
  hasEnglish,
  leastHashDigits,
  type PriceTerm,
  type PriceTermInput,
  type Problem,
  paperOf,
  partyKeys,
  termProblems,
  unknownPlaces,
  valueOfRole,
  valueProblem,
  verifyPath,
} from "@herdwise/contract";
import { isDay } from "@herdwise/contract/real-name-checks";
import { type Refusal, refuse } from "../../http/errors.ts";
import { type Reason, reasons } from "../../http/reasons.ts";
import { undrawable } from "../../pdf-characters.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { ContractRow } from "./contract.repository.ts";
import type { PaperInput, PaperSignature } from "./contract-pdf.ts";
import type { DocumentRow, SignatureRow, VersionRow } from "./document.repository.ts";

/** Words of a version with what fills them. */
export interface Words {
  form: ContractForm;
  values: ContractValues;
  /** Price terms; words that were written before there were any have none. */
  terms?: readonly PriceTerm[];
}
/** Who signed, as it was then. */
export type Signer = Omit<PaperSignature, "side" | "atMs">;

export const sha256Of = (bytes: Buffer): Buffer => createHash("sha256").update(bytes).digest();

/** So many characters are named at once. */
const mostNamed = 5;
const undrawableIn = (text: string): string => undrawable(text).slice(0, mostNamed).join(" ");

/** @throws {Refusal} 400 where a text that goes into a file holds what no font of it has */
function requireDrawable(name: string, text: string, field?: string): void {
  const characters = undrawableIn(text);
  if (characters !== "")
    throw refuse("contract.undrawable", { values: { name, characters }, ...(field !== undefined && { field }) });
}

/**
 * @throws {Refusal} 400 for places that no field fills, keys that stand twice, roles of fields that can't play them, characters that
 * no font has
 */
export function requireWholeForm(form: ContractForm): void {
  const [unknown] = unknownPlaces(form);
  if (unknown !== undefined) throw refuse("contract.unknown_place", { values: { key: unknown }, field: "clauses" });
  requireDrawable(form.title, form.title + form.titleEn, "title");
  for (const { heading, headingEn, body, bodyEn } of form.clauses)
    requireDrawable(heading, heading + headingEn + body + bodyEn, "clauses");
  const keys = new Set<string>(partyKeys);
  const roles = new Set<string>();
  for (const { key, name, role, type, options } of form.fields) {
    requireDrawable(name, options.map(({ zh, en }) => zh + en).join(""), "fields");
    if (keys.has(key)) throw refuse("contract.key_twice", { values: { key }, field: "fields" });
    keys.add(key);
    if (role !== "") {
      if (roles.has(role) || (role === "amount") !== (type === "money") || (role !== "amount" && type !== "date"))
        throw refuse("contract.role", { values: { key }, field: "fields" });
      roles.add(role);
    }
    if (type === "choice" && options.length === 0)
      throw refuse("contract.no_options", { values: { key }, field: "fields" });
  }
}

/** What is wrong with values, by `values.<key>`. */
export function valueProblems(form: ContractForm, values: ContractValues): Problem[] {
  const problems = form.fields.flatMap((field): Problem[] => {
    const value = values[field.key] ?? "";
    const wrong = valueProblem(field, value);
    const characters = wrong === undefined ? undrawableIn(value) : "";
    if (characters !== "")
      return [
        {
          field: `values.${field.key}`,
          reason: "contract.undrawable",
          text: reasons["contract.undrawable"].zh,
          values: { name: field.name, characters },
        },
      ];
    if (wrong === undefined) return [];
    const reason = wrong === "missing" ? "contract.value_missing" : "contract.value";
    return [{ field: `values.${field.key}`, reason, text: reasons[reason].zh, values: { name: field.name } }];
  });
  const [from, until] = [valueOfRole(form, values, "from"), valueOfRole(form, values, "until")];
  const last = form.fields.find(({ role }) => role === "until");
  if (last && from !== "" && until !== "" && until < from)
    problems.push({
      field: `values.${last.key}`,
      reason: "contract.term",
      text: reasons["contract.term"].zh,
      values: { name: last.name },
    });
  return problems;
}

/** The refusal of a party whose name holds what no font has. */
export function undrawableParty(name: string, field?: string): Refusal | undefined {
  const characters = undrawableIn(name);
  if (characters === "") return undefined;
  return refuse("contract.undrawable_party", {
    values: { name, characters },
    ...(field !== undefined && { field }),
  });
}

/** @throws {Refusal} 400 where a file would hold what no font has: words that were written before they were looked at */
export function requireDrawablePaper({ customer, group, papers }: PaperInput): void {
  const refusal = undrawableParty(customer) ?? undrawableParty(group);
  if (refusal) throw refusal;
  for (const { paper } of papers) {
    requireDrawable(paper.title, paper.title);
    for (const { heading, body } of paper.clauses) requireDrawable(heading, heading + body);
  }
}

/** What is wrong with price terms, by `terms.<index>.<field>`. @param places names of the fields and regions that there are */
export function termsProblems(
  terms: readonly PriceTermInput[],
  until: string,
  places: { fields: ReadonlyMap<string, string>; regions: ReadonlyMap<string, string> },
): Problem[] {
  return terms.flatMap((term, index) => {
    const at = (field: string, reason: Reason): Problem => ({
      field: `terms.${index}.${field}`,
      reason,
      text: reasons[reason].zh,
      values: {},
    });
    return [
      ...termProblems(term, until).map(([field, problem]) => at(field, `contract.terms_${problem}` as const)),
      ...(["fromDay", "toDay"] as const)
        .filter((field) => !isDay(term[field]))
        .map((field) => at(field, "contract.terms_day")),
      ...(term.field !== "" && !places.fields.has(term.field) ? [at("field", "contract.terms_place")] : []),
      ...(term.saleRegion !== "" && !places.regions.has(term.saleRegion)
        ? [at("saleRegion", "contract.terms_place")]
        : []),
    ];
  });
}

/** Values of the form's own fields alone. */
export const ownValues = (form: ContractForm, values: ContractValues): Record<string, string> =>
  Object.fromEntries(
    form.fields.map(({ key }) => [key, (values[key] ?? "").trim()]).filter(([, value]) => value !== ""),
  );

/** What a contract is found by. */
export function termsOf({ form, values }: Words) {
  const amount = valueOfRole(form, values, "amount");
  return {
    amountFen: amount === "" ? null : Number(amount),
    startDay: valueOfRole(form, values, "from"),
    endDay: valueOfRole(form, values, "until"),
  };
}

/** Words, signatures and documents as they are stored: encrypted, and told when they are not what they were. */
export function createWordsService(cipher: PersonalCipher) {
  return {
    seal: (words: Words): string => cipher.encrypt(JSON.stringify(words)),
    open: (encrypted: string): Words => JSON.parse(cipher.decrypt(encrypted)) as Words,
    sealSigner: (signer: Signer): string => cipher.encrypt(JSON.stringify(signer)),
    openSigner: (encrypted: string): Signer => JSON.parse(cipher.decrypt(encrypted)) as Signer,
    sealBytes: (bytes: Buffer): string => cipher.encrypt(bytes.toString("base64")),

    hashOf: sha256Of,
    /** Where anybody verifies what a signature page says, by the first digits of the hash. */
    verifyUrl: (publicUrl: string, sha256: string): string =>
      `${publicUrl}${verifyPath}?hash=${sha256.slice(0, leastHashDigits)}`,

    /** The bytes of a document; undefined when its seal is broken or they are not what was hashed. */
    bytesOf({ sealedEncrypted, sha256 }: Pick<DocumentRow, "sealedEncrypted" | "sha256">): Buffer | undefined {
      try {
        const bytes = Buffer.from(cipher.decrypt(sealedEncrypted), "base64");
        return sha256Of(bytes).equals(sha256) ? bytes : undefined;
      } catch {
        return undefined;
      }
    },

    wordsView(row: VersionRow) {
      const { form, values, terms = [] } = this.open(row.wordsEncrypted);
      return {
        version: row.version,
        form: form as { -readonly [K in keyof ContractForm]: ContractForm[K] } as never,
        values: { ...values },
        terms: terms.map((term) => ({ ...term })),
        sha256: row.sha256?.toString("hex") ?? "",
        pages: row.pages,
        writtenBy: row.writtenBy,
        createTime: row.createTime,
      };
    },

    signatureView(row: SignatureRow) {
      const { party, signer, phone } = this.openSigner(row.signerEncrypted);
      return {
        side: row.side,
        party,
        signer,
        signerPhone: phone,
        signedTime: row.signedTime,
        sha256: row.sha256.toString("hex"),
      };
    },

    /** What the file of a contract shows: Chinese, and English where the words have it. */
    paperInput(
      row: Pick<ContractRow, "number" | "customer">,
      version: number,
      group: string,
      words: Words,
    ): PaperInput {
      const values = { ...words.values, customer: row.customer, group };
      return {
        number: row.number,
        version,
        customer: row.customer,
        group,
        papers: (hasEnglish(words.form) ? (["zh", "en"] as const) : (["zh"] as const)).map((language) => ({
          language,
          paper: paperOf(words.form, values, language, words.terms),
        })),
      };
    },
  };
}
export type WordsService = ReturnType<typeof createWordsService>;
