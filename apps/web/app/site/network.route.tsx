import { provinces, publicOutlets, type ReplyOf } from "@herdwise/contract";
import { type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import "./content.css";
import "./market.css";
import { NetworkPage } from "./network-page.tsx";

/** The outlets, those of a province, or those that a word finds. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, origin } = new URL(request.url);
  const word = (searchParams.get("q") ?? "").trim().slice(0, 64);
  const province = provinces.find(({ code }) => code === searchParams.get("province"))?.code ?? "";
  const api = context.get(apiContext);
  const list = (keyword: string) =>
    api(`${publicOutlets.path}?${new URLSearchParams({ keyword })}`) as Promise<ReplyOf<typeof publicOutlets>>;
  const [all, found] = await Promise.all([list(""), word === "" ? undefined : list(word)]);
  return { origin, word, province, all, found: found?.outlets, nowMs: Date.now() };
}

export default function Network() {
  return <NetworkPage {...useLoaderData<typeof loader>()} />;
}
