// `npm run generate`: what is derived from code. With --check nothing is written and a difference fails.
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join, relative } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import {
  accessRequestProcess,
  cancellationProcess,
  commissioningProcess,
  contractProcess,
  declarationProcess,
  depositProcess,
  type Endpoint,
  endpoints,
  invoiceProcess,
  lotProcess,
  noteProcess,
  orderProcess,
  payAttemptProcess,
  paymentProcess,
  planProcess,
  rateClasses,
  realNameProcess,
  remittanceProcess,
  ruleReasons,
  settlementProcess,
  tokenScopeOf,
  transitProcess,
  transits,
  weighingProcess,
  wireMessage,
  workOrderProcess,
} from "@herdwise/contract";
import { bankCardProcess } from "@herdwise/contract/bank-card-rules";
import type { ProcessDeclaration } from "@herdwise/contract/process";
import type { ProcessFace } from "@herdwise/contract/resource";
import type { DeviceKind } from "@herdwise/device-kinds";
import { parametersTitle } from "@herdwise/device-kinds/kind-pages";
import openapiTypes, { astToString } from "openapi-typescript";
import { openDatabase } from "../apps/server/src/database/connection.ts";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { generatedTypesDiffer, generateTypes } from "../apps/server/src/database/generate-types.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { migrate, migrationsFolder, sumsFile } from "../apps/server/src/database/migrate.ts";
import { readSums, sumOf } from "../apps/server/src/database/migration-sums.ts";
import { demoAccounts, demoDevices, demoTenants, demoTokenPrefix } from "../apps/server/src/database/seeds/demo.ts";
import { demoStock } from "../apps/server/src/database/seeds/demo-stock.ts";
import { demoWeighbridges } from "../apps/server/src/database/seeds/demo-weighbridges.ts";
import { flatMenuSeeds, groupTenantId } from "../apps/server/src/database/seeds/foundation.ts";
import { customerRoles, groupRoles } from "../apps/server/src/database/seeds/menus.ts";
import { openApiOf } from "../apps/server/src/http/openapi.ts";
import { reasons } from "../apps/server/src/http/reasons.ts";
import { serverPatterns } from "../apps/web/app/shared/language/server-patterns.ts";
import { driverTexts, entryTexts, overviewTexts } from "../apps/web/build-plugins/entry-texts.ts";
import { unservedCalls, wireCalls } from "../tests/wire/calls.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");

const processes: readonly ProcessDeclaration[] = [
  workOrderProcess,
  contractProcess,
  realNameProcess,
  remittanceProcess,
  cancellationProcess,
  bankCardProcess,
  accessRequestProcess,
  commissioningProcess,
  planProcess,
  declarationProcess,
  lotProcess,
  noteProcess,
  depositProcess,
  orderProcess,
  payAttemptProcess,
  paymentProcess,
  transitProcess,
  weighingProcess,
  settlementProcess,
  invoiceProcess,
];

/** What the access column says of a fresh password. */
const confirmationWords = { none: "", always: ", password", depends: ", password (depends)" } as const;

