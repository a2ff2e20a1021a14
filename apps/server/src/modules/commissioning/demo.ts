import type { CommissioningReading } from "@herdwise/contract";
import { type DeviceKind, deviceKinds } from "@herdwise/device-kinds";
import type { DatabaseHandle } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import { commissioningRepository, type ItemRow } from "./commissioning.repository.ts";
import { demoListRepository } from "./demo.repository.ts";
import { planOf } from "./plan.ts";
import { hashOf, recordOf } from "./record.ts";

const scope = systemScope("the demo has a unit that was commissioned, and one that is under way");

/** What the demo's devices told when they were tried. */
function readingsOf({ check, deviceId, part, kind: kindId }: ItemRow): CommissioningReading[] {
  if (deviceId === null || kindId === null) return [];
  const kind: DeviceKind = deviceKinds[kindId];
  if (check === "link")
    return [
      { deviceId, key: "rssi", after: -68 },
      { deviceId, key: "clock_offset", after: 1.2 },
    ];
  if (check === "probe")
    return (kind.commissioning?.warmed ?? []).map((key) =>
      key === part ? { deviceId, key, before: 20.6, after: 23.1 } : { deviceId, key, before: 20.6, after: 20.7 },
    );
  if (check === "machines")
    return (kind.commissioning?.switched ?? [])
      .filter(({ id }) => id === part)
      .flatMap(({ machines }) =>
        machines.map(({ key }) => ({ deviceId, key, before: false, after: true, currentA: 2.4 })),
      );
  return [];
}

/**
 * Writes a list of the demo: signed, or with some checks answered.
 * @param serialNumber of a device of the unit
 */
export async function demoCommissioning(
  db: DatabaseHandle,
  { serialNumber, nextId, answered }: { serialNumber: string; nextId: () => string; answered?: number },
): Promise<void> {
  const demo = demoListRepository(db, scope);
  const lists = commissioningRepository(db);
  const found = await demo.unit(serialNumber);
  if (found === undefined) return;
  const id = nextId();
  await demo.insert({ id, ...found, items: planOf(found.devices) }, nextId);
  const items = await lists.items(scope, id);
  for (const item of items.slice(0, answered)) {
    const said = item.check === "label" ? item.serialNumber : "";
    await lists.change(scope, { id: item.id, result: "passed", said, readings: readingsOf(item), by: found.accountId });
  }
  if (answered !== undefined) return;
  const row = await lists.find(scope, id);
  if (row === undefined) return;
  const body = recordOf(row, await lists.items(scope, id), { name: found.name, atMs: Date.now() });
  await lists.move(scope, id, "signed", { body, hash: hashOf(body), accountId: found.accountId, name: found.name });
}
