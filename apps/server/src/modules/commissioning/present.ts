import { type DeviceKind, deviceKinds } from "@herdwise/device-kinds";
import type { CommissioningRow, ItemRow } from "./commissioning.repository.ts";
import { isIntact, type SignedRecord } from "./record.ts";

const unnamed = { zh: "", en: "" };

/** Name, unit and decimals of a channel or a setting. */
function named(kind: DeviceKind | undefined, key: string) {
  const channel = kind?.channels.find((one) => one.key === key);
  const setting = kind?.parameters.find((one) => one.key === key);
  const { name = { zh: key, en: key }, unit = "" } = channel ?? setting ?? {};
  return { name, unit, decimals: channel?.decimals ?? 1 };
}

const itemView = ({
  commissioningId: _list,
  commands: _commands,
  codeHash: _code,
  actKey: _key,
  actedMs: _acted,
  ...item
}: ItemRow) => {
  const kind: DeviceKind | undefined = item.kind === null ? undefined : deviceKinds[item.kind];
  const group = kind?.commissioning?.switched?.find(({ id }) => id === item.part);
  return {
    ...item,
    deviceId: item.deviceId ?? "",
    receiverId: item.receiverId ?? "",
    partName: item.part === "" ? unnamed : (group?.name ?? named(kind, item.part).name),
    readings: item.readings.map((reading) => ({ ...reading, ...named(kind, reading.key) })),
  };
};

/** Names as they were when it was signed; who is renamed later was another then. */
function signedNames(body: string) {
  const { farm, house, unit, startedBy, checks } = JSON.parse(body) as SignedRecord;
  return {
    farmName: farm,
    houseName: house,
    unitName: unit.name,
    startedBy,
    items: checks.map(({ deviceName, serialNumber, answeredBy, receiver }) => ({
      deviceName,
      serialNumber,
      answeredBy,
      receiverName: receiver,
    })),
  };
}

/** A list as the wire has it. */
export function listView(row: CommissioningRow, items: readonly ItemRow[]) {
  const { items: names = [], ...heads } = row.body === null ? {} : signedNames(row.body);
  return {
    ...row,
    ...heads,
    items: items.map((item, at) => ({ ...itemView(item), ...names[at] })),
    hash: row.hash?.toString("hex") ?? "",
    body: row.body ?? "",
    intact: row.state === "signed" && isIntact(row),
  };
}
