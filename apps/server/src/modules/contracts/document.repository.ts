import { type Kysely, sql } from "kysely";
import { inScope, personName } from "../../database/conditions.ts";
import type { DB } from "../../database/generated/database.ts";
import { requireSystemScope, type SystemScope, type TenantScope } from "../../tenant-scope.ts";

export interface VersionRow {
  version: number;
  wordsEncrypted: string;
  writtenBy: string;
  createTime: Date;
  sentTime: Date | null;
  reason: string;
  sha256: Buffer | null;
  pages: number;
}

export type DocumentKind = "document" | "signed";
export interface DocumentRow {
  contractId: string;
  version: number;
  kind: DocumentKind;
  sealedEncrypted: string;
  sha256: Buffer;
  pages: number;
}

export interface SignatureRow {
  side: "group" | "customer";
  signerEncrypted: string;
  sha256: Buffer;
  signedTime: Date;
}

/** Which document a hash may mean: the files of a contract of which a version was signed by the customer. */
export interface FoundDocument extends DocumentRow {
  tenantId: string;
  number: string;
  state: string;
}

/** Words, documents and signatures of contracts. @param db a pool or an open transaction */
export function documentRepository(db: Kysely<DB>) {
  return {
    /** Writes the words of a version, or what stands there anew while nobody was sent it. */
    async writeWords(
      scope: TenantScope,
      contractId: string,
      { version, wordsEncrypted }: { version: number; wordsEncrypted: string },
    ): Promise<void> {
      await sql`
        insert into contract_versions as v (contract_id, version, words_encrypted, written_by)
        select c.id, ${version}::integer, ${wordsEncrypted}, ${scope.accountId} from contracts c
         where c.id = ${contractId} and ${inScope(scope, "c")}
        on conflict (contract_id, version) do update
           set words_encrypted = excluded.words_encrypted, written_by = excluded.written_by, created_at = now()
         where v.sent_at is null`.execute(db);
    },

    async markSent(scope: TenantScope, contractId: string, version: number): Promise<void> {
      await sql`
        update contract_versions v set sent_at = now() from contracts c
         where v.contract_id = c.id and c.id = ${contractId} and v.version = ${version} and ${inScope(scope, "c")}`.execute(
        db,
      );
    },

    async setReason(
      scope: TenantScope | SystemScope,
      contractId: string,
      version: number,
      reason: string,
    ): Promise<void> {
      await sql`
        update contract_versions v set reason = ${reason} from contracts c
         where v.contract_id = c.id and c.id = ${contractId} and v.version = ${version} and ${inScope(scope, "c")}`.execute(
        db,
      );
    },

    /** Oldest first. @param sentOnly leaves out what nobody was sent */
    async versions(scope: TenantScope | SystemScope, contractId: string, sentOnly: boolean): Promise<VersionRow[]> {
      const { rows } = await sql<VersionRow>`
        select v.version, v.words_encrypted, ${personName("u")} as written_by,
               v.created_at as create_time, v.sent_at as sent_time, v.reason, d.sha256, coalesce(d.pages, 0) as pages
          from contract_versions v join contracts c on c.id = v.contract_id
          left join accounts u on u.id = v.written_by
          left join contract_documents d on d.contract_id = v.contract_id and d.version = v.version and d.kind = 'document'
         where c.id = ${contractId} and ${inScope(scope, "c")} and ${sentOnly ? sql`v.sent_at is not null` : sql`true`}
         order by v.version limit 200`.execute(db);
      return rows;
    },

    async document(
      scope: TenantScope | SystemScope,
      contractId: string,
      version: number,
      kind: DocumentKind,
    ): Promise<DocumentRow | undefined> {
      const { rows } = await sql<DocumentRow>`
        select d.contract_id, d.version, d.kind, d.sealed_encrypted, d.sha256, d.pages
          from contract_documents d join contracts c on c.id = d.contract_id
         where c.id = ${contractId} and d.version = ${version} and d.kind = ${kind} and ${inScope(scope, "c")}`.execute(
        db,
      );
      return rows[0];
    },

    /** Stores a document. There is one of a kind for a version, and it never changes: a second one fails. */
    async keepDocument(scope: TenantScope, row: DocumentRow): Promise<void> {
      await sql`
        insert into contract_documents (contract_id, version, kind, sealed_encrypted, sha256, pages)
        select c.id, ${row.version}::integer, ${row.kind}, ${row.sealedEncrypted}, ${row.sha256}, ${row.pages}::integer
          from contracts c where c.id = ${row.contractId} and ${inScope(scope, "c")}`.execute(db);
    },

    async keepSignature(
      scope: TenantScope,
      contractId: string,
      version: number,
      row: SignatureRow & { remoteAddress: string },
    ): Promise<void> {
      await sql`
        insert into contract_signatures (contract_id, version, side, account_id, signer_encrypted, sha256, signed_at, remote_address)
        select c.id, ${version}::integer, ${row.side}, ${scope.accountId}, ${row.signerEncrypted}, ${row.sha256}, ${row.signedTime},
               ${row.remoteAddress}
          from contracts c where c.id = ${contractId} and ${inScope(scope, "c")}`.execute(db);
    },

    /** Of the group, then of the customer. */
    async signatures(scope: TenantScope | SystemScope, contractId: string, version: number): Promise<SignatureRow[]> {
      const { rows } = await sql<SignatureRow>`
        select s.side, s.signer_encrypted, s.sha256, s.signed_at as signed_time
          from contract_signatures s join contracts c on c.id = s.contract_id
         where c.id = ${contractId} and s.version = ${version} and ${inScope(scope, "c")} order by s.side desc`.execute(
        db,
      );
      return rows;
    },

    /**
     * Documents of signed contracts whose hash begins so.
     * @param from first hash with these digits, `to` the last one
     */
    async byHash(scope: SystemScope, from: Buffer, to: Buffer): Promise<FoundDocument[]> {
      requireSystemScope(scope);
      const { rows } = await sql<FoundDocument>`
        select d.contract_id, d.version, d.kind, d.sealed_encrypted, d.sha256, d.pages, c.tenant_id, c.number, c.state
          from contract_documents d join contracts c on c.id = d.contract_id
          join contract_signatures s on s.contract_id = d.contract_id and s.version = d.version and s.side = 'customer'
         where d.sha256 between ${from} and ${to} and c.state in ('signed', 'ended') and ${inScope(scope, "c")}
         order by d.kind desc limit 2`.execute(db);
      return rows;
    },

    /** Phone and name of an account that signs. */
    async signer({
      accountId,
    }: TenantScope): Promise<{ account: string; name: string; phoneEncrypted: string } | undefined> {
      const { rows } = await sql<{ account: string; name: string; phoneEncrypted: string }>`
        select a.account, ${personName("a")} as name, a.phone_encrypted
          from accounts a where a.id = ${accountId}`.execute(db);
      return rows[0];
    },

    /** Phones of accounts that have one. */
    async phones(scope: SystemScope, accountIds: readonly string[]): Promise<{ id: string; phoneEncrypted: string }[]> {
      requireSystemScope(scope);
      const { rows } = await sql<{ id: string; phoneEncrypted: string }>`
        select a.id, a.phone_encrypted from accounts a
         where a.id = any(${[...accountIds]}::bigint[]) and a.phone_encrypted <> ''`.execute(db);
      return rows;
    },
  };
}
export type DocumentRepository = ReturnType<typeof documentRepository>;
