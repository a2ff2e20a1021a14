import { data } from "react-router";
import { useTranslate } from "../shared/language/use-language.ts";
import { pageTitle } from "../shared/session/title.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";

/** A real 404 status: search engines and monitors must not take a missing page for a page. */
export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  const t = useTranslate();
  return (
    <main id="main" className="page-state">
      <title>{pageTitle(t("页面不存在"), {})}</title>
      <meta name="robots" content="noindex" />
      <ExceptionView type="404" homeLink wholePage />
    </main>
  );
}
