import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const suite = "tests/resources/resources.test.ts";
const unit = "tests/resources/check.test.ts";
const sheets: Tests = { files: ["tests/resources/imports.test.ts"], names: "^(?!.*many rows)" };
/** The suite of a resource of tenants that is a tree, and of one of the group with references and encrypted fields. */
const kit: Tests = { files: [suite], names: "^(dept|sale_field) " };
const ofGroup: Tests = { files: [suite], names: "^sale_field " };
const ofTenants: Tests = { files: [suite], names: "^dept " };
const list: Tests = { files: [suite], names: "^(post|sale_field) " };

const server = "apps/server/src";
const service = `${server}/resources/resource.service.ts`;
const repository = `${server}/resources/resource.repository.ts`;
const pages = `${server}/database/pages.ts`;
const hooks = `${server}/resources/resource-hooks.ts`;
const values = `${server}/resources/resource-values.ts`;
const conditions = `${server}/resources/resource-conditions.ts`;
const endpoints = "packages/contract/src/resource/endpoints.ts";
const check = "packages/contract/src/resource/check.ts";
const plain = "packages/contract/src/plain-text.ts";
const plainUnit = "packages/contract/src/plain-text.test.ts";
const access = `${server}/http/access.ts`;

const create: Mutant[] = [
  ...faultsIn(service, kit, [
    [
      "create: defaults are left out",
      "const values = { ...defaultsOf(of), ...readValues(of, input) };",
      "const values = { ...Object.fromEntries(fieldsOf(of).map(([name]) => [name, null])), ...readValues(of, input) };",
    ],
    ["create: nothing is checked", "await requireValid(to.rows, within, values, { partial: false, id });", ""],
    [
      "create: a row of a tree stands at the top, whatever was asked",
      "const parentId = await requireParent(to.rows, scope, tenantId, input.parentId, { id, isNew: true });",
      "const parentId = null;",
      ofTenants,
    ],
  ]),
  ...faultsIn(repository, kit, [
    ["create: nobody is noted as its author", "created_by: scope.accountId,", "created_by: null,"],
    [
      "create: the author's department is not noted",
      "created_dept: scope.departmentId || null,",
      "created_dept: null,",
    ],
  ]),
  ...faultsIn(values, kit, [
    [
      "create: texts keep the blanks around them",
      'case "text":\n      return typeof value === "string" ? normalizeText(field, value) : (value ?? "");',
      'case "text":\n      return value ?? "";',
    ],
    [
      "create: lists that forms send as texts are refused",
      '(typeof one === "string" ? one.split(",").filter(Boolean) : [one])',
      "[one]",
      { files: [suite], names: "^sale_region " },
    ],
    [
      "create: an encrypted field has no index to look it up by",
      'text === "" ? null : cipher.index(text);',
      "null;",
      ofGroup,
    ],
  ]),
];

