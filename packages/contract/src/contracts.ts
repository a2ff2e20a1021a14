import { type Static, type TProperties, Type } from "typebox";
import { contractEvents, contractStates } from "./contract-states.ts";
import { ContractFormShape } from "./contract-templates.ts";
import { type Endpoint, permission, publicAccess } from "./endpoint.ts";
import { DateOnly, DateTime, Empty, Id, mostFound, pageOf, pageQuery } from "./scalars.ts";
import { mostTerms } from "./trade/price-term-rules.ts";
import { PriceTermInput, PriceTermShape } from "./trade/price-terms.ts";

export * from "./contract-states.ts";
export * from "./contract-text.ts";

/** Default and maximum number of days that a customer has for signing. */
export const signDays = { usual: 7, most: 60 } as const;
/** Days before the end of a contract at which both sides are reminded. */
export const endReminderDays = [30, 7] as const;
/** Days before the last day for signing at which the customer is reminded. */
export const signReminderDays = 2;
/** Most contracts that one batch drafts or sends. */
export const mostInBatch = 500;
/** Fewest digits of a SHA-256 hash that a verification accepts; so many can't be guessed. */
export const leastHashDigits = 16;
/** Largest file, in bytes, that the server hashes for a verification. */
export const mostVerifiedBytes = 10 * 1024 * 1024;
/** Public page on which anybody verifies a contract. */
export const verifyPath = "/contract/verify";
/** Button codes of the rights of customers' members and of the group's staff. */
export const contractRights = {
  view: "contract_view",
  sign: "contract_sign",
  desk: "contract_desk",
  send: "contract_send",
} as const;

const Hash = Type.String({ description: 'SHA-256, 64 hexadecimal digits; "" while there is none' });
const Version = Type.Integer({ minimum: 1, maximum: 1_000_000 });
const Values = Type.Record(Type.String({ pattern: "^[a-z][a-z0-9_]{0,29}$" }), Type.String({ maxLength: 500 }));

/** A contract as lists show it. */
export const Contract = Type.Object({
  id: Id,
  number: Type.String({ description: "for people, for example HT-2026-0087" }),
  title: Type.String(),
  titleEn: Type.String({ description: '"" where there is none' }),
  kind: Type.String(),
  state: Type.Enum(contractStates),
  /** Version of the texts; changing a draft that was sent before creates a new version. */
  version: Version,
  customer: Type.String({ description: "name of the tenant" }),
  /** In fen; absent where the contract names no sum. */
  amountFen: Type.Optional(Type.Integer({ minimum: 0 })),
  startDay: DateOnly,
  endDay: DateOnly,
  /** Deadline for signing; "" before it is sent. */
  signBy: DateTime,
  sentTime: DateTime,
  signedTime: DateTime,
  updateTime: DateTime,
  /** Of the price terms of a signed contract: volume, and what its orders left of it. */
  terms: Type.Optional(Type.Object({ heads: Type.Integer(), leftHeads: Type.Integer() })),
  /** Waits for the customer, and the deadline is within two days or past. */
  urgent: Type.Boolean(),
});
export type Contract = Static<typeof Contract>;

/** One event in the history of a contract. */
export const ContractHappening = Type.Object({
  id: Id,
  contractId: Id,
  number: Type.String(),
  title: Type.String(),
  titleEn: Type.String(),
  what: Type.Enum(["draft", "download", "remind", ...contractEvents] as const),
  side: Type.Enum(["customer", "desk", "clock"] as const),
  name: Type.String({ description: 'who it was; "" for the clock' }),
  version: Version,
  body: Type.String({ description: "why, where somebody said so" }),
  createTime: DateTime,
});
export type ContractHappening = Static<typeof ContractHappening>;

/** Texts of one version, with the values that fill them. */
export const ContractWords = Type.Object({
  version: Version,
  form: ContractFormShape,
  values: Values,
  /** Price terms, which the text ends with; of sale contracts alone. */
  terms: Type.Array(PriceTermShape),
  /** Hash of the document that was sent; "" for a version that was not sent. */
  sha256: Hash,
  pages: Type.Integer({ minimum: 0 }),
  writtenBy: Type.String(),
  createTime: DateTime,
});
export type ContractWords = Static<typeof ContractWords>;

