import { createCipheriv, createDecipheriv, createHash, randomBytes, timingSafeEqual } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, type FileHandle, open, stat } from "node:fs/promises";
import { type Readable, Writable } from "node:stream";
import { pipeline } from "node:stream/promises";
import { type DataExportState, dataExportDays, dataExportsPerDay } from "@herdwise/contract";
import { ZipFile } from "yazl";
import { refuse } from "../../http/errors.ts";
import type { Session } from "../../http/session.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { spend } from "../../providers/budget.ts";
import type { Store } from "../../providers/store.ts";
import { type AccountScope, accountScope, memberScope, type SystemScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import type { FileService } from "../files/index.ts";
import { myDataPage, type Section, shownTime } from "./my-data-page.ts";
import { myDataText } from "./my-data-words.ts";
import { type DataExportRow, type PersonalDataRepository, personalColumns } from "./personal-data.repository.ts";

const dayS = 86_400;
const ticketLifetimeS = 60;
const ivBytes = 12;
const tagBytes = 16;
/** What uploaded files may be in all, bytes: more is named without its content. */
const mostFileBytes = 200 * 1024 * 1024;
/** An export that was not made within this time is not made any more, ms. */
const makingMs = 3_600_000;

export interface MyDataDependencies {
  repository: PersonalDataRepository;
  files: Pick<FileService, "make" | "withDraft" | "withLocalCopy" | "discard">;
  cipher: PersonalCipher;
  store: Store;
  /** For exports that are made, and files that are fetched, without a session. */
  making: SystemScope;
  /** Name of the brand in a language. */
  brand: (language: "zh" | "en") => string;
  nextId: () => string;
  now: () => number;
  record: RecordEvent;
  notify: (accountId: string, title: string, content: string) => Promise<void>;
  /** Which of the sessions go on. */
  activeSessions: (ids: string[]) => Promise<string[]>;
  /** An export was asked for; called after it is stored. */
  onAsked: (id: string) => void;
  /** A file does not open any more. */
  onError: (error: unknown) => void;
}

interface Ticket {
  exportId: string;
  accountId: string;
  tenantId: string;
  sessionId: string;
  mark: string;
}

/** A file that may be sent. */
export interface FetchedExport {
  content: Readable;
  name: string;
}

const sha256 = (text: string): string => createHash("sha256").update(text).digest("base64url");
const ticketKey = (ticket: string) => `my-data:${sha256(ticket)}`;

const accountColumns = {
  account: "登录名",
  type: "类型",
  real_name: "姓名",
  nick_name: "昵称",
  sex: "性别",
  birthday: "生日",
  phone_encrypted: "手机",
  email_encrypted: "邮箱",
  avatar: "头像",
  created_at: "开通时间",
} as const;

/** Rows come with names in camelCase. */
const camel = (name: string): string => name.replace(/_([a-z])/g, (_all, letter: string) => letter.toUpperCase());

/** Everything that is held on a person, for that person. */
export function createMyDataService(dependencies: MyDataDependencies) {
  const { repository, files, cipher, store, making, brand, nextId, now, record, notify } = dependencies;

  const stateOf = ({ createdAt, readyAt, expiresAt, fetchedAt }: DataExportRow): DataExportState => {
    if (fetchedAt !== null) return "fetched";
    if (readyAt === null) return now() - createdAt.getTime() > makingMs ? "failed" : "making";
    return expiresAt.getTime() <= now() ? "over" : "ready";
  };
  const view = (row: DataExportRow) => ({
    id: row.id,
    state: stateOf(row),
    language: row.language,
    sizeBytes: Number(row.sizeBytes),
    createTime: row.createdAt,
    expireTime: row.expiresAt,
  });

  /** Columns by the names that the list has, with encrypted ones in the clear. */
  const readable = (
    rows: readonly Readonly<Record<string, unknown>>[],
    columns: Readonly<Record<string, string>>,
    opened: readonly string[] = [],
  ) =>
    rows.map((row) =>
      Object.fromEntries(
        Object.keys(columns).map((column) => {
          const held = row[camel(column)];
          const text = opened.includes(column) && typeof held === "string" && held !== "" ? cipher.decrypt(held) : held;
          return [column, text];
        }),
      ),
    );

  const sectionsOf = async (owner: AccountScope): Promise<Section[]> => {
    const account = await repository.account(owner);
    const sections: Section[] = [
      {
        name: "account",
        title: "账号资料",
        columns: accountColumns,
        rows: readable(account === undefined ? [] : [account], accountColumns, ["phone_encrypted", "email_encrypted"]),
      },
    ];
    for (const column of personalColumns) {
      const { shown } = column;
      if (shown === undefined) continue;
      sections.push({
        name: `${column.table}-${column.column}`,
        title: shown.title,
        columns: shown.columns,
        rows: readable(await repository.rowsOf(owner, column), shown.columns, shown.opened),
      });
    }
    const items = await repository.identityItems(owner);
    sections.push({
      name: "real_name_items",
      title: "实名认证资料",
      columns: { application: "申请", field: "项目", value: "内容" },
      rows: items.map(({ applicationId, field, valueEncrypted }) => ({
        application: applicationId,
        field,
        value: cipher.decrypt(valueEncrypted),
      })),
    });
    return sections;
  };

  /** Writes the zip, encrypted by a key of its own: iv, bytes, tag. */
  const write = async (path: string, owner: AccountScope, language: "zh" | "en", key: Buffer): Promise<void> => {
    const sections = await sectionsOf(owner);
    const time = new Date(now());
    const account = String(sections[0]?.rows[0]?.account ?? "");
    const leftOut = personalColumns.flatMap(({ table, column, leftOut: why }) =>
      why === undefined ? [] : [`${table}.${column}: ${why}`],
    );
    const zip = new ZipFile();
    const data = Object.fromEntries(sections.map(({ name, rows }) => [name, rows]));
    zip.addBuffer(Buffer.from(JSON.stringify({ account, exportedAt: time, data, leftOut }, null, 1)), "data.json");
    zip.addBuffer(
      Buffer.from(myDataPage(language, { brand: brand(language), account, time, sections, leftOut })),
      "index.html",
    );
    let bytes = 0;
    const iv = randomBytes(ivBytes);
    const gcm = createCipheriv("aes-256-gcm", key, iv);
    const target = createWriteStream(path, { mode: 0o600 });
    target.write(iv);
    const written = pipeline(zip.outputStream as unknown as Readable, gcm, target);
    // One that fails while files are still read must not go unheard until they are.
    written.catch(() => undefined);
    for (const file of await repository.files(owner)) {
      bytes += Number(file.sizeBytes);
      if (bytes > mostFileBytes) break;
      const place = memberScope(making, { accountId: owner.accountId, tenantId: file.tenantId });
      await files
        .withLocalCopy(
          place,
          file.id,
          (copy) =>
            new Promise<void>((resolve, reject) => {
              const content = createReadStream(copy);
              content.on("end", resolve).on("error", reject);
              zip.addReadStream(content, `files/${file.id}.${file.extension}`);
            }),
        )
        // Its owner may remove it meanwhile.
        .catch(() => undefined);
    }
    zip.end();
    await written;
    await appendFile(path, gcm.getAuthTag());
  };

  const make = async (row: DataExportRow): Promise<void> => {
    const owner = memberScope(making, row);
    const key = randomBytes(32);
    await files.withDraft(async (path) => {
      await write(path, owner, row.language, key);
      const { size } = await stat(path);
      const attachmentId = await files.make(owner, {
        path,
        originalName: "my-data.bin",
        extension: "zip",
        contentType: "application/octet-stream",
        lifetimeS: dataExportDays * dayS,
      });
      const ready = await repository.readyExport(accountScope(making, row.accountId), row.id, {
        attachmentId,
        fileKeyEncrypted: cipher.encrypt(key.toString("base64")),
        sizeBytes: size - ivBytes - tagBytes,
      });
      if (!ready) return files.discard(owner, [attachmentId]);
      await notify(row.accountId, "您的数据可以下载了", "在安全设置里下载，7 天内有效，只能下载一次。");
    });
  };

  return {
    list: async (owner: AccountScope) => (await repository.exportsOf(owner)).map(view),

    async begin(session: Session, language: "zh" | "en", caller: EventCaller) {
      const held = await repository.exportsOf(session);
      if (held.some((row) => stateOf(row) === "making")) throw refuse("my_data.under_way");
      if (!(await spend(store, `my-data:${session.accountId}`, [{ max: dataExportsPerDay, windowS: dayS }])))
        throw refuse("my_data.spent", { values: { count: dataExportsPerDay } });
      const id = nextId();
      const expiresAt = new Date(now() + dataExportDays * dayS * 1000);
      await repository.insertExport(session, { id, tenantId: session.tenantId, language, expiresAt });
      await record(session.accountId, "data_exported", { caller });
      await notify(
        session.accountId,
        "有人要导出您的数据",
        "完成后会通知您。如非本人操作，请立即修改密码，并结束其他登录。",
      );
      dependencies.onAsked(id);
      return {
        id,
        state: "making" as const,
        language,
        sizeBytes: 0,
        createTime: new Date(now()),
        expireTime: expiresAt,
      };
    },

    /** Makes what waits. Made twice by accident, one of the two is thrown away. */
    async makeWaiting(signal: AbortSignal, id?: string): Promise<void> {
      for (const row of await repository.waitingExports(making, id)) {
        if (signal.aborted) return;
        await make(row);
      }
    },

    async link(session: Session, id: string) {
      const row = await repository.fetchable(session, id);
      if (row === undefined) throw refuse("my_data.not_found");
      const [ticket, mark] = [randomBytes(24).toString("base64url"), randomBytes(24).toString("base64url")];
      const held: Ticket = {
        exportId: row.id,
        accountId: row.accountId,
        tenantId: row.tenantId,
        sessionId: session.id,
        mark: sha256(mark),
      };
      await store.set(ticketKey(ticket), JSON.stringify(held), ticketLifetimeS);
      return {
        url: `/files/my-data?ticket=${ticket}`,
        expiresIn: ticketLifetimeS,
        mark,
      };
    },

    /**
     * Hands an export out to the browser that asked for it, and forgets it.
     * @returns undefined for anybody else, and for a second time
     */
    async fetch(ticket: string, mark: string, caller: EventCaller): Promise<FetchedExport | undefined> {
      const text = ticket === "" ? undefined : await store.take(ticketKey(ticket));
      if (text === undefined) return undefined;
      const held = JSON.parse(text) as Ticket;
      const [given, expected] = [Buffer.from(sha256(mark)), Buffer.from(held.mark)];
      if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
      if ((await dependencies.activeSessions([held.sessionId])).length === 0) return undefined;
      const owner = memberScope(making, held);
      const row = await repository.fetchable(owner, held.exportId);
      if (row?.attachmentId == null) return undefined;
      const key = Buffer.from(cipher.decrypt(row.fileKeyEncrypted), "base64");
      const place = memberScope(making, row);
      const content = await files.withLocalCopy(place, row.attachmentId, async (path) => {
        const file = await open(path);
        try {
          await pipeline(await decrypted(file, key), new Writable({ write: (_chunk, _encoding, done) => done() }));
          // Of a hundred at once one takes it.
          if (await repository.takeExport(owner, row.id)) return await decrypted(file, key, true);
        } catch (error) {
          dependencies.onError(error);
        }
        await file.close();
        return undefined;
      });
      if (content === undefined) return undefined;
      await files.discard(place, [row.attachmentId]);
      await record(held.accountId, "data_fetched", { caller });
      return { content, name: `${myDataText(row.language, "我的数据")}-${shownTime(row.createdAt).slice(0, 10)}.zip` };
    },

    sweep: (): Promise<void> => repository.sweepExports(making),
  };
}
export type MyDataService = ReturnType<typeof createMyDataService>;

/** What an open file holds. The end fails where anything in it was changed. @param last closes the file at the end */
async function decrypted(file: FileHandle, key: Buffer, last = false): Promise<Readable> {
  const { size } = await file.stat();
  const [iv, tag] = [Buffer.alloc(ivBytes), Buffer.alloc(tagBytes)];
  await file.read(iv, 0, ivBytes, 0);
  await file.read(tag, 0, tagBytes, size - tagBytes);
  const gcm = createDecipheriv("aes-256-gcm", key, iv).setAuthTag(tag);
  const content = file.createReadStream({ start: ivBytes, end: size - tagBytes - 1, autoClose: last });
  content.on("error", (error) => gcm.destroy(error));
  return content.pipe(gcm);
}
