import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { commissioningStates } from "./commissioning-process.ts";
import { type Endpoint, permission, signedIn } from "./endpoint.ts";
import { DateTime, Empty, EpochMs, Id, pageOf, pageQuery } from "./scalars.ts";

export { commissioningProcess, commissioningStates } from "./commissioning-process.ts";

/**
 * What is checked in a unit.
 * - `label`: the label that is read on site is that of the device that stands here; `fixed`: it is mounted safely, as a person says.
 * - `link`: signal and clock are within their limits; `settings`: limits and curve are set, and the device follows them.
 * - `probe`: a sensor warmed by hand tells so, and no other does; `machines`: a group that is switched on by command runs.
 * - `alarm`: a test alarm reaches the phone of a person; the only check of the unit as a whole.
 */
export const commissioningChecks = ["label", "fixed", "link", "settings", "probe", "machines", "alarm"] as const;
export type CommissioningCheck = (typeof commissioningChecks)[number];

/** `running`: a trial is under way; `absent`: the unit has no such part. */
export const commissioningResults = ["open", "running", "passed", "failed", "absent"] as const;
export type CommissioningResult = (typeof commissioningResults)[number];

/** Why a check failed; "" where it did not. `answered`: a person says so. */
export const commissioningReasons = [
  "",
  "answered",
  "other_device",
  "unknown_label",
  "no_value",
  "out_of_limits",
  "missing",
  "not_applied",
  "swapped",
  "both_rose",
  "not_risen",
  "command_failed",
  "not_followed",
  "no_current",
  "not_confirmed",
] as const;
export type CommissioningReason = (typeof commissioningReasons)[number];

/** A value that a check read; the server judged it when it was read. */
export const CommissioningReading = Type.Object({
  deviceId: Id,
  /** Channel or setting. */
  key: Type.String(),
  /** What it said when the trial began. */
  before: Type.Optional(Type.Union([Type.Number(), Type.Boolean()])),
  after: Type.Optional(Type.Union([Type.Number(), Type.Boolean()])),
  /** Device time of `after`. */
  atMs: Type.Optional(EpochMs),
  /** Current in A, of a machine. */
  currentA: Type.Optional(Type.Number()),
  /** Verdict by the rules of its kind; absent where there is none to give. */
  reason: Type.Optional(Type.Object({ zh: Type.String(), en: Type.String() })),
  /** It is one of those that the check failed for, or for which it did. */
  faulty: Type.Optional(Type.Boolean()),
});
export type CommissioningReading = Static<typeof CommissioningReading>;

const LocalName = Type.Object({ zh: Type.String(), en: Type.String() });

/** A reading as people read it. */
const ShownReading = Type.Object({
  ...CommissioningReading.properties,
  name: LocalName,
  /** As declared by the kind; "" for none. */
  unit: Type.String(),
  decimals: Type.Integer(),
});

export const CommissioningItem = Type.Object({
  id: Id,
  check: Type.Enum(commissioningChecks),
  /** "" for the unit as a whole. */
  deviceId: Type.String(),
  deviceName: Type.String(),
  serialNumber: Type.String(),
  /** Absent for the unit as a whole. */
  kind: Type.Optional(DeviceKindId),
  /** Channel of a sensor, or id of a group of machines; "" otherwise. */
  part: Type.String(),
  /** Name of the part; "" where there is none. */
  partName: LocalName,
  result: Type.Enum(commissioningResults),
  reason: Type.Enum(commissioningReasons),
  /** Device that a label belongs to, or the answer of a device that refused a command; "" otherwise. */
  said: Type.String(),
  readings: Type.Array(ShownReading),
  note: Type.String(),
  /** Name of a photo in the files; "" for none. */
  photo: Type.String(),
  /** Of a trial; absent where there was none. */
  startMs: Type.Optional(EpochMs),
  /** When a trial is over at the latest. */
  endMs: Type.Optional(EpochMs),
  /** To whom the test alarm was sent; "" for nobody. */
  receiverId: Type.String(),
  receiverName: Type.String(),
  answeredBy: Type.String(),
  answerTime: DateTime,
});
export type CommissioningItem = Static<typeof CommissioningItem>;