/** One signature on a version. */
export const ContractSignature = Type.Object({
  side: Type.Enum(["group", "customer"] as const),
  party: Type.String(),
  signer: Type.String(),
  signerPhone: Type.String({ description: "masked" }),
  signedTime: DateTime,
  /** Hash of the signed document. */
  sha256: Hash,
});
export type ContractSignature = Static<typeof ContractSignature>;

export const ContractDetail = Type.Object({
  ...Contract.properties,
  /** Name of the group as the other party. */
  group: Type.String(),
  /** Reason why it was rejected, withdrawn or ended. */
  reason: Type.String(),
  words: ContractWords,
  /** All versions, oldest first; the last one is this contract's. */
  versions: Type.Array(
    Type.Object({
      version: Version,
      writtenBy: Type.String(),
      createTime: DateTime,
      sentTime: DateTime,
      reason: Type.String(),
    }),
  ),
  signatures: Type.Array(ContractSignature),
  /** Hash of the signed file; "" before the signature. */
  signedSha256: Hash,
  /** The stored file no longer matches the signed one. */
  damaged: Type.Boolean(),
  may: Type.Array(Type.Enum(contractEvents)),
  /** Signed price terms with what is left of each, in the order of the words; empty before the signature. */
  termUse: Type.Array(
    Type.Object({
      id: Id,
      number: Type.String(),
      heads: Type.Integer(),
      usedHeads: Type.Integer(),
      leftHeads: Type.Integer(),
    }),
  ),
  /** Conditions of a signature, and whether each is met. */
  needs: Type.Object({
    /** The customer's authentication is in force. */
    proven: Type.Boolean(),
    /** The caller has the right to sign. */
    right: Type.Boolean(),
    /** A phone is bound to the caller's account. */
    phoneBound: Type.Boolean(),
  }),
  signerPhone: Type.String({ description: 'of the caller, masked; "" for none' }),
});
export type ContractDetail = Static<typeof ContractDetail>;

const base = "/api/muyuan-contract/contract";
const masked = { signerPhone: "mask-phone" } as const;
const own = { owner: "tenant", personal: {}, form: "envelope" } as const;
const view = permission(contractRights.view);
const sign = permission(contractRights.sign);

export const contractLists = ["waiting", "inForce", "over", "all"] as const;

export const contractPage = {
  ...own,
  method: "GET",
  path: `${base}/page`,
  summary: "Contracts of the session's tenant that were sent, what waits for an answer first.",
  access: view,
  rate: "read",
  query: Type.Object({
    ...pageQuery,
    list: Type.Optional(Type.Enum(contractLists)),
    keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of number or title" })),
  }),
  body: Empty,
  reply: pageOf(Contract),
} satisfies Endpoint;

export const contractDetail = {
  ...own,
  method: "GET",
  path: `${base}/detail`,
  summary: "A contract with its words, its versions, who signed and what a signature still needs.",
  access: view,
  rate: "read",
  personal: masked,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: ContractDetail,
} satisfies Endpoint;

export const contractVersion = {
  ...own,
  method: "GET",
  path: `${base}/version`,
  summary: "The words of an earlier version that was sent, to compare.",
  access: view,
  rate: "read",
  query: Type.Object({ id: Id, version: Version }),
  body: Empty,
  reply: ContractWords,
} satisfies Endpoint;

export const contractHistory = {
  ...own,
  method: "GET",
  path: `${base}/history`,
  summary: "What happened to the tenant's contracts, or to one of them, newest first.",
  access: view,
  rate: "read",
  query: Type.Object({ ...pageQuery, id: Type.Optional(Id) }),
  body: Empty,
  reply: pageOf(ContractHappening),
} satisfies Endpoint;

