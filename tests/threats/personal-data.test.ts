import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { auditPage, farms, realNameReviewPage } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import {
  encryptedColumns,
  otherwiseEncrypted,
  renewEncrypted,
} from "../../apps/server/src/database/encrypted-columns.ts";
import { personalColumns } from "../../apps/server/src/database/personal-columns.ts";
import { createPersonalCipher } from "../../apps/server/src/personal-cipher.ts";
import { systemScope } from "../../apps/server/src/tenant-scope.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { type Customer, cardNumber, codeIn, customersOf } from "../harness/customers.ts";
import { databaseFiles, logPosition } from "../harness/database-files.ts";
import { volume } from "../harness/volume.ts";
import { unzipped } from "../harness/zip.ts";

let app: TestApp;
let people: ReturnType<typeof customersOf>;
beforeAll(async () => {
  app = await createTestApp();
  people = customersOf(app);
});
afterAll(() => app.close());

/** Columns of the migrated database. */
const columns = () =>
  people.query<{ name: string }>(
    `select c.table_name || '.' || c.column_name as name from information_schema.columns c
       join information_schema.tables t on t.table_schema = c.table_schema and t.table_name = c.table_name and t.table_type = 'BASE TABLE'
      where c.table_schema = 'public' order by 1`,
  );

test("every column that says whose a row is stands in the list of personal data, shown or left out for a reason", async () => {
  const referring = await people.query<{ name: string }>(
    `select k.conrelid::regclass::text || '.' || a.attname as name from pg_constraint k
       join pg_attribute a on a.attrelid = k.conrelid and a.attnum = any(k.conkey)
      where k.contype = 'f' and k.confrelid = 'accounts'::regclass`,
  );
  const named = (await columns()).filter(({ name }) => name.endsWith(".account_id"));
  const needed = new Set([...referring, ...named].map(({ name }) => name));
  const listed = personalColumns.map(({ table, column }) => `${table}.${column}`);
  expect([...needed].filter((name) => !listed.includes(name))).toEqual([]);
  expect(listed.filter((name, at) => listed.indexOf(name) !== at)).toEqual([]);
  expect(personalColumns.filter(({ shown, leftOut }) => (shown === undefined) === (leftOut === undefined))).toEqual([]);
  // What the list names exists.
  const known = new Set((await columns()).map(({ name }) => name));
  const said = personalColumns.flatMap(({ table, column, shown, nameColumn }) =>
    [column, ...(nameColumn ? [nameColumn] : []), ...Object.keys(shown?.columns ?? {})].map((one) => `${table}.${one}`),
  );
  expect(said.filter((name) => !known.has(name))).toEqual([]);
  // An encrypted column is opened in the export, or it would be of no use.
  for (const { table, shown } of personalColumns)
    for (const column of Object.keys(shown?.columns ?? {}))
      if (encryptedColumns.some((one) => one.table === table && one.column === column))
        expect(shown?.opened, `${table}.${column}`).toContain(column);
});

test("every encrypted column and index stands in the list that a change of the key follows", async () => {
  const found = (await columns()).map(({ name }) => name).filter((name) => name.endsWith("_encrypted"));
  const listed = encryptedColumns.map(({ table, column }) => `${table}.${column}`);
  expect(found.filter((name) => !listed.includes(name) && !(name in otherwiseEncrypted))).toEqual([]);
  expect(listed.filter((name) => !found.includes(name))).toEqual([]);
  const indexes = (await columns()).map(({ name }) => name).filter((name) => name.endsWith("_index"));
  const followed = encryptedColumns.flatMap(({ table, index }) => (index ? [`${table}.${index}`] : []));
  // The subject's is made of another table's value.
  expect(indexes.filter((name) => !followed.includes(name))).toEqual(["real_name_applications.subject_index"]);
});

