import { type Passport, passportDetail, type ReplyOf, translate } from "@herdwise/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import "./content.css";
import NotFound from "./not-found.route.tsx";
import { PassportPage } from "./passport-page.tsx";
import "./passport.css";

// The code is all that protects the page: no cache keeps it, and no page that is linked from here is told.
const headersOfAll = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer", "X-Robots-Tag": "noindex" };

/** Asks for the passport that the code in the address names; null where there is none. */
export async function loader({ params, request, context }: LoaderFunctionArgs) {
  const { origin, pathname } = new URL(request.url);
  const query = new URLSearchParams({ passport: params.code ?? "" });
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  try {
    const passport = (await api(`${passportDetail.path}?${query}`)) as Passport;
    const { field = "", unit = "", region = "" } = passport.body ?? {};
    const names = [field, unit, region].filter((name) => name !== "");
    // What is signed stays Chinese; the page tells the places in the reader's language.
    const places =
      language === "zh" || names.length === 0
        ? names
        : await api(translate.path, { src: names.join("\n"), to: language })
            .then((payload) => (payload as ReplyOf<typeof translate>).data.dst.split("\n"))
            // Chinese names are better than none.
            .catch(() => names);
    return data({ origin, path: pathname, passport, places }, { headers: headersOfAll });
  } catch (error) {
    if (!(error instanceof Response) || (error.status !== 404 && error.status !== 400)) throw error;
    return data(null, { status: 404, headers: headersOfAll });
  }
}

export function headers({ loaderHeaders }: { loaderHeaders: Headers }): Headers {
  return loaderHeaders;
}

export default function PassportRoute() {
  const found = useLoaderData<typeof loader>();
  return found === null ? <NotFound /> : <PassportPage {...found} />;
}
