/** A picture that came with a paste: its bytes, where the browser has them, and the words that stood for it. */
export interface PastedPicture {
  /** Names it in the pasted markup until it is uploaded. */
  key: string;
  file: File | undefined;
  alt: string;
}

const types = { png: "image/png", jpg: "image/jpeg" } as const;

/** The group of RTF that begins at a place, with its braces; escaped braces are text. */
function groupAt(rtf: string, start: number): string {
  let depth = 0;
  for (let at = start; at < rtf.length; at += 1) {
    const character = rtf[at];
    if (character === "\\") at += 1;
    else if (character === "{") depth += 1;
    else if (character === "}") {
      depth -= 1;
      if (depth === 0) return rtf.slice(start, at + 1);
    }
  }
  return rtf.slice(start);
}

/** Takes groups with a control word out of RTF. */
function withoutGroups(rtf: string, opening: string): string {
  let rest = rtf;
  for (let at = rest.indexOf(opening); at >= 0; at = rest.indexOf(opening, at))
    rest = rest.slice(0, at) + rest.slice(at + groupAt(rest, at).length);
  return rest;
}

const bytesOf = (hex: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from({ length: hex.length >> 1 }, (_, at) => Number.parseInt(hex.slice(at * 2, at * 2 + 2), 16));

/**
 * The pictures that Word puts on the clipboard, in order: its HTML names files that no page may read, its RTF holds their bytes.
 * @returns undefined for one in a format that no browser shows, such as a metafile
 */
export function picturesOfRtf(rtf: string): (Uint8Array<ArrayBuffer> | undefined)[] {
  // Beside each picture Word keeps one for old readers.
  const plain = withoutGroups(rtf, "{\\nonshppict");
  const found: (Uint8Array<ArrayBuffer> | undefined)[] = [];
  for (let at = plain.indexOf("{\\pict"); at >= 0; at = plain.indexOf("{\\pict", at + 1)) {
    const group = groupAt(plain, at);
    if (!/\\(?:png|jpeg)blip\b/.test(group)) {
      found.push(undefined);
      continue;
    }
    // What is left without inner groups and control words are the bytes.
    const inner = group.slice(1, group.endsWith("}") ? -1 : undefined);
    let own = "";
    for (let place = 0; place < inner.length; place += 1) {
      if (inner[place] === "{") place += groupAt(inner, place).length - 1;
      else own += inner[place];
    }
    const hex = own.replace(/\\[a-z]+-?\d* ?/gi, "").replace(/[^0-9a-f]/gi, "");
    found.push(hex.length > 0 ? bytesOf(hex) : undefined);
  }
  return found;
}

const typeOf = (bytes: Uint8Array): keyof typeof types | undefined => {
  if (bytes[0] === 0x89 && bytes[1] === 0x50) return "png";
  return bytes[0] === 0xff && bytes[1] === 0xd8 ? "jpg" : undefined;
};

function fileOf(bytes: Uint8Array<ArrayBuffer> | undefined, key: string): File | undefined {
  const type = bytes && typeOf(bytes);
  return bytes && type ? new File([bytes], `${key}.${type}`, { type: types[type] }) : undefined;
}

function fileOfDataAddress(address: string, key: string): File | undefined {
  const [, base64 = ""] = /^data:image\/(?:png|jpe?g);base64,([A-Za-z0-9+/=\s]+)$/i.exec(address) ?? [];
  if (base64 === "") return undefined;
  const text = atob(base64.replace(/\s/g, ""));
  return fileOf(
    Uint8Array.from(text, (character) => character.charCodeAt(0)),
    key,
  );
}

/** Words that Word made up for a picture say little; somebody is to write them. */
const isMadeUp = (alt: string): boolean =>
  /自动生成|automatically generated|generated automatically/i.test(alt) ||
  /^(?:img|image|图片|picture|screenshot)?[\s_-]*\d*(?:\.\w{3,4})?$/i.test(alt);

let made = 0;
/** A new key of a picture that is on its way. */
export function newPictureKey(): string {
  made += 1;
  return `picture-${made}`;
}

/** The same picture for readers of Word's own drawings stands in comments. */
const imagesAndComments = /<!--[\s\S]*?-->|<img\b[^>]*>/gi;
const isComment = (text: string): boolean => text.startsWith("<!--");

export interface Clipboard {
  html: string;
  rtf: string;
  /** Pictures among the files, such as a screenshot. */
  files: readonly File[];
}

/**
 * Finds the pictures of a paste. Addresses of other sites are left alone: they are neither fetched nor shown.
 * @returns the markup with a key in the place of each picture whose bytes are there, those pictures, and how many are lost
 */
export function takePictures({ html, rtf, files }: Clipboard): {
  html: string;
  pictures: PastedPicture[];
  lost: number;
} {
  const pictures: PastedPicture[] = [];
  let lost = 0;
  const images = [...html.matchAll(imagesAndComments)].map(([tag]) => tag).filter((tag) => !isComment(tag));
  const sourceOf = (tag: string): string =>
    /\ssrc\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s>]+))/i.exec(tag)?.slice(1).find(Boolean) ?? "";
  const local = images.filter((tag) => /^file:/i.test(sourceOf(tag)));
  const ofRtf = local.length > 0 ? picturesOfRtf(rtf) : [];
  // Only where both tell of as many pictures is it known which is which.
  const matched = ofRtf.length === local.length;
  let place = 0;
  const kept = html.replace(imagesAndComments, (tag) => {
    if (isComment(tag)) return tag;
    const source = sourceOf(tag);
    // One of ours, moved from another place of the text.
    if (source.startsWith("/pictures/")) return tag;
    const key = newPictureKey();
    let file: File | undefined;
    if (/^file:/i.test(source)) {
      file = matched ? fileOf(ofRtf[place], key) : undefined;
      place += 1;
    } else if (/^data:/i.test(source)) file = fileOfDataAddress(source, key);
    else if (images.length === 1 && files.length === 1) [file] = files;
    if (file === undefined) {
      lost += 1;
      return "";
    }
    const written = /\salt\s*=\s*(?:"([^"]*)"|'([^']*)')/i.exec(tag)?.slice(1).find(Boolean) ?? "";
    const alt = written
      .replace(/&quot;/g, '"')
      .replace(/&amp;/g, "&")
      .trim();
    pictures.push({ key, file, alt: isMadeUp(alt) ? "" : alt });
    return `<img data-upload="${key}">`;
  });
  return { html: kept, pictures, lost };
}
