import { deviceDetail, devicePage } from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { type KindPage, pageAddress } from "@herdwise/device-kinds/kind-pages";
import type { Finder } from "../../finder.ts";
import type { DeviceRepository, DeviceRow } from "./device.repository.ts";

/** Pages that show a device: its own, and the list of all. */
function opensOf({ id, kind, unitId }: Pick<DeviceRow, "id" | "kind" | "unitId">): string[] {
  const pages = kindList.find((one) => one.kind === kind)?.pages;
  const at = (page: KindPage, of: string | null): string[] => {
    const address = pages && pageAddress(pages, page);
    return address && of ? [`${address}?id=${of}`] : [];
  };
  return [...at("device", id), ...at("unit", unitId), `/selfCenter/equipmentManage/allDevices?row=${id}`];
}

/** Finds the devices of a customer, as the list of devices has them. The group's staff find those of the registry. */
export const deviceFinder = (devices: Pick<DeviceRepository, "page">): Finder => ({
  kind: "device",
  name: "设备",
  icon: "devices",
  page: devicePage,
  detail: deviceDetail,
  of: "customers",
  read: async (scope, ids) =>
    (await devices.page(scope, { ids }, { offset: 0, limit: ids.length, orders: [] })).rows.map((row) => ({
      key: row.id,
      id: row.id,
      name: row.name,
      code: row.serialNumber,
      state: row.status,
      opens: opensOf(row),
    })),
});
