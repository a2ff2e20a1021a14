// Checks the exported record of a lot without the portal: node scripts/verify-award.mjs <file.json>
//
// The hash of an entry is SHA-256, in hex, of the hash of the entry before ("" for the first) followed by the JSON, without spaces, of
// [lot, seq, who, fenPerKg or null, proxy, strikes or null, reason, at]. `sha256` is that of the file without it. Whoever rewrites the
// whole file can't keep its last hash: compare it with the one that the page of the lot shows. Exit code: 0 whole, 1 altered, 2 no record.
import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";

const sha256 = (text) => createHash("sha256").update(text).digest("hex");

/** What the text of an exported record says of itself. @param {string} text */
export function verifyAward(text) {
  let file;
  try {
    file = JSON.parse(text);
  } catch {
    return { whole: false, why: "this is no JSON" };
  }
  if (file?.format !== "herdwise-award-1" || !Array.isArray(file.entries))
    return { whole: false, why: "this is no record of a lot" };
  let previous = "";
  for (const [at, entry] of file.entries.entries()) {
    const { seq, who, fenPerKg = null, proxy, strikes = null, reason, previousHash, hash } = entry;
    const said = JSON.stringify([file.lot, seq, who, fenPerKg, proxy, strikes, reason, entry.at]);
    if (seq !== at + 1 || previousHash !== previous || hash !== sha256(previous + said))
      return {
        whole: false,
        altered: at + 1,
        why: `entry ${at + 1} is not as it was written, or one before it is missing`,
      };
    previous = hash;
  }
  if (file.entries.length !== file.count || previous !== file.lastHash)
    return { whole: false, altered: file.entries.length + 1, why: "entries are missing at the end" };
  const { sha256: digest, ...rest } = file;
  if (digest !== sha256(JSON.stringify(rest)) || text !== `${JSON.stringify(file, null, 1)}\n`)
    return { whole: false, why: "the entries are whole, but something beside them was changed" };
  return { whole: true, lot: file.number, entries: file.count, lastHash: previous };
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  const [path] = process.argv.slice(2);
  if (path === undefined) {
    console.error("node scripts/verify-award.mjs <file.json>");
    process.exit(2);
  }
  const answer = verifyAward(readFileSync(path, "utf8"));
  if (answer.whole) {
    console.log(`${answer.lot}: whole, ${answer.entries} entries, last hash ${answer.lastHash}`);
  } else {
    console.error(`altered: ${answer.why}`);
    process.exit(answer.why.startsWith("this is no") ? 2 : 1);
  }
}
