import { type BodyOf, type Problem, plainText, type settingSubmit } from "@herdwise/contract";
import {
  contrastIn,
  isSettingKey,
  leastContrast,
  nearestReadable,
  type SettingKey,
  settingList,
  settingOf,
  settingProblemOf,
} from "@herdwise/contract/setting-declarations";
import { isAddressOrNetwork } from "../../config.ts";
import { type Refusal, refuse } from "../../http/errors.ts";
import type { Reason } from "../../http/reasons.ts";
import type { SecretCipher } from "../../secret-cipher.ts";
import { accountOf, type TenantScope } from "../../tenant-scope.ts";
import { type AuditRecord, type AuditRepository, installationChain } from "../audit/index.ts";
import { type EnteredTexts, formerGatewaysAfter, formerGatewaysKey, type HeldSettings } from "./held-settings.ts";
import type { SettingsRepository, StoredSetting } from "./settings.repository.ts";

/** What a change works with, in one transaction. */
interface SettingsTransaction {
  settings: SettingsRepository;
  audit: Pick<AuditRepository, "append">;
}

export interface SettingsServiceDependencies {
  repository: SettingsRepository;
  held: HeldSettings;
  inTransaction<T>(work: (to: SettingsTransaction) => Promise<T>): Promise<T>;
  cipher: SecretCipher;
  /** Settings as they would hold with these texts. */
  heldWith(entered: EnteredTexts): HeldSettings;
  opened(rows: readonly StoredSetting[]): EnteredTexts;
  /** After a commit: this server reads them again, and the others are told. */
  changed: () => Promise<void>;
  nextId: () => string;
  now: () => number;
}

type Change = BodyOf<typeof settingSubmit>["changes"][number];
const keys = [...settingList.map(({ key }) => key), formerGatewaysKey];

/** The refusal of a text as the value of a setting; undefined when it may be so. */
export function settingRefusal(key: SettingKey, text: string): Refusal | undefined {
  const declaration = settingOf(key);
  const { least = 0, most = 0, max = 200, theme } = declaration;
  const problem =
    settingProblemOf(declaration, text) ??
    (declaration.kind === "networks" &&
    text !== "" &&
    text.split(",").some((network) => !/\d/.test(network) || !isAddressOrNetwork(network.trim()))
      ? "networks"
      : undefined);
  if (problem === undefined) return undefined;
  const contrast = problem === "contrast" && theme !== undefined ? contrastIn(theme, text) : 0;
  const reason: Reason = `setting.${problem}`;
  return refuse(reason, {
    field: key,
    values: {
      least: problem === "contrast" ? leastContrast : least,
      most,
      max,
      // Rounded down, so that 4.49 does not read as enough.
      contrast: Math.floor(contrast * 10) / 10,
      ...(problem === "contrast" && theme !== undefined && { nearest: nearestReadable(theme, text) }),
    },
  });
}

/** A text as it is kept. */
function normalized(key: SettingKey, value: string): string {
  const { kind, secret } = settingOf(key);
  if (secret) return value.trim();
  const text = plainText(value);
  return kind === "colour" ? text.toLowerCase() : kind === "url" ? text.replace(/\/+$/, "") : text;
}

/** What is entered once these changes are. */
const withTaken = (entered: EnteredTexts, taken: readonly (Change & { key: SettingKey })[]): EnteredTexts =>
  new Map([...entered, ...taken.map(({ key, value }) => [key, value] as const)]);

