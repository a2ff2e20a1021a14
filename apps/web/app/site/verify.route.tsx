import { contractVerify, type Verification } from "@herdwise/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import "./content.css";
import { VerifyPage, type VerifyProblem } from "./verify-page.tsx";
import "./verify.css";

const problems = ["size", "empty"] as const;

/** Asks for the hash that the address names. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, origin } = new URL(request.url);
  const hash = (searchParams.get("hash") ?? "").trim().slice(0, 120);
  let problem: VerifyProblem | undefined = problems.find((one) => one === searchParams.get("problem"));
  let found: Verification | undefined;
  if (hash !== "") {
    try {
      found = (await context.get(apiContext)(
        `${contractVerify.path}?${new URLSearchParams({ hash })}`,
      )) as Verification;
    } catch (error) {
      if (!(error instanceof Response) || (error.status !== 400 && error.status !== 429)) throw error;
      problem = error.status === 429 ? "often" : "hash";
    }
  }
  // What somebody looked for is kept nowhere, and no page that is linked from here is told.
  const headers = { "Cache-Control": "no-store", "Referrer-Policy": "no-referrer" };
  return data({ origin, hash, found, problem }, { headers, status: problem === "often" ? 429 : 200 });
}

export function headers({ loaderHeaders }: { loaderHeaders: Headers }): Headers {
  return loaderHeaders;
}

export default function Verify() {
  return <VerifyPage {...useLoaderData<typeof loader>()} />;
}
