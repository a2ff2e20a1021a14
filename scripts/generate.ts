// `npm run generate`: what is derived from code. With --check nothing is written and a difference fails.
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { type Endpoint, endpoints, rateClasses } from "@herdwise/contract";
import { openDatabase } from "../apps/server/src/database/connection.ts";
import { startEmbeddedPostgres } from "../apps/server/src/database/embedded-postgres.ts";
import { generatedTypesDiffer, generateTypes } from "../apps/server/src/database/generate-types.ts";
import { silentLog } from "../apps/server/src/database/log.ts";
import { migrate } from "../apps/server/src/database/migrate.ts";
import { demoDevices, demoTenants, demoTokenPrefix } from "../apps/server/src/database/seeds/demo.ts";
import { openApiOf } from "../apps/server/src/http/openapi.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const check = process.argv.includes("--check");

function operationsPage(all: Record<string, Endpoint>): string {
  const rows = Object.entries(all)
    .map(([name, { method, path, access, owner, rate, personal, form, summary }]) => ({
      path,
      row: `| ${method} | \`${path}\` | ${access.level === "permission" ? `permission \`${access.code}\`` : access.level} | ${owner} | ${rate} | ${Object.entries(
        personal,
      )
        .map(([field, rule]) => `${field} ${rule}`)
        .join(", ")} | ${form} | ${summary} | \`${name}\` |`,
    }))
    .sort((a, b) => a.path.localeCompare(b.path, "en"))
    .map(({ row }) => row);
  return `# Operations and who may call them

Made from packages/contract by \`npm run generate\`; a review of an opened endpoint shows here. Beside these: \`/healthz\`,
\`/readyz\`, \`/metrics\` (loopback or token), \`/api/openapi.json\`, \`/api/docs\`, and the device API \`/api/v1/{token}/...\`.

Owner (whose rows), rate and the rules of personal fields are explained in packages/contract/src/endpoint.ts; the server
enforces them. Calls per minute and operation:

| rate | a session | an address |
|---|---|---|
${Object.entries(rateClasses)
  .map(([name, { session, address }]) => `| ${name} | ${session} | ${address} |`)
  .join("\n")}

| method | path | access | owner | rate | personal fields | answer | what it does | name |
|---|---|---|---|---|---|---|---|---|
${rows.join("\n")}
`;
}

function demoDevicesPage(): string {
  const tenants = demoTenants.map(({ tenantId, name }) => {
    const rows = demoDevices()
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

${tenants.join("\n")}`;
}

const texts: Record<string, string> = {
  "docs/openapi.json": `${JSON.stringify(openApiOf(endpoints), null, 1)}\n`,
  "docs/operations.md": operationsPage(endpoints),
  "docs/demo-devices.md": demoDevicesPage(),
};

const different: string[] = [];
for (const [path, text] of Object.entries(texts)) {
  const held = await readFile(join(root, path), "utf8").catch(() => "");
  if (held === text) continue;
  if (check) different.push(path);
  else await writeFile(join(root, path), text);
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
