// `npm run create-admin -- <login name>`: the first administrator of an installation without demo data.
import { createHash, randomBytes } from "node:crypto";
import { processEnvironment, readConfig } from "../config.ts";
import { createAdministrator } from "../database/seeds/administrator.ts";
import { accountKey, createPasswords } from "../modules/identity/index.ts";
import { loadSecretKey } from "../secret-key.ts";
import { createSnowflake } from "../snowflake.ts";
import { openCommandDatabase } from "./command-database.ts";

const [name = ""] = process.argv.slice(2);
if (!/^[\p{L}\p{N}_.@-]{2,32}$/u.test(name)) {
  console.error("Name the account: npm run create-admin -- <login name of 2 to 32 letters or digits>");
  process.exit(1);
}
const config = readConfig(processEnvironment());
const { database, close } = await openCommandDatabase(config, "create-admin");
const password = randomBytes(12).toString("base64url");
const passwords = createPasswords(await loadSecretKey(config.secretKey, config.dataDir));
const created = await createAdministrator(database.kysely, createSnowflake(1023), {
  account: name,
  accountKey: accountKey(name),
  passwordHash: await passwords.hash(createHash("md5").update(password).digest("hex")),
});
await close();
if (!created) {
  console.error(`There is an account named ${name} already.`);
  process.exit(1);
}
console.log(`Administrator ${name} was created. Its password, shown this once: ${password}`);
