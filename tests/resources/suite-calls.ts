import {
  type Field,
  type Problem,
  type ResourceDeclaration,
  referenceNameOf,
  resourceNamed,
  resources,
  sheetNameOf,
  snakeCase,
  writtenFieldsOf,
} from "@herdwise/contract";
import { beforeAll, expect } from "vitest";
import type { TestApp } from "../harness/app.ts";
import { type DictionaryKeys, sampleRow } from "./sample-values.ts";

export type Row = Record<string, unknown> & { id: string; version: number };

/** Somebody of the group's staff whose rights a test chooses. */
export interface Limited {
  readonly token: string;
  readonly name: string;
  /** Gives exactly these button codes, which reach `rows` of the tenant. */
  may(codes: readonly string[], rows?: "all" | "self" | "department"): Promise<void>;
  /** Department in which the person stands, and that new rows count to. */
  readonly departmentId: string;
}

/** What the suite needs of the file that runs it. */
export interface SuiteWorld {
  app: TestApp;
  /** Tokens of somebody who may do everything, and of a stranger with every right in a tenant of its own. */
  admin: string;
  adminName: string;
  stranger: string;
  strangerTenant: string;
  limited: Limited;
  keys: DictionaryKeys;
  /** Names of the dictionaries' values by code and key. */
  names: Readonly<Record<string, Readonly<Record<string, string>>>>;
}

export interface Answer<T> {
  status: number;
  data: T;
  msg: string;
}

/** A text as the list shows a value of a field, and as sheets do. */
export function shownText(field: Field, value: unknown, names: SuiteWorld["names"]): string {
  const nameOf = (key: unknown) =>
    (field.kind === "choice" || field.kind === "choices"
      ? (field.options?.find(([known]) => known === key)?.[1] ?? names[field.dictionary ?? ""]?.[String(key)])
      : undefined) ?? String(key);
  if (value === undefined || value === "") return "";
  switch (field.kind) {
    case "number":
      return (Number(value) / 10 ** (field.decimals ?? 0)).toFixed(field.decimals ?? 0);
    case "choice":
      return nameOf(value);
    case "choices":
      return (value as string[]).map(nameOf).join("、");
    case "switch":
      return value ? "是" : "否";
    default:
      return String(value);
  }
}

/** Whether a resource holds dictionaries: codes at the top, which have the key -1, and their values below. */
export const isDictionary = ({ name }: Pick<ResourceDeclaration, "name">): boolean =>
  name === "dict" || name === "dict_biz";

