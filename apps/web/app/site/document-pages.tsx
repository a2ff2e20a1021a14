import {
  type DocumentKind,
  type DocumentProduct,
  documentFilePath,
  documentKinds,
  documentLanguages,
  documentPagePath,
  documentPreviewPages,
  documentProducts,
  type Page,
  type PublicDocument,
} from "@herdwise/contract";
import { Icon } from "../shared/icons/icon.tsx";
import { parseWireDateTime } from "../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { Day, ExampleMark, Marked, MarkedTitle, Title } from "./article-parts.tsx";
import { listAddress } from "./list-address.ts";
import { addressIn } from "./site-head.tsx";
import { Choices, ExampleNotice, Pager, SupportItem, SupportList } from "./support-frames.tsx";
import { tied } from "./tied.ts";

const listPath = "/service/productInfo";
const nameIn = (words: readonly (readonly [string, string])[], key: string): string =>
  words.find(([known]) => known === key)?.[1] ?? key;

/** Address of the page of a document. */
const documentPath = (id: string): string => `/service/fileShow?id=${id}`;

/** Documents as rows: what each is, and the file itself. */
export function DocumentRows({
  documents,
  heading: Heading = "h2",
  word,
}: {
  documents: readonly PublicDocument[];
  heading?: "h2" | "h3";
  /** What was looked for. */
  word?: string;
}) {
  const t = useTranslate();
  const { fileSize } = useFormats();
  return (
    <ul className="doc-rows">
      {documents.map((one) => (
        <li key={one.id}>
          <a className="doc-row" href={documentPath(one.id)}>
            <span className="doc-type" aria-hidden="true">
              PDF
            </span>
            <div>
              <Heading>
                <MarkedTitle text={one.title} word={word} />
              </Heading>
              <p className="doc-meta">
                <span>{t(nameIn(documentKinds, one.kind))}</span>
                <span>{t(nameIn(documentProducts, one.product))}</span>
                <span className="num">{t("{count} 页", { count: one.pages })}</span>
                <span className="num">{fileSize(one.fileBytes)}</span>
                <span className="num">
                  {t("版本")} {one.documentVersion}
                </span>
                <Day at={one.publishedAt} short />
                {one.example && <ExampleMark />}
              </p>
              {Heading === "h2" && one.summary !== "" && (
                <p className="doc-summary">
                  <Marked text={one.summary} word={word} />
                </p>
              )}
            </div>
          </a>
          <a className="icon-button" href={documentFilePath(one.id)} aria-label={t("下载 {name}", { name: one.title })}>
            <Icon name="download" />
          </a>
        </li>
      ))}
    </ul>
  );
}

/** Documents by product, kind and words; all of it works by the address. */
export function DocumentListPage({
  origin,
  path,
  kind,
  product,
  word,
  documents,
}: {
  origin: string;
  path: string;
  kind: DocumentKind | undefined;
  product: DocumentProduct | undefined;
  word: string;
  documents: Page<PublicDocument>;
}) {
  const t = useTranslate();
  const language = useLanguage();
  const { current, pages, total, records } = documents;
  const address = listAddress(path, { kind, product, q: word });
  const named = [product && t(nameIn(documentProducts, product)), kind && t(nameIn(documentKinds, kind))].filter(
    Boolean,
  );
  const title = [t("产品资料"), ...named].join(" · ");
  const description = t("说明书、产品单页、检验报告、合格证和图纸，都是 PDF，可以先看再下载。");
  return (
    <SupportList
      page="product-info"
      name={t("产品资料")}
      title={title}
      description={description}
      origin={origin}
      listPath={listPath}
      path={address(current)}
      current={current}
      hidden={word !== ""}
    >
      <search>
        <form className="site-search" action={path} method="get">
          {language === "en" && <input type="hidden" name="lang" value="en" />}
          {kind && <input type="hidden" name="kind" value={kind} />}
          {product && <input type="hidden" name="product" value={product} />}
          <label className="visually-hidden" htmlFor="document-word">
            {t("要找的资料")}
          </label>
          <input
            className="input"
            id="document-word"
            type="search"
            name="q"
            defaultValue={word}
            maxLength={64}
            placeholder={t("标题或正文里的词")}
          />
          <button type="submit" className="btn primary">
            {t("搜索")}
          </button>
        </form>
      </search>
      <Choices
        label={t("产品")}
        all={t("全部产品")}
        of={documentProducts}
        chosen={product}
        address={(one) => address(1, { product: one })}
      />
      <Choices
        label={t("资料类型")}
        all={t("全部类型")}
        of={documentKinds}
        chosen={kind}
        address={(one) => address(1, { kind: one })}
        more
      />
      {records.length === 0 ? (
        <p className="nothing">
          {t("没有符合的资料。")} <a href={path}>{t("看全部资料")}</a>
        </p>
      ) : (
        <DocumentRows documents={records} word={word} />
      )}
      {(pages > 1 || records.length > 0) && (
        <Pager current={current} pages={pages} address={address} count={t("共 {count} 份", { count: total })}>
          {pages > 1 && (
            <span className="num">
              {current} / {pages}
            </span>
          )}
        </Pager>
      )}
    </SupportList>
  );
}