const read: Mutant[] = [
  ...faultsIn(pages, list, [
    [
      "read: the total counts rows of other conditions",
      "count: () => count([])",
      "count: () => count([]).then((total) => total + 1)",
    ],
    [
      "read: every page is the first",
      "${offset > 0 ? sql`offset ${offset}` : sql``}",
      "${offset < 0 ? sql`offset ${offset}` : sql``}",
    ],
    ["read: a page has one row more", "sql`limit ${sql.lit(limit)}`}`;", "sql`limit ${sql.lit(limit + 1)}`}`;"],
  ]),
  ...faultsIn(repository, list, [
    ["read: descending is ascending", 'descending: direction === "desc"', "descending: false"],
    ["read: rows come in any order but the one that is asked for", "orders.length > 0 ? orders : own.map", "own.map"],
    [
      "read: pages of rows of one time overlap",
      "{ by: sql`t.id`, descending",
      "{ by: used.length === 0 ? sql`t.id` : sql`random()`, descending",
    ],
    ["read: new rows come last", '(used.at(-1)?.direction ?? "desc")', '(used.at(-1)?.direction ?? "asc")', ofGroup],
    ["read: the declared order is ignored", "const own = of.order ??", "const own = [] ??", list],
    [
      "read: a word is looked for in no field",
      "tries.length === 0 ? sql<SqlBool>`false` : sql<SqlBool>`(${sql.join(tries, sql` or `)})`",
      "sql<SqlBool>`true`",
    ],
    ["read: a word must be the whole text", "const word = likeWord(one.word);", "const word = one.word;"],
    ["read: part of a text must be the whole of it", "ilike ${likeWord(one.value)}`", "ilike ${one.value}`"],
    [
      "read: ids as a condition select everything",
      'case "ids":\n        return sql<SqlBool>`t.id = any(${[...one.ids]}::bigint[])`;',
      'case "ids":\n        return sql<SqlBool>`true`;',
    ],
    [
      "read: one of several choices selects all of them",
      "::text = any(${[...one.values]}::text[])`;",
      " is not null`;",
    ],
    ["read: a number from a bound on leaves the bound out", ">= ${one.value}`;", "> ${one.value}`;"],
    ["read: a number up to a bound leaves the bound out", "<= ${one.value}`;", "< ${one.value}`;"],
    [
      "read: conditions are alternatives",
      "...conditions.map(condition)], sql` and `)",
      "...conditions.map(condition)], sql` or `)",
    ],
    [
      "read: rows changed since a moment are those changed before",
      "sql<SqlBool>`t.updated_at >= ${one.at}::timestamptz`",
      "sql<SqlBool>`t.updated_at < ${one.at}::timestamptz`",
    ],
    [
      "read: the name of a reference is left out",
      "named(nameOf(target, held), referenceNameOf(name))",
      "named(sql`''`, `${referenceNameOf(name)}Gone`)",
      ofGroup,
    ],
    ["read: a leaf is told to have children", "hasChildren: parents.has(row.id)", "hasChildren: true", ofTenants],
    [
      "read: the way down to a row of a tree begins in its middle",
      "select start::text as id, path from up where parent_id is null`",
      "select start::text as id, path from up order by cardinality(path) desc`",
      ofTenants,
    ],
  ]),
  ...faultsIn(`${server}/database/conditions.ts`, list, [
    ["read: % in a word stands for any text", '`%${word.replace(/[\\\\%_]/g, "\\\\$&")}%`', "`%${word}%`"],
  ]),
  ...faultsIn(conditions, list, [
    [
      "read: a condition that is not known is as good as none",
      'if (field === undefined || (field.kind === "text"',
      'if (field === undefined) continue;\n      if ((field.kind === "text"',
    ],
    ["read: a day counts to its beginning", "const ahead = endOfDay ?", "const ahead = false ?"],
    [
      "read: days are those of Greenwich",
      'shanghaiMoment(`${parts[1]} ${parts[2] ?? "00:00:00"}`)',
      'Date.parse(`${parts[1]}T${parts[2] ?? "00:00:00"}Z`)',
    ],
    [
      "read: equal is contains",
      'return { kind: "equals", field, value };',
      'return { kind: "contains", field, value };',
    ],
  ]),
  ...faultsIn(endpoints, kit, [
    [
      "read: masked fields leave open",
      'if (field?.kind === "text" && field.personal) rules[name] = field.personal;',
      'if (field?.kind === "text" && field.personal) rules[name] = "granted";',
      ofGroup,
    ],
    [
      "read: masked fields can be told by filtering",
      'if (field.kind === "text" && (field.stored || field.personal?.startsWith("mask"))) continue;',
      "",
      ofGroup,
    ],
    [
      "read: masked fields can be told by sorting",
      '.filter(([, field]) => !(field.kind === "text" && (field.stored || field.personal?.startsWith("mask"))))',
      ".filter(() => true)",
      ofGroup,
    ],
  ]),
  ...faultsIn(service, ofTenants, [
    [
      "read: a row of a tree does not tell where it stands",
      '...(of.tree && { parentId: row.parentId ?? topId, parentName: row.parentName ?? "" }),',
      '...(of.tree && { parentId: topId, parentName: "" }),',
    ],
    [
      "read: the ancestors of a row come bottom up",
      "(await rows.ancestors(scope, id)).slice(1).toReversed()",
      "(await rows.ancestors(scope, id)).slice(1)",
    ],
    [
      "read: all of a tree is one level",
      "if (parent) parent.children = [...(parent.children ?? []), node];\n      else roots.push(node);\n    }\n    return roots;\n  };",
      "roots.push(node);\n    }\n    return roots;\n  };",
    ],
    ["read: a picker offers everything, whatever is typed", "? [named(query.keyword)]", "? []"],
  ]),
];