export const contractSummary = {
  ...own,
  method: "GET",
  path: `${base}/summary`,
  summary: "How many contracts wait for the session's tenant, and how many end within 30 days.",
  access: view,
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Object({ waiting: Type.Integer(), ending: Type.Integer(), inForce: Type.Integer() }),
} satisfies Endpoint;

const Moved = Type.Object({ id: Id, state: Type.Enum(contractStates) });

export const contractSee = {
  ...own,
  method: "POST",
  path: `${base}/see`,
  summary: "Says that a contract was opened; it does nothing where it was before.",
  access: view,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Moved,
} satisfies Endpoint;

/** A copy of a document that can be fetched for a short time. */
export const ContractFile = Type.Object({
  attachmentId: Id,
  fileName: Type.String(),
  sha256: Hash,
});
export type ContractFile = Static<typeof ContractFile>;

export const contractDocument = {
  ...own,
  method: "POST",
  path: `${base}/document`,
  summary: "Makes a copy of a contract's PDF, the signed one where it is signed, to be fetched for ten minutes.",
  access: view,
  rate: "guarded",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: ContractFile,
} satisfies Endpoint;

export const contractCode = {
  ...own,
  method: "POST",
  path: `${base}/send-code`,
  summary: "Sends a code to the own phone, for signing this version of this contract and nothing else.",
  access: sign,
  rate: "guarded",
  personal: masked,
  query: Empty,
  body: Type.Object({ id: Id, version: Version }),
  reply: Type.Object({
    codeId: Type.String({ description: "goes back with the code" }),
    signerPhone: Type.String({ description: "masked" }),
  }),
} satisfies Endpoint;

export const contractSign = {
  ...own,
  method: "POST",
  path: `${base}/sign`,
  summary:
    "Signs a version that was opened: needs the own password within five minutes, the code, an authentication in force. The signed file never changes afterwards.",
  access: sign,
  rate: "guarded",
  query: Empty,
  body: Type.Object({
    id: Id,
    version: Version,
    codeId: Type.String({ minLength: 1, maxLength: 100 }),
    code: Type.String({ minLength: 1, maxLength: 10 }),
  }),
  reply: Moved,
  confirmation: "always",
} satisfies Endpoint;

export const contractReject = {
  ...own,
  method: "POST",
  path: `${base}/reject`,
  summary: "Sends a contract back with the reason; the group may write another version.",
  access: sign,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, version: Version, reason: Type.String({ minLength: 1, maxLength: 500 }) }),
  reply: Moved,
} satisfies Endpoint;

const group = { access: permission(contractRights.desk), owner: "group", personal: {}, form: "envelope" } as const;
const desk = "/api/muyuan-contract/desk";

export const contractQueues = ["waiting", "overdue", "draft", "returned", "inForce", "ending", "all"] as const;
export type ContractQueue = (typeof contractQueues)[number];

export const deskContractPage = {
  ...group,
  method: "GET",
  path: `${desk}/page`,
  summary: `The group's contracts: \`waiting\` for a customer, \`overdue\` (two days or less are left), drafts, \`returned\` (rejected or expired), in force, \`ending\` within 30 days; of a keyword at most ${mostFound}.`,
  rate: "read",
  query: Type.Object({
    ...pageQuery,
    queue: Type.Enum(contractQueues),
    batchId: Type.Optional(Id),
    keyword: Type.Optional(Type.String({ maxLength: 60, description: "part of number, title or customer" })),
  }),
  body: Empty,
  reply: pageOf(Contract),
} satisfies Endpoint;

export const ContractFigures = Type.Object({
  waiting: Type.Integer(),
  overdue: Type.Integer(),
  draft: Type.Integer(),
  returned: Type.Integer(),
  inForce: Type.Integer(),
  ending: Type.Integer(),
  /** Number of contracts signed within 30 days, and their total in fen. */
  signed: Type.Integer(),
  signedFen: Type.Integer(),
  /** Median hours until the signature, within 30 days. */
  hours: Type.Optional(Type.Number()),
});
export type ContractFigures = Static<typeof ContractFigures>;

