import type { AgreementKind, AgreementState } from "@herdwise/contract";
import type { MarkName } from "../../shared/icons/mark.tsx";

export const kindWords: Readonly<Record<AgreementKind, string>> = { user: "用户协议", privacy: "隐私政策" };
export const stateWords: Readonly<Record<AgreementState, { word: string; mark: MarkName; tone: string }>> = {
  draft: { word: "草稿", mark: "empty", tone: "off" },
  scheduled: { word: "等待发布", mark: "notice", tone: "notice" },
  current: { word: "现行", mark: "ok", tone: "ok" },
  past: { word: "旧版", mark: "off", tone: "off" },
};