test("T36: a change of the key takes every encrypted column along, with its index, and nothing else", async () => {
  const old = createPersonalCipher("an old key for tests that is long enough");
  const cipher = createPersonalCipher("a new key for tests that is long enough", [
    "an old key for tests that is long enough",
  ]);
  const owner = await people.customer(false);
  const at = { tenant: owner.tenantId, account: owner.id };
  const id = () => app.nextId();
  const rows: Record<string, () => Promise<unknown>> = {
    addresses: () =>
      people.query("insert into addresses (account_id, address_encrypted) values ($1, $2)", [
        at.account,
        old.encrypt("addresses.address_encrypted"),
      ]),
    contact_changes: () =>
      people.query(
        `insert into contact_changes (id, account_id, kind, state, proven_by, old_encrypted, new_encrypted, old_index, new_index, effective_at)
         values ($1, $2, 'phone', 'done', 'old_phone', $3, $4, $5, $6, now())`,
        [
          id(),
          at.account,
          old.encrypt("contact_changes.old_encrypted"),
          old.encrypt("contact_changes.new_encrypted"),
          old.index("contact_changes.old_encrypted"),
          old.index("contact_changes.new_encrypted"),
        ],
      ),
    real_name_drafts: () =>
      people.query(
        "insert into real_name_drafts (tenant_id, account_id, kind, values_encrypted) values ($1, $2, 'personal', $3)",
        [at.tenant, at.account, old.encrypt("real_name_drafts.values_encrypted")],
      ),
    bank_cards: () =>
      people.query(
        `insert into bank_cards (id, tenant_id, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four)
         values ($1, $2, 'x', $3, $4, $5, $6, '0000')`,
        [
          id(),
          at.tenant,
          old.encrypt("bank_cards.number_encrypted"),
          old.index("bank_cards.number_encrypted"),
          old.encrypt("bank_cards.holder_encrypted"),
          old.encrypt("bank_cards.phone_encrypted"),
        ],
      ),
    data_exports: () =>
      people.query(
        "insert into data_exports (id, account_id, tenant_id, language, file_key_encrypted, expires_at) values ($1, $2, $3, 'zh', $4, now())",
        [id(), at.account, at.tenant, old.encrypt("data_exports.file_key_encrypted")],
      ),
    outbox_messages: () =>
      people.query("insert into outbox_messages (id, channel, message_encrypted) values ($1, 'sms', $2)", [
        id(),
        old.encrypt("outbox_messages.message_encrypted"),
      ]),
  };
  rows.site_forms = () =>
    people.query(
      `insert into site_forms (id, form_number, kind, contact_name, contact_phone_encrypted, contact_phone_index, contact_email_encrypted,
         contact_email_index) values ($1, 'keys', 'feedback', 'x', $2, $3, $4, $5)`,
      [
        id(),
        old.encrypt("site_forms.contact_phone_encrypted"),
        old.index("site_forms.contact_phone_encrypted"),
        old.encrypt("site_forms.contact_email_encrypted"),
        old.index("site_forms.contact_email_encrypted"),
      ],
    );
  rows.customer_profiles = () =>
    people.query(
      "insert into customer_profiles (tenant_id, contact_name_encrypted, address_encrypted) values ($1, $2, $3)",
      [
        at.tenant,
        old.encrypt("customer_profiles.contact_name_encrypted"),
        old.encrypt("customer_profiles.address_encrypted"),
      ],
    );
  rows.wechat_bindings = () =>
    people.query("insert into wechat_bindings (account_id, open_id_encrypted, open_id_index) values ($1, $2, $3)", [
      at.account,
      old.encrypt("wechat_bindings.open_id_encrypted"),
      old.index("wechat_bindings.open_id_encrypted"),
    ]);
  await people.query("insert into contract_templates (id, template_name) values (61, 'keys')");
  await people.query(
    `insert into contracts (id, tenant_id, number, template_id, template_version, kind, title, sign_days)
     values (62, $1, 'keys', 61, 1, 'service', 'keys', 7)`,
    [at.tenant],
  );
  rows.contract_versions = () =>
    people.query("insert into contract_versions (contract_id, version, words_encrypted) values (62, 1, $1)", [
      old.encrypt("contract_versions.words_encrypted"),
    ]);
  rows.contract_documents = () =>
    people.query(
      `insert into contract_documents (contract_id, version, kind, sealed_encrypted, sha256, pages)
       values (62, 1, 'document', $1, decode(repeat('00', 32), 'hex'), 1)`,
      [old.encrypt("contract_documents.sealed_encrypted")],
    );
  rows.contract_signatures = () =>
    people.query(
      `insert into contract_signatures (contract_id, version, side, signer_encrypted, sha256, signed_at)
       values (62, 1, 'group', $1, decode(repeat('00', 32), 'hex'), now())`,
      [old.encrypt("contract_signatures.signer_encrypted")],
    );
  // Rows of a sale whose order is not there.
  for (const table of ["transits", "invoices"]) await people.query(`alter table ${table} disable trigger all`);
  rows.transits = () =>
    people.query(
      `insert into transits (id, tenant_id, number, "order", field, plate, heads, driver_name, driver_phone_encrypted, driver_phone_index, state)
       values (63, $1, 'keys', 1, 1, 'x', 1, 'x', $2, $3, 'planned')`,
      [at.tenant, old.encrypt("transits.driver_phone_encrypted"), old.index("transits.driver_phone_encrypted")],
    );
  rows.invoices = () =>
    people.query(
      `insert into invoices (id, tenant_id, number, "order", settlement, kind, amount_fen, title, bank_account_encrypted, bank_account_index, state)
       values (64, $1, 'keys', 1, 1, 'special', 1, 'x', $2, $3, 'applied')`,
      [at.tenant, old.encrypt("invoices.bank_account_encrypted"), old.index("invoices.bank_account_encrypted")],
    );
  rows.bank_lines = () =>
    people.query(
      `insert into bank_lines (id, bank_reference, booked_on, direction, amount_fen, counterparty_name_encrypted, counterparty_name_index,
                               counterparty_account_encrypted, counterparty_account_index)
       values (65, 'keys', now(), 'in', 1, $1, $2, $3, $4)`,
      ["counterparty_name", "counterparty_account"].flatMap((column) => [
        old.encrypt(`bank_lines.${column}_encrypted`),
        old.index(`bank_lines.${column}_encrypted`),
      ]),
    );
  for (const insert of Object.values(rows)) await insert();
  // What is there already is closed with the old key instead: each says where it stands.
  for (const { table, column, index, key } of encryptedColumns) {
    if (table in rows) continue;
    const ids = await people.query<Record<string, string>>(
      `select ${key.map((name) => `${name}::text`).join(", ")} from ${table} limit 2`,
    );
    for (const row of ids)
      await people.query(
        `update ${table} set ${column} = $1${index ? `, ${index} = $2` : ""} where ${key.map((name, n) => `${name}::text = $${n + (index ? 3 : 2)}`).join(" and ")}`,
        [
          old.encrypt(`${table}.${column}`),
          ...(index ? [old.index(`${table}.${column}`)] : []),
          ...key.map((name) => row[name]),
        ],
      );
  }
  const idItem = (
    await people.query<{ id: string }>(
      "select real_name_application_id as id from real_name_items where field = 'idNumber' limit 1",
    )
  )[0]?.id;
  // Those of the server's own key are earlier ones for this cipher, too.
  const all = createPersonalCipher("a new key for tests that is long enough", [
    "an old key for tests that is long enough",
    "a key for tests that is long enough to be one",
  ]);
  const renewed = await renewEncrypted(app.test.database.kysely, systemScope("a test of keys"), all);
  expect(renewed).toBeGreaterThan(10);
  const empty: string[] = [];
  for (const { table, column, index } of encryptedColumns) {
    const held = await people.query<{ text: string; hash: Buffer | null }>(
      `select ${column} as text, ${index ?? "null::bytea"} as hash from ${table} where ${column} <> ''`,
    );
    if (held.length === 0) empty.push(`${table}.${column}`);
    for (const { text, hash } of held) {
      expect(text.startsWith(cipher.currentPrefix), `${table}.${column}`).toBe(true);
      if (index) expect(hash?.equals(cipher.index(cipher.decrypt(text))), `${table}.${index}`).toBe(true);
    }
  }
  // Tables that the demo leaves empty and this test can't fill without a whole world around them.
  expect(
    empty.filter((name) => !/^(retained_records|sale_fields|slaughterhouses|alarm_subscriptions|devices)\./.test(name)),
  ).toEqual([]);
  const [subject] = await people.query<{ subject: Buffer; value: string }>(
    `select a.subject_index as subject, i.value_encrypted as value from real_name_applications a join real_name_items i on i.real_name_application_id = a.id
      where a.id = $1 and i.field = 'idNumber'`,
    [idItem],
  );
  expect(subject?.subject.equals(cipher.index(`real name ${cipher.decrypt(subject.value)}`))).toBe(true);
  // Once more there is nothing to do.
  expect(await renewEncrypted(app.test.database.kysely, systemScope("a test of keys"), all)).toBe(0);
});

