import { promisify } from "node:util";
import { deflate, inflate } from "node:zlib";
import type { AuditRecord } from "./audit.repository.ts";

const pack = promisify(deflate);
const unpack = promisify(inflate);

/** Records of work that goes on for long, kept small until they are written down at its end. */
export function createRecordSpool() {
  const parts: Buffer[] = [];
  return {
    async add(records: readonly AuditRecord[]): Promise<void> {
      if (records.length > 0) parts.push(await pack(JSON.stringify(records), { level: 1 }));
    },
    isEmpty: () => parts.length === 0,
    async *batches(): AsyncGenerator<AuditRecord[]> {
      for (const part of parts) yield JSON.parse((await unpack(part)).toString());
    },
  };
}
