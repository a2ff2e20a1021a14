// `npm run purge-demo`: takes the demo's accounts and device tokens out of an installation that is to be used without DEMO.
import { processEnvironment, readConfig } from "../config.ts";
import { knownCredentials, purgeDemo } from "../database/seeds/demo-credentials.ts";
import { createPasswords } from "../modules/identity/index.ts";
import { loadSecretKey } from "../secret-key.ts";
import { openCommandDatabase } from "./command-database.ts";

const config = readConfig(processEnvironment());
const { database, close } = await openCommandDatabase(config, "purge-demo", true);
try {
  const { accounts, devices, tenants } = await purgeDemo(database.kysely);
  const passwords = createPasswords(await loadSecretKey(config.secretKey, config.dataDir));
  const left = await knownCredentials(database.kysely, passwords);
  console.log(
    `${accounts} demo accounts are gone, ${devices} devices have a token that nobody knows, ${tenants} tenants without anybody are suspended.`,
  );
  if (left.length > 0) {
    console.error(`Still known to everybody: ${left.join(", ")}`);
    process.exitCode = 1;
  } else console.log("Start the server without DEMO, and make an administrator: npm run create-admin -- <login name>");
} finally {
  await close();
}
