import type { DocumentProduct } from "@herdwise/contract";
import type { ReactNode } from "react";
import { Mark } from "../shared/icons/mark.tsx";
import { useLanguage, useTranslate } from "../shared/language/use-language.ts";
import "./service.css";
import { productName } from "./product-name.ts";
import { ServiceNav } from "./service-nav.tsx";
import { addressIn, breadcrumbs, SiteHead, type SiteHeadProps } from "./site-head.tsx";

/** The way from the first page to a list, and to something in it. */
function useWay(origin: string, listPath: string, listName: string) {
  const t = useTranslate();
  const language = useLanguage();
  return (...more: readonly (readonly [name: string, path: string])[]) =>
    breadcrumbs(
      [[t("首页"), "/index"] as const, [listName, listPath] as const, ...more].map(([name, path]) => [
        name,
        addressIn(language, origin, path),
      ]),
    );
}

interface SupportListProps {
  /** Of the page, for its styles. */
  page: string;
  name: string;
  /** What of it is shown, in words. */
  title: string;
  description: string;
  origin: string;
  listPath: string;
  /** Address of this page, and the number of it. */
  path: string;
  current: number;
  /** Whether it is kept from search engines. */
  hidden?: boolean;
  children: ReactNode;
}

/** A list below the service section. */
export function SupportList({
  page,
  name,
  title,
  description,
  origin,
  listPath,
  path,
  current,
  hidden = false,
  children,
}: SupportListProps) {
  const t = useTranslate();
  const way = useWay(origin, listPath, name);
  return (
    <main id="main" className="content-page" data-page={page}>
      <SiteHead
        title={current > 1 ? t("{title}，第 {page} 页", { title, page: current }) : title}
        description={description}
        origin={origin}
        path={path}
        hidden={hidden}
        structured={[way()]}
      />
      <ServiceNav path={listPath} />
      <div className="wrap">
        <header className="list-head">
          <h1>{name}</h1>
          <p>{description}</p>
        </header>
        {children}
      </div>
    </main>
  );
}

interface SupportItemProps extends Pick<SiteHeadProps, "title" | "description" | "origin" | "path" | "picture"> {
  page: string;
  listPath: string;
  listName: string;
  product: DocumentProduct;
  /** What it is, for search engines. */
  thing: Readonly<Record<string, unknown>> & { "@type": string };
  children: ReactNode;
}

/** One document or video below the service section. */
export function SupportItem({ page, listPath, listName, product, thing, children, ...head }: SupportItemProps) {
  const t = useTranslate();
  const way = useWay(head.origin, listPath, listName);
  return (
    <main id="main" className="content-page" data-page={page}>
      <SiteHead {...head} structured={[thing, way([head.title, head.path])]} />
      <ServiceNav path={listPath} />
      <div className="wrap">
        <nav className="site-crumb" aria-label={t("位置")}>
          <a href={listPath}>{listName}</a>
          <i aria-hidden="true">/</i>
          <a href={`${listPath}?product=${product}`}>{t(productName(product))}</a>
        </nav>
        {children}
      </div>
    </main>
  );
}

/** Says of something that it is an example. */
export function ExampleNotice({ text }: { text: string }) {
  return (
    <p className="told">
      <Mark name="notice" />
      <span>{text}</span>
    </p>
  );
}

/** Choices of a list, each an address; the first is all of them. */
export function Choices<Value extends string>({
  label,
  all,
  of,
  chosen,
  address,
  more = false,
}: {
  label: string;
  all: string;
  of: readonly (readonly [value: Value, name: string])[];
  chosen: Value | undefined;
  address: (value: Value | "") => string;
  /** Whether it stands below other choices. */
  more?: boolean;
}) {
  const t = useTranslate();
  return (
    <nav className={more ? "topics topics-more" : "topics"} aria-label={label}>
      <a href={address("")} aria-current={chosen === undefined ? "page" : undefined}>
        {all}
      </a>
      {of.map(([value, name]) => (
        <a key={value} href={address(value)} aria-current={chosen === value ? "page" : undefined}>
          {t(name)}
        </a>
      ))}
    </nav>
  );
}

/** The way to the pages before and after, and how much there is. */
export function Pager({
  current,
  pages,
  address,
  count,
  children,
}: {
  current: number;
  pages: number;
  address: (page: number) => string;
  count: string;
  /** Between the two: the numbers of pages. */
  children?: ReactNode;
}) {
  const t = useTranslate();
  return (
    <nav className="pages" aria-label={t("分页")}>
      {current > 1 && (
        <a rel="prev" href={address(current - 1)}>
          {t("上一页")}
        </a>
      )}
      {children}
      {current < pages && (
        <a rel="next" href={address(current + 1)}>
          {t("下一页")}
        </a>
      )}
      <span className="mut num">{count}</span>
    </nav>
  );
}
