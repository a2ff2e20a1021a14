import { spawnSync } from "node:child_process";
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { parse } from "yaml";
import { createTestApp, type TestApp } from "./harness/app.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const folder = join(root, "deploy", "monitoring");
const read = (path: string): string => readFileSync(join(root, path), "utf8");

interface Rule {
  alert: string;
  expr: string;
  for: string;
  labels: { severity: string };
  annotations: { summary: string; description: string; guide: string };
}
const { groups } = parse(read("deploy/monitoring/alerts.yml")) as { groups: { name: string; rules: Rule[] }[] };
const rules = groups.flatMap((group) => group.rules);

interface RuleTest {
  name: string;
  input_series: { series: string; values: string }[];
  promql_expr_test: { expr: string; eval_time: string; exp_samples: { labels: string; value: number }[] }[];
}
const ruleTests = parse(read("deploy/monitoring/alerts.test.yml")) as { rule_files: string[]; tests: RuleTest[] };

interface Panel {
  title: string;
  description: string;
  type: string;
  gridPos: { x: number; y: number; w: number; h: number };
  fieldConfig: { defaults: { unit: string } };
  targets: { expr: string }[];
}
interface Dashboard {
  uid: string;
  title: string;
  description: string;
  panels: Panel[];
  templating: { list: { name: string; query: string | { query: string } }[] };
}
const dashboards = globSync("dashboards/*.json", { cwd: folder })
  .sort()
  .map((name) => ({ name, ...(JSON.parse(readFileSync(join(folder, name), "utf8")) as Dashboard) }));

/** What Prometheus has by itself. */
const ofPrometheus = new Set(["up", "ALERTS"]);
const ownLabels = ["instance", "job", "le", "alertname", "alertstate"];

/** Names of metrics and of labels in an expression of PromQL, as far as these files use the language. */
function namesIn(expr: string): { metrics: string[]; labels: string[] } {
  const labels: string[] = [];
  const bare = expr
    .replaceAll(/\{([^}]*)\}/g, (_all, inside: string) => {
      for (const [, label = ""] of inside.matchAll(/(\w+)\s*(?:=~|!~|!=|=)/g)) labels.push(label);
      return "";
    })
    .replaceAll(/"[^"]*"/g, "")
    .replaceAll(/\[[^\]]*\]/g, "")
    .replaceAll(/\b(?:by|on|ignoring|without)\s*\(([^)]*)\)/g, (_all, inside: string) => {
      labels.push(...inside.split(",").map((label) => label.trim()));
      return "";
    })
    .replaceAll(/\boffset\s+\w+/g, "");
  const words = [...bare.matchAll(/(?<![\w.])([a-zA-Z_]\w*)\b(?!\s*\()/g)].map(([, word = ""]) => word);
  const operators = new Set(["and", "or", "unless"]);
  return { metrics: words.filter((word) => !operators.has(word)), labels: labels.filter((label) => label !== "") };
}

const expressions = [
  ...rules.map(({ alert, expr }) => ({ where: alert, expr })),
  ...dashboards.flatMap(({ name, panels }) =>
    panels.flatMap(({ title, targets }) => targets.map(({ expr }) => ({ where: `${name}: ${title}`, expr }))),
  ),
];

let app: TestApp;
/** Names of series that the server exposes, with the labels that they may have. */
const exposed = new Map<string, readonly string[]>();

