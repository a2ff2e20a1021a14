import { data } from "react-router";
import { useTranslate } from "../shared/language/use-language.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { PageTitle } from "../shared/states/page-title.tsx";

/** A real 404 status: search engines and monitors must not take a missing page for a page. */
export function loader() {
  return data(null, { status: 404 });
}

export default function NotFound() {
  const t = useTranslate();
  return (
    <main id="main" className="page-state" data-not-found="">
      <PageTitle title={t("页面不存在")} />
      <meta name="robots" content="noindex" />
      <ExceptionView type="404" homeLink wholePage />
    </main>
  );
}