function operationsPage(all: Record<string, Endpoint>): string {
  const rows = Object.entries(all)
    .map(([name, { method, path, access, owner, rate, personal, form, summary, confirmation }]) => ({
      path,
      row: `| ${method} | \`${path}\` | ${access.level === "permission" ? `permission \`${access.code}\`` : access.level}${confirmationWords[confirmation ?? "none"]} | ${owner} | ${rate} | ${Object.entries(
        personal,
      )
        .map(([field, rule]) => `${field} ${rule}`)
        .join(", ")} | ${form} | ${tokenScopeOf({ method, path }) ?? ""} | ${summary} | \`${name}\` |`,
    }))
    .sort((a, b) => a.path.localeCompare(b.path, "en"))
    .map(({ row }) => row);
  return `# Operations and who may call them

Made from packages/contract by \`npm run generate\`; a review of an opened endpoint shows here. Beside these: \`/healthz\`,
\`/readyz\`, \`/metrics\` (loopback or token), \`/api/openapi.json\`, \`/api/docs\`, and the device API \`/api/v1/{token}/...\`.

Owner (whose rows), rate and the rules of personal fields are explained in packages/contract/src/endpoint.ts; the server
enforces them. \`password\`: only within five minutes of the own password or a log-in, as the call leads codes, links or money elsewhere, says
who may do what, or shows personal data in full; \`depends\`: by what the call changes. \`token\`: the scope with which a personal access token opens the
call; without one it is closed to tokens. Calls per minute and operation:

| rate | a session | an address |
|---|---|---|
${Object.entries(rateClasses)
  .map(([name, { session, address }]) => `| ${name} | ${session} | ${address} |`)
  .join("\n")}

| method | path | access | owner | rate | personal fields | answer | token | what it does | name |
|---|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

/** The calls of admin clients of the family, each with the test that replays it. */
function wireCallsPage(): string {
  const byPath = new Map(
    Object.entries(endpoints).flatMap(([name, { method, path, aliases = [] }]) =>
      [path, ...aliases].map((at) => [`${method} ${at}`, name] as const),
    ),
  );
  const sections = [...Map.groupBy(wireCalls, ({ section }) => section)].sort(([a], [b]) =>
    a.localeCompare(b, "en", { numeric: true }),
  );
  const rows = sections.map(([section, calls]) => {
    const byCall = [...Map.groupBy(calls, ({ method, path }) => `${method} ${path}`)].map(([call, all]) => {
      const [{ method, path }] = all as [(typeof all)[0]];
      const deviations = [...new Set(all.flatMap(({ deviation }) => deviation ?? []))].join("; ");
      return `| ${call} | ${all.length} | \`${byPath.get(`${method} /api/muyuan-${path}`) ?? ""}\` | ${deviations} |`;
    });
    return `## ${section}

| call | replayed | operation | where it differs |
|---|---|---|---|
${byCall.join("\n")}
`;
  });
  return `# Calls of admin clients of the family

Made from [tests/wire/calls.ts](../tests/wire/calls.ts) by \`npm run generate\`. Admin clients of the family work against this server after
nothing but a prefix change: each call below is sent as such a client sends it, in this order, and its answer is held against the shape of
the family (tests/wire/wire.test.ts), with a member who lacks the right, without a token, and by a customer where the rows are the group's.
What the calls bring about is in tests/wire/effects.test.ts. Paths stand below \`/api/muyuan-\`; access and owners are in
[operations.md](operations.md).

Filters take the suffixes of the family (\`_equal\`, \`_like\`, \`_likeleft\`, \`_ge\`, \`_datege\`, \`_null\` and so on) on every list of the
resource kit; a parameter that is no field is refused instead of ignored. Parameters without a value are ignored.

${rows.join("\n")}
## Not served

| call | why |
|---|---|
${unservedCalls.map(({ call, because }) => `| ${call} | ${because} |`).join("\n")}
`;
}

/** Pictures of the tables of transitions. */
function processesPage(): string {
  const list = (names: string | readonly string[]): readonly string[] => (typeof names === "string" ? [names] : names);
  const pages = processes.map((of) => {
    const moves = Object.entries(of.events).flatMap(([event, declared]) =>
      ("moves" in declared ? declared.moves : [declared]).flatMap(({ from, to, kinds }) =>
        list(from).map((state) => ({ from: state, to: to === "same" ? state : to, event, kinds, by: declared.by })),
      ),
    );
    // One arrow for all that leads from a state to another one.
    const arrows = Map.groupBy(moves, ({ from, to }) => `${from} --> ${to}`);
    const over = Object.entries(of.states).flatMap(([state, is]) => (is === "over" ? [`  ${state} --> [*]`] : []));
    return `## ${of.name}

\`\`\`mermaid
stateDiagram-v2
${[
  ...list(of.start).map((state) => `  [*] --> ${state}`),
  ...[...arrows].map(([arrow, events]) => `  ${arrow} : ${[...new Set(events.map(({ event }) => event))].join(", ")}`),
  ...over,
].join("\n")}
\`\`\`

| event | by | from | to | tells |
|---|---|---|---|---|
${Object.entries(of.events)
  .flatMap(([event, { by, tells = {}, ...declared }]) =>
    ("moves" in declared ? declared.moves : [declared]).map(
      ({ from, to, kinds }) =>
        `| ${event} | ${list(by).join(", ")} | ${list(from).join(", ")}${kinds ? ` (${list(kinds).join(", ")})` : ""} | ${to} | ${Object.keys(tells).join(", ")} |`,
    ),
  )
  .join("\n")}
`;
  });
  return `# What may happen to what, and by whom

Made from the declarations in packages/contract by \`npm run generate\`. What no arrow shows is refused; tests try every event in every state
by every party (tests/harness/every-step.ts).

${pages.join("\n")}`;
}

