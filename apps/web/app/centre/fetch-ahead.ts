/** Written at build, see build-plugins/fetch-ahead-list.ts. */
const listPath = "/fetch-ahead.json";
/** The list that this tab is done with; a newer build has another one. */
const doneKey = "fetched_ahead";
/** What the page itself asks for comes first. */
const afterMs = 5000;
const atOnce = 2;

let done = false;

/** Whether every screen opens without the network. */
export const isFetchedAhead = (): boolean => done;

async function fetchAll(): Promise<void> {
  const answer = await fetch(listPath);
  if (!answer.ok) return;
  const list = await answer.text();
  if (sessionStorage.getItem(doneKey) !== list) {
    const paths = (JSON.parse(list) as string[]).values();
    const worker = async (): Promise<void> => {
      for (const path of paths) await (await fetch(path, { priority: "low" })).arrayBuffer();
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    sessionStorage.setItem(doneKey, list);
  }
  done = true;
}

/**
 * Soon after a page is loaded, fetches the files of all screens into the browser's cache, where they stay as their names carry a
 * hash: a click without network then opens the screen instead of the browser's own error page. Returns its end.
 */
export function fetchAhead(): () => void {
  const savesData = (navigator as { connection?: { saveData?: boolean } }).connection?.saveData === true;
  if (done || savesData) return () => undefined;
  // What could not be fetched now is fetched when the next page of the centre is loaded.
  const timer = setTimeout(() => void fetchAll().catch(() => undefined), afterMs);
  return () => clearTimeout(timer);
}
