/** A part of a text as two versions have it. */
export interface DiffPart {
  kind: "same" | "added" | "removed";
  text: string;
}

/** Longer texts are compared paragraph by paragraph alone: the table of a comparison by character would be too large. */
const mostCells = 4_000_000;

/** What is to be taken out of and put into one list to get the other, by a longest common part. */
function diffOf<T extends string>(before: readonly T[], after: readonly T[]): { kind: DiffPart["kind"]; item: T }[] {
  const width = after.length + 1;
  const lengths = new Uint32Array((before.length + 1) * width);
  for (let a = before.length - 1; a >= 0; a -= 1)
    for (let b = after.length - 1; b >= 0; b -= 1)
      lengths[a * width + b] =
        before[a] === after[b]
          ? (lengths[(a + 1) * width + b + 1] ?? 0) + 1
          : Math.max(lengths[(a + 1) * width + b] ?? 0, lengths[a * width + b + 1] ?? 0);
  const parts: { kind: DiffPart["kind"]; item: T }[] = [];
  let [a, b] = [0, 0];
  while (a < before.length || b < after.length) {
    const [old, fresh] = [before[a], after[b]];
    if (old !== undefined && old === fresh) {
      parts.push({ kind: "same", item: old });
      a += 1;
      b += 1;
    } else if (
      old !== undefined &&
      (fresh === undefined || (lengths[(a + 1) * width + b] ?? 0) >= (lengths[a * width + b + 1] ?? 0))
    ) {
      parts.push({ kind: "removed", item: old });
      a += 1;
    } else if (fresh !== undefined) {
      parts.push({ kind: "added", item: fresh });
      b += 1;
    }
  }
  return parts;
}

/** Numbers and words of alphabets are changed as a whole; Chinese goes by its characters. */
const tokensOf = (text: string): string[] => text.match(/\d[\d.,]*\d|[\p{Script=Latin}\d]+|./gsu) ?? [];

/** Two paragraphs by their words and characters, runs of one kind together. */
function charactersOf(before: string, after: string): DiffPart[] {
  const parts: DiffPart[] = [];
  for (const { kind, item } of diffOf(tokensOf(before), tokensOf(after))) {
    const last = parts.at(-1);
    if (last?.kind === kind) last.text += item;
    else parts.push({ kind, text: item });
  }
  return parts;
}

/** How much of two paragraphs must be the same for them to be one that was changed. */
const sameShare = 0.4;

/** A removed and an added paragraph as one that was changed; undefined when they have too little in common. */
function changedParagraph(before: string, after: string): DiffPart[] | undefined {
  if (before.length * after.length > mostCells) return undefined;
  const within = charactersOf(before, after);
  const same = within.reduce((sum, { kind, text }) => sum + (kind === "same" ? text.length : 0), 0);
  return same / Math.max(before.length, after.length) >= sameShare ? within : undefined;
}

/** What two versions of a text have and don't have in common: a list of paragraphs, each in its parts. */
export function compareParagraphs(before: readonly string[], after: readonly string[]): DiffPart[][] {
  const paragraphs: DiffPart[][] = [];
  let removed: string[] = [];
  let added: string[] = [];
  /** Paragraphs that were replaced, in their order: those that resemble each other are one that was changed. */
  const settle = (): void => {
    for (let at = 0; at < Math.max(removed.length, added.length); at += 1) {
      const [old, fresh] = [removed[at], added[at]];
      const changed = old !== undefined && fresh !== undefined ? changedParagraph(old, fresh) : undefined;
      if (changed) paragraphs.push(changed);
      else {
        if (old !== undefined) paragraphs.push([{ kind: "removed", text: old }]);
        if (fresh !== undefined) paragraphs.push([{ kind: "added", text: fresh }]);
      }
    }
    removed = [];
    added = [];
  };
  for (const { kind, item } of diffOf(before, after)) {
    if (kind === "removed") removed.push(item);
    else if (kind === "added") added.push(item);
    else {
      settle();
      paragraphs.push([{ kind, text: item }]);
    }
  }
  settle();
  return paragraphs;
}
