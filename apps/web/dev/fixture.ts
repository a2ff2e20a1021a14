/* A farm group that never was: what the API would answer, for looking at screens without a server. Typed by the contract. */
import type {
  Device,
  DeviceDetail,
  EnvironmentFarm,
  EnvironmentHouse,
  EnvironmentUnit,
  LiveFigures,
  MenuNode,
  PigstyType,
  Readings,
  TokenReply,
  UnitDetail,
  UserInfo,
} from "@herdwise/contract";
import {
  drivenCurrentShare,
  gearTable,
  ratedFanCurrentA,
  targetTemperature,
  variableFanCount,
} from "@herdwise/device-kinds";

let nextId = 1_800_000_000_000_000_000n;
const newId = (): string => String(nextId++);
let seed = 7;
const random = (): number => {
  seed = (seed * 48_271) % 2_147_483_647;
  return seed / 2_147_483_647;
};
const tenth = (value: number): number => Math.round(value * 10) / 10;

type Trouble = "cold" | "hot" | "ammonia" | "fan" | "offline" | "stale" | "empty" | "washing" | "bare";

function readingsOf(target: number, heads: number, trouble: Trouble | undefined, atMs: number): Readings {
  const t = tenth(target + (trouble === "cold" ? -3.6 : trouble === "hot" ? 3.5 : (random() - 0.45) * 2));
  const table = gearTable(target);
  const row = table.findLast((candidate) => t >= candidate.t_up) ?? table[0];
  const fans = row?.fans ?? 1;
  const values: Record<string, number | boolean | string> = {
    t_in: t,
    t1: tenth(t - 0.5),
    t2: tenth(t - 0.1),
    t3: tenth(t + 0.3),
    t4: tenth(t + 0.3),
    rh: Math.round(62 + random() * 14),
    t_out: 11.8,
    rh_out: 74,
    nh3: trouble === "ammonia" ? 23.4 : tenth(7 + random() * 8),
    co2: Math.round(1400 + random() * 900),
    h2s: tenth(random() * 1.2),
    dp: tenth(14 + random() * 8),
    airspd: 0.28,
    lux: 62,
    gear_cmd: row?.gear ?? 1,
    gear: row?.gear ?? 1,
    vfd: row?.vfd ?? 40,
    damper_cmd: row?.damper ?? 8,
    vent: Math.round(fans * 7100 * ((row?.vfd ?? 100) / 100)),
    spray: false,
    pad: false,
    heater: trouble === "cold" ? 80 : 0,
    water: 184_220 + Math.round(random() * 9000),
    kwh: 52_114.5,
    mains: true,
    mode: trouble === "empty" ? "empty" : trouble === "washing" ? "washing" : "normal",
    t_target: target,
    pigs: heads,
    rssi: -71,
    supply_v: 24.1,
    fw: "3.4.1",
  };
  for (let fan = 1; fan <= 11; fan++) {
    values[`fan_${fan}`] = trouble !== "empty" && fan <= fans;
    values[`fan_${fan}_a`] =
      fan <= fans
        ? (trouble === "fan" && fan === 2 ? 1.5 : 0.97) *
          ratedFanCurrentA *
          (fan <= variableFanCount ? drivenCurrentShare(row?.vfd ?? 100) : 1)
        : 0;
    values[`fan_${fan}_rpm`] = fan <= fans ? Math.round(5.6 * (fan <= 2 ? (row?.vfd ?? 100) : 100)) : 0;
  }
  for (let damper = 1; damper <= 4; damper++) values[`damper_${damper}`] = row?.damper ?? 8;
  return Object.fromEntries(Object.entries(values).map(([key, value]) => [key, { value, ts: atMs }]));
}

const nowMs = Date.now();

function unit(name: string, pigstyType: PigstyType, weightKg: number, trouble?: Trouble): EnvironmentUnit {
  const target = targetTemperature(pigstyType, { weightKg });
  const heads = trouble === "empty" || trouble === "washing" ? 0 : 420 + Math.round(random() * 70);
  const agedMs = trouble === "offline" ? 14 * 60_000 : trouble === "stale" ? 4 * 60_000 : Math.round(random() * 40_000);
  const bare = trouble === "bare";
  return {
    id: newId(),
    name,
    pigstyType,
    headCount: heads,
    capacity: 500,
    mode: trouble === "empty" || trouble === "washing" ? trouble : "normal",
    ...(heads > 0 ? { ageDays: Math.round(weightKg * 1.4 + 20), averageWeightGrams: weightKg * 1000 } : {}),
    areaSquareMeters: 432,
    volumeCubicMeters: 1300,
    targetTemperature: target,
    deviceId: bare ? "" : newId(),
    deviceName: bare ? "" : `环控器 ${name}`,
    status: bare ? "unactivated" : trouble === "offline" ? "offline" : trouble === "fan" ? "fault" : "online",
    ...(bare ? {} : { reportedAtMs: nowMs - agedMs }),
    readings: bare ? {} : readingsOf(target, heads, trouble, nowMs - agedMs),
  };
}

