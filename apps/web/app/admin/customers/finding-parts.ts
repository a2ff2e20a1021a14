import type { CustomerFinding, CustomerRule } from "@herdwise/contract";
import { ruleDetail } from "../../shared/customers/rule-words.ts";
import type { Translate } from "../../shared/language/use-language.ts";

/** Rules whose detail is the day that their finding follows from. */
const dayTold: ReadonlySet<CustomerRule> = new Set(["licence_expired", "licence_expiring"]);

/** What a finding is about, and since when. @param at its beginning as text */
export const findingParts = (finding: CustomerFinding, t: Translate, at: string): string[] =>
  [ruleDetail(finding, t), dayTold.has(finding.rule) ? "" : t("{time} 起", { time: at })].filter(Boolean);