/** One document: what it is, its pages as pictures, and the file. */
export function DocumentPage({
  origin,
  document,
  related,
}: {
  origin: string;
  document: PublicDocument;
  related: readonly PublicDocument[];
}) {
  const t = useTranslate();
  const language = useLanguage();
  const { appName } = usePreferences();
  const { fileSize } = useFormats();
  // One address for both routes of product.md: search engines are told this one.
  const path = documentPath(document.id);
  const file = documentFilePath(document.id);
  const shown = Math.min(document.pages, documentPreviewPages);
  const published = parseWireDateTime(document.publishedAt);
  const facts = [
    [t("资料类型"), t(nameIn(documentKinds, document.kind))],
    [t("所属产品"), t(nameIn(documentProducts, document.product))],
    [t("资料版本"), document.documentVersion],
    [t("语言"), t(nameIn(documentLanguages, document.documentLanguage))],
    [t("页数"), String(document.pages)],
    [t("文件大小"), fileSize(document.fileBytes)],
  ] as const;
  return (
    <SupportItem
      page="document"
      listPath={listPath}
      listName={t("产品资料")}
      product={document.product}
      title={document.title}
      description={
        document.summary ||
        t("{kind}，{pages} 页", { kind: t(nameIn(documentKinds, document.kind)), pages: document.pages })
      }
      origin={origin}
      path={path}
      thing={{
        "@type": "DigitalDocument",
        name: document.title,
        description: document.summary,
        encodingFormat: "application/pdf",
        version: document.documentVersion,
        inLanguage: document.documentLanguage === "en" ? "en" : "zh-CN",
        ...(published !== undefined && { datePublished: new Date(published).toISOString() }),
        url: addressIn(language, origin, path),
        publisher: { "@type": "Organization", name: appName },
      }}
    >
      {document.example && (
        <ExampleNotice text={t("示例资料：内容取自平台里设备的定义，用来演示；安装与使用以随机资料为准。")} />
      )}
      <div className="doc">
        <header className="doc-head">
          <h1>
            <Title text={document.title} />
          </h1>
          {document.summary !== "" && <p className="dek">{tied(document.summary)}</p>}
          <p className="cta">
            <a className="btn primary large" href={file}>
              <Icon name="download" small />
              {t("下载 PDF，{size}", { size: fileSize(document.fileBytes) })}
            </a>
          </p>
          <dl>
            {facts.map(([name, value]) => (
              <div key={name}>
                <dt>{name}</dt>
                <dd className="num">{value}</dd>
              </div>
            ))}
            <div>
              <dt>{t("发布日期")}</dt>
              <dd>
                <Day at={document.publishedAt} />
              </dd>
            </div>
            <div className="doc-hash">
              <dt>SHA-256</dt>
              <dd>
                <code>{document.sha256}</code>
              </dd>
            </div>
          </dl>
        </header>
        <section className="doc-pages" aria-label={t("预览")}>
          {Array.from({ length: shown }, (_, at) => at + 1).map((page) => (
            <figure key={page}>
              <img
                src={documentPagePath(document.id, page)}
                alt={t("{title}，第 {page} 页", { title: document.title, page })}
                width={960}
                height={1358}
                loading={page === 1 ? "eager" : "lazy"}
                decoding="async"
              />
              <figcaption className="num">
                {page} / {document.pages}
              </figcaption>
            </figure>
          ))}
          {document.pages > shown && (
            <p className="doc-rest">
              {t("这里显示前 {count} 页，其余在文件里。", { count: shown })} <a href={file}>{t("下载 PDF")}</a>
            </p>
          )}
        </section>
      </div>
      {related.length > 0 && (
        <section className="doc-related" aria-labelledby="related-title">
          <h2 id="related-title">{t("同一产品的资料")}</h2>
          <DocumentRows documents={related} heading="h3" />
        </section>
      )}
    </SupportItem>
  );
}
