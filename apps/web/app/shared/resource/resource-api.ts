import { dictionary, type Page } from "@herdwise/contract";
import {
  type Field,
  type ListDeclaration,
  operationOf,
  type ResourceDeclaration,
  type ResourceVerb,
} from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { type CallOptions, call } from "../api/call.ts";
import type { Row } from "./form-values.ts";
import { whereOf } from "./list-state.ts";

export type RowPage = Page<Row>;

interface Sent extends Pick<CallOptions<never>, "signal" | "quiet"> {
  query?: Readonly<Record<string, unknown>>;
  body?: Readonly<Record<string, unknown>>;
}

/**
 * Calls an operation that is made from a declaration. The caller's type parameter is trusted here, because these operations have no
 * schema in the browser.
 */
export const callDeclared = <Reply>(
  operation: Parameters<typeof call>[0],
  { query, body, ...options }: Sent = {},
): Promise<Reply> => call(operation, { ...options, query: query as never, body: body as never }) as Promise<Reply>;

/** Calls an operation of a resource. */
export const callResource = <Reply>(
  of: Pick<ResourceDeclaration, "path">,
  verb: ResourceVerb,
  sent: Sent = {},
): Promise<Reply> => callDeclared<Reply>(operationOf(of, verb), sent);

/** Calls the page operation of a list; rows without an id get one made of their key fields. */
export async function callPage(
  of: Pick<ListDeclaration, "path" | "page" | "given" | "key">,
  query: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<RowPage> {
  const operation = of.page ? ({ method: "GET", path: of.page, form: "envelope" } as const) : operationOf(of, "page");
  const page = (await call(operation, { query: { ...of.given, ...query } as never, signal, quiet: true })) as RowPage;
  const { key } = of;
  if (!key) return page;
  return {
    ...page,
    records: page.records.map((row) => ({ ...row, id: key.map((name) => String(row[name])).join(" ") })),
  };
}

/** Prefix of the query keys of a list, so that a change invalidates all of its queries. */
export const keysOf = (of: Pick<ListDeclaration, "name">) => ["resource", of.name] as const;

/** Key of what a list's page operation answers. */
export const rowsKeyOf = (of: ListDeclaration, ...asked: readonly unknown[]) => [
  ...keysOf(of),
  of.page,
  of.given,
  ...asked,
];

export interface Choosable {
  value: string;
  /** Chinese name, or a name that is data. */
  name: string;
  /** Path of the row, in trees. */
  path?: string | undefined;
}

/** Query for the number of rows that conditions select. */
export const countOf = (of: ListDeclaration, selecting: Parameters<typeof whereOf>[0]) => ({
  queryKey: rowsKeyOf(of, "count", whereOf(selecting)),
  queryFn: ({ signal }: { signal: AbortSignal }) =>
    callPage(of, { ...whereOf(selecting), current: 1, size: 1 }, signal).then(({ total }) => total),
  staleTime: 60_000,
});

const noOptions: readonly Choosable[] = [];

/** Options of a choice, from the declaration or its dictionary. */
export function useOptions(field: Field | undefined): readonly Choosable[] {
  const listed = field?.kind === "choice" || field?.kind === "choices" ? field : undefined;
  const code = listed?.dictionary;
  const { data } = useQuery({
    queryKey: ["dictionary", code],
    queryFn: async ({ signal }) => {
      const rows = await call(dictionary, { query: { code: code ?? "" }, signal, quiet: true });
      return rows.map(({ dictKey, dictValue }): Choosable => ({ value: dictKey, name: dictValue }));
    },
    enabled: code !== undefined,
    staleTime: 300_000,
  });
  const own = listed?.options;
  const fixed = useMemo(() => own?.map(([value, name]): Choosable => ({ value, name })) ?? noOptions, [own]);
  return code === undefined ? fixed : (data ?? noOptions);
}

interface Selected {
  id: string;
  title: string;
  path?: string;
}

/** Rows of another resource to choose from, or those with the given ids. */
export async function selectRows(
  to: string,
  query: { keyword?: string; ids?: string; tenantId?: string },
  signal: AbortSignal,
): Promise<Choosable[]> {
  const of = await loadResource(to);
  if (!of) return [];
  const rows = await callResource<Selected[]>(of, "select", { query, signal, quiet: true });
  return rows.map(({ id, title, path }) => ({ value: id, name: title, path }));
}

/** Names of rows by id. */
export function useSelectedNames(to: string | undefined, ids: readonly string[]): ReadonlyMap<string, Choosable> {
  const wanted = ids.slice(0, 50).join(",");
  const { data } = useQuery({
    queryKey: ["resource", to, "select", "ids", wanted],
    queryFn: ({ signal }) => selectRows(to ?? "", { ids: wanted }, signal),
    enabled: to !== undefined && wanted !== "",
    staleTime: 60_000,
  });
  return new Map((data ?? []).map((row) => [row.value, row]));
}