function demoDevicesPage(): string {
  const group = { tenantId: groupTenantId, name: "慧牧集团" };
  const ofGroup = demoWeighbridges.map((device) => ({ ...device, tenantId: groupTenantId, kind: "weighbridge" }));
  const tenants = [group, ...demoTenants].map(({ tenantId, name }) => {
    const rows = [...ofGroup, ...demoDevices()]
      .filter((device) => device.tenantId === tenantId)
      .map(({ serialNumber, kind, name: deviceName }) => `| \`${serialNumber}\` | ${kind} | ${deviceName} |`);
    return `## ${name} (${tenantId})

| serial number | kind | name |
|---|---|---|
${rows.join("\n")}
`;
  });
  return `# Demo devices

Made by \`npm run generate\`. In demo mode a device's access token is \`${demoTokenPrefix}\` and its serial number:

\`\`\`
mosquitto_pub -p 1883 -u ${demoTokenPrefix}ENV-ZJY-01 -t v1/devices/me/telemetry -m '{"t_in":31.5}' -q 1
\`\`\`

${tenants.join("\n")}
## Not bound by anybody

To try binding: the serial number and the code stand on the label of a device.

| serial number | kind | name | code |
|---|---|---|---|
${demoStock.map(({ serialNumber, kind, name, code }) => `| \`${serialNumber}\` | ${kind} | ${name} | ${code} |`).join("\n")}
`;
}

interface DeclaredKind {
  kind: DeviceKind;
  module: string;
  name: string;
}

/** The declarations in the folder of the kinds, each with its module and export, in the order of lists and menus. */
async function declaredKinds(): Promise<DeclaredKind[]> {
  const folder = join(root, "packages/device-kinds/src/kinds");
  const found: DeclaredKind[] = [];
  for (const module of (await readdir(folder)).sort()) {
    const exported = (await import(pathToFileURL(join(folder, module)).href)) as Record<string, unknown>;
    for (const [name, value] of Object.entries(exported)) {
      if (typeof value === "object" && value !== null && "kind" in value && "alarmRules" in value)
        found.push({ kind: value as DeviceKind, module, name });
    }
  }
  return found.sort((a, b) => a.kind.sort - b.kind.sort);
}

/** What is made of the declarations of the device kinds, so that a new one is its own file and no entry elsewhere. */
function kindFiles(kinds: readonly DeclaredKind[]): Record<string, string> {
  const made = "/* Made by `npm run generate` from packages/device-kinds/src/kinds. */\n";
  const ids = `export const deviceKindIds = [\n${kinds.map(({ kind }) => `  "${kind.kind}",\n`).join("")}] as const;\n`;
  const names = kinds.map(({ kind: { kind, name } }) => `  ["${kind}", "${name.zh}"],\n`);
  const property = (id: string) => (/^\w+$/.test(id) ? id : `"${id}"`);
  const listed = kinds.map(({ kind: { kind, name, pages } }) => {
    const of = pages && {
      path: pages.path,
      code: pages.code,
      icon: pages.icon,
      title: pages.title,
      ...(pages.at && { at: pages.at }),
      ...(pages.ofFarm && { ofFarm: pages.ofFarm }),
      ...(pages.more && { more: pages.more }),
    };
    const written = (value: unknown) =>
      JSON.stringify(value)
        .replace(/"(\w+)":/g, " $1: ")
        .replaceAll(",", ", ")
        .replaceAll("}", " }");
    const values = Object.entries(of ?? {}).map(([key, value]) => `      ${key}: ${written(value)},\n`);
    return `  {
    kind: "${kind}",
    name: { zh: "${name.zh}", en: "${name.en}" },
${of ? `    pages: {\n${values.join("")}    },\n` : ""}  },
`;
  });
  return {
    "packages/contract/src/generated/device-kind-ids.ts": `${made}\n/** The ids of all device kinds; they are stored in the registry and must not change. */\n${ids}\n/** What they are called, in Chinese. */\nexport const deviceKindNames = [\n${names.join("")}] as const;\n`,
    "packages/device-kinds/src/generated/kind-list.ts": `${made}import type { KindPages, LocalText } from "../kind-pages.ts";

