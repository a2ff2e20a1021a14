import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const repository = "apps/server/src/modules/audit/audit.repository.ts";
const suite = "tests/resources/resources.test.ts";
/** What the trail says of changes, and the trail as a whole. */
const trail: Tests = { files: [suite], names: "audit trail|^(dept|sale_field) .*(written down|another tenant)" };
const whole: Tests = { files: [suite], names: "the audit trail" };

/** Columns that the hash of an entry covers, by the text that takes them in. */
const hashed = ["accountId", "actorName", "resource", "rowId", "rowTitle", "action", "changes", "remoteAddress"];

export const auditMutants: Mutant[] = [
  ...hashed.map((name) => ({
    name: `audit: ${name} is not in the hash`,
    edits: [{ file: repository, find: `        row.${name},\n`, replace: "" }],
    tests: whole,
  })),
  ...faultsIn(repository, whole, [
    ["audit: the time is not in the hash", "        row.createdAt.toISOString(),\n", ""],
    [
      "audit: hashes are not compared",
      "if (!follows || !holds || !isHead || unsealed.has(row.id)) {",
      "if (!follows) {",
    ],
    [
      "audit: entries need not follow each other",
      "if (!follows || !holds || !isHead || unsealed.has(row.id)) {",
      "if (!holds || unsealed.has(row.id)) {",
    ],
    ["audit: the last entries may be missing", "BigInt(head.position) > position", "BigInt(head.position) < 0n"],
    ["audit: anybody may append", "BigInt(noted?.position ?? 0) < position", "position < 0n"],
    [
      "audit: the trail of all tenants is everybody's",
      'if (!scope.everyTenant) query = query.where("e.chain", "=", scope.tenantId);',
      "",
    ],
    ["audit: actions are not selected", 'query = query.where("e.action", "in", [...actions]);', ";"],
    [
      "audit: words are not looked for",
      'either.or([either("e.actorName", "ilike", word), either("e.rowTitle", "ilike", word)])',
      'either.or([either("e.actorName", "ilike", word), either("e.rowTitle", "ilike", "%")])',
    ],
    ["audit: days before are shown, too", 'if (from) query = query.where("e.createdAt", ">=", from);', ""],
    ["audit: days after are shown, too", 'if (to) query = query.where("e.createdAt", "<", to);', ""],
    ["audit: nobody acted", 'actorName: actor?.name ?? "",', 'actorName: "",', trail],
    [
      "audit: writers don't wait for each other",
      "await sql`select pg_advisory_xact_lock(hashtext(${`audit ${chain}`}))`.execute(db);\n",
      "",
      { files: [suite], names: "^(dept|sale_field) .*(ten editors|20 equal|at once)|many entries at once" },
    ],
  ]),
  {
    // Which chains are followed, and whose each is: either holds alone.
    name: "audit: who verifies follows the chains of all",
    edits: [
      {
        file: repository,
        find: "if (!isSystemScope(scope) && !scope.everyTenant) return [scope.tenantId];\n",
        replace: "",
      },
      { file: repository, find: "if (!chainIn(scope, chain)) return { entries: 0 };\n", replace: "" },
    ],
    tests: whole,
  },
  ...faultsIn("apps/server/src/modules/audit/record-spool.ts", whole, [
    [
      "audit: of the entries of long work only the first are kept",
      "for (const part of parts) yield",
      "for (const part of parts.slice(0, 1)) yield",
      { files: ["tests/resources/imports.test.ts"], names: "many rows" },
    ],
  ]),
  ...faultsIn("apps/server/src/modules/audit-trail/audit-trail.service.ts", whole, [
    ["audit: a day ends at its beginning", "to: dayStart(to, 1),", "to: dayStart(to),"],
    ["audit: days are those of Greenwich", "shanghaiMidnight(day)", "Date.parse(day)"],
    [
      "audit: a break in a chain is not told",
      "if (found.broken) return { entries, brokenId: found.broken.id, brokenAt: found.broken.at };",
      "",
    ],
  ]),
  ...faultsIn("apps/server/src/resources/resource-values.ts", trail, [
    [
      "audit: personal fields are written in the open",
      'if (field?.kind === "text" && field.personal?.startsWith("mask")) return writePersonal(field.personal, value);',
      "",
    ],
    ["audit: numbers are those that are stored", "return shownNumber(value, field.decimals);", "return value;"],
  ]),
  ...faultsIn("apps/server/src/resources/resource.service.ts", trail, [
    [
      "audit: a new row is not written down",
      '[record("create", { id, title: titleOf(values) }, changesOf({}, given))],',
      "[],",
    ],
    [
      "audit: a change is not written down",
      '[record(moves ? "move" : "update", { id, title: titleOf(values) }, changes)],',
      "[],",
    ],
    [
      "audit: before and after are turned round",
      "const changes = [\n          ...changesOf(held, written),",
      "const changes = [\n          ...changesOf(written, held).filter(({ field }) => field in written),",
    ],
    ["audit: a removal is not written down", "await to.audit.append(chain, scope, records, nextId);", ""],
    [
      "audit: a change of many is not written down",
      "await to.audit.append(chainOf(tenantId), scope, records, nextId);\n        }",
      "}",
      { files: [suite], names: "^(dept|sale_field) .*many rows" },
    ],
    [
      "audit: a drag is not written down",
      '[record("move", { id, title: titleOf(found) }, changes)],',
      "[],",
      { files: [suite], names: "^dept .*drag" },
    ],
    [
      "audit: what the group's staff do to a customer's row is in their own trail",
      "const chainOf = (tenantId: string): string => (isOfInstallation(of) ? installationChain : tenantId);",
      'const chainOf = (tenantId: string): string => (isOfInstallation(of) || tenantId !== "" ? installationChain : tenantId);',
      { files: [suite], names: "^dept .*staff" },
    ],
  ]),
];