test(
  "T36, T37: of some hundred people no ID number, card or phone is readable in database, its files and log, the server's log and files, exports or any answer",
  async () => {
    const since = await logPosition();
    const other = await createTestApp();
    // The database server writes one log for all tests.
    const crowd = customersOf(other, 77_000_000);
    try {
      const admin = await other.logIn("admin");
      const count = volume({ short: 100, long: 1000 });
      const canaries = new Map<string, string>();
      const answers: string[] = [];
      const keep = (answer: { body: unknown }) => void answers.push(JSON.stringify(answer.body));
      // A refusal would hold nothing, too.
      const answered = async (path: string, token: string) => {
        const answer = await other.get(path, token);
        expect(answer.status, path).toBe(200);
        return answer;
      };
      const owners: Customer[] = [];
      for (let at = 0; at < count; at += 1) {
        // Most are rows; every tenth one does everything by the API as well.
        const active = at % 10 === 0;
        const owner = await crowd.customer(active);
        owners.push(owner);
        const number = cardNumber(500_000 + at);
        for (const [kind, value] of [
          ["phone", owner.phone],
          ["id", owner.idNumber],
          ["card", number],
        ] as const)
          canaries.set(value, kind);
        if (!active) {
          await crowd.query(
            `insert into bank_cards (id, tenant_id, created_by, bank_name, number_encrypted, number_index, holder_encrypted, phone_encrypted, last_four)
           values ($1, $2, $3, '中国农业银行', $4, $5, $6, $7, $8)`,
            [
              other.nextId(),
              owner.tenantId,
              owner.id,
              other.personalCipher.encrypt(number),
              other.personalCipher.index(number),
              other.personalCipher.encrypt(owner.name),
              other.personalCipher.encrypt(owner.phone),
              number.slice(-4),
            ],
          );
          continue;
        }
        const post = async (path: string, body: unknown) => {
          const answer = await other.call({ method: "POST", path, token: owner.token, body });
          keep(answer);
          return answer.body.data as { id?: string };
        };
        const sent = await post("/api/muyuan-customer/bank-card/send-code", { phone: owner.phone });
        const [text] = await other.sms(owner.phone);
        const card = await post("/api/muyuan-customer/bank-card/bind", {
          number,
          phone: owner.phone,
          codeId: sent.id,
          code: codeIn(text),
        });
        expect(card.id, JSON.stringify(card)).toBeDefined();
        // A wrong number is a mistake that must not be told to the log either.
        await post("/api/muyuan-customer/bank-card/bind", {
          number: `${number}0`,
          phone: owner.phone,
          codeId: "x",
          code: "1",
        });
        await post("/api/muyuan-customer/my-data/export", { language: "zh" });
        // What somebody typed and did not send, and where else a phone is typed.
        const draft = await post("/api/muyuan-customer/real-name/draft", {
          kind: "enterprise",
          values: { legalIdNumber: owner.idNumber, legalPhone: owner.phone, bankAccount: number },
        });
        expect(draft).toMatchObject({ kind: "enterprise" });
        const farm = await post(`${farms.path}/submit`, {
          code: `CANARY-${at}`,
          name: `某场${at}`,
          type: "commercial",
          principal: owner.name.slice(0, 3),
          contactPhone: owner.phone,
          regionCode: "411325",
        });
        expect(farm.id, JSON.stringify(farm)).toBeDefined();
        for (const path of [
          `${farms.path}/page?size=50`,
          "/api/muyuan-customer/bank-card/list",
          "/api/muyuan-customer/cancellation/detail",
          "/api/muyuan-customer/cancellation/enterprise/detail",
          "/api/muyuan-customer/real-name/detail",
          "/api/muyuan-customer/my-data/list",
          "/api/muyuan-system/cms-user/profile",
          "/api/muyuan-system/cms-user/contact",
          "/api/muyuan-system/cms-user/event/page?size=50",
          "/api/muyuan-message-center/message/page/user?size=50",
          "/api/muyuan-system/user/info",
        ])
          keep(await answered(path, owner.token));
      }
      await other.runJob("my-data.make");
      await other.runJob("bank-cards.remit");
      for (const path of [
        "/api/muyuan-customer/bank-card/desk/page?size=500",
        "/api/muyuan-customer/cancellation/desk/page?size=500",
        `${realNameReviewPage.path}?view=waiting&size=500`,
        `${auditPage.path}?size=500`,
        "/api/muyuan-system/user/page?size=500",
        "/api/muyuan-customer/customer/page?view=all&size=500",
      ])
        keep(await answered(path, admin));
      // A search by a whole number finds the customer and tells nothing that was not typed.
      for (const { phone, idNumber, tenantId } of owners.slice(0, 3))
        for (const keyword of [phone, idNumber]) {
          const answer = await other.get<{ records: { id: string }[] }>(
            `/api/muyuan-customer/customer/page?view=all&keyword=${keyword}`,
            admin,
          );
          expect(answer.body.data.records.map((row) => row.id)).toEqual([tenantId]);
          keep(answer);
        }
      // A list as a file, without the right to what is personal.
      const { body } = await other.call({
        method: "POST",
        path: "/api/muyuan-customer/customer/export",
        body: { view: "all" },
        token: admin,
      });
      const { jobId } = body.data as { jobId: string };
      await expect
        .poll(async () => (await crowd.query("select state from background_jobs where id = $1", [jobId]))[0], {
          timeout: 30_000,
        })
        .toEqual({ state: "succeeded" });

      /** Canaries in a text: each run of digits is looked at in all its windows. */
      const found = (text: string): string[] =>
        (text.match(/\d{11,}[Xx]?/g) ?? []).flatMap((run) =>
          [11, 18, 19].flatMap((length) =>
            Array.from({ length: Math.max(0, run.length - length + 1) }, (_, at) => run.slice(at, at + length)).filter(
              (part) => canaries.has(part),
            ),
          ),
        );
      // The search itself finds them.
      const [first = ""] = canaries.keys();
      expect(found(`a ${first} b`)).toContain(first);

      const tables = await crowd.query<{ name: string }>(
        `select format('%I.%I', table_schema, table_name) as name from information_schema.tables
          where table_schema not in ('pg_catalog', 'information_schema') and table_type = 'BASE TABLE'`,
      );
      expect(tables.some(({ name }) => !name.startsWith("public."))).toBe(true);
      for (const { name } of tables) {
        const rows = await crowd.query<{ text: string }>(`select row_to_json(r)::text as text from ${name} r`);
        expect(
          rows.flatMap(({ text }) => found(text)),
          name,
        ).toEqual([]);
      }
      // Also what a row was before, and what PostgreSQL keeps of it.
      for await (const { name, text } of databaseFiles(other.test, since)) expect(found(text), name).toEqual([]);
      expect(found(other.logged.join("\n"))).toEqual([]);
      expect(other.logged.length).toBeGreaterThan(100);
      expect(answers.length).toBeGreaterThan(count / 2);
      expect(answers.flatMap(found)).toEqual([]);
      // Exports of one's own data lie closed in the folder that backups take; sheets are open, and without what is personal.
      const names = (await readdir(other.dataDir, { recursive: true, withFileTypes: true })).filter((entry) =>
        entry.isFile(),
      );
      const closed = names.filter(({ name }) => name.endsWith(".zip"));
      expect(closed.length).toBeGreaterThan(count / 40);
      let sheets = 0;
      for (const { parentPath, name } of names) {
        const bytes = await readFile(join(parentPath, name));
        expect(found(bytes.toString("latin1")), name).toEqual([]);
        if (name.endsWith(".zip")) expect(() => gunzipSync(bytes)).toThrow();
        if (!name.endsWith(".xlsx")) continue;
        sheets += 1;
        const parts = [...(await unzipped(bytes)).values()].map((part) => part.toString());
        expect(parts.join("\n")).toContain(owners[0]?.tenantId ?? "");
        expect(parts.flatMap(found), name).toEqual([]);
      }
      expect(sheets).toBe(1);
    } finally {
      await other.close();
    }
  },
  volume({ short: 300_000, long: 900_000 }),
);