const change: Mutant[] = [
  ...faultsIn(service, kit, [
    [
      "change: fields that were not sent become their defaults",
      "const given = readValues(of, input);",
      "const given = { ...defaultsOf(of), ...readValues(of, input) };",
    ],
    [
      "change: fixed fields change",
      "if (field.fixed && name in changed)",
      'if (field.fixed && name in changed && name === "")',
      ofGroup,
    ],
    [
      "change: a submit that changes nothing is written",
      "if (Object.keys(changed).length === 0 && !moves) return false;",
      "",
    ],
    [
      "change: what is changed is not checked",
      "await requireValid(to.rows, inTenant(scope, tenantId), changed, { partial: true, id });",
      "",
    ],
    [
      "change: nobody is noted as its author",
      "...(moves && { parent_id: parentId }),\n            updated_by: scope.accountId,",
      "...(moves && { parent_id: parentId }),",
    ],
    [
      "change: its time is not noted",
      "...(moves && { parent_id: parentId }),\n            updated_by: scope.accountId,\n            updated_at: new Date(),",
      "...(moves && { parent_id: parentId }),\n            updated_by: scope.accountId,",
    ],
    ["change: a submit does not move a row of a tree", "...(moves && { parent_id: parentId }),\n", "", ofTenants],
    [
      "change: of many rows is not checked",
      "await requireValid(to.rows, inTenant(chosen.scope, tenantId), values, { partial: true });",
      "",
    ],
    [
      "change: of many rows takes what must be unique",
      'if (!field || field.derived || field.fixed || (field.kind === "text" && field.unique)) {',
      "if (!field || field.derived || field.fixed) {",
    ],
    [
      "change: of many rows leaves those out that are not there",
      "if (held.length !== chosen.ids.length) throw",
      "if (held.length < 1) throw",
    ],
    [
      "change: of many rows ignores how many the caller saw",
      "if (expected !== undefined && expected !== found.length)",
      "if (expected !== undefined && expected < 0)",
    ],
    ["change: of no row at all succeeds", 'if (found.length === 0) throw refuse("rows.none_chosen");\n', ""],
    [
      "change: of many rows ignores the conditions",
      "const found = await from.idsOf(within, readConditions(of, where ?? {}), maxAtOnce + 1);",
      "readConditions(of, where ?? {});\n    const found = await from.idsOf(within, [], maxAtOnce + 1);",
    ],
    [
      "change: a ring is closed by moving",
      'if (above.includes(row.id)) throw refuse("row.parent_self", { field: "parentId" });',
      "",
      ofTenants,
    ],
    [
      "change: a tree grows deeper than declared by a new row",
      "const depth = above.length + 1 +",
      "const depth = above.length +",
      ofTenants,
    ],
    [
      "change: a tree grows deeper than declared by a move",
      "(row.isNew ? 0 : await from.heightBelow(scope, row.id))",
      "0",
      ofTenants,
    ],
    [
      "change: siblings don't keep the order of a drag",
      "await to.rows.setPlaces(scope, at < 0 ? [...others, id] : others.toSpliced(at, 0, id));",
      "await to.rows.setPlaces(scope, [...others, id]);",
      ofTenants,
    ],
  ]),
  ...faultsIn(values, { files: ["apps/server/src/resources/resource-values.test.ts"] }, [
    ["change: a mask that comes back is stored", "value === writePersonal(field.personal, held);", "false;"],
    ["change: a text of before can't be sent back", "          !same(held[name], sent[name]) &&\n", ""],
  ]),
  ...faultsIn(values, kit, [
    [
      "change: a list of the same length is the same",
      "JSON.stringify(Array.isArray(value) ? value.toSorted() : value);",
      "JSON.stringify(Array.isArray(value) ? value.length : value);",
    ],
  ]),
  ...faultsIn(repository, kit, [
    [
      "change: the version stays",
      "sql`version = t.version + 1`])}\n         where t.id = ${id}",
      "])}\n         where t.id = ${id}",
    ],
    [
      "change: of many rows leaves their versions",
      "sql`version = t.version + 1`])}\n         where t.id = any",
      "])}\n         where t.id = any",
    ],
    [
      "change: all rows of the scope change together",
      "set ${sql.join([...assignments(values), sql`version = t.version + 1`])}\n         where t.id = any(${[...ids]}::bigint[]) and ${scoped(scope)}`",
      "set ${sql.join([...assignments(values), sql`version = t.version + 1`])}\n         where ${scoped(scope)}`",
    ],
    [
      "change: trees are not locked, so that two moves make a ring",
      "await sql`select pg_advisory_xact_lock(hashtext(${`tree ${of.name} ${scope.tenantId}`}))`.execute(db);",
      "",
      ofTenants,
    ],
  ]),
];