export const deskContractFigures = {
  ...group,
  method: "GET",
  path: `${desk}/figures`,
  summary: "How many contracts stand where, and how fast customers signed within 30 days.",
  rate: "read",
  query: Empty,
  body: Empty,
  reply: ContractFigures,
} satisfies Endpoint;

export const DeskContractDetail = Type.Object({
  ...ContractDetail.properties,
  tenantId: Type.String(),
  templateId: Id,
  templateName: Type.String(),
  templateVersion: Type.Integer(),
  signDays: Type.Integer(),
  history: Type.Array(ContractHappening),
  /** Must be sent back with the next change, which is refused when somebody else changed the contract meanwhile. */
  revision: Type.Integer(),
});
export type DeskContractDetail = Static<typeof DeskContractDetail>;

export const deskContractDetail = {
  ...group,
  method: "GET",
  path: `${desk}/detail`,
  summary: "A contract with everything that happened to it.",
  rate: "read",
  personal: masked,
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: DeskContractDetail,
} satisfies Endpoint;

export const deskContractVersion = {
  ...group,
  method: "GET",
  path: `${desk}/version`,
  summary: "The words of an earlier version, to compare.",
  rate: "read",
  query: Type.Object({ id: Id, version: Version }),
  body: Empty,
  reply: ContractWords,
} satisfies Endpoint;

export const deskContractDocument = {
  ...group,
  method: "POST",
  path: `${desk}/document`,
  summary: "Makes a copy of a contract's PDF, to be fetched for ten minutes.",
  rate: "guarded",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: ContractFile,
} satisfies Endpoint;

/** A customer whom a contract may be sent to. */
export const ContractCustomer = Type.Object({
  tenantId: Type.String(),
  customer: Type.String(),
  proven: Type.Boolean({ description: "its authentication is in force" }),
  signers: Type.Integer({ minimum: 0, description: "members who may sign" }),
});
export type ContractCustomer = Static<typeof ContractCustomer>;

export const deskContractCustomers = {
  ...group,
  method: "GET",
  path: `${desk}/customers`,
  summary: "Customers by a part of their name, those that can sign first; at most 20.",
  rate: "read",
  query: Type.Object({
    keyword: Type.Optional(Type.String({ maxLength: 60 })),
    tenantId: Type.Optional(Type.String({ maxLength: 20 })),
  }),
  body: Empty,
  reply: Type.Array(ContractCustomer),
} satisfies Endpoint;

/** A template that contracts may be drafted from. */
export const DraftableTemplate = Type.Object({
  id: Id,
  templateName: Type.String(),
  kind: Type.String(),
  versionNumber: Type.Integer(),
  form: ContractFormShape,
});
export type DraftableTemplate = Static<typeof DraftableTemplate>;

export const deskContractTemplates = {
  ...group,
  method: "GET",
  path: `${desk}/templates`,
  summary: "Templates that contracts may be drafted from, with their newest words.",
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Array(DraftableTemplate),
} satisfies Endpoint;

const SignDays = Type.Integer({
  minimum: 1,
  maximum: signDays.most,
  description: "days to sign, counted from the day it is sent",
});

const Terms = Type.Optional(
  Type.Array(PriceTermInput, { maxItems: mostTerms, description: "price terms, of sale contracts alone" }),
);

export const deskContractDraft = {
  ...group,
  method: "POST",
  path: `${desk}/draft`,
  summary: "Drafts a contract for a customer from a template's newest words; the same key again is the same contract.",
  rate: "write",
  query: Empty,
  body: Type.Object({
    tenantId: Type.String({ minLength: 1, maxLength: 20 }),
    templateId: Id,
    values: Values,
    terms: Terms,
    signDays: SignDays,
    requestKey: Type.Optional(Type.String({ minLength: 8, maxLength: 64, pattern: "^[0-9A-Za-z-]+$" })),
  }),
  reply: Type.Object({ id: Id, number: Type.String() }),
} satisfies Endpoint;

