import {
  type ArticleLinkProblem,
  type articleLinkCheck,
  articleLinksMax,
  type homeLinkCheck,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useEffect, useMemo, useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { Check } from "../publishing/publishing-frame.tsx";
import type { LinkProblems } from "./link-problems.ts";

/** A pause in typing after which links are looked at, ms. */
const lookAfterMs = 800;
/** What was found out about links is good for so long, ms. */
const linksFreshMs = 30_000;

const linkProblemTexts: Readonly<Record<ArticleLinkProblem, string>> = {
  missing: "链接 {link} 打不开：本站没有这一页",
  anchor: "链接 {link}：页面在，但页面上没有这个位置",
  form: "链接 {link} 不是能用的地址",
  inside: "链接 {link} 是内网地址，访客打不开",
  insecure: "链接 {link} 没有加密，能换成 https 就换",
};

/** A link with what is wrong with it, in words. */
export interface LinkProblem {
  problem: ArticleLinkProblem;
  link: string;
  text: string;
}

/** What is wrong with links; undefined until they were looked at. @param endpoint that looks at them */
export function useLinkProblems(
  endpoint: typeof articleLinkCheck | typeof homeLinkCheck,
  links: readonly string[],
): LinkProblem[] | undefined {
  const t = useTranslate();
  const key = [...new Set(links)].slice(0, articleLinksMax).sort().join("\n");
  const now = useMemo(() => key.split("\n").filter((link) => link !== ""), [key]);
  const [asked, setAsked] = useState(now);
  useEffect(() => {
    const timer = setTimeout(() => setAsked(now), lookAfterMs);
    return () => clearTimeout(timer);
  }, [now]);
  const { data } = useQuery({
    queryKey: ["links", endpoint.path, asked],
    queryFn: ({ signal }) => call(endpoint, { body: { links: asked }, signal, quiet: true }),
    enabled: asked.length > 0,
    staleTime: linksFreshMs,
    placeholderData: keepPreviousData,
  });
  return useMemo(
    () =>
      asked.length === 0
        ? []
        : data
            ?.filter(({ link }) => now.includes(link))
            .map(({ link, problem }) => ({ problem, link, text: t(linkProblemTexts[problem], { link }) })),
    [data, asked, now, t],
  );
}

/** The same by link, as an editor marks them in a body. */
export const useLinkMarks = (problems: readonly LinkProblem[] | undefined): LinkProblems =>
  useMemo(() => new Map(problems?.map(({ link, text }) => [link, text])), [problems]);

/** What is said of links before publishing; none of it keeps a page from visitors. */
export const linkChecks = (problems: readonly LinkProblem[] = []): Check[] =>
  problems.map(({ problem, text }) => ({ mark: problem === "insecure" ? "minor" : "critical", text, blocks: false }));
