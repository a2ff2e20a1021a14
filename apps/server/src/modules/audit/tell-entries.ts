import type { auditSentence } from "@herdwise/contract/audit-sentence";
import type { TenantScope } from "../../tenant-scope.ts";
import type { AuditRow } from "./audit.repository.ts";

/** An entry with the sentence and the details that say it. */
type ToldRow = AuditRow & ReturnType<typeof auditSentence>;

/** Puts entries into words; rows that they refer to are named as far as the scope reaches them. */
export type TellEntries = (scope: TenantScope, rows: readonly AuditRow[]) => Promise<ToldRow[]>;