/** Base of an operation of the desk on a contract that it was shown. */
const act = <Fields extends TProperties>(verb: string, summary: string, fields: Fields) =>
  ({
    ...group,
    method: "POST",
    path: `${desk}/${verb}`,
    summary,
    rate: "write",
    query: Empty,
    body: Type.Object({ id: Id, revision: Type.Integer({ minimum: 1, maximum: 1_000_000 }), ...fields }),
    reply: Type.Object({ id: Id, state: Type.Enum(contractStates), revision: Type.Integer() }),
  }) as const;

export const deskContractRevise = act(
  "revise",
  "Writes the words and values anew: of a draft that nobody was sent in place, else as the next version.",
  { form: ContractFormShape, values: Values, terms: Terms, signDays: SignDays },
) satisfies Endpoint;
export const deskContractSend = {
  ...act(
    "send",
    "Signs for the group and sends the contract to the customer: needs the own password within five minutes. Its PDF is made and sealed.",
    {},
  ),
  access: permission(contractRights.send),
  confirmation: "always",
} satisfies Endpoint;
export const deskContractWithdraw = act("withdraw", "Takes a contract back that nobody signed.", {
  reason: Type.String({ minLength: 1, maxLength: 500 }),
}) satisfies Endpoint;
export const deskContractEnd = {
  ...act("end", "Writes down that both sides ended a contract before its term.", {
    reason: Type.String({ minLength: 1, maxLength: 500 }),
  }),
  access: permission(contractRights.send),
} satisfies Endpoint;

export const batchSheet = {
  ...group,
  method: "POST",
  path: `${desk}/batch-sheet`,
  summary: "Makes the sheet for a batch from a template: a column for the customer and one for each field.",
  rate: "guarded",
  query: Empty,
  body: Type.Object({ templateId: Id }),
  reply: Type.Object({ attachmentId: Id }),
} satisfies Endpoint;

export const batchDraft = {
  ...group,
  method: "POST",
  path: `${desk}/batch-draft`,
  summary:
    "Begins a job that drafts a contract for each row of an uploaded sheet: all, or none and a sheet in which the problems stand.",
  rate: "guarded",
  query: Empty,
  body: Type.Object({ templateId: Id, attachmentId: Id, signDays: SignDays }),
  reply: Type.Object({ jobId: Id }),
} satisfies Endpoint;

export const batchSend = {
  ...group,
  access: permission(contractRights.send),
  method: "POST",
  path: `${desk}/batch-send`,
  summary: "Begins a job that sends the drafts of a batch: needs the own password within five minutes.",
  rate: "guarded",
  query: Empty,
  body: Type.Object({ batchId: Id }),
  reply: Type.Object({ jobId: Id }),
  confirmation: "always",
} satisfies Endpoint;

/** Result of verifying a document by its hash; it contains nothing of other contracts, and no name in full. */
export const Verification = Type.Object({
  /**
   * `signed`: the signed file; `document`: the signed document without the signature page; `damaged`: signed, but the stored
   * copy changed; `unknown`: no contract has this hash.
   */
  result: Type.Enum(["signed", "document", "damaged", "unknown"] as const),
  sha256: Hash,
  number: Type.String(),
  version: Type.Integer({ minimum: 0 }),
  pages: Type.Integer({ minimum: 0 }),
  ended: Type.Boolean(),
  signatures: Type.Array(
    Type.Object({
      side: Type.Enum(["group", "customer"] as const),
      party: Type.String({ description: "masked" }),
      signedTime: DateTime,
    }),
  ),
});
export type Verification = Static<typeof Verification>;

export const contractVerify = {
  method: "GET",
  path: "/api/muyuan-contract/skip-secure/verify",
  summary:
    "Whether, when and by whom a document was signed, for whoever holds its SHA-256 or its first 16 digits. Names are masked.",
  access: publicAccess,
  owner: "proof",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Type.Object({ hash: Type.String({ minLength: 1, maxLength: 120, description: "spaces are left out" }) }),
  body: Empty,
  reply: Verification,
} satisfies Endpoint;