/** Settings of the installation for the screen that changes them. */
export function createSettingsService(dependencies: SettingsServiceDependencies) {
  const { repository, held, inTransaction, cipher, nextId } = dependencies;

  const statesOf = (stored: readonly StoredSetting[], current: HeldSettings) => {
    const byKey = new Map(stored.map((row) => [row.key, row]));
    return {
      settings: settingList.map(({ key, secret, kind, fixed }) => {
        const row = byKey.get(key);
        const lockedBy = current.lockedBy(key);
        return {
          key,
          value: secret ? "" : current.text(key),
          isSet: fixed
            ? current.text(key) !== ""
            : lockedBy !== "" ||
              (secret ? row?.sealed != null : row !== undefined && (row.text !== "" || kind === "choice")),
          lockedBy,
          version: row?.version ?? 0,
          updateTime: row?.updatedAt ?? null,
        };
      }),
    };
  };

  const write = async (
    to: SettingsRepository,
    { key, value, version }: Change & { key: SettingKey },
    before: string,
    accountId: string | null,
  ): Promise<AuditRecord> => {
    const { secret, words, hint } = settingOf(key);
    const rowId = secret
      ? await to.saveSecret(nextId(), key, value === "" ? null : cipher.encrypt(value), version)
      : await to.saveText(
          { id: nextId(), key, name: words.zh, remark: hint?.zh ?? "", text: value, version },
          accountId,
        );
    if (rowId === undefined) throw refuse("setting.changed", { field: key });
    const said = (text: string): string => (secret ? (text === "" ? "" : "已设置") : text);
    return {
      resource: secret ? "setting" : "param",
      rowId,
      rowTitle: words.zh,
      action: "update",
      changes: [{ field: "paramValue", before: said(before), after: said(value) }],
    };
  };

  return {
    /** Numbers as they are stored now, whatever this server has heard. */
    async numbers<Key extends SettingKey>(of: readonly Key[]): Promise<Record<Key, number>> {
      const now = dependencies.heldWith(await repository.texts(of));
      return Object.fromEntries(of.map((key) => [key, now.number(key)])) as Record<Key, number>;
    },

    async states() {
      const stored = await repository.stored(keys);
      return statesOf(stored, dependencies.heldWith(dependencies.opened(stored)));
    },

    async submit(scope: TenantScope, { changes }: BodyOf<typeof settingSubmit>) {
      await inTransaction(async ({ settings, audit }) => {
        await settings.hold();
        const stored = await settings.stored(keys);
        const entered = dependencies.opened(stored);
        const versions = new Map(stored.map(({ key, version }) => [key, version]));
        const refusals: Refusal[] = [];
        const taken = changes.flatMap((change): (Change & { key: SettingKey })[] => {
          const { key } = change;
          if (!isSettingKey(key)) {
            refusals.push(refuse("setting.unknown", { field: key }));
            return [];
          }
          const value = normalized(key, change.value);
          const variable = held.lockedBy(key);
          const refusal =
            variable !== ""
              ? refuse("setting.locked", { field: key, values: { variable } })
              : (versions.get(key) ?? 0) !== change.version
                ? refuse("setting.changed", { field: key })
                : settingRefusal(key, value);
          if (refusal !== undefined) refusals.push(refusal);
          return refusal === undefined ? [{ ...change, key, value }] : [];
        });
        if (refusals.length === 0) {
          const after = dependencies.heldWith(withTaken(entered, taken));
          // What was missing before and has nothing to do with this change does not stand in its way.
          const sections = new Set(taken.map(({ key }) => settingOf(key).section));
          for (const key of after.missing())
            if (sections.has(settingOf(key).section)) refusals.push(refuse("setting.needed", { field: key }));
        }
        requireNone(refusals);
        const former = formerGatewaysAfter(
          entered,
          dependencies.heldWith(entered).payment(),
          dependencies.heldWith(withTaken(entered, taken)).payment(),
          dependencies.now(),
        );
        if (former !== undefined)
          await settings.saveSecret(
            nextId(),
            formerGatewaysKey,
            cipher.encrypt(former),
            versions.get(formerGatewaysKey) ?? 0,
          );
        const records: AuditRecord[] = [];
        for (const change of taken)
          records.push(
            await write(settings, change, entered.get(change.key) ?? held.text(change.key), accountOf(scope)),
          );
        await audit.append(installationChain, scope, records, nextId);
      });
      await dependencies.changed();
      return this.states();
    },
  };
}
export type SettingsService = ReturnType<typeof createSettingsService>;

/** @throws {Refusal} with all problems at their fields; 409 when one of them is a conflict */
function requireNone(refusals: readonly Refusal[]): void {
  const [first] = refusals;
  if (first === undefined) return;
  if (refusals.length === 1) throw first;
  const conflict = refusals.find(({ status }) => status === 409);
  const problems = refusals.flatMap(({ answer }) => answer.problems as Problem[]);
  throw conflict === undefined
    ? refuse("setting.problems", { values: { count: refusals.length }, problems })
    : refuse("setting.changed", { problems });
}
