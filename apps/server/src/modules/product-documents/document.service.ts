import { readFile, writeFile } from "node:fs/promises";
import { buffer } from "node:stream/consumers";
import {
  type AuditChange,
  documentMaxBytes,
  documentPreviewPages,
  type PublicDocument,
  productDocuments,
  type publicDocumentPage,
  type QueryOf,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { PreviewLinks } from "../../preview-links.ts";
import type { ResourceHooks } from "../../resources/index.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import { type AuditRepository, installationChain } from "../audit/index.ts";
import type { ArrivingFile, FileService, SiteFileService } from "../files/index.ts";
import type { DocumentRepository, HeldDocument, PublishedDocument } from "./document.repository.ts";
import type { ProductPaper } from "./paper.ts";
import { drawPdfPage, lookAtPdf, writePdf } from "./pdf.ts";

type Language = "zh" | "en";
const mostRelated = 4;
/** A document of more pages is a book, and no preview of one. */
const mostPages = 1000;
/** Width of a page's picture: twice the column on a phone, and enough to read on a desk. */
const pictureWidth = 960;

export interface DocumentDependencies {
  repository: DocumentRepository;
  inTransaction<T>(work: (to: { documents: DocumentRepository; audit: AuditRepository }) => Promise<T>): Promise<T>;
  files: Pick<FileService, "withReceived" | "withDraft">;
  siteFiles: SiteFileService;
  previews: PreviewLinks;
  /** Tells every server that what visitors read is another. */
  changed: () => void;
  nextId: () => string;
}

type DocumentView = Omit<PublicDocument, "publishedAt"> & { publishedAt: Date };

function viewOf(row: PublishedDocument, language: Language): DocumentView {
  const { titleEn, summaryEn, fileName: _file, ...document } = row;
  return language === "en" ? { ...document, title: titleEn || row.title, summary: summaryEn || row.summary } : document;
}

const entryOf = (rowId: string, { title }: HeldDocument, change: AuditChange) => ({
  resource: productDocuments.name,
  rowId,
  rowTitle: title,
  action: "update" as const,
  changes: [change],
});

/** Files of documents about products, and what visitors find of them. */
export function createDocumentService({
  repository,
  inTransaction,
  files,
  siteFiles,
  previews,
  changed,
  nextId,
}: DocumentDependencies) {
  /** @param preview the proof of a signed address, where there is one @throws Refusal 404 for what is not published */
  const published = async (id: string, preview = ""): Promise<PublishedDocument> => {
    const row = await repository.readable(id, preview !== "" && previews.read(preview)?.id === id);
    if (row === undefined) throw refuse("row.not_found");
    return row;
  };
  /** @throws Refusal 404 for what the storage does not have */
  const open = async (name: string) => {
    const file = await siteFiles.open(name);
    if (file === undefined) throw refuse("row.not_found");
    return file;
  };
  const keepBytes = (bytes: Uint8Array, extension: "pdf" | "png") =>
    files.withDraft(async (path) => {
      await writeFile(path, bytes, { mode: 0o600 });
      return siteFiles.keep(path, extension);
    });
  /** Pages that are being drawn now, so that many visitors ask for one drawing. */
  const drawing = new Map<string, Promise<string>>();

  const draw = async (fileName: string, page: number): Promise<string> => {
    const { content } = await open(fileName);
    const { picture } = await drawPdfPage(await buffer(content), page, pictureWidth);
    const { name } = await keepBytes(picture, "png");
    await repository.setPicture(fileName, page, name);
    return name;
  };

  return {
    /** Takes the file of a document in the place of the one it had. @throws Refusal 400 for what is no PDF, 404 */
    async upload(scope: TenantScope, id: string, file: ArrivingFile) {
      if ((await repository.find(id)) === undefined) throw refuse("row.not_found");
      const kept = await files.withReceived(file, documentMaxBytes, async (path) => {
        const { pages, words } = await lookAtPdf(await readFile(path)).catch(() => {
          throw refuse("document.unreadable", { field: "file" });
        });
        if (pages < 1 || pages > mostPages)
          throw refuse("document.pages", { field: "file", values: { max: mostPages } });
        return { pages, words, ...(await siteFiles.keep(path, "pdf")) };
      });
      await inTransaction(async ({ documents, audit }) => {
        const held = await documents.find(id, true);
        if (held === undefined) throw refuse("row.not_found");
        await documents.setFile(id, { ...kept, fileName: kept.name }, scope.accountId);
        await audit.append(
          installationChain,
          scope,
          [entryOf(id, held, { field: "pages", before: String(held.pages), after: String(kept.pages) })],
          nextId,
        );
      });
      changed();
      return { pages: kept.pages, fileBytes: kept.sizeBytes };
    },

    /** Addresses of the file and its first pages for whoever holds them. @throws Refusal 404 for what has no file */
    async previewLink(id: string) {
      const row = await repository.readable(id, true);
      if (row === undefined) throw refuse("row.not_found");
      const { token, expiresAt } = previews.make({ id, number: 1 });
      const at = (file: string) => `/documents/${id}/${file}?preview=${token}`;
      const count = Math.min(row.pages, documentPreviewPages);
      return {
        file: at("document.pdf"),
        pages: Array.from({ length: count }, (_, page) => at(`page-${page + 1}.png`)),
        expiresAt,
      };
    },

    /** Shows a document to visitors, or makes it a draft again. @throws Refusal 404, 409 without a file, 400 without a summary */
    async publish(scope: TenantScope, id: string, published: boolean): Promise<void> {
      await inTransaction(async ({ documents, audit }) => {
        const held = await documents.find(id, true);
        if (held === undefined) throw refuse("row.not_found");
        if (published && !held.hasFile) throw refuse("document.no_file");
        if (published && held.summary === "") throw refuse("document.incomplete", { field: "summary" });
        const state = published ? "published" : "draft";
        if (state === held.state) return;
        await documents.setState(id, state, scope.accountId);
        await audit.append(
          installationChain,
          scope,
          [entryOf(id, held, { field: "state", before: held.state, after: state })],
          nextId,
        );
      });
      changed();
    },

    /** Writes the file of a document that is to be seen in a demo. */
    async write(id: string, paper: ProductPaper): Promise<void> {
      const { bytes } = await writePdf(paper);
      const { pages, words } = await lookAtPdf(bytes);
      const { name } = await keepBytes(bytes, "pdf");
      await repository.setFile(id, { fileName: name, pages, words }, null);
    },

    async page({ language = "zh", kind, product, keyword, ...query }: QueryOf<typeof publicDocumentPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await repository.page({ kind, product, keyword: keyword?.trim() || undefined }, request);
      return pageOfRows(
        rows.map((row) => viewOf(row, language)),
        total,
        request,
      );
    },

    /** @throws Refusal 404 for what is not published */
    async read({ id, language = "zh" }: { id: string; language?: Language | undefined }) {
      const row = await published(id);
      const { rows } = await repository.page({ product: row.product, except: id }, { offset: 0, limit: mostRelated });
      return { document: viewOf(row, language), related: rows.map((one) => viewOf(one, language)) };
    },

    /** The file of a published document. @throws Refusal 404 */
    async file(id: string, preview?: string) {
      const row = await published(id, preview);
      return { ...(await open(row.fileName)), saveAs: `${row.title} ${row.documentVersion}.pdf` };
    },

    /** A page of a published document as a picture; drawn when it is asked for the first time. @throws Refusal 404 */
    async picture(id: string, page: number, preview?: string) {
      const { fileName, pages } = await published(id, preview);
      if (page < 1 || page > Math.min(pages, documentPreviewPages)) throw refuse("row.not_found");
      let name = await repository.picture(fileName, page);
      if (name === undefined) {
        const key = `${fileName} ${page}`;
        let drawn = drawing.get(key);
        if (drawn === undefined) {
          drawn = draw(fileName, page).finally(() => drawing.delete(key));
          drawing.set(key, drawn);
        }
        name = await drawn;
      }
      return open(name);
    },

    /** All that visitors find, for the site map. */
    all: async (limit: number) => (await repository.page({}, { offset: 0, limit })).rows,
  };
}
export type DocumentService = ReturnType<typeof createDocumentService>;

/** Rules of a document as a resource: one that visitors read keeps its summary, and is taken off the site before it is removed. */
export const documentHooks = (changed: () => void): ResourceHooks<DocumentRepository> => ({
  async beforeSave({ held, values, extra }) {
    if (held !== undefined && values.summary === "" && (await extra.find(String(held.id)))?.state === "published")
      throw refuse("document.incomplete", { field: "summary" });
  },
  async beforeRemove({ rows }) {
    if (rows.some(({ state }) => state === "published")) throw refuse("document.still_published");
  },
  changed,
});
