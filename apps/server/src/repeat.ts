/**
 * Does work again and again, each time when it has rested since the one before has ended; what fails is told and ends nothing.
 * @param restMs before the first time, too
 * @returns ends it, once the work under way is done
 */
export function repeat(
  work: () => Promise<unknown>,
  restMs: number,
  onError: (error: unknown) => void,
): () => Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let stopped = false;
  let underWay: Promise<void> = Promise.resolve();
  const again = (): void => {
    if (stopped) return;
    timer = setTimeout(() => {
      underWay = work()
        .then(() => undefined, onError)
        .finally(again);
    }, restMs);
  };
  again();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await underWay;
  };
}
