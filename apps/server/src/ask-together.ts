/**
 * Answers many questions by few: one is asked at a time, for everybody whose question came before it began, so that no answer
 * is older than its question.
 * @param ask gets the questions that wait, at least one
 */
export function askTogether<Question, Answer>(
  ask: (questions: readonly Question[]) => Promise<Answer>,
): (question: Question) => Promise<Answer> {
  let waiting: Question[] = [];
  let next: Promise<Answer> | undefined;
  let running: Promise<unknown> = Promise.resolve();
  const begin = (): Promise<Answer> => {
    const asked = waiting;
    waiting = [];
    next = undefined;
    const answer = ask(asked);
    running = answer.catch(() => undefined);
    return answer;
  };
  return (question) => {
    waiting.push(question);
    next ??= running.then(begin);
    return next;
  };
}