const remove: Mutant[] = [
  ...faultsIn(service, kit, [
    [
      "remove: what is there goes, though some is missing",
      'if (held.length !== ids.length) throw refuse("row.not_found");\n        if (!chosen.ids) {',
      "if (!chosen.ids) {",
    ],
    [
      "remove: a row that came into use in this moment is a fault",
      'if (violationOf(of, error)?.kind !== "reference") throw error;',
      "throw error;",
      { files: [suite], names: "^(sale_region|sale_field) " },
    ],
    ["remove: nothing is removed", "await to.rows.remove(scope, ids);", ""],
    [
      "remove: the hooks are not asked",
      "await hooks.beforeRemove?.({ rows: held, scope, extra });",
      "",
      { files: [suite], names: "^role" },
    ],
  ]),
  ...faultsIn(hooks, kit, [
    [
      "remove: rows go from under their children",
      "if (of.tree) for (const [id, count] of await from.children(scope, ids)) add({ id, resource: of.words.one, count });",
      "",
      ofTenants,
    ],
    [
      "remove: rows go that others refer to",
      "for (const [id, { count, names }] of await from.usedBy(scope, ids, by))",
      "for (const [id, { count, names }] of (await from.usedBy(scope, [], by)))",
      { files: [suite], names: "^(sale_region|sale_field) " },
    ],
    [
      "remove: obstacles of hooks don't count",
      "(await hooks.obstacles?.({ ids, scope, extra })) ?? []",
      "[] as { id: string; resource: string; count: number }[]",
      sheets,
    ],
  ]),
  ...faultsIn(repository, kit, [
    [
      "remove: all rows of the scope go",
      "delete from ${table} t where t.id = any(${[...ids]}::bigint[]) and ${scoped(scope)}`",
      "delete from ${table} t where ${scoped(scope)}`",
      { files: [suite], names: "^(post|invoice_type) " },
    ],
  ]),
];