/** The ids of all device kinds; they are stored in the registry and must not change. */
${ids}export type DeviceKindId = (typeof deviceKindIds)[number];

/** What menus and lists need of a kind, without its declaration. */
export type ListedKind = {
  readonly kind: DeviceKindId;
  readonly name: LocalText;
  readonly pages?: KindPages;
};

export const kindList: readonly ListedKind[] = [
${listed.join("")}];
`,
    "packages/device-kinds/src/generated/kind-loader.ts": `${made}import type { DeviceKind, DeviceKindId } from "../device-kind.ts";

/** The declaration of a kind alone, for a page that needs no other. */
export const loadKind: Readonly<Record<DeviceKindId, () => Promise<DeviceKind>>> = {
${kinds.map(({ kind, module, name }) => `  ${property(kind.kind)}: async () => (await import("../kinds/${module}")).${name},\n`).join("")}};
`,
    "packages/device-kinds/src/generated/device-kinds.ts": `${made}import type { DeviceKind, DeviceKindId } from "../device-kind.ts";
${kinds
  .toSorted((a, b) => (a.module < b.module ? -1 : 1))
  .map(({ module, name }) => `import { ${name} } from "../kinds/${module}";\n`)
  .join("")}
/** All kinds, in the order of the menu. */
export const deviceKinds: Readonly<Record<DeviceKindId, DeviceKind>> = {
${kinds.map(({ kind, name }) => (kind.kind === name ? `  ${name},\n` : `  ${property(kind.kind)}: ${name},\n`)).join("")}};
`,
  };
}

/** What the declarations of kinds say themselves: their names and the titles of their pages. */
const textsOfKinds = () =>
  kinds.flatMap(({ kind: { name, pages } }) => [
    name,
    ...(pages
      ? [pages.title, parametersTitle(name), ...Object.values(pages.more ?? {}).map(({ title }) => title)]
      : []),
  ]);

/** The English dictionary with what the contract, the declarations of the kinds and the server's refusals say in both languages. */
async function dictionary(): Promise<Record<string, string>> {
  const held = JSON.parse(await readFile(join(root, dictionaryPath), "utf8")) as Record<string, string>;
  const stated = [...Object.values(reasons), ...Object.values(ruleReasons), ...textsOfKinds()]
    .map(({ zh, en }) => [zh, en])
    .filter(([zh, en]) => zh !== en);
  return { ...held, ...Object.fromEntries(stated) };
}

/** Refusals that nobody meets before a log-in. */
const behindLogIn =
  /^(article|home|sheet|import|export|contract|inventory|price|price_alert|work_order|alarm|alarm_rule|sale_plan|declaration|sale_order|payment|transit|weighing|settlement|invoice|passport|trade_report|trace|lot|deposit|bid|bank_line|pay|note|statement|driver|menu|dict|region|tenants|provider|service_log|setting|users)\./;
const behindLogInRules = /^field\.(formula|error|digits|cut|region_many|doubled|unique|fixed|link)$/;

/** The part of it that the pages before the log-in load: what they say, refusals that come there, and what the seeds say there. */
function entryDictionary(whole: Record<string, string>): Record<string, string> {
  const refusals = [
    ...Object.entries(reasons).filter(([reason]) => !behindLogIn.test(reason)),
    ...Object.entries(ruleReasons).filter(([reason]) => !behindLogInRules.test(reason)),
  ];
  const needed = new Set([
    ...entryTexts(root),
    ...refusals.map(([, { zh }]) => zh),
    ...Object.values(wireMessage),
    ...serverPatterns,
    ...demoAccounts.map(({ note }) => note),
    ...[...customerRoles, ...groupRoles].map(({ name }) => name),
    "用户协议",
    "隐私政策",
  ]);
  return Object.fromEntries(Object.entries(whole).filter(([text]) => needed.has(text)));
}

/** Refusals that a driver may meet. */
const ofDrivers = /^(driver|transit|process|upload|rate)\./;

/** The part of it that the page of a driver loads. */
function driverDictionary(whole: Record<string, string>): Record<string, string> {
  const asked = Object.values(transits.process.events as ProcessFace["events"]).flatMap(({ asks = {} }) =>
    Object.values(asks),
  );
  const needed = new Set([
    ...driverTexts(root),
    ...Object.entries(reasons).flatMap(([reason, { zh }]) => (ofDrivers.test(reason) ? [zh] : [])),
    ...Object.values(wireMessage),
    ...asked.map(({ label }) => label),
  ]);
  return Object.fromEntries(Object.entries(whole).filter(([text]) => needed.has(text)));
}

/** The part of it that the first screen and the overviews load: what they say, every refusal, and what menus and kinds are called. */
function overviewDictionary(whole: Record<string, string>): Record<string, string> {
  const needed = new Set([
    ...overviewTexts(root),
    ...[...Object.values(reasons), ...Object.values(ruleReasons), ...textsOfKinds()].map(({ zh }) => zh),
    ...Object.values(wireMessage),
    ...serverPatterns,
    ...flatMenuSeeds().map(({ seed }) => seed.name),
    ...[...customerRoles, ...groupRoles].map(({ name }) => name),
  ]);
  return Object.fromEntries(Object.entries(whole).filter(([text]) => needed.has(text)));
}

/** The list of sums with a line for each migration that it lacks; what stands in it never changes. */
async function migrationSums(): Promise<string> {
  const held = await readFile(join(migrationsFolder, sumsFile), "utf8");
  const listed = readSums(held);
  const names = (await readdir(migrationsFolder)).filter((name) => name.endsWith(".sql") && !listed.has(name)).sort();
  const lines = names.map(async (name) => `${name} ${sumOf(await readFile(join(migrationsFolder, name), "utf8"))}\n`);
  return held + (await Promise.all(lines)).join("");
}

/** Types of the operations that personal access tokens open, for packages/client. */
async function clientTypes(): Promise<string> {
  const open = Object.fromEntries(
    Object.entries(endpoints).filter(([, endpoint]) => tokenScopeOf(endpoint) !== undefined),
  );
  // What the document says of sessions is nothing for programs, and a copy keeps the generator from changing the original.
  const types = await openapiTypes(JSON.parse(JSON.stringify(openApiOf(open))), { silent: true });
  return `/* Made by \`npm run generate\` from docs/openapi.json: the operations that personal access tokens open. */\n${astToString(types)}`;
}

const json = (value: unknown): string => `${JSON.stringify(value, null, 2)}\n`;

const kinds = await declaredKinds();
const dictionaryPath = "apps/web/public/i18n/i18n_en.json";
const english = await dictionary();
const texts: Record<string, string> = {
  ...kindFiles(kinds),
  [dictionaryPath]: json(english),
  "apps/web/public/i18n/driver/i18n_en.json": json(driverDictionary(english)),
  "apps/web/public/i18n/entry/i18n_en.json": json(entryDictionary(english)),
  "apps/web/public/i18n/overviews/i18n_en.json": json(overviewDictionary(english)),
  "docs/openapi.json": `${JSON.stringify(openApiOf(endpoints), null, 1)}\n`,
  "packages/client/src/generated/api.ts": await clientTypes(),
  "docs/operations.md": operationsPage(endpoints),
  "docs/processes.md": processesPage(),
  "docs/wire-calls.md": wireCallsPage(),
  "docs/demo-devices.md": demoDevicesPage(),
  [relative(root, join(migrationsFolder, sumsFile))]: await migrationSums(),
};

const different: string[] = [];
for (const [path, text] of Object.entries(texts)) {
  const held = await readFile(join(root, path), "utf8").catch(() => "");
  if (held === text) continue;
  if (check) different.push(path);
  else {
    await mkdir(dirname(join(root, path)), { recursive: true });
    await writeFile(join(root, path), text);
  }
}

const directory = await mkdtemp(join(tmpdir(), "herdwise-generate-"));
const postgres = await startEmbeddedPostgres({ directory, log: silentLog, settings: { fsync: "off" } });
try {
  const database = openDatabase({ url: postgres.url(), poolSize: 2, applicationName: "generate", log: silentLog });
  await migrate(database, silentLog);
  await database.close();
  if (check) {
    if (await generatedTypesDiffer(postgres.url())) different.push("apps/server/src/database/generated/database.ts");
  } else {
    await generateTypes(postgres.url());
  }
} finally {
  await postgres.stop();
  await rm(directory, { recursive: true, force: true });
}

if (different.length > 0) {
  console.error(`Not current, run \`npm run generate\`:\n${different.join("\n")}`);
  process.exit(1);
}
