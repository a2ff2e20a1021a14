import { type Passport, passportDetail } from "@herdwise/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
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
  try {
    const passport = (await context.get(apiContext)(`${passportDetail.path}?${query}`)) as Passport;
    return data({ origin, path: pathname, passport }, { headers: headersOfAll });
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
