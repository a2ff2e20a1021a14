import { data, Link } from "react-router";
import { useTranslate } from "../shared/language/use-language.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";

/** A real 404 status, as the site's own page has it. */
export function loader() {
  return data(null, { status: 404 });
}

/** A page that does not exist, for people who are signed in: their menus stay around it, and with them the way on. */
export default function NotFoundInside() {
  const t = useTranslate();
  return (
    <ExceptionView type="404" wholePage>
      <Link className="btn primary" to="/selfCenter/home">
        {t("自助中心")}
      </Link>
    </ExceptionView>
  );
}
