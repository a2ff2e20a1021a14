/** A stretch of a text; `differs` where the other text has something else. */
export interface Stretch {
  text: string;
  differs: boolean;
}

/** Where two texts differ, character by character: what both have in the same order agrees. */
export function differenceOf(left: string, right: string): { left: Stretch[]; right: Stretch[] } {
  const [a, b] = [[...left], [...right]];
  // Lengths of the longest common rest from each pair of places on.
  const rest: number[][] = Array.from({ length: a.length + 1 }, () => new Array<number>(b.length + 1).fill(0));
  const at = (row: number, column: number): number => rest[row]?.[column] ?? 0;
  for (let row = a.length - 1; row >= 0; row -= 1)
    for (let column = b.length - 1; column >= 0; column -= 1) {
      const line = rest[row];
      if (line)
        line[column] =
          a[row] === b[column] ? at(row + 1, column + 1) + 1 : Math.max(at(row + 1, column), at(row, column + 1));
    }
  const found = { left: [] as Stretch[], right: [] as Stretch[] };
  const add = (side: Stretch[], text: string, differs: boolean): void => {
    const last = side.at(-1);
    if (last && last.differs === differs) last.text += text;
    else side.push({ text, differs });
  };
  let [row, column] = [0, 0];
  while (row < a.length || column < b.length) {
    const [one = "", other = ""] = [a[row], b[column]];
    if (row < a.length && column < b.length && one === other) {
      add(found.left, one, false);
      add(found.right, other, false);
      row += 1;
      column += 1;
    } else if (column >= b.length || (row < a.length && at(row + 1, column) >= at(row, column + 1))) {
      add(found.left, one, true);
      row += 1;
    } else {
      add(found.right, other, true);
      column += 1;
    }
  }
  return found;
}