const permissions: Mutant[] = [
  ...faultsIn(endpoints, kit, [
    [
      "permission: who may change may look at the list",
      'a page at a time (${one}).`,\n    access: may("view"),',
      'a page at a time (${one}).`,\n    access: may("edit"),',
    ],
    [
      "permission: who may look may change",
      'refused with 409 when the version is not the stored one.`,\n    access: may("edit"),',
      'refused with 409 when the version is not the stored one.`,\n    access: may("view"),',
    ],
    [
      "permission: who may change may remove",
      'that are named or that conditions select, all or none.`,\n    access: may("delete"),',
      'that are named or that conditions select, all or none.`,\n    access: may("edit"),',
    ],
    [
      "permission: who may look may ask for obstacles",
      'is refused for; at most 200 entries.`,\n    access: may("delete"),',
      'is refused for; at most 200 entries.`,\n    access: may("view"),',
    ],
    [
      "permission: who may look may change many",
      'that are named or that conditions select, all or none.`,\n    access: may("edit"),',
      'that are named or that conditions select, all or none.`,\n    access: may("view"),',
    ],
    [
      "permission: who may look may move",
      'refused where it would stand below itself.`,\n    access: may("edit"),',
      'refused where it would stand below itself.`,\n    access: may("view"),',
      ofTenants,
    ],
    ["permission: who may look may export", 'access: may("export"),', 'access: may("view"),'],
    [
      "permission: who may change may look at the history",
      'newest first.`,\n    access: may("view"),',
      'newest first.`,\n    access: may("edit"),',
    ],
    [
      "permission: who may change may choose",
      'or 50 by a part of the title.`,\n    access: may("view"),',
      'or 50 by a part of the title.`,\n    access: may("edit"),',
    ],
    [
      "permission: who may change may look at the tree",
      'with parentId one level of it.`,\n    access: may("view"),',
      'with parentId one level of it.`,\n    access: may("edit"),',
      ofTenants,
    ],
  ]),
  ...faultsIn("packages/contract/src/resource/imports.ts", kit, [
    [
      "permission: who may look may import",
      'permission(permissionOf(of, "import"))',
      'permission(permissionOf(of, "view"))',
    ],
  ]),
  ...faultsIn(access, kit, [
    [
      "permission: nobody's rights are asked for",
      'if (access.level === "permission" && !session.permissions.has(access.code)) {',
      'if (access.level === "permission" && session.accountId === "") {',
    ],
    [
      "permission: customers may what is the group's",
      'if (endpoint.owner === "group" && session.tenantType !== "group")',
      'if (endpoint.owner === "group" && session.accountId === "")',
      ofGroup,
    ],
    [
      "permission: without a session everything is open",
      "if (session === undefined) {\n    const text",
      "if (session === undefined) return [];\n  if (session === undefined) {\n    const text",
    ],
  ]),
];

const tenants: Mutant[] = [
  ...faultsIn(`${server}/database/conditions.ts`, ofTenants, [
    [
      "tenant: no WHERE names it",
      "isSystemScope(scope) || scope.everyTenant ? sql<SqlBool>`true` : inOneTenant(scope, table);",
      "sql<SqlBool>`true`;",
    ],
    [
      "tenant: the data scope of roles is ignored",
      "if (rows.all) return sql<SqlBool>`true`;\n  const own",
      "if (rows.all || accountId) return sql<SqlBool>`true`;\n  const own",
    ],
    [
      "tenant: who reaches own rows reaches none",
      "const own = rows.own ?",
      'const own = rows.own && accountId === "" ?',
    ],
    [
      "tenant: who reaches departments reaches none",
      "= any(${[...rows.departmentIds]}::bigint[]))`;",
      "= any(${rows.departmentIds.slice(99)}::bigint[]))`;",
    ],
  ]),
  ...faultsIn(repository, ofTenants, [
    [
      "tenant: the kit's rows have none",
      'sql<SqlBool>`${ofReached(scope, "t")} and ${inRowScope(scope, "t")}`;',
      'inRowScope(scope, "t");',
    ],
    [
      "tenant: siblings are those of all",
      'where t.parent_id is not distinct from ${parentId}::bigint and ${ofOwn(scope, "t")}',
      "where t.parent_id is not distinct from ${parentId}::bigint",
    ],
    [
      "tenant: a sheet's parents are those of all",
      'where t.parent_id is null and ${ofOwn(scope, "t")}',
      "where t.parent_id is null",
      sheets,
    ],
  ]),
  ...faultsIn(`${server}/tenant-scope.ts`, ofTenants, [
    [
      "tenant: a customer may name another",
      "if (!tenantId || (tenantId !== scope.tenantId && !scope.everyTenant)) return scope;",
      "if (!tenantId) return scope;",
    ],
    [
      "tenant: staff who name one get all",
      "({ ...reachOf(scope), tenantId, everyTenant: false })",
      "({ ...reachOf(scope), tenantId })",
    ],
  ]),
  ...faultsIn(access, ofTenants, [
    [
      "tenant: every session reaches all",
      'everyTenant: owner !== "tenant" && session.tenantType === "group",',
      'everyTenant: owner !== "tenant",',
    ],
  ]),
  ...faultsIn(service, ofTenants, [
    [
      "tenant: a customer's new row is another's",
      'of.scope === "own-or-all-tenants" && scope.everyTenant\n        ? inTenant(scope,',
      'of.scope === "own-or-all-tenants"\n        ? inTenant({ ...scope, everyTenant: true },',
    ],
    [
      "tenant: staff's new row is their own, whatever they name",
      "inTenant(scope, input.tenantId || scope.tenantId)",
      "inTenant(scope, scope.tenantId)",
    ],
    [
      "tenant: a new row is that of a tenant which does not exist",
      "if (tenantId !== scope.tenantId && !(await to.rows.tenantExists(within))) {",
      'if (tenantId === "") {',
    ],
    [
      "tenant: a row stands below that of another",
      "if (parent === undefined || (parent.tenantId !== undefined && parent.tenantId !== tenantId)) {",
      "if (parent === undefined) {",
    ],

    [
      "tenant: the history is that of all",
      "await audit.page(scope, filter, request)",
      "await audit.page({ ...scope, everyTenant: true }, filter, request)",
    ],
    ["tenant: lists ignore which tenant is named", "await rows.page(scopeAsked(scope, query)", "await rows.page(scope"],
  ]),
];