export const Commissioning = Type.Object({
  id: Id,
  state: Type.Enum(commissioningStates),
  version: Type.Integer(),
  unitId: Id,
  unitName: Type.String(),
  houseName: Type.String(),
  farmName: Type.String(),
  startedBy: Type.String(),
  createTime: DateTime,
  items: Type.Array(CommissioningItem),
  signedBy: Type.String(),
  signTime: DateTime,
  /** SHA-256 of `body`, hexadecimal; "" before it is signed. */
  hash: Type.String(),
  /** What was signed, JSON exactly as it was hashed; "" before. */
  body: Type.String(),
  /** Whether the hash still belongs to the body. */
  intact: Type.Boolean(),
});
export type Commissioning = Static<typeof Commissioning>;

/** How a unit stands: `never` commissioned, a list is `open`, `signed`, or `again`: devices were added or moved since. */
export const unitCommissioningStates = ["never", "open", "signed", "again"] as const;
export type UnitCommissioningState = (typeof unitCommissioningStates)[number];

const unitStanding = {
  state: Type.Enum(unitCommissioningStates),
  /** Of the open list; "" for none. */
  openId: Type.String(),
  /** Of the newest signed list; "" for none. */
  signedId: Type.String(),
  signedBy: Type.String(),
  signTime: DateTime,
  /** Checks of the newest signed list that failed. */
  failed: Type.Integer(),
};

export const CommissioningUnit = Type.Object({
  id: Id,
  unitName: Type.String(),
  houseName: Type.String(),
  farmName: Type.String(),
  devices: Type.Integer(),
  ...unitStanding,
});
export type CommissioningUnit = Static<typeof CommissioningUnit>;

export const UnitCommissioning = Type.Object({
  unitId: Id,
  devices: Type.Integer(),
  ...unitStanding,
  /** Devices for which it is to be repeated: added, or moved since. */
  again: Type.Array(
    Type.Object({ deviceId: Id, deviceName: Type.String(), why: Type.Enum(["new", "moved"] as const) }),
  ),
});
export type UnitCommissioning = Static<typeof UnitCommissioning>;

/** Most actions in one call; a phone sends the rest in the next. */
export const mostCommissioningActs = 50;

/** What a person did about a check, possibly without a network. */
export const CommissioningAct = Type.Object({
  key: Type.String({
    pattern: "^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$",
    description: "made by the phone; the same action sent again has the same",
  }),
  itemId: Id,
  type: Type.Enum(["answer", "label", "warm", "code", "absent", "note"] as const, {
    description:
      "`answer`: yes or no; `label`: what a label says; `warm`: a sensor was taken into the hand; `code`: of a test alarm; `absent`: there is no such part; `note`: words or photo alone",
  }),
  passed: Type.Optional(Type.Boolean({ description: "of an answer" })),
  text: Type.Optional(Type.String({ maxLength: 300, description: "of a label or a code" })),
  note: Type.Optional(Type.String({ maxLength: 500 })),
  photo: Type.Optional(
    Type.String({
      pattern: "^upload/[0-9]{8}/[0-9a-f-]{36}\\.(jpg|png)$",
      description: "of a shared picture that a member of the tenant uploaded, as the upload answered it",
    }),
  ),
  /** Time of the action by the phone's clock. */
  atMs: EpochMs,
});
export type CommissioningAct = Static<typeof CommissioningAct>;

/** `already`: a later action stands; `refused`: see the text. */
export const CommissioningOutcome = Type.Object({
  key: Type.String(),
  outcome: Type.Enum(["done", "already", "refused"] as const),
  text: Type.String({ description: 'why it was refused, Chinese, a key of the translations; "" otherwise' }),
});

const base = "/api/muyuan-iot/commissioning";
const view = permission("commissioning_view");
const edit = permission("commissioning_edit");
const common = { owner: "tenant", form: "envelope" } as const;
const ofUnit = { signedBy: "own" } as const;
const ofList = { startedBy: "own", signedBy: "own", answeredBy: "own", receiverName: "own" } as const;

export const commissioningUnitPage = {
  ...common,
  personal: ofUnit,
  method: "GET",
  path: `${base}/unit/page`,
  summary: "Units with devices, and whether they were commissioned; those that were not first.",
  access: view,
  rate: "read",
  query: Type.Object({
    ...pageQuery,
    state: Type.Optional(Type.Enum(unitCommissioningStates)),
    keyword: Type.Optional(Type.String({ maxLength: 64, description: "part of a farm, house or unit" })),
  }),
  body: Empty,
  reply: pageOf(CommissioningUnit),
} satisfies Endpoint;

