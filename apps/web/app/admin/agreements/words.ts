import type { AgreementKind, AgreementState } from "@herdwise/contract";
import type { StateFace } from "@herdwise/contract/resource";

export const kindWords: Readonly<Record<AgreementKind, string>> = { user: "用户协议", privacy: "隐私政策" };
export const stateWords: Readonly<Record<AgreementState, StateFace>> = {
  draft: { word: "草稿", mark: "empty" },
  scheduled: { word: "等待发布", mark: "notice" },
  current: { word: "现行", mark: "ok" },
  past: { word: "旧版", mark: "off" },
};
