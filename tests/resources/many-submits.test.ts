import { type Page, type ResourceDeclaration, resources } from "@herdwise/contract";
import { afterAll, beforeAll, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { volume } from "../harness/volume.ts";

let app: TestApp;
/** Sessions of one account: the writing calls of each are limited. */
const sessions: string[] = [];
beforeAll(async () => {
  app = await createTestApp();
  for (let at = 0; at < 10; at += 1) sessions.push(await app.logIn("admin"));
});
afterAll(() => app.close());

interface Post {
  id: string;
  version: number;
  postName: string;
  sort: number;
}
const of = resources.find(({ name }) => name === "post") as ResourceDeclaration;
let sent = 0;
async function submit(body: object, key?: string) {
  sent += 1;
  if (sent % 2000 === 0) await app.pass(61);
  const answer = await app.call({
    method: "POST",
    path: `${of.path}/submit`,
    body,
    token: sessions[sent % sessions.length] as string,
    ...(key !== undefined && { headers: { "idempotency-key": key } }),
  });
  return { status: answer.status, data: answer.body.data as Post };
}
const query = async <Row extends object>(text: string, values: unknown[] = []): Promise<Row[]> =>
  (await app.test.database.pool.query<Row>(text, values)).rows;

const rounds = volume({ short: 10, long: 500 });
test(`R20: 20 equal submits at once, ${rounds} times: one row each, with one entry of its beginning`, async () => {
  for (let round = 0; round < rounds; round += 1) {
    const body = { postCode: `equal-${round}`, postName: `岗位${round}`, category: "1" };
    const answers = await Promise.all(Array.from({ length: 20 }, () => submit(body, `equal-submit-${round}`)));
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200));
    expect(new Set(answers.map(({ data }) => data.id)).size).toBe(1);
  }
  const [counted] = await query<{ rows: number; entries: number }>(
    `select count(distinct p.id)::int as rows, count(e.id)::int as entries from posts p
       left join audit_entries e on e.resource = 'post' and e.row_id = p.id where p.post_code like 'equal-%'`,
  );
  expect(counted).toEqual({ rows: rounds, entries: rounds });
}, 1_800_000);

const editors = 10;
const changes = volume({ short: 20, long: 1000 });
test(`R21: ${editors} editors with ${changes} changes each of one row: each change that was taken stands on the one before`, async () => {
  const { data: begun } = await submit({ postCode: "edited", postName: "众人改的", category: "1", sort: 0 });
  const read = async () => {
    const answer = await app.call({ path: `${of.path}/page`, query: { ids: begun.id }, token: sessions[0] as string });
    return (answer.body.data as Page<Post>).records[0] as Post;
  };
  // Each counts one further than what it saw; a change that was written over another one's would lose a count.
  let taken = 0;
  let refused = 0;
  let current: Post = await read();
  await Promise.all(
    Array.from({ length: editors }, async (_, editor) => {
      for (let change = 0; change < changes; change += 1) {
        const { id, version, sort } = current;
        // The remark is each one's own: a submit that changes nothing is taken whatever its version.
        const remark = `${editor} ${change}`;
        const { status, data } = await submit({ id, version, sort: (sort + 1) % 10_000, remark });
        expect([200, 409]).toContain(status);
        if (status === 200) {
          taken += 1;
          if (data.version > current.version) current = data;
        } else {
          refused += 1;
          const now = (data as unknown as { current: Post }).current;
          if (now.version > current.version) current = now;
        }
      }
    }),
  );
  expect(taken + refused).toBe(editors * changes);
  expect(taken).toBeGreaterThanOrEqual(changes / 2);
  expect(refused).toBeGreaterThan(0);
  const row = await read();
  expect([row.version, row.sort]).toEqual([begun.version + taken, taken % 10_000]);
  const entries = await query<{ before: number; after: number }>(
    `select (c->>'before')::int as before, (c->>'after')::int as after from audit_entries e cross join jsonb_array_elements(e.changes) c
      where e.resource = 'post' and e.row_id = $1 and e.action = 'update' and c->>'field' = 'sort' order by e.position`,
    [begun.id],
  );
  expect(entries).toEqual(
    Array.from({ length: taken }, (_, at) => ({ before: at % 10_000, after: (at + 1) % 10_000 })),
  );
}, 1_800_000);
