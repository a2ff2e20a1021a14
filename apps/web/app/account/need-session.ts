import { redirect } from "react-router";
import { redirectQuery } from "../shared/session/redirect.ts";
import { readSession } from "../shared/session/storage.ts";

/** Pages of a signed-in person outside the centre: who isn't logs in and comes back here, with the whole address. */
export function needSession(request: Request): null {
  const { pathname, search } = new URL(request.url);
  if (!readSession()) throw redirect(`/login?${new URLSearchParams({ redirect: redirectQuery(pathname, search) })}`);
  return null;
}