function house(
  name: string,
  pigstyType: PigstyType,
  weightKg: number,
  count: number,
  troubles: Record<number, Trouble> = {},
): EnvironmentHouse {
  return {
    id: newId(),
    name,
    pigstyType,
    units: Array.from({ length: count }, (_, index) =>
      unit(`${index + 1} 单元`, pigstyType, weightKg, troubles[index + 1]),
    ),
  };
}

export const farms: EnvironmentFarm[] = [
  {
    id: newId(),
    code: "ZJY",
    name: "周家营商品场",
    type: "commercial",
    regionName: "河南省 南阳市 内乡县",
    latitude: 33.05,
    longitude: 111.85,
    houses: [
      house("1 号育肥舍", "fattening", 60, 8, { 8: "empty" }),
      house("2 号育肥舍", "fattening", 58, 8, { 3: "fan", 7: "washing" }),
      house("3 号育肥舍", "fattening", 82, 8, { 2: "offline", 6: "stale" }),
    ],
  },
  {
    id: newId(),
    code: "QS",
    name: "清水保育场",
    type: "multiplication",
    regionName: "河南省 南阳市 西峡县",
    latitude: 33.3,
    longitude: 111.48,
    houses: [
      house("1 号保育舍", "piglet", 12, 8, { 5: "cold" }),
      house("2 号保育舍", "piglet", 18, 8, { 1: "empty", 2: "washing" }),
    ],
  },
  {
    id: newId(),
    code: "LH",
    name: "柳河繁殖场",
    type: "breeding",
    regionName: "河南省 南阳市 邓州市",
    latitude: 32.69,
    longitude: 112.09,
    houses: [
      house("配怀舍 A", "pregnancy", 190, 6, { 4: "bare" }),
      house("产房 B", "nursing", 200, 8, { 2: "ammonia", 7: "hot" }),
    ],
  },
  {
    id: newId(),
    code: "DG",
    name: "东岗公猪站",
    type: "boar-station",
    regionName: "河南省 南阳市 淅川县",
    latitude: 33.14,
    longitude: 111.49,
    houses: [house("公猪舍", "boar", 220, 4)],
  },
];

export const allUnits = farms.flatMap((farm) =>
  farm.houses.flatMap((place) => place.units.map((item) => ({ farm, place, item }))),
);

const wireTime = (atMs: number): string => new Date(atMs + 8 * 3_600_000).toISOString().slice(0, 19).replace("T", " ");

export const devices: Device[] = [
  ...allUnits
    .filter(({ item }) => item.deviceId !== "")
    .map(
      ({ farm, place, item }, index): Device => ({
        id: item.deviceId,
        name: item.deviceName,
        serialNumber: `ENV26${String(index + 1).padStart(5, "0")}`,
        kind: "environment",
        status: item.status,
        connected: item.status !== "offline",
        bound: true,
        farmId: farm.id,
        farmName: farm.name,
        houseId: place.id,
        houseName: place.name,
        unitId: item.id,
        unitName: item.name,
        firmwareVersion: "3.4.1",
        reportAt: item.reportedAtMs === undefined ? "" : wireTime(item.reportedAtMs),
        createTime: "2026-03-02 09:12:00",
      }),
    ),
  ...(["cough", "needleless"] as const).map(
    (kind, index): Device => ({
      id: newId(),
      name: kind === "cough" ? "咳嗽监测器" : "无针注射器",
      serialNumber: `${kind === "cough" ? "COU" : "INJ"}2600000${index + 1}`,
      kind,
      status: "unactivated",
      connected: false,
      bound: false,
      farmId: "",
      farmName: "",
      houseId: "",
      houseName: "",
      unitId: "",
      unitName: "",
      firmwareVersion: "",
      reportAt: "",
      createTime: "2026-11-02 09:12:00",
    }),
  ),
];

export const deviceDetailOf = (id: string): DeviceDetail | undefined => {
  const device = devices.find((candidate) => candidate.id === id);
  return (
    device && {
      ...device,
      attributes: { firmwareVersion: device.firmwareVersion, serialNumber: device.serialNumber, model: "HW-ENV-18" },
      dropped: [{ reason: "not JSON", count: 3, lastAt: wireTime(nowMs - 86_400_000) }],
    }
  );
};

export function unitDetailOf(id: string): UnitDetail | undefined {
  const index = allUnits.findIndex(({ item }) => item.id === id);
  const found = allUnits[index];
  if (!found) return undefined;
  const {
    deviceId,
    deviceName: _name,
    status: _status,
    readings: _readings,
    reportedAtMs: _at,
    ...summary
  } = found.item;
  const sameFarm = (step: number): string => {
    const next = allUnits[index + step];
    return next?.farm.id === found.farm.id ? next.item.id : "";
  };
  return {
    ...summary,
    farmId: found.farm.id,
    farmName: found.farm.name,
    houseId: found.place.id,
    houseName: found.place.name,
    previousUnitId: sameFarm(-1),
    nextUnitId: sameFarm(1),
    environmentDeviceId: deviceId,
  };
}

