import type { PersonalRule } from "@herdwise/contract";
import type { Session } from "./session.ts";

/** `138****0001`: enough for owners to recognize their number. */
const maskPhone = (phone: string): string => (phone.length < 8 ? "****" : `${phone.slice(0, 3)}****${phone.slice(-4)}`);

/** `z***@example.cn`. */
const maskEmail = (email: string): string => {
  const [name = "", host = ""] = email.split("@", 2);
  return `${[...name].slice(0, 1).join("")}***@${host}`;
};

/** An address with its last part hidden: `203.0.113.*`, `2001:db8:1:*`. */
const maskAddress = (address: string): string => {
  const plain = address.replace(/^::ffff:/, "");
  if (plain.includes(".")) return plain.replace(/\d+$/, "*");
  return `${plain.split(":").slice(0, 3).join(":")}:*`;
};

/** `周建平` is `周**`. */
const maskName = (name: string): string => `${[...name][0]}**`;

/** How a device names a person: of a card's code (`P017`) the initial and the last two digits stay, so that people are told apart. */
export function maskPerson(person: string): string {
  const [, initial, digits] = /^([A-Za-z])[A-Za-z-]*\d*?(\d{1,2})$/.exec(person) ?? [];
  if (person === "") return "";
  return initial === undefined ? maskName(person) : `${initial}*${digits}`;
}

/** Who may see the users of their organization knows its people by what devices call them; a token never does. */
export const mayNamePeople = ({ permissions, tokenScopes }: Pick<Session, "permissions" | "tokenScopes">): boolean =>
  tokenScopes === undefined && permissions.has("user_view");

const masks: Partial<Record<PersonalRule, (text: string) => string>> = {
  "mask-phone": maskPhone,
  "mask-email": maskEmail,
  "mask-address": maskAddress,
  "mask-name": maskName,
};

/** Masks a personal text, or a list of them, by its rule; masked texts and "" stay as they are. */
export function writePersonal(rule: PersonalRule, value: unknown): unknown {
  const mask = masks[rule];
  if (mask === undefined) return value;
  if (Array.isArray(value)) return value.map((item) => writePersonal(rule, item));
  return typeof value === "string" && value !== "" ? mask(value) : value;
}