export const commissioningOfUnit = {
  ...common,
  personal: ofUnit,
  method: "GET",
  path: `${base}/unit/detail`,
  summary:
    "Whether a unit was commissioned, by whom, and for which devices it is to be repeated. 404 for another tenant's.",
  access: view,
  rate: "read",
  query: Type.Object({ unitId: Id }),
  body: Empty,
  reply: UnitCommissioning,
} satisfies Endpoint;

export const commissioningDetail = {
  ...common,
  personal: ofList,
  method: "GET",
  path: `${base}/detail`,
  summary:
    "A commissioning list with its checks; of a signed one what was signed, with its hash. 404 for another tenant's.",
  access: view,
  rate: "read",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Commissioning,
} satisfies Endpoint;

export const commissioningReceivers = {
  ...common,
  personal: { personName: "own" },
  method: "GET",
  path: `${base}/receiver/list`,
  summary: "Members to whom a test alarm of a list can be sent, at most 200.",
  access: edit,
  rate: "read",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Type.Array(
    Type.Object({
      accountId: Id,
      personName: Type.String(),
      hasPhone: Type.Boolean({ description: "an SMS can be sent, too" }),
    }),
  ),
} satisfies Endpoint;

export const commissioningBegin = {
  ...common,
  personal: {},
  method: "POST",
  path: `${base}/submit`,
  summary:
    "Begins the commissioning list of a unit with what its devices can be tried by; answers the open one where there is one.",
  access: edit,
  rate: "write",
  query: Empty,
  body: Type.Object({ unitId: Id }),
  reply: Type.Object({ id: Id }),
} satisfies Endpoint;

export const commissioningActSubmit = {
  ...common,
  personal: {},
  method: "POST",
  path: `${base}/act`,
  summary: `Takes what a person did on site, in its order, each once however often it is sent; at most ${mostCommissioningActs}.`,
  access: edit,
  rate: "write",
  query: Empty,
  body: Type.Object({
    acts: Type.Array(CommissioningAct, { minItems: 1, maxItems: mostCommissioningActs }),
    sentMs: Type.Optional(
      Type.Integer({ minimum: 0, description: "now by the phone's clock; by the server's where it is left out" }),
    ),
  }),
  reply: Type.Array(CommissioningOutcome),
} satisfies Endpoint;

export const commissioningMeasure = {
  ...common,
  personal: ofList,
  method: "POST",
  path: `${base}/measure`,
  summary:
    "Lets the server measure a check: reads signal, clock or settings, switches machines on (needs `confirmed` and the right to give commands), or sends a test alarm.",
  access: edit,
  rate: "guarded",
  query: Empty,
  body: Type.Object({
    itemId: Id,
    accountId: Type.Optional(Type.String({ maxLength: 20, description: "receiver of a test alarm" })),
    confirmed: Type.Optional(Type.Boolean({ description: "the person has read what the command does" })),
  }),
  reply: Commissioning,
} satisfies Endpoint;

export const commissioningLook = {
  ...common,
  personal: ofList,
  method: "POST",
  path: `${base}/look`,
  summary: "Ends trials of a list whose outcome is known, and answers the list.",
  access: edit,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Commissioning,
} satisfies Endpoint;

export const commissioningConfirm = {
  ...common,
  personal: {},
  method: "POST",
  path: `${base}/confirm`,
  summary: "The person to whom a test alarm was sent says that it arrived; 404 for everybody else.",
  access: signedIn,
  rate: "write",
  query: Empty,
  body: Type.Object({ itemId: Id }),
  reply: Empty,
} satisfies Endpoint;

export const commissioningSign = {
  ...common,
  personal: ofList,
  method: "POST",
  path: `${base}/sign`,
  summary:
    "Signs a list of which all checks are answered: name, time and hash are kept with it, and nothing of it changes any more.",
  access: edit,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, version: Type.Integer() }),
  reply: Commissioning,
} satisfies Endpoint;

export const commissioningDiscard = {
  ...common,
  personal: {},
  method: "POST",
  path: `${base}/discard`,
  summary: "Gives an open list up; a new one can be begun.",
  access: edit,
  rate: "write",
  query: Empty,
  body: Type.Object({ id: Id, version: Type.Integer() }),
  reply: Empty,
} satisfies Endpoint;