beforeAll(async () => {
  app = await createTestApp();
  const { body } = await app.http.inject({ url: "/metrics" });
  const labelsOf = new Map(
    app.metrics.registry
      .getMetricsAsArray()
      .map((metric) => [(metric as { name?: string }).name ?? "", (metric as { labelNames?: string[] }).labelNames]),
  );
  for (const [, name = "", type] of body.matchAll(/^# TYPE (\S+) (\w+)$/gm)) {
    const endings = type === "histogram" ? ["_bucket", "_sum", "_count"] : type === "summary" ? ["_sum", "_count"] : [];
    for (const ending of ["", ...endings]) exposed.set(`${name}${ending}`, labelsOf.get(name) ?? []);
  }
});
afterAll(() => app.close());

describe("what rules and dashboards ask for is there", () => {
  test("the reader of expressions finds names, and nothing else", () => {
    expect(
      namesIn(
        'sum by (a, le) (rate(x_total{b=~"c|d",e!="f"}[5m] offset 30m)) / on () (y_bytes > 1e6) and time() - z < 2',
      ),
    ).toEqual({ metrics: ["x_total", "y_bytes", "z"], labels: ["b", "e", "a", "le"] });
  });

  test("a running server exposes every metric with the labels that are used", () => {
    expect(expressions.length).toBeGreaterThan(80);
    const missing = expressions.flatMap(({ where, expr }) => {
      const { metrics, labels } = namesIn(expr);
      expect(metrics, where).not.toEqual([]);
      const known = new Set([...ownLabels, ...metrics.flatMap((name) => exposed.get(name) ?? [])]);
      return [
        ...metrics.filter((name) => !exposed.has(name) && !ofPrometheus.has(name)),
        ...labels.filter((label) => !known.has(label)).map((label) => `label ${label}`),
      ].map((what) => `${where}: ${what}`);
    });
    expect(missing).toEqual([]);
  });

  test("every figure of the server's own is on a dashboard or in a rule", () => {
    const used = new Set(expressions.flatMap(({ expr }) => namesIn(expr).metrics));
    const unused = [...exposed.keys()].filter(
      (name) => name.startsWith("herdwise_") && ![...used].some((other) => other.startsWith(name)),
    );
    expect(unused.filter((name) => !/_(bucket|sum|count)$/.test(name))).toEqual([]);
  });
});

describe("alert rules", () => {
  test("have a name of their own, a time, a severity, and words that say what to do and where to read on", () => {
    const names = rules.map(({ alert }) => alert);
    expect(names.length).toBeGreaterThan(30);
    expect(new Set(names).size).toBe(names.length);
    for (const { alert, for: wait, labels, annotations } of rules) {
      expect(alert).toMatch(/^Herdwise[A-Z]\w+$/);
      expect(wait, alert).toMatch(/^\d+[mh]$/);
      expect(["critical", "warning"], alert).toContain(labels.severity);
      expect(annotations.summary.length, alert).toBeGreaterThan(15);
      expect(annotations.description.length, alert).toBeGreaterThan(60);
      expect(annotations.guide, alert).toBe(`docs/operations/monitoring.md#${alert.toLowerCase()}`);
    }
  });

  test.each(["docs/operations/monitoring.md", "docs/operations/monitoring.zh.md"])(
    "%s has a chapter for each, with its severity and time, and names panels that exist",
    (path) => {
      const guide = read(path);
      const chapters = guide.split(/^### /m).slice(1);
      expect(chapters.map((chapter) => chapter.split("\n")[0])).toEqual(rules.map(({ alert }) => alert));
      for (const [at, { alert, for: wait, labels }] of rules.entries()) {
        expect(chapters[at], alert).toMatch(new RegExp(`^\\w+\\n\\n${labels.severity}(, after |，持续 )${wait}`));
        expect(chapters[at], alert).toMatch(/^- /m);
      }
      const titles = new Set(dashboards.flatMap(({ panels }) => panels.map(({ title }) => title)));
      const named = [...guide.matchAll(/panels? "([^"]+)"|“([A-Z][^”]+)”面板/g)].map(([, en, zh]) => en ?? zh ?? "");
      expect(named.length).toBeGreaterThan(5);
      const others = new Set(dashboards.map(({ title }) => title));
      expect(named.filter((title) => !titles.has(title) && !others.has(title))).toEqual([]);
    },
  );

  test("each has a test on bad figures, all are held against good ones, and promtool agrees where it is installed", () => {
    expect(ruleTests.rule_files).toEqual(["alerts.yml"]);
    const [good, ...bad] = ruleTests.tests;
    expect(good?.promql_expr_test.map(({ exp_samples }) => exp_samples)).toEqual([[], [], []]);
    expect(bad.map(({ name }) => name)).toEqual(rules.map(({ alert }) => `${alert} fires`));
    const seriesOf = ({ input_series }: RuleTest) => input_series.map(({ series }) => series.replace(/\{.*/, ""));
    const inGood = new Set(good === undefined ? [] : seriesOf(good));
    for (const [at, { alert, expr }] of rules.entries()) {
      const [check] = bad[at]?.promql_expr_test ?? [];
      expect(check?.expr).toContain(`alertname="${alert}"`);
      expect(check?.exp_samples).toHaveLength(1);
      // Without figures a rule is silent, which proves nothing.
      expect(namesIn(expr).metrics.filter((name) => !inGood.has(name))).toEqual([]);
    }
    if (spawnSync("promtool", ["--version"]).error !== undefined) return;
    for (const words of [
      ["check", "rules", "alerts.yml"],
      ["test", "rules", "alerts.test.yml"],
    ]) {
      const { status, stdout, stderr } = spawnSync("promtool", words, { cwd: folder, encoding: "utf8" });
      expect(`${stdout}${stderr}`).toContain("SUCCESS");
      expect(status, `${stdout}${stderr}`).toBe(0);
    }
  });
});

describe("dashboards", () => {
  test("are the three that the guide names, for servers that can be chosen", () => {
    expect(dashboards.map(({ uid, name }) => `${uid} ${name}`)).toEqual(
      ["herdwise-devices", "herdwise-http-database", "herdwise-overview"].map((uid) => `${uid} dashboards/${uid}.json`),
    );
    for (const { templating } of dashboards)
      expect(templating.list.map(({ name }) => name)).toEqual(["datasource", "instance"]);
  });

  test.each(dashboards)(
    "$uid: panels have titles, units and descriptions, and none lies over another",
    ({ panels }) => {
      expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
      for (const [at, panel] of panels.entries()) {
        expect(panel.title.length, `panel ${at}`).toBeGreaterThan(3);
        expect(panel.description?.length, panel.title).toBeGreaterThan(15);
        expect(panel.fieldConfig.defaults.unit, panel.title).toMatch(/^\w+$/);
        expect(panel.targets, panel.title).not.toEqual([]);
        const { x, y, w, h } = panel.gridPos;
        expect(x + w, panel.title).toBeLessThanOrEqual(24);
        for (const { title, gridPos: other } of panels.slice(at + 1)) {
          const apart = x + w <= other.x || other.x + other.w <= x || y + h <= other.y || other.y + other.h <= y;
          expect(apart, `${panel.title} and ${title}`).toBe(true);
        }
      }
    },
  );

  test("their expressions are PromQL: brackets match, and promtool reads them where it is installed", () => {
    const shown = expressions.filter(({ where }) => where.startsWith("dashboards/"));
    for (const { where, expr } of shown)
      for (const [open, close] of ["()", "{}", "[]"].map((pair) => [...pair] as [string, string]))
        expect(expr.split(open).length, `${where} ${expr}`).toBe(expr.split(close).length);
    if (spawnSync("promtool", ["--version"]).error !== undefined) return;
    const scratch = mkdtempSync(join(tmpdir(), "herdwise-promql-"));
    try {
      const recorded = shown.map(({ expr }, at) => ({
        record: `shown_${at}`,
        expr: expr.replaceAll("$instance", ".*"),
      }));
      // JSON is YAML.
      writeFileSync(join(scratch, "shown.yml"), JSON.stringify({ groups: [{ name: "shown", rules: recorded }] }));
      const checked = spawnSync("promtool", ["check", "rules", "shown.yml"], { cwd: scratch, encoding: "utf8" });
      expect(checked.status, `${checked.stdout}${checked.stderr}`).toBe(0);
    } finally {
      rmSync(scratch, { recursive: true });
    }
  });
});

test("the samples for Prometheus and Grafana name the rules, the job and the folders of the guide", () => {
  const prometheus = parse(read("deploy/monitoring/prometheus.yml"));
  expect(prometheus.scrape_configs).toMatchObject([{ job_name: "herdwise", metrics_path: "/metrics" }]);
  expect(prometheus.rule_files).toEqual(["/etc/prometheus/herdwise/alerts.yml"]);
  const { providers } = parse(read("deploy/monitoring/grafana/dashboards/herdwise.yml"));
  const { datasources } = parse(read("deploy/monitoring/grafana/datasources/herdwise.yml"));
  expect(datasources).toMatchObject([{ type: "prometheus", url: "http://localhost:9090" }]);
  for (const path of ["docs/operations/monitoring.md", "docs/operations/monitoring.zh.md"])
    for (const word of [providers[0].options.path, "/etc/prometheus/herdwise", "promtool test rules alerts.test.yml"])
      expect(read(path)).toContain(word);
});
