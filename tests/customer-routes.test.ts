import { existsSync } from "node:fs";
import { join } from "node:path";
import { expect, test } from "vitest";
import { screens } from "../apps/web/app/screens.ts";
import { customerRoutes, deskRoutes } from "./harness/customer-routes.ts";

const root = join(import.meta.dirname, "..");

/** Self-centre routes as the specification names them, in their groups. */
const named = [
  ..."home basicInfo realName safeManage contractManage contractManage/history news".split(" "),
  ..."factoryManagement pigHouseManage infoMainte".split(" ").map((name) => `pigFarmArchitecture/${name}`),
  "equipmentManage/allDevices",
  ..."bathRoomEquipment bathRoomEquipmentDetail athAnalysis alarmAnalysisPerson waterDisinfect waterDisinfectDetail waterDispensingMonitor alarm"
    .split(" ")
    .map((name) => `biosafety/${name}`),
].map((name) => `/selfCenter/${name}`);
const ofOrders = ["orderService", "orderService/add", "complaintOrder", "complaintOrder/add"].map(
  (name) => `/workOrder/${name}`,
);

test("every self-centre route of the specification is in the table, has a screen, and tests that open it", () => {
  const paths = customerRoutes.map(({ path }) => path);
  expect([...named, ...ofOrders].filter((path) => !paths.includes(path))).toEqual([]);
  const known = new Set(screens.map(({ path }) => path));
  for (const { route, path, tests } of [...customerRoutes, ...deskRoutes]) {
    expect(known, route).toContain(path);
    for (const file of tests) expect(existsSync(join(root, file)), `${route}: ${file}`).toBe(true);
  }
  expect(deskRoutes.map(({ path }) => path)).toEqual([
    "/customer/detail",
    "/customer/workOrder/detail",
    "/customer/cancellation/detail",
  ]);
});
