export {
  type AuditFilter,
  type AuditRecord,
  type AuditRepository,
  type AuditRow,
  auditRepository,
  installationChain,
} from "./audit.repository.ts";
export { createRecordSpool } from "./record-spool.ts";
export type { TellEntries } from "./tell-entries.ts";
