/** Normalization of texts that people type or paste, as plain functions for the server and the browser. */

/**
 * Invisible characters: zero-width characters, direction marks and soft hyphens.
 * No script that names and texts are accepted in needs them, and texts that look alike must be equal.
 */
const invisible = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const wideBlanks = /[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * The stored form of a text: NFC, without invisible characters, trimmed.
 * @param options `lines`: keeps line breaks and indentation; otherwise every run of white space becomes a plain space
 */
export function plainText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  const plain = text.normalize("NFC").replace(invisible, "").replace(/\r\n?/g, "\n");
  return (lines ? plain : plain.replace(wideBlanks, " ")).trim();
}

/**
 * `plainText` with full-width letters, digits and signs converted to ASCII, as Chinese keyboards often type them: `ＡＢ－１` is
 * `AB-1`.
 */
export const narrowText = (text: string): string =>
  plainText(text).replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** A mobile number of mainland China in its stored form. */
export const mobilePhonePattern = /^1[3-9]\d{9}$/;

/** A phone number in its stored form: mobile, landline with area code, or a service number starting with 400 or 800. */
export const phonePattern = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}(-\d{1,5})?|[48]00-?\d{3}-?\d{4})$/;

/**
 * A phone number in its stored form: `+86 138-0013 8000` is `13800138000`.
 * Landlines and service numbers keep the hyphens between area code, number and extension; spaces and brackets are removed.
 * A line break is kept, so that two numbers are not joined into one.
 */
export function normalizePhone(text: string): string {
  const narrow = narrowText(text).replace(/[\u2010-\u2015\u2212\u30FC]/g, "-");
  const digits = narrow.replace(/[ ()-]/g, "").replace(/^(\+|00)?86(?=1\d{10}$)/, "");
  if (mobilePhonePattern.test(digits)) return digits;
  return narrow.replace(/\) *(?=\d)/g, "-").replace(/[ ()]/g, "");
}

/** Length of a person's name in characters; `han` is the maximum for names of only Han characters. */
export const personNameLength = { min: 2, han: 5, max: 30 } as const;

/**
 * A person's name in its stored form: `买买提•吐尔逊` is `买买提·吐尔逊`, `王　强` is `王强`.
 * Every kind of middle dot becomes U+00B7 without spaces around it; Han characters that were spaced out to fill a column are
 * joined.
 */
export const normalizePersonName = (text: string): string =>
  narrowText(text)
    .replace(/ +/g, " ")
    .replace(/ ?[\u00B7\u2022\u2027\u2219\u22C5\u30FB\uFF65] ?/g, "\u00B7")
    // After Latin letters a full stop marks an abbreviation, as in Anna B. Berg.
    .replace(/(?<=\p{Script=Han}) ?\. ?(?=\p{L})/gu, "\u00B7")
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "");

/** Words of Han and Latin letters with the characters that separate the words of names. */
const nameWords =
  /^[\p{Script=Han}\p{Script=Latin}][\p{Script=Han}\p{Script=Latin}\p{M}]*((\. ?|[\u00B7 '’-])[\p{Script=Han}\p{Script=Latin}][\p{Script=Han}\p{Script=Latin}\p{M}]*)*\.?$/u;

/**
 * Whether a text is a person's name.
 * @param name in its stored form, see `normalizePersonName`
 */
export function isPersonName(name: string): boolean {
  const length = [...name].length;
  if (length < personNameLength.min) return false;
  if (/^\p{Script=Han}+$/u.test(name)) return length <= personNameLength.han;
  return length <= personNameLength.max && nameWords.test(name) && /[\u00B7\p{Script=Latin}]/u.test(name);
}
