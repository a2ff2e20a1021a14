/** Lets a few calls run at a time, the others in the order in which they came. */
export function createGate(most: number) {
  const queue: (() => void)[] = [];
  let inside = 0;
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    if (inside >= most) await new Promise<void>((resolve) => queue.push(resolve));
    else inside += 1;
    try {
      return await work();
    } finally {
      // The place goes to the next one, and is free when there is none.
      const next = queue.shift();
      if (next === undefined) inside -= 1;
      else next();
    }
  };
}
