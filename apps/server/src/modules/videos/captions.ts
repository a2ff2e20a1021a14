import { refuse } from "../../http/errors.ts";

const time = String.raw`(?:\d{2,}:)?[0-5]\d:[0-5]\d\.\d{3}`;
/** The line of a cue that says when: WebVTT 1, 6.4. Settings behind it say where it stands. */
const timing = new RegExp(String.raw`^${time}[ \t]+-->[ \t]+${time}(?:[ \t]+[\w:%,.\- \t]*)?$`);
/** Nobody reads longer ones. */
const mostCues = 5000;

/**
 * Reads captions and writes their cues anew; notes, styles and regions stay behind.
 * @throws {Refusal} 400 for what is no WebVTT in UTF-8, or has no cue
 */
export function readCaptions(bytes: Uint8Array): { text: string; cues: number } {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    throw refuse("upload.captions_unreadable", { field: "file" });
  }
  const blocks = text
    .replaceAll("\0", "")
    .replaceAll(/\r\n?/g, "\n")
    .split(/\n{2,}/);
  const [head = "", ...rest] = blocks;
  if (!/^WEBVTT(?:[ \t][^\n]*)?(?:\n|$)/.test(head)) throw refuse("upload.captions_unreadable", { field: "file" });
  const cues = rest.flatMap((block) => {
    const lines = block.split("\n").filter((line) => line !== "");
    // A name may stand before the time.
    const at = lines.slice(0, 2).findIndex((line) => timing.test(line));
    const words = at < 0 ? [] : lines.slice(at + 1).filter((line) => !line.includes("-->"));
    return words.length === 0 ? [] : [[lines[at], ...words].join("\n")];
  });
  if (cues.length === 0 || cues.length > mostCues) throw refuse("upload.captions_unreadable", { field: "file" });
  return { text: `WEBVTT\n\n${cues.join("\n\n")}\n`, cues: cues.length };
}
