import { type RealNameReason, remittanceTries } from "@herdwise/contract";
import { type RealNameForm, type RealNameKind, realNameItems } from "@herdwise/contract/real-name-checks";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { ApplicationRow, EventRow, ItemRow } from "./real-name.repository.ts";
import type { RemittanceRow } from "./remittance.repository.ts";

const masked: ReadonlySet<RealNameForm> = new Set(["idNumber", "phone", "bankAccount"]);
/** Whether a value of this form leaves the server shortened. */
export const isMasked = (form: RealNameForm): boolean => masked.has(form);

/** A value as a screen shows it: numbers of people and accounts keep their ends. */
export function shown(form: RealNameForm, value: string): string {
  if (!isMasked(form) || value === "") return value;
  if (value.length < 8) return "****";
  if (form === "phone") return `${value.slice(0, 3)}****${value.slice(-4)}`;
  return `${value.slice(0, 4)}${"*".repeat(value.length - 8)}${value.slice(-4)}`;
}

/** Values of an application by field, in full. A picture's is its id. */
export function valuesOf(items: readonly ItemRow[], cipher: PersonalCipher): Record<string, string> {
  return Object.fromEntries(
    items.map(({ field, valueEncrypted, attachmentId }) => [
      field,
      attachmentId ?? (valueEncrypted === "" ? "" : cipher.decrypt(valueEncrypted)),
    ]),
  );
}

const remittanceOf = (row: RemittanceRow) => ({
  id: row.id,
  state: row.state,
  failure: row.failure,
  reference: row.reference,
  sandbox: row.sandbox,
  arrivals: row.arrivals,
  triesLeft: Math.max(0, remittanceTries - row.tries),
  createTime: row.createdAt,
  sentTime: row.sentAt,
  arrivedTime: row.arrivedAt,
  expireTime: row.expiresAt,
});

interface Parts {
  items: readonly ItemRow[];
  remittance: RemittanceRow | undefined;
  events: readonly EventRow[];
}

/** An application as both sides see it. @param forStaff the group's people see which of them did what */
export function applicationOf(
  row: ApplicationRow,
  { items, remittance, events }: Parts,
  cipher: PersonalCipher,
  { forStaff }: { forStaff: boolean },
) {
  const byField = new Map(items.map((item) => [item.field, item]));
  return {
    id: row.id,
    kind: row.kind,
    state: row.state,
    title: row.title,
    round: row.round,
    version: row.version,
    upgrade: row.upgrade,
    submitTime: row.submittedAt,
    dueTime: row.dueAt,
    decideTime: row.decidedAt,
    licenceUntil: row.licenceUntil,
    items: realNameItems[row.kind as RealNameKind].flatMap(({ field, form }) => {
      const item = byField.get(field);
      if (item === undefined) return [];
      return {
        field,
        value: item.valueEncrypted === "" ? "" : shown(form, cipher.decrypt(item.valueEncrypted)),
        pictureId: item.attachmentId,
        verdict: item.verdict,
        reason: item.reason as RealNameReason | "",
        note: item.note,
        documentValue: item.documentEncrypted === "" ? "" : cipher.decrypt(item.documentEncrypted),
        resent: row.round > 1 && item.round === row.round,
      };
    }),
    ...(remittance && { remittance: remittanceOf(remittance) }),
    events: events.map((event) => ({
      id: event.id,
      what: event.what,
      actor: forStaff ? event.actor : "",
      fields: event.items.map(({ field }) => field),
      createTime: event.createTime,
    })),
  };
}
