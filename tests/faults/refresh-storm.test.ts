import { createHash } from "node:crypto";
import { afterAll, beforeAll, expect, test } from "vitest";
import { demoPassword } from "../../apps/server/src/database/seeds/demo.ts";
import { createTestApp, type TestApp } from "../harness/app.ts";
import { md5 } from "../harness/session.ts";
import { onThisMachine } from "../harness/time-limit.ts";
import { volume } from "../harness/volume.ts";

const tabs = 10;
const refreshes = volume({ short: 100, long: 500 });

let app: TestApp;
beforeAll(async () => {
  app = await createTestApp({ LOG_LEVEL: "silent" });
});
afterAll(() => app.close());

const infoOf = async (token: string) => (await app.get("/api/muyuan-system/user/info", token)).status;

test(`R22: ${tabs} tabs that each renew ${refreshes} times from one storage stay logged in; the reuse of an old token ends the family within 1 s`, async () => {
  const { body: first } = await app.token({ grant_type: "password", username: "farm", password: md5(demoPassword) });
  // What the tabs share: in each round all ten show the same refresh token, and each writes what it got over what the others wrote.
  const storage = { refresh: first.refresh_token, access: first.access_token };
  let held: string[] = [];
  const pairs = new Set<string>();
  const refused: unknown[] = [];
  const begun = performance.now();
  for (let round = 0; round < refreshes; round += 1) {
    const shown = storage.refresh;
    held = await Promise.all(
      Array.from({ length: tabs }, async () => {
        const { status, body } = await app.token({ grant_type: "refresh_token", refresh_token: shown });
        if (status !== 200) refused.push(body);
        else Object.assign(storage, { refresh: body.refresh_token, access: body.access_token });
        return body.access_token;
      }),
    );
    for (const token of held) pairs.add(token);
  }
  const perSecond = Math.round((tabs * refreshes * 1000) / (performance.now() - begun));
  console.log(`refresh-storm: ${tabs * refreshes} renewals, ${perSecond}/s`);
  expect(refused).toEqual([]);
  // One pair a round, whichever tab asked first: no tab goes on with a branch of its own.
  expect(pairs.size).toBe(refreshes);
  for (const token of [...held, storage.access]) expect(await infoOf(token)).toBe(200);

  await app.test.database.pool.query(
    "update session_tokens set used_at = used_at - interval '11 seconds' where token_hash = $1",
    [createHash("sha256").update(first.refresh_token).digest()],
  );
  const reused = performance.now();
  expect((await app.token({ grant_type: "refresh_token", refresh_token: first.refresh_token })).status).toBe(400);
  for (const token of [...held, storage.access]) expect(await infoOf(token)).toBe(401);
  expect((await app.token({ grant_type: "refresh_token", refresh_token: storage.refresh })).status).toBe(400);
  expect(performance.now() - reused).toBeLessThan(onThisMachine(1000));
});
