import type { Kysely } from "kysely";
import type { App } from "../../apps/server/src/app.ts";
import type { DB } from "../../apps/server/src/database/generated/database.ts";
import { seedDemo, seedDemoPhones } from "../../apps/server/src/database/seeds/demo.ts";
import { seedDemoAuthentications } from "../../apps/server/src/database/seeds/demo-real-name.ts";
import { seedFoundation } from "../../apps/server/src/database/seeds/foundation.ts";
import { createPasswords, type PasswordWork } from "../../apps/server/src/modules/identity/index.ts";
import { createPersonalCipher } from "../../apps/server/src/personal-cipher.ts";
import { createSnowflake } from "../../apps/server/src/snowflake.ts";

/** The secret of all test servers: what one of them seeded, the others can read. */
export const testSecretKey = "a key for tests that is long enough to be one";

/** Some thousand log-ins are part of a run, and what a hash costs is the subject of none of them. */
export const testPasswordWork: PasswordWork = { memoryKiB: 256, passes: 1, parallelism: 1, tagLength: 32 };

/** What a start seeds: the foundation, and the demo. */
export async function seedAll(
  kysely: Kysely<DB>,
  { nextId, hashPassword, personalCipher }: Pick<App, "nextId" | "hashPassword" | "personalCipher">,
): Promise<void> {
  await seedFoundation(kysely, nextId);
  await seedDemo(kysely, nextId, hashPassword);
  await seedDemoPhones(kysely, personalCipher);
  await seedDemoAuthentications(kysely, { cipher: personalCipher, nextId });
}

/** The same without a server, for the template that test servers clone. */
export function seedTemplate(kysely: Kysely<DB>): Promise<void> {
  return seedAll(kysely, {
    nextId: createSnowflake(0),
    hashPassword: createPasswords(testSecretKey, testPasswordWork).hash,
    personalCipher: createPersonalCipher(testSecretKey),
  });
}