const bounds: Mutant[] = [
  ...faultsIn(check, { files: [suite, unit], names: "every bound|at the bounds|bounds of|blanks around" }, [
    ["bounds: a text one character too long passes", "if (length > field.max)", "if (length > field.max + 1)"],
    ["bounds: a text as long as it may be is refused", "if (length > field.max)", "if (length >= field.max)"],
    [
      "bounds: characters outside the basic plane count twice",
      "const length = [...value.trim()].length;",
      "const length = value.trim().length;",
    ],
    [
      "bounds: blanks around a text count",
      "const length = [...value.trim()].length;",
      "const length = [...value].length;",
    ],
    [
      "bounds: a text one character too short passes",
      "if (field.min !== undefined && length < field.min)",
      "if (field.min !== undefined && length < field.min - 1)",
    ],
    [
      "bounds: a text as short as it may be is refused",
      "if (field.min !== undefined && length < field.min)",
      "if (field.min !== undefined && length <= field.min)",
    ],
    ["bounds: half a character passes", "/[\\0\\p{Surrogate}]/u.test(value)", "/\\0/u.test(value)"],
    ["bounds: a zero byte passes", "/[\\0\\p{Surrogate}]/u.test(value)", "/[\\p{Surrogate}]/u.test(value)"],
    [
      "bounds: a line end passes where one line is meant",
      'if (!field.lines && value.includes("\\n"))',
      'if (field.lines && !value.includes("\\n"))',
    ],
    [
      "bounds: several lines are refused where they are meant",
      'if (!field.lines && value.includes("\\n"))',
      'if (value.includes("\\n"))',
    ],
    [
      "bounds: rules of texts don't hold",
      "if (field.rule && !rules[field.rule](value.trim()))",
      'if (field.rule && value === "")',
    ],
    [
      "bounds: what is required may be left out",
      'if (isBlank(value)) return field.required ? problem(name, "field.required", { label }) : undefined;',
      "if (isBlank(value)) return undefined;",
    ],
    [
      "bounds: blanks count as given",
      '(typeof value === "string" && value.trim() === "")',
      '(typeof value === "string" && value === "")',
    ],
    ["bounds: a number above passes", "value > field.max)", "value > field.max + 1)"],
    ["bounds: a number below passes", "value < field.min ||", "value < field.min - 1 ||"],
    ["bounds: the greatest number is refused", "value > field.max)", "value >= field.max)"],
    ["bounds: the least number is refused", "value < field.min ||", "value <= field.min ||"],
    [
      "bounds: half a number passes",
      '|| !Number.isInteger(value)) return problem(name, "field.number"',
      ') return problem(name, "field.number"',
    ],
    [
      "bounds: any choice passes",
      'typeof one !== "string" || (known !== undefined && !known.includes(one))',
      'typeof one !== "string"',
    ],
    [
      "bounds: more choices than allowed pass",
      'if (field.kind === "choices" && chosen.length > field.max)',
      'if (field.kind === "choices" && chosen.length > field.max + 99)',
    ],
    [
      "bounds: the 30th of February is a day",
      "return !Number.isNaN(at.getTime()) && at.toISOString().startsWith(text);",
      "return !Number.isNaN(at.getTime());",
    ],
    ["bounds: an address of mail needs no host", "/^[^\\s@]{1,64}@[^\\s@]+\\.[^\\s@]+$/", "/^[^\\s@]{1,64}@/"],
    [
      "bounds: a code may hold anything behind its beginning",
      "/^[A-Za-z0-9][A-Za-z0-9_-]*$/",
      "/^[A-Za-z0-9][A-Za-z0-9_-]*/",
    ],
    ["bounds: a region has any number of digits", "/^\\d{2}(\\d{2}(\\d{2})?)?$/", "/^\\d{2}(\\d{2}(\\d{2})?)?/"],
    ["bounds: times may overlap", "if (from < (ranges.at(-1)?.to ?? 0)) return undefined;\n", ""],
    ["bounds: a time ends before it begins", "|| to <= from) return undefined;", ") return undefined;"],
    ["bounds: a day has more minutes", "return minutes <= 1440 ? minutes : undefined;", "return minutes;"],
  ]),
  ...faultsIn(plain, { files: [plainUnit] }, [
    ["texts: what nobody sees is kept", '.replace(invisible, "")', ""],
    [
      "texts: blanks at the ends are kept",
      ' : plain.replace(wideBlanks, " ")).trim();',
      ' : plain.replace(wideBlanks, " "));',
    ],
    ["texts: full-width letters stay", "String.fromCharCode(wide.charCodeAt(0) - 0xfee0)", "wide"],
    ["bounds: a mobile number has any length", "/^1[3-9]\\d{9}$/", "/^1[3-9]\\d+$/"],
    [
      "bounds: a phone number may have words behind it",
      "[48]00-?\\d{3}-?\\d{4})$/",
      "[48]00-?\\d{3}-?\\d{4})/",
      { files: [unit], names: "bounds of" },
    ],
    ["phones: the prefix of the country stays", '.replace(/^(\\+|00)?86(?=1\\d{10}$)/, "")', ""],
    [
      "names: a middle dot of another key is another name",
      '.replace(/ ?[\\u00B7\\u2022\\u2027\\u2219\\u22C5\\u30FB\\uFF65] ?/g, "\\u00B7")',
      "",
    ],
    ["names: of Han characters may be of any length", "return length <= personNameLength.han;", "return true;"],
    ["names: a dot may stand anywhere", " && nameWords.test(name)", ""],
  ]),
  ...faultsIn(values, { files: [suite], names: "^sale_field .*typed or pasted" }, [
    ["texts: a form stores what was pasted", "normalizeText(field, value) : (value", "value.trim() : (value"],
  ]),
  ...faultsIn(service, { files: [suite], names: "^sale_field .*every bound" }, [
    [
      "bounds: a reference may lead nowhere",
      "if (!(await from.knownReferences(scope, name, [String(value)], rows)).has(String(value)))",
      'if (field.label === "")',
    ],
    [
      "bounds: values of dictionaries are not known",
      "return Object.fromEntries(\n      await Promise.all(",
      "codes.splice(0);\n    return Object.fromEntries(\n      await Promise.all(",
      { files: [suite], names: "^dept .*every bound" },
    ],
    [
      "bounds: only the first problem is told",
      "if (problems.length > 0) throw invalid(problems, hooks.taken);",
      "if (problems.length > 0) throw invalid(problems.slice(0, 1), hooks.taken);",
    ],
  ]),
];

