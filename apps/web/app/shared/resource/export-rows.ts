import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { tellJobBegun } from "../session/job-begun.ts";
import { showToast } from "../states/toast-store.ts";
import { callResource } from "./resource-api.ts";

/** Starts an export as a job; the header shows its progress, and a message its result. */
export async function exportRows(
  of: ResourceDeclaration,
  chosen: Readonly<Record<string, unknown>>,
  columns: readonly string[],
  order: Readonly<Record<string, string>>,
  language: "zh" | "en",
): Promise<void> {
  // A refusal is shown as a toast.
  await callResource<{ jobId: string }>(of, "exportRows", {
    body: { ...chosen, columns, language, ...order },
  });
  tellJobBegun();
  showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
}
