/**
 * A few places, given in the order in which they were asked for, for work that a single function does not enclose.
 * @returns takes a place, once one is free; what it answers gives the place back, and is called once
 */
export function createPlaces(most: number) {
  const queue: (() => void)[] = [];
  let taken = 0;
  const giveBack = (): void => {
    // The place goes to the next one, and is free when there is none.
    const next = queue.shift();
    if (next === undefined) taken -= 1;
    else next();
  };
  return async (): Promise<() => void> => {
    if (taken >= most) await new Promise<void>((resolve) => queue.push(resolve));
    else taken += 1;
    return giveBack;
  };
}

/** Lets a few calls run at a time, the others in the order in which they came. */
export function createGate(most: number) {
  const takePlace = createPlaces(most);
  return async <Result>(work: () => Promise<Result>): Promise<Result> => {
    const giveBack = await takePlace();
    try {
      return await work();
    } finally {
      giveBack();
    }
  };
}
