/** Removes what the barn mode keeps on this phone beside the session's storage: its worker and its pages. */
export async function forgetKeptPages(): Promise<void> {
  try {
    const names = "caches" in window ? await caches.keys() : [];
    await Promise.all(names.filter((name) => name.startsWith("barn-")).map((name) => caches.delete(name)));
    const held = "serviceWorker" in navigator ? await navigator.serviceWorker.getRegistrations() : [];
    await Promise.all(
      held.filter(({ scope }) => new URL(scope).pathname === "/barn").map((registration) => registration.unregister()),
    );
  } catch {
    // They hold nothing of the person.
  }
}
