import { idCheckCharacter } from "@herdwise/contract/real-name-checks";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import type { TestApp } from "./app.ts";
import { md5 } from "./session.ts";

export interface Person {
  id: string;
  account: string;
  phone: string;
  tenantId: string;
  token: string;
}
export interface Customer extends Person {
  /** Whose authentication is in force. */
  name: string;
  idNumber: string;
}

/**
 * Customers and their people, written as rows: what a test is about is called by the API.
 * @param firstPhone the last eight digits of the first one's phone, for tests that look for theirs where others write, too
 */
export function customersOf(app: TestApp, firstPhone = 55_000_000) {
  let made = 0;
  let passwordHash: Promise<string> | undefined;
  const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
    (await app.test.database.pool.query<Row>(text, values)).rows;

  /** Somebody in a tenant. @param logsIn asks for a session */
  const person = async (role: string, tenantId: string, logsIn = true): Promise<Person> => {
    made += 1;
    passwordHash ??= app.hashPassword(md5(demoPassword));
    const account = `closing-person-${made}`;
    const phone = `139${String(firstPhone + made)}`;
    const [id, membership] = [app.nextId(), app.nextId()];
    await query(
      `insert into accounts (id, account, account_key, type, password_hash, real_name, nick_name, phone_encrypted, phone_index, phone_verified_at)
       values ($1, $2, $2, 'personal', $3, $4, $4, $5, $6, now())`,
      [
        id,
        account,
        await passwordHash,
        `某人${made}`,
        app.personalCipher.encrypt(phone),
        app.personalCipher.index(phone),
      ],
    );
    await query("insert into memberships (id, account_id, tenant_id) values ($1, $2, $3)", [membership, id, tenantId]);
    await query(
      "insert into membership_roles (membership_id, role_id) select $1, id from roles where tenant_id = $2 and role_alias = $3",
      [membership, tenantId, role],
    );
    return { id, account, phone, tenantId, token: logsIn ? await app.logIn(account) : "" };
  };

  /** A tenant with the roles of customers. */
  const tenant = async (type = "personal"): Promise<string> => {
    made += 1;
    const tenantId = `8${String(made).padStart(5, "0")}`;
    await query("insert into tenants (tenant_id, name, type) values ($1, '某客户' || $1, $2)", [tenantId, type]);
    await query(
      `insert into roles (id, tenant_id, role_name, role_alias)
       select (random() * 1e15)::bigint, $1, role_name, role_alias from roles where tenant_id = '100002' and role_alias in ('owner', 'finance', 'worker')`,
      [tenantId],
    );
    await query(
      `insert into role_menus select r.id, m.menu_id from roles r join roles o on o.role_alias = r.role_alias and o.tenant_id = '100002'
         join role_menus m on m.role_id = o.id where r.tenant_id = $1`,
      [tenantId],
    );
    return tenantId;
  };

  /** A customer with an owner, whose authentication is in force. */
  const customer = async (logsIn = true): Promise<Customer> => {
    const owner = await person("owner", await tenant(), logsIn);
    // A year for each thousand, so that no two have the same number.
    const start = `411325198${(5 + Math.floor(made / 1000)) % 10}0612${String(made % 1000).padStart(3, "0")}`;
    const idNumber = start + idCheckCharacter(start);
    const [id, name] = [app.nextId(), `郭${["海", "天", "明", "远"][made % 4]}${String.fromCodePoint(0x5b50 + made)}`];
    await query(
      `insert into real_name_applications (id, tenant_id, kind, state, title, subject_index, submitted_by, decided_at)
       values ($1, $2, 'personal', 'passed', $3, $4, $5, now())`,
      [id, owner.tenantId, name, app.personalCipher.index(`real name ${idNumber}`), owner.id],
    );
    for (const [field, value] of [
      ["personName", name],
      ["idNumber", idNumber],
    ])
      await query(
        "insert into real_name_items (real_name_application_id, field, value_encrypted, verdict, reason) values ($1, $2, $3, 'accepted', 'none')",
        [id, field, app.personalCipher.encrypt(value ?? "")],
      );
    return { ...owner, name, idNumber };
  };

  return { query, person, tenant, customer };
}

/** A debit card's number with its check digit. @param ending its last four digits, by which the sandbox decides */
export function cardNumber(serial: number, ending = "4444"): string {
  for (let digit = 0; digit < 10; digit += 1) {
    const text = `622848${String(serial).padStart(8, "0").slice(-8)}${digit}${ending}`;
    let sum = 0;
    [...text].reverse().forEach((character, index) => {
      const twice = Number(character) * (index % 2 === 1 ? 2 : 1);
      sum += twice > 9 ? twice - 9 : twice;
    });
    if (sum % 10 === 0) return text;
  }
  throw new Error("no check digit fits");
}

/** A code that was sent to a phone for a call that begins with it. */
export const codeIn = (text: string | undefined): string => /\d{6}/.exec(text ?? "")?.[0] ?? "";
