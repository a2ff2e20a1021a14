import { globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";

const app = join(import.meta.dirname, "..", "apps", "web", "app");
const folders = [
  "admin/{agreements,announcements,bank-cards,cancellations,contracts,customers,real-name,work-orders}",
  "centre/{contracts,messages,profile,real-name,security,work-orders}",
  "shared/process",
];
/** Fields of a kit, or plain ones, into which somebody types. */
const typesInto = /<(TextField|textarea|SelectField|MomentField|DayField)\b|type="(time|datetime-local)"/;
const keeps = / = use(Draft|KeptValues)[(<]/;
/** Files whose fields are kept elsewhere, or on purpose nowhere. */
const others: Readonly<Record<string, string>> = {
  "admin/contracts/form-editor.tsx": "is given what the template editor keeps",
  "admin/contracts/value-field.tsx": "is given what the draft keeps",
  "admin/real-name/verdict.tsx": "is given what the examination keeps",
  "centre/real-name/item-field.tsx": "is given what the form keeps",
  "centre/real-name/remittance.tsx": "the amount proves who somebody is",
  "centre/security/code-field.tsx": "digits of a code",
  "centre/security/tokens.tsx": "a name and a few ticks, asked for before they are left",
};

test("every form of the customers' area keeps what is typed, or says here why not", () => {
  const files = globSync(
    folders.map((folder) => `${folder}/*.tsx`),
    { cwd: app },
  ).map((path) => path.replaceAll("\\", "/"));
  expect(files.length).toBeGreaterThan(50);
  const sources = new Map(files.map((path) => [path, readFileSync(join(app, path), "utf8")]));
  const losing = [...sources].filter(([, text]) => typesInto.test(text) && !keeps.test(text)).map(([path]) => path);
  expect(losing.toSorted()).toEqual(Object.keys(others).toSorted());
});
