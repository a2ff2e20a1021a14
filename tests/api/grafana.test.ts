import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { TokenScope } from "@herdwise/contract";
import Papa from "papaparse";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createTestApp, type TestApp } from "../harness/app.ts";

// Grafana itself is not here: what its recipe asks is sent as the Infinity plugin sends it, and read as it reads.
interface Column {
  selector: string;
  text: string;
  type: "string" | "number" | "timestamp";
}
interface InfinityQuery {
  type: "json" | "csv";
  source: string;
  url: string;
  url_options: { method: string; params: { key: string; value: string }[] };
  root_selector: string;
  columns: Column[];
}
interface Dashboard {
  templating: {
    list: {
      name: string;
      type: string;
      options?: { value: string }[];
      query: string | { infinityQuery: InfinityQuery };
    }[];
  };
  panels: { title: string; datasource: { uid: string; type: string }; targets: InfinityQuery[] }[];
}

const folder = join(import.meta.dirname, "..", "..", "deploy", "integrations", "grafana");
const dashboard: Dashboard = JSON.parse(readFileSync(join(folder, "climate.json"), "utf8"));
/** The data source, with the environment of Grafana put in. */
const sourceIn = (environment: Record<string, string>) => {
  const text = readFileSync(join(folder, "herdwise.yml"), "utf8").replaceAll(
    /\$(\w+)(?=\s)/g,
    (whole, name: string) => environment[name] ?? whole,
  );
  return parse(text).datasources[0];
};

const hourMs = 3_600_000;
const hour = Math.floor(Date.now() / hourMs) * hourMs - 5 * hourMs;
let app: TestApp;
let address: string;

beforeAll(async () => {
  app = await createTestApp();
  address = await app.listen();
  await app.report("ENV-ZJY-01", [
    { ts: hour, values: { t_in: 20, rh: 60, co2: 900 } },
    { ts: hour + 60_000, values: { t_in: 22 } },
  ]);
});
afterAll(() => app.close());

const tokenOf = async (...scopes: TokenScope[]): Promise<string> => {
  await app.pass(61);
  const { body } = await app.call({
    method: "POST",
    path: "/api/muyuan-auth/personal-token/submit",
    body: { tokenName: "Grafana", scopes, days: 1 },
    token: await app.logIn("farm"),
  });
  return (body.data as { token: string }).token;
};

/** Sends a query: address of the data source before that of the query, variables filled in, the token as a bearer. */
async function ask(query: InfinityQuery, variables: Record<string, string>, token: string): Promise<Response> {
  const { url, jsonData, secureJsonData } = sourceIn({ HERDWISE_URL: address, HERDWISE_TOKEN: token });
  const asked = new URL(`${url}${query.url}`);
  for (const { key, value } of query.url_options.params)
    asked.searchParams.set(
      key,
      value.replaceAll(/\$\{(\w+)\}/g, (whole, name: string) => variables[name] ?? whole),
    );
  expect(jsonData.auth_method).toBe("bearerToken");
  expect(jsonData.allowedHosts.some((host: string) => asked.href.startsWith(host))).toBe(true);
  return fetch(asked, {
    method: query.url_options.method,
    headers: { authorization: `Bearer ${secureJsonData.bearerToken}` },
  });
}

/** A value as a column of the plugin has it. */
function cellOf(text: string | number | undefined, { type }: Column): string | number {
  if (type === "string") return String(text);
  const number = type === "timestamp" ? Date.parse(String(text)) : Number(text);
  if (text === undefined || text === "" || Number.isNaN(number)) throw new Error(`${text} is no ${type}`);
  return number;
}
const table = (rows: Record<string, string | number>[], columns: readonly Column[]) =>
  rows.map((row) => Object.fromEntries(columns.map((column) => [column.text, cellOf(row[column.selector], column)])));

describe("the recipe of Grafana", () => {
  const device = dashboard.templating.list.find(({ name }) => name === "device");
  const devicesOf = async (token: string) => {
    if (typeof device?.query !== "object") throw new Error("the dashboard asks for no devices");
    const { infinityQuery } = device.query;
    const answer: unknown = await (await ask(infinityQuery, {}, token)).json();
    const rows = infinityQuery.root_selector
      .split(".")
      .reduce<unknown>((of, name) => (of as Record<string, unknown>)[name], answer);
    return table(rows as Record<string, string | number>[], infinityQuery.columns) as {
      __text: string;
      __value: string;
    }[];
  };

  test("every panel asks the provisioned source", () => {
    const { uid, type } = sourceIn({});
    expect(dashboard.panels.length).toBeGreaterThan(0);
    for (const { datasource, targets } of dashboard.panels) {
      expect(datasource).toEqual({ uid, type });
      expect(targets.map((of) => [of.type, of.source])).toEqual([["csv", "url"]]);
    }
  });

  test("the choice of devices and the curves are what the portal answers with a token", async () => {
    const token = await tokenOf("devices:read", "history:read");
    const chosen = (await devicesOf(token)).find(({ __text: name }) => name === "1 号育肥舍 1 单元 环控器");
    const resolutions = dashboard.templating.list.find(({ name }) => name === "resolution")?.options ?? [];
    expect(resolutions.map(({ value }) => value)).toEqual(["minute", "hour", "day"]);
    const wanted: Record<string, number[]> = {
      "Mean temperature": [20, 21, 22],
      Humidity: [60, 60, 60],
      "CO₂": [900, 900, 900],
    };
    for (const { title, targets } of dashboard.panels)
      for (const query of targets) {
        const variables = {
          device: chosen?.__value ?? "",
          resolution: "hour",
          __from: String(hour),
          __to: String(hour + hourMs),
        };
        const answer = await ask(query, variables, token);
        expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
        const { data } = Papa.parse<Record<string, string>>(await answer.text(), {
          header: true,
          skipEmptyLines: true,
        });
        const [lowest, mean, highest] = wanted[title] ?? [];
        expect(table(data, query.columns), title).toEqual([{ time: hour, lowest, mean, highest }]);
      }
  });

  test("a token without the scopes is refused, not answered with nothing", async () => {
    const [panel] = dashboard.panels;
    const query = panel?.targets[0];
    if (query === undefined) throw new Error("the dashboard has no panel");
    const variables = { device: "1", resolution: "hour", __from: String(hour), __to: String(hour + hourMs) };
    expect((await ask(query, variables, await tokenOf("farms:read"))).status).toBe(403);
  });
});