const unique: Mutant[] = [
  ...faultsIn(repository, { files: [suite], names: "^(farm|sale_field|role) .*same code" }, [
    ["unique: a code in capitals is another", "const wanted = code.toLowerCase();", "const wanted = code;"],
    [
      "unique: of codes that come at once each is taken",
      "await sql`select pg_advisory_xact_lock(hashtext(${place}))`.execute(db);",
      "void place;",
    ],
  ]),
  ...faultsIn(service, { files: [suite], names: "^(farm|sale_field|role) .*same code" }, [
    [
      "unique: a row's own code stands in its way",
      "if (holders.some((holder) => holder !== id))",
      "if (holders.length > 0)",
    ],
  ]),
  ...faultsIn(service, kit, [
    [
      "unique: what is taken is a fault of the server",
      "throw invalid([uniqueProblem(of, violation.field, values[violation.field])], hooks.taken);\n",
      "throw error;\n",
    ],
  ]),
  ...faultsIn(repository, kit, [
    [
      "unique: the field that is taken is not told",
      "const named = fieldsOf(of).find(([field]) => name.includes(`_${snakeCase(field)}_`))?.[0];",
      "const named = fieldsOf(of)[0]?.[0];",
    ],
  ]),
  ...faultsIn(`${server}/database/migrations/0014_sale_fields.sql`, ofGroup, [
    [
      "unique: two rows may have one name",
      "field_name text not null constraint sale_fields_field_name_unique unique,",
      "field_name text not null,",
    ],
  ]),
  ...faultsIn(`${server}/database/migrations/0010_resources.sql`, kit, [
    [
      "unique: siblings may have one name",
      "constraint departments_dept_name_unique unique nulls not distinct (tenant_id, parent_id, dept_name)",
      "constraint departments_dept_name_unique unique nulls not distinct (id, dept_name)",
      ofTenants,
    ],
    [
      "unique: a name is taken in all of a tree",
      "constraint departments_dept_name_unique unique nulls not distinct (tenant_id, parent_id, dept_name)",
      "constraint departments_dept_name_unique unique nulls not distinct (tenant_id, dept_name)",
      ofTenants,
    ],
    [
      "unique: two roots may have one name",
      "unique nulls not distinct (tenant_id, parent_id, dept_name)",
      "unique (tenant_id, parent_id, dept_name)",
      ofTenants,
    ],
  ]),
];

