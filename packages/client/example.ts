/**
 * Lists the devices and the mean temperature of each over the last day, by hour, from what arrives.
 *
 *     HERDWISE_URL=https://portal.example HERDWISE_TOKEN=hwp_... node packages/client/example.ts
 */
import { createHerdwiseClient, HerdwiseError } from "./src/index.ts";

/** Means by the names of devices, in °C. @throws {HerdwiseError} for a call that the portal refuses */
export async function meanTemperatures(baseUrl: string, token: string, now = Date.now()): Promise<Map<string, number>> {
  const portal = createHerdwiseClient({ baseUrl, token });
  const { records } = await portal.get("/api/muyuan-iot/device/page", {
    params: { query: { kind: "environment", size: 50 } },
  });
  const sums = new Map<string, { sum: number; hours: number }>();
  if (records.length === 0) return new Map();
  const rows = portal.history({
    ids: records.map(({ id }) => id).join(),
    keys: "t_in",
    start: now - 86_400_000,
    end: now,
    resolution: "hour",
  });
  for await (const { device, t_in_avg: mean } of rows) {
    if (typeof mean !== "number") continue;
    const { sum, hours } = sums.get(device) ?? { sum: 0, hours: 0 };
    sums.set(device, { sum: sum + mean, hours: hours + 1 });
  }
  return new Map([...sums].map(([device, { sum, hours }]) => [device, sum / hours]));
}

const { HERDWISE_URL: url, HERDWISE_TOKEN: token } = process.env;
if (import.meta.main && url !== undefined && token !== undefined) {
  try {
    for (const [device, mean] of await meanTemperatures(url, token)) console.log(`${device}: ${mean.toFixed(1)} °C`);
  } catch (error) {
    if (!(error instanceof HerdwiseError)) throw error;
    console.error(`${error.status} ${error.reason}: ${error.message}`);
    process.exitCode = 1;
  }
}
