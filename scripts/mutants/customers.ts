import { faultsIn, type Mutant, type Tests } from "./mutant.ts";

const modules = "apps/server/src/modules";
const customers: Tests = { files: ["tests/api/customers.test.ts"] };
const filter: Tests = { files: [`${modules}/customers/customer-filter.test.ts`] };
const abnormal: Tests = { files: ["apps/server/src/modules/customers/abnormal-pages.test.ts"] };
const agreements: Tests = { files: ["tests/api/agreements.test.ts"] };
const announcements: Tests = { files: ["tests/api/announcements.test.ts"] };
const channels: Tests = { files: ["tests/api/message-channels.test.ts"] };

export const customerMutants: Mutant[] = [
  ...faultsIn(`${modules}/customers/customer.routes.ts`, customers, [
    [
      "customers: personal data leave without the right",
      'if (!session.permissions.has("customer_show")) throw',
      'if (session.permissions.has("nothing")) throw',
    ],
    [
      "customers: personal data leave without the password",
      "await requireConfirmed(session);\n    }\n    return exports",
      "}\n    return exports",
    ],
  ]),
  ...faultsIn(`${modules}/customers/customer-export.service.ts`, customers, [
    ["customers: nobody knows that personal data left", "if (order.personal) await noteExport(scope, reason);", ""],
    [
      "customers: people do not see that their data left",
      'await record(row.accountId, "data_shown", { detail: `export|${reason}` });',
      "void record;",
    ],
    ["customers: a file has phones unasked", "phone: personal ? phone", "phone: phone ? phone"],
    ["customers: personal data leave without a reason", 'order.personal ? requireReason(order.reason) : ""', '""'],
  ]),
  ...faultsIn(`${modules}/customers/customer.repository.ts`, customers, [
    [
      "customers: members of other customers are shown",
      "where m.tenant_id = ${id} and a.id = ${accountId} and a.removed_at",
      "where a.id = ${accountId} and a.removed_at",
    ],
    [
      "customers: two change one at once",
      'and ${inScope(scope, "t")} for no key update`',
      'and ${inScope(scope, "t")}`',
    ],
    [
      "customers: who is gone stands in the list",
      "all: sql<SqlBool>`e.state <> 'cancelled'`",
      "all: sql<SqlBool>`true`",
    ],
  ]),
  ...faultsIn("apps/server/src/database/migrations/0211_abnormal_customers.sql", abnormal, [
    [
      "customers: who is abnormal no more stays in the list",
      "after delete on customer_findings referencing old table as changed\n  for each statement execute",
      "after delete on customer_findings referencing old table as changed\n  for each statement when (false) execute",
    ],
    [
      "customers: a finding's new beginning is not seen",
      "after update on customer_findings referencing new table as changed\n  for each statement execute",
      "after update on customer_findings referencing new table as changed\n  for each statement when (false) execute",
    ],
  ]),
  ...faultsIn(`${modules}/customers/customer.service.ts`, customers, [
    ["customers: a value is shown without a reason", "const why = requireReason(reason);", "const why = reason;"],
    [
      "customers: a look is not in the trail",
      'if (value === "") throw refuse("customers.nothing_to_show");\n        await parts.audit.append(',
      'if (value === "") throw refuse("customers.nothing_to_show");\n        ((..._: unknown[]) => undefined)(',
    ],
    [
      "customers: a change is not in the trail",
      'await parts.audit.append(row.id, scope, [auditOf(row, "update", masked)], nextId);',
      "void masked;",
    ],
    ["customers: who is gone is changed", 'if (row.state === "cancelled") throw', 'if (row.id === "") throw'],
    ["customers: a contact lies open", ": cipher.encrypt(to.contactName),", ": to.contactName,"],
    ["customers: the group's remark is told", 'field === "remark" ? [] :', 'field === "" ? [] :'],
    [
      "customers: a phone under an older key is not found",
      "phoneIndexes: cipher.indexes(phone)",
      "phoneIndexes: [cipher.index(phone)]",
      filter,
    ],
    [
      "customers: an ID number under an older key is not found",
      "numberIndexes: cipher.indexes(`real name ${number}`)",
      "numberIndexes: [cipher.index(`real name ${number}`)]",
      filter,
    ],
    [
      "customers: the person does not see who looked",
      'await record(shown.accountId, "data_shown", { detail: `${field}|${why}` });',
      "",
    ],
    [
      "customers: what somebody else changed is overwritten",
      "if (row.version !== body.version)",
      "if (row.version < 0)",
    ],
    ["customers: the trail holds a contact in full", 'field === "contactName"\n', 'field === "nobody"\n'],
    [
      "customers: a proven name is changed",
      "if (name !== undefined && isNameProven(row))",
      "if (name === null && isNameProven(row))",
    ],
  ]),
  ...faultsIn(`${modules}/customers/finding.repository.ts`, customers, [
    [
      "customers: what no longer holds stays abnormal",
      "and not exists (select from found f where f.tenant_id = c.tenant_id)",
      "and false",
    ],
  ]),
  ...faultsIn(`${modules}/agreements/version.service.ts`, agreements, [
    [
      "agreements: anything may happen to any version",
      "if (!versionTransitions[row.state].includes(event))",
      'if (event === "never" as string)',
    ],
    ["agreements: half an agreement is published", "if (!isWhole(zh) || !isWhole(en))", "if (!isWhole(zh))"],
  ]),
  ...faultsIn(`${modules}/agreements/agreement.repository.ts`, agreements, [
    [
      "agreements: who agreed once is never asked again",
      "where x.kind = c.kind and x.ask_again and x.published_at <= now()",
      "where false",
    ],
  ]),
  ...faultsIn(`${modules}/announcements/announcement.service.ts`, announcements, [
    [
      "announcements: anything may happen in any state",
      "if (announcementTransitions[row.state][event] === undefined)",
      "if (announcementTransitions[row.state] === undefined)",
    ],
    ["announcements: links lead out of the portal", "!insideForm.test(link)", "link.length < 0"],
  ]),
  ...faultsIn(`${modules}/announcements/announcement.repository.ts`, announcements, [
    [
      "announcements: whoever has it gets it again",
      "from chosen c join fresh f on f.account_id = c.account_id order by c.id",
      "from chosen c order by c.id",
    ],
  ]),
  ...faultsIn(`${modules}/messages/delivery.service.ts`, channels, [
    ["messages: a try after a crash is a second message", "first.bundleId ?? nextId()", "nextId()"],
    [
      "messages: an SMS goes twice after a crash",
      'if (first.begun && first.channel === "sms")',
      "if (first.attempts < 0)",
    ],
    ["messages: security waits for the digest", '&& kind !== "security"', ""],
    ["messages: what is urgent waits for the morning", "if (urgent) return undefined;", ""],
  ]),
  ...faultsIn(`${modules}/messages/channel.service.ts`, channels, [
    ["messages: what is locked is turned off", "if (of.locked && !enabled)", "if (of.locked && enabled)"],
    [
      "messages: a code binds whoever scans it later",
      "await store.take(sceneKey(scene))",
      "await store.get(sceneKey(scene))",
    ],
  ]),
  ...faultsIn("apps/server/src/providers/wechat/callback.ts", channels, [
    ["messages: forged calls of WeChat count", "return timingSafeEqual(expected, given);", "return true;"],
    ["messages: old calls of WeChat count", "Math.abs(nowMs / 1000 - Number(timestamp)) > oldestS", "nowMs < 0"],
  ]),
];
