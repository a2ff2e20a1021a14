/**
 * Lets one bid of a lot at a time go to the database on this server. The others wait in memory, not for the lot's row, which would
 * take the connections of everybody, and look again when it is done, as most of them are too low then.
 */
export function bidTurns() {
  const running = new Map<string, Promise<unknown>>();
  /**
   * @param look called before each wait and before the turn; what it throws ends the wait
   * @param work has the turn alone
   */
  return async <Result>(lot: string, look: () => Promise<void>, work: () => Promise<Result>): Promise<Result> => {
    for (;;) {
      await look();
      const before = running.get(lot);
      if (before === undefined) break;
      await before;
    }
    const own = work();
    const done = () => running.delete(lot);
    running.set(lot, own.then(done, done));
    return own;
  };
}
