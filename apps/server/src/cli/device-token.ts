// `npm run device-token -- <serial number>`: another access token for a device whose token was lost or stolen.
import { processEnvironment, readConfig } from "../config.ts";
import { warningsOnly } from "../database/log.ts";
import { createDeviceService, deviceProtocolRepository, deviceRepository } from "../modules/devices/index.ts";
import { memoryBus, redisBus } from "../providers/bus.ts";
import { systemScope } from "../tenant-scope.ts";
import { openCommandDatabase } from "./command-database.ts";

const [serialNumber = ""] = process.argv.slice(2);
if (serialNumber === "") {
  console.error("Name the device: npm run device-token -- <serial number>");
  process.exit(1);
}
const config = readConfig(processEnvironment());
const { database, close } = await openCommandDatabase(config, "device-token");
// Servers without Redis, and those that miss the event, notice by themselves within ten seconds.
const bus = config.redisUrl === undefined ? memoryBus() : await redisBus(config.redisUrl, warningsOnly(console.error));
const devices = createDeviceService({
  repository: deviceRepository(database.kysely),
  protocol: deviceProtocolRepository(database.kysely, systemScope("who has a shell on the server has the database")),
  onChanged: (deviceId) => bus.publish("deviceChanged", { deviceId }),
});
const accessToken = await devices.replaceToken(serialNumber);
await bus.stop();
await close();
if (accessToken === undefined) {
  console.error(`There is no device with the serial number ${serialNumber}.`);
  process.exit(1);
}
console.log(`The new access token of ${serialNumber}, shown this once: ${accessToken}`);
console.log("The old one ends now; connections that were opened with it close within ten seconds.");
