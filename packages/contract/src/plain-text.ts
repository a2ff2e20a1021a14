/** How texts that people type or paste are stored, on both sides of the wire: plain functions, so that the browser gets them as they are. */

/**
 * Characters that nobody sees: zero-width ones, marks of the writing direction, soft hyphens. Of the scripts that names and texts are
 * taken in none needs them, and two texts that look alike must be one.
 */
const invisible = /[\u00AD\u061C\u200B-\u200F\u202A-\u202E\u2060-\u2064\u2066-\u2069\uFEFF]/g;
const wideBlanks = /[\t\u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]/g;

/**
 * A text as it is stored: NFC, without invisible characters, nothing blank at its ends.
 * @param options `lines`: has several lines and keeps them, and the blanks that indent them; else every blank is a plain one
 */
export function plainText(text: string, { lines = false }: { lines?: boolean } = {}): string {
  const plain = text.normalize("NFC").replace(invisible, "").replace(/\r\n?/g, "\n");
  return (lines ? plain : plain.replace(wideBlanks, " ")).trim();
}

/** A text of letters, digits and signs as `plainText`, where a Chinese keyboard gave the full-width ones: `ＡＢ－１` is `AB-1`. */
export const narrowText = (text: string): string =>
  plainText(text).replace(/[\uFF01-\uFF5E]/g, (wide) => String.fromCharCode(wide.charCodeAt(0) - 0xfee0));

/** A mobile number of mainland China in its stored form. */
export const mobilePhonePattern = /^1[3-9]\d{9}$/;

/** A number to call in its stored form: a mobile, a land line with its area code, or a service number of 400 and 800. */
export const phonePattern = /^(1[3-9]\d{9}|0\d{2,3}-?\d{7,8}(-\d{1,5})?|[48]00-?\d{3}-?\d{4})$/;

/**
 * A phone number in its stored form: `+86 138-0013 8000` is `13800138000`. Land lines and service numbers keep their hyphens, which
 * part the area code and the extension; blanks and brackets go. A line break is no blank: two numbers are not one.
 */
export function normalizePhone(text: string): string {
  const narrow = narrowText(text).replace(/[\u2010-\u2015\u2212\u30FC]/g, "-");
  const digits = narrow.replace(/[ ()-]/g, "").replace(/^(\+|00)?86(?=1\d{10}$)/, "");
  if (mobilePhonePattern.test(digits)) return digits;
  return narrow.replace(/\) *(?=\d)/g, "-").replace(/[ ()]/g, "");
}

/** Characters of a person's name; `han` for names of Han characters alone. */
export const personNameLength = { min: 2, han: 5, max: 30 } as const;

/**
 * A person's name in its stored form. The middle dot is U+00B7 whichever key gave it, nothing stands around it, and Han characters
 * that were spaced out to fill a column stand together: `买买提•吐尔逊` is `买买提·吐尔逊`, `王　强` is `王强`.
 */
export const normalizePersonName = (text: string): string =>
  narrowText(text)
    .replace(/ +/g, " ")
    .replace(/ ?[\u00B7\u2022\u2027\u2219\u22C5\u30FB\uFF65] ?/g, "\u00B7")
    // Behind Latin letters a full stop shortens a name: Anna B. Berg.
    .replace(/(?<=\p{Script=Han}) ?\. ?(?=\p{L})/gu, "\u00B7")
    .replace(/(?<=\p{Script=Han}) (?=\p{Script=Han})/gu, "");

/** Letters of Han and Latin in words, between them what parts the words of names. */
const nameWords =
  /^[\p{Script=Han}\p{Script=Latin}][\p{Script=Han}\p{Script=Latin}\p{M}]*((\. ?|[\u00B7 '’-])[\p{Script=Han}\p{Script=Latin}][\p{Script=Han}\p{Script=Latin}\p{M}]*)*\.?$/u;

/** Whether a text is a person's name. @param name in its stored form, see `normalizePersonName` */
export function isPersonName(name: string): boolean {
  const length = [...name].length;
  if (length < personNameLength.min) return false;
  if (/^\p{Script=Han}+$/u.test(name)) return length <= personNameLength.han;
  return length <= personNameLength.max && nameWords.test(name) && /[\u00B7\p{Script=Latin}]/u.test(name);
}
