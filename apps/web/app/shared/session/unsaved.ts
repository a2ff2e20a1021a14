/* Forms on this page that hold what somebody typed and has not sent. A session that ends must not take them along. */

const dirtyForms = new Set<symbol>();
let askAgain: (() => void) | undefined;

/** Marks a form as holding unsent text. Returns its end. */
export function markUnsaved(): () => void {
  const form = Symbol("form");
  dirtyForms.add(form);
  return () => {
    dirtyForms.delete(form);
  };
}

/** Where the dialog lives that asks to log in again. Returns its end. */
export function onLogInAgain(ask: () => void): () => void {
  askAgain = ask;
  return () => {
    if (askAgain === ask) askAgain = undefined;
  };
}

/** Asks to log in again on this page, if a form would be lost otherwise. @returns whether it did */
export function askToLogInAgain(): boolean {
  if (dirtyForms.size === 0 || !askAgain) return false;
  askAgain();
  return true;
}