export const figures = (): LiveFigures => ({
  devicesOnline: devices.filter((device) => device.status === "online").length,
  devices: devices.length,
  farms: farms.length,
  units: allUnits.length,
  headCount: allUnits.reduce((sum, { item }) => sum + item.headCount, 0),
  valuesLastDay: 4_176_300 + Math.round(Math.random() * 900),
  asOfMs: Date.now(),
  showcase: {
    houseName: "2 号育肥舍",
    unitName: "1 单元",
    pigstyType: "fattening",
    headCount: farms[0]?.houses[1]?.units[0]?.headCount ?? 0,
    readings: farms[0]?.houses[1]?.units[0]?.readings ?? {},
  },
});

export const user: UserInfo = {
  user_id: newId(),
  user_name: "zhou",
  tenant_id: "100001",
  tenant_name: "周家营养殖公司",
  tenant_type: "enterprise",
  role_name: "owner",
  role_id: "1",
  real_name: "周建平",
  nick_name: "周建平",
  post_name: "场长",
  post_id: "1",
  dept_name: "豫西南区",
  dept_id: "1",
  account: "demo-zhou",
  avatar: "",
  phone: "138****0002",
  sideMode: "light",
  activeColor: "",
  baseColor: "",
};

export const tokens: TokenReply = {
  access_token: "mock-access",
  token_type: "bearer",
  refresh_token: "mock-refresh",
  expires_in: 3600,
  scope: "all",
  tenant_id: user.tenant_id,
  user_id: user.user_id,
  dept_id: "1",
  post_id: "1",
  role_id: "1",
  oauth_id: "",
  client_id: "portal",
  account: user.account,
  user_name: user.user_name,
  nick_name: user.nick_name,
  real_name: user.real_name,
  role_name: user.role_name,
  dept_name: user.dept_name,
  post_name: user.post_name,
  avatar: "",
  detail: { type: "web" },
  license: "",
  jti: "1",
};

const node = (fields: Partial<MenuNode>): MenuNode => ({
  id: newId(),
  parentId: "0",
  code: "",
  name: "",
  alias: "",
  path: "",
  component: "",
  icon: "",
  source: "",
  type: "",
  sort: 1,
  category: 1,
  action: 1,
  isOpen: 1,
  hidden: false,
  noMenu: false,
  activeMenu: "",
  ...fields,
});

const screen = (
  code: string,
  name: string,
  path: string,
  type: string,
  icon: string,
  more: Partial<MenuNode> = {},
): MenuNode => node({ code, name, path, component: `${path}/index`, type, icon, ...more });

export const menu: MenuNode[] = [
  screen("self_home", "工作台", "/selfCenter/home", "selfCenter", "home"),
  screen("device_all", "全部设备", "/selfCenter/equipmentManage/allDevices", "equipmentManage", "devices"),
  node({
    code: "env",
    name: "环境控制",
    type: "vet",
    icon: "environment",
    children: [
      node({ code: "farm_organization", name: "猪场组织架构", type: "vet" }),
      screen("env_overview", "总览", "/selfCenter/vet/environment/overview", "vet", "environment"),
      screen("env_unit", "单元详情", "/selfCenter/vet/environment/unit", "vet", "unit", {
        hidden: true,
        activeMenu: "/selfCenter/vet/environment/overview",
      }),
    ],
  }),
];

/** A quiet day: cool at night, a little warmer in the afternoon, with the noise of a real probe. */
export function historyPoints(
  key: string,
  startMs: number,
  endMs: number,
  count: number,
): [number, number, number, number][] {
  const now = allUnits[0]?.item.readings[key]?.value;
  const base = key === "t_in" ? 20.2 : key === "t_out" ? 8 : key === "gear" ? 3.4 : typeof now === "number" ? now : 1;
  const swing = key === "t_in" ? 1.1 : key === "t_out" ? 4.2 : key === "gear" ? 1.6 : base * 0.06;
  return Array.from({ length: count }, (_, index) => {
    const ts = Math.round(startMs + ((endMs - startMs) * index) / count);
    const hour = (((ts + 8 * 3_600_000) % 86_400_000) / 3_600_000 + 24) % 24;
    let value = base + swing * Math.cos(((hour - 15) / 24) * 2 * Math.PI) + Math.sin(index * 1.7) * swing * 0.09;
    if (key === "gear") value = Math.max(1, Math.round(value));
    if (key === "water") value = 180_000 + (ts - startMs) / 60_000;
    return [ts, value - 0.1, value, value + 0.1];
  });
}