const conflicts: Mutant[] = [
  ...faultsIn(service, kit, [
    [
      "conflict: the version that was sent is ignored",
      "if (input.version !== undefined && input.version !== found.version) return true;\n",
      "",
    ],
    ["conflict: the answer has no row", "current: masked(shown),", "current: {},"],
    [
      "conflict: the answer shows what is masked",
      'field.kind === "number" ? row[name] : shownValue(field, row[name])',
      "row[name]",
      ofGroup,
    ],
    ["conflict: who was quicker is not told", 'changedBy: current.updateUserName ?? "",', 'changedBy: "",'],
    [
      "conflict: a move ignores the version",
      "if (version !== undefined && version !== found.version) return id;\n      }\n      for",
      "}\n      for",
      ofTenants,
    ],
  ]),
  {
    name: "conflict: editors neither wait for each other nor compare when they write",
    edits: [
      {
        file: service,
        find: "const [found] = await from.byIds(scope, [id], true);",
        replace: "const [found] = await from.byIds(scope, [id]);",
      },
      {
        file: repository,
        find: "${version === undefined ? sql`` : sql`and t.version = ${version}`}`",
        replace: "${sql``}`",
      },
    ],
    tests: ofGroup,
  },
];

const equalSubmits: Mutant[] = [
  ...faultsIn(service, kit, [
    ["equal submits: each makes a row", "if (earlier !== undefined) return earlier;", ""],
    [
      "equal submits: the key is not claimed",
      "const earlier = await to.rows.claimKey(scope, key, id);",
      "const earlier = undefined;",
    ],
  ]),
  ...faultsIn(`${server}/resources/resource.routes.ts`, kit, [
    [
      "equal submits: the header is not read",
      "key !== undefined && keyPattern.test(key) ? key : undefined",
      "undefined",
    ],
  ]),
  {
    // The key of the table and the look-up: each holds alone.
    name: "equal submits: keys of different people are one",
    edits: [
      {
        file: repository,
        find: '.where("accountId", "=", accountId)\n      .where("key", "=", key)',
        replace: '.where("key", "=", key)',
      },
      {
        file: `${server}/database/migrations/0010_resources.sql`,
        find: "constraint idempotency_keys_pk primary key (account_id, key)",
        replace: "constraint idempotency_keys_pk primary key (key)",
      },
    ],
    tests: kit,
  },
];

export const resourceMutants: Mutant[] = [
  ...create,
  ...read,
  ...change,
  ...remove,
  ...permissions,
  ...tenants,
  ...bounds,
  ...unique,
  ...conflicts,
  ...equalSubmits,
];