/** Calls of one resource's operations and rows for them; used inside the `describe` of the resource. */
export function suiteCalls(of: ResourceDeclaration, world: () => SuiteWorld) {
  let samples = 100;
  /** Rows of other resources that samples name, by field; `sheetName` is what sheets call them. */
  const references: Record<string, { id: string; title: string; sheetName: string }> = {};
  const next = (): number => {
    samples += 1;
    return samples;
  };

  const call = async <T>(
    method: "GET" | "POST",
    path: string,
    parameters: { query?: Record<string, string>; body?: unknown; headers?: Record<string, string> },
    token: string,
  ): Promise<Answer<T>> => {
    const answer = await world().app.call({ method, path, ...parameters, token });
    return { status: answer.status, data: answer.body.data as T, msg: answer.body.msg };
  };
  const get = <T>(verb: string, query: Record<string, string> = {}, token = world().admin) =>
    call<T>("GET", `${of.path}/${verb}`, { query }, token);
  const post = <T>(verb: string, body: unknown, token = world().admin, headers: Record<string, string> = {}) =>
    call<T>("POST", `${of.path}/${verb}`, { body, headers }, token);

  /** A row that the server takes, unlike all others. @param given a value that one of its fields must have */
  const sample = (given?: { name: string; value: unknown }): Record<string, unknown> => {
    const row = sampleRow(of, next(), world().keys, given);
    // At the top of the dictionaries stand codes, which have this key.
    if (isDictionary(of)) row.dictKey = "-1";
    // Buttons can't stand above others.
    if (of.name === "menu" && given?.name !== "category") row.category = 1;
    return { ...row, ...Object.fromEntries(Object.entries(references).map(([name, { id }]) => [name, id])) };
  };
  /** One that somebody may add who reaches own rows alone: nobody gives a wider data scope than theirs. */
  const ownSample = (): Record<string, unknown> => ({ ...sample(), ...(of.name === "role" && { dataScope: "self" }) });
  const add = async (row: Record<string, unknown> = sample(), token = world().admin): Promise<Row> => {
    const { status, data, msg } = await post<Row>("submit", row, token);
    expect([status, msg, status === 200 ? undefined : data]).toEqual([200, "操作成功", undefined]);
    return data;
  };
  /** Adds a row below another one. */
  const child = (parentId: string, row = sample()): Promise<Row> =>
    add({ ...row, parentId, ...(isDictionary(of) && { dictKey: `k-${next()}` }) });
  const sql = async <T extends object>(text: string, values: unknown[] = []): Promise<T[]> =>
    (await world().app.test.database.pool.query(text, values)).rows;

  const targetOf = (name: string): ResourceDeclaration => {
    const target = resourceNamed(name);
    if (target === undefined) throw new Error(`${of.name} refers to ${name}, which is no resource`);
    return target;
  };
  /** Adds a row to a resource that this one refers to, and to what that one needs. */
  const addTarget = async (target: ResourceDeclaration, token = world().admin): Promise<Row> => {
    // Two resources may refer to one: their samples are apart.
    const at = 10_000 * (1 + resources.findIndex(({ name }) => name === of.name)) + next();
    const row = sampleRow(target, at, world().keys);
    for (const [name, field] of writtenFieldsOf(target))
      if (field.kind === "reference" && field.required) row[name] = (await addTarget(targetOf(field.to), token)).id;
    const { status, data } = await call<Row>("POST", `${target.path}/submit`, { body: row }, token);
    expect([status, status === 200 ? undefined : data]).toEqual([200, undefined]);
    return data;
  };
  /** A row that somebody of another tenant may add: what it names must be that tenant's. */
  const foreignSample = async (token: string): Promise<Record<string, unknown>> => {
    const row = sample();
    for (const [name, field] of writtenFieldsOf(of)) {
      if (field.kind !== "reference" || targetOf(field.to).scope === "group") continue;
      // What the group's staff add alone, nobody else can name before they were given one.
      if (targetOf(field.to).addedBy === "group") delete row[name];
      else row[name] = (await addTarget(targetOf(field.to), token)).id;
    }
    return row;
  };
  beforeAll(async () => {
    for (const [name, field] of writtenFieldsOf(of)) {
      if (field.kind !== "reference") continue;
      const target = targetOf(field.to);
      const row = await addTarget(target);
      const { titleWithin } = target;
      const outer = titleWithin === undefined ? [] : [row[referenceNameOf(titleWithin)]];
      references[name] = {
        id: row.id,
        title: [...outer, row[target.title]].join(" · "),
        sheetName: String(row[sheetNameOf(target)]),
      };
    }
  });

  /** What a form shows as it was given. */
  const plain = writtenFieldsOf(of).filter(
    ([name, field]) =>
      !(field.kind === "text" && (field.personal || field.stored)) && !(isDictionary(of) && name === "dictKey"),
  );
  const texts = writtenFieldsOf(of).filter(([, field]) => field.kind === "text" && !field.rule && !field.personal);
  /** A text that may be changed; every resource has one. */
  const [changeable = ""] =
    texts.find(([, field]) => !field.fixed && !(field.kind === "text" && field.unique)) ??
    texts.find(([, field]) => !field.fixed) ??
    [];

  return {
    call,
    get,
    post,
    sql,
    next,
    sample,
    ownSample,
    add,
    child,
    references,
    targetOf,
    addTarget,
    foreignSample,
    plain,
    changeable,
    masked: writtenFieldsOf(of).filter(([, field]) => field.kind === "text" && field.personal?.startsWith("mask")),
    remove: (ids: string, token = world().admin) =>
      call<{ reason?: string }>("POST", `${of.path}/remove`, { query: { ids } }, token),
    /** `field reason` of each problem of a refusal. */
    reasonsOf: (data: unknown): string[] =>
      ((data as { problems?: Problem[] }).problems ?? []).map(({ field, reason }) => `${field} ${reason}`),
    count: async (): Promise<number> =>
      Number((await sql<{ count: string }>(`select count(*) from ${of.table}`))[0]?.count),
    columnOf: (name: string): string => {
      const field = of.fields[name];
      return `${snakeCase(name)}${field?.kind === "text" && field.stored ? "_encrypted" : ""}`;
    },
  };
}
export type SuiteCalls = ReturnType<typeof suiteCalls>;
