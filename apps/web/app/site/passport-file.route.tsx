import { type Passport, passportDetail } from "@herdwise/contract";
import type { LoaderFunctionArgs } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";

/** What was signed, with its signature, as a file for whoever checks it without the portal. */
export async function loader({ params, context }: LoaderFunctionArgs): Promise<Response> {
  const query = new URLSearchParams({ passport: params.code ?? "" });
  const passport = (await context.get(apiContext)(`${passportDetail.path}?${query}`)) as Passport;
  return new Response(JSON.stringify(passport.signed, null, 2), {
    headers: {
      "Content-Type": "application/json; charset=utf-8",
      "Content-Disposition": `attachment; filename="passport-${passport.version}.json"`,
      "Cache-Control": "no-store",
      "X-Content-Type-Options": "nosniff",
    },
  });
}
