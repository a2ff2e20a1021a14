/** In this tab alone: the other tabs of the browser go on with the person's own session. */
export const previewKey = "role_preview";

interface StoredPreview {
  token: string;
  /** Where the preview was opened, and where leaving it leads. */
  back: string;
}

/** The preview of a role that this tab shows; undefined in the person's own session. */
export function readPreview(): StoredPreview | undefined {
  try {
    const held: unknown = JSON.parse(sessionStorage.getItem(previewKey) ?? "null");
    if (typeof held !== "object" || held === null || !("token" in held) || !("back" in held)) return undefined;
    return { token: String(held.token), back: String(held.back) };
  } catch {
    return undefined;
  }
}

/** Keeps a preview for this tab, or forgets it. */
export function storePreview(preview: StoredPreview | undefined): void {
  if (preview) sessionStorage.setItem(previewKey, JSON.stringify(preview));
  else sessionStorage.removeItem(previewKey);
}

/** Goes back to the person's own session, as when a preview ended by itself. */
export function closePreview(): void {
  const back = readPreview()?.back ?? "/selfCenter/home";
  storePreview(undefined);
  location.replace(back);
}
