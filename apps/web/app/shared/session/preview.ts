import { roleSessionLeave, roleSessionOpen } from "@herdwise/contract";
import { call } from "../api/call.ts";
import { closePreview, storePreview } from "./preview-storage.ts";

/** Shows the portal in this tab as a role sees it. The page starts anew: what stands on it was loaded with other rights. */
export async function openPreview(roleId: string): Promise<void> {
  const { token } = await call(roleSessionOpen, { body: { roleId } });
  storePreview({ token, back: `${location.pathname}${location.search}` });
  location.assign("/selfCenter/home");
}

/** Ends the preview, also on the server. */
export async function leavePreview(): Promise<void> {
  await call(roleSessionLeave, { body: {}, quiet: true }).catch(() => undefined);
  closePreview();
}
