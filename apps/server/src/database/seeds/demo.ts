import { createHash } from "node:crypto";
import type { DeviceKindId, FarmType, MovementKind, PigCategory, PigstyType, UnitMode } from "@herdwise/contract";
import { targetTemperature } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { type Kysely, sql } from "kysely";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { DB } from "../generated/database.ts";
import { passwordDaysAgo } from "./demo-account-events.ts";
import { grantSeededMenus, groupTenantId, seedRoles } from "./foundation.ts";
import { customerRoles } from "./menus.ts";

/** Password of all demo accounts. */
export const demoPassword = "Herdwise#2026";
/** Prefix of a device's access token in demo mode; its serial number follows. */
export const demoTokenPrefix = "demo-";

interface HouseSeed {
  name: string;
  pigstyType: PigstyType;
  units: number;
  headCount: number;
  /** Age of the batch in days; none for breeding stock. */
  ageDays?: number;
  weightKg: number;
  areaSquareMeters: number;
}

interface FarmSeed {
  code: string;
  name: string;
  type: FarmType;
  principal: string;
  /** GB/T 2260 code of its county. */
  regionCode: string;
  address: string;
  latitude: number;
  longitude: number;
  houses: readonly HouseSeed[];
  /** Number of devices by kind that serve the farm as a whole. */
  farmDevices: Partial<Record<DeviceKindId, number>>;
}

interface TenantSeed {
  tenantId: string;
  name: string;
  type: "enterprise" | "personal";
  showcase: boolean;
  farms: readonly FarmSeed[];
}

const house = (
  name: string,
  pigstyType: PigstyType,
  units: number,
  headCount: number,
  weightKg: number,
  areaSquareMeters: number,
  ageDays?: number,
): HouseSeed => ({
  name,
  pigstyType,
  units,
  headCount,
  weightKg,
  areaSquareMeters,
  ...(ageDays !== undefined && { ageDays }),
});

/** Demo tenants: a family farm, an enterprise with 12 houses, a breeding group. */
export const demoTenants: readonly TenantSeed[] = [
  {
    tenantId: "100001",
    name: "柳河家庭农场",
    type: "personal",
    showcase: false,
    farms: [
      {
        code: "LH01",
        name: "柳河猪场",
        type: "commercial",
        principal: "孙丽",
        regionCode: "411381",
        address: "柳河村 6 组",
        latitude: 32.68,
        longitude: 112.09,
        houses: [
          house("育肥舍", "fattening", 3, 160, 62, 180, 105),
          house("保育舍", "piglet", 2, 120, 14, 70, 48),
          house("产房", "nursing", 1, 16, 210, 110),
        ],
        farmDevices: { disinfect: 1, "bungalow-deodorization": 1, needleless: 1 },
      },
    ],
  },
  {
    tenantId: "100002",
    name: "中原牧业有限公司",
    type: "enterprise",
    showcase: true,
    farms: [
      {
        code: "ZJY",
        name: "周家营商品场",
        type: "commercial",
        principal: "周建平",
        regionCode: "411325",
        address: "周家营镇北",
        latitude: 33.05,
        longitude: 111.85,
        houses: [
          house("1 号育肥舍", "fattening", 4, 480, 41, 520, 78),
          house("2 号育肥舍", "fattening", 4, 480, 58, 520, 96),
          house("3 号育肥舍", "fattening", 4, 470, 92, 520, 132),
          house("4 号育肥舍", "fattening", 3, 460, 104, 520, 148),
        ],
        farmDevices: {
          bathroom: 2,
          disinfect: 2,
          deodorization: 4,
          "dosing-station": 1,
          needleless: 2,
          weighbridge: 1,
        },
      },
      {
        code: "QS",
        name: "清水保育场",
        type: "multiplication",
        principal: "李敏",
        regionCode: "411323",
        address: "清水河东岸",
        latitude: 33.3,
        longitude: 111.48,
        houses: [
          house("1 号保育舍", "piglet", 3, 620, 11, 260, 40),
          house("2 号保育舍", "piglet", 3, 600, 19, 260, 56),
          house("3 号保育舍", "piglet", 2, 600, 26, 260, 68),
          house("一体舍", "integrated", 2, 420, 36, 400, 75),
        ],
        farmDevices: { bathroom: 1, disinfect: 1, deodorization: 2, "dosing-station": 1, needleless: 1 },
      },
      {
        code: "LHF",
        name: "老河繁殖场",
        type: "breeding",
        principal: "王志强",
        regionCode: "411326",
        address: "老河乡南岗",
        latitude: 33.13,
        longitude: 111.49,
        houses: [
          house("配怀舍 A", "pregnancy", 3, 220, 205, 560),
          house("配怀舍 B", "pregnancy", 2, 220, 212, 560),
          house("产房", "nursing", 4, 36, 215, 230),
          house("后备舍", "reserve", 2, 140, 118, 300),
        ],
        farmDevices: { bathroom: 2, disinfect: 1, "bungalow-deodorization": 3, "dosing-station": 1, needleless: 1 },
      },
    ],
  },
  {
    tenantId: "100003",
    name: "东岗种猪集团",
    type: "enterprise",
    showcase: false,
    farms: [
      {
        code: "DG1",
        name: "东岗公猪站",
        type: "boar-station",
        principal: "赵海",
        regionCode: "420682",
        address: "东岗村",
        latitude: 32.39,
        longitude: 111.68,
        houses: [house("公猪舍", "boar", 4, 60, 260, 420)],
        farmDevices: { bathroom: 1, disinfect: 1, deodorization: 1 },
      },
      {
        code: "DG2",
        name: "东岗核心育种场",
        type: "breeding",
        principal: "陈静",
        regionCode: "420625",
        address: "谷城北路 18 号",
        latitude: 32.27,
        longitude: 111.65,
        houses: [
          house("测定舍", "fattening", 4, 220, 74, 420, 112),
          house("妊娠舍", "pregnancy", 4, 180, 208, 520),
          house("分娩舍", "nursing", 4, 30, 212, 220),
          house("保育舍", "piglet", 2, 420, 16, 240, 50),
        ],
        farmDevices: { bathroom: 1, disinfect: 2, deodorization: 2, "dosing-station": 1, needleless: 2 },
      },
    ],
  },
];

/** Demo accounts; `tenants` says in which tenants and with which role. */
export const demoAccounts = [
  {
    account: "admin",
    phone: "13800000001",
    realName: "郑航",
    type: "employee",
    note: "集团管理员",
    tenants: [[groupTenantId, "administrator"]],
  },
  {
    account: "farm",
    phone: "13800000002",
    realName: "周建平",
    type: "enterprise",
    note: "企业主，3 个场区 12 栋猪舍",
    tenants: [["100002", "owner"]],
  },
  {
    account: "vet",
    phone: "13800000003",
    realName: "李敏",
    type: "personal",
    note: "兽医，服务两家客户",
    tenants: [
      ["100002", "veterinarian"],
      ["100003", "veterinarian"],
    ],
  },
  {
    account: "worker",
    phone: "13800000004",
    realName: "王小满",
    type: "personal",
    note: "饲养员，家庭农场",
    tenants: [["100001", "worker"]],
  },
] as const;

/** Members of the demo's tenants that the log-in page does not offer. */
export const demoMembers = [
  {
    account: "sunli",
    phone: "13800000011",
    realName: "孙丽",
    type: "personal",
    code: "",
    tenants: [["100001", "owner"]],
  },
  {
    account: "wangzq",
    phone: "13800000012",
    realName: "王志强",
    type: "enterprise",
    code: "ZY-003",
    tenants: [["100002", "farm_manager"]],
  },
  {
    account: "chenxiao",
    phone: "13800000013",
    realName: "陈晓",
    type: "enterprise",
    code: "ZY-011",
    tenants: [["100002", "finance"]],
  },
  {
    account: "liuyang",
    phone: "13800000014",
    realName: "刘洋",
    type: "enterprise",
    code: "ZY-027",
    tenants: [["100002", "worker"]],
  },
  {
    account: "heqing",
    phone: "13800000015",
    realName: "何清",
    type: "enterprise",
    code: "",
    tenants: [["100003", "owner"]],
  },
  {
    account: "kefu01",
    phone: "13800000016",
    realName: "林悦",
    type: "employee",
    code: "HQ-108",
    tenants: [[groupTenantId, "customer_service"]],
  },
  {
    account: "zhaomin",
    phone: "13800000031",
    realName: "赵敏",
    type: "employee",
    code: "XS-002",
    tenants: [[groupTenantId, "sales"]],
  },
  {
    account: "liqiang",
    phone: "13800000032",
    realName: "李强",
    type: "employee",
    code: "XS-001",
    tenants: [[groupTenantId, "sales"]],
  },
] as const;

/** English names of the demo's places, stored as if an editor had entered them. */
const demoTranslations: Readonly<Record<string, string>> = {
  慧牧集团: "Herdwise Group",
  柳河家庭农场: "Liuhe family farm",
  中原牧业有限公司: "Zhongyuan Livestock Co., Ltd.",
  东岗种猪集团: "Donggang Breeding Group",
  设备维护保养合同: "Equipment maintenance contract",
  设备采购合同: "Equipment purchase contract",
  生猪购销合同: "Pig sale contract",
  远程兽医服务合同: "Remote veterinary service contract",
  柳河猪场: "Liuhe pig farm",
  周家营商品场: "Zhoujiaying commercial farm",
  清水保育场: "Qingshui nursery farm",
  老河繁殖场: "Laohe breeding farm",
  东岗公猪站: "Donggang boar station",
  东岗核心育种场: "Donggang nucleus farm",
  期初存栏: "Opening stock",
  应激: "Stress",
  原因待检: "Cause being examined",
  "残次，无害化处理": "Unfit, disposed of safely",
};

/** Prefixes of serial numbers; for other kinds the first letters of the kind. */
const prefixes: Partial<Record<DeviceKindId, string>> = {
  environment: "ENV",
  cough: "COU",
  temperature: "TMP",
  needleless: "INJ",
  bathroom: "BAT",
  disinfect: "WAT",
  deodorization: "DEO",
  "bungalow-deodorization": "BDE",
  "dosing-station": "DOS",
  weighbridge: "WBR",
};

/** Names of devices by kind; for other kinds the name of the kind. */
const kindNames: Partial<Record<DeviceKindId, string>> = {
  environment: "环控器",
  cough: "咳嗽监测仪",
  temperature: "体温巡检仪",
  needleless: "无针注射器",
  bathroom: "洗澡间",
  disinfect: "饮水消毒机",
  deodorization: "除臭塔",
  "bungalow-deodorization": "平房除臭模块",
  "dosing-station": "配药站",
  weighbridge: "地磅",
};

const nameOf = (kind: DeviceKindId): string =>
  kindNames[kind] ?? kindList.find((listed) => listed.kind === kind)?.name.zh ?? kind;

/** Kinds of devices in a unit in addition to its environment controller. */
function unitKinds(pigstyType: PigstyType, at: number): DeviceKindId[] {
  const kinds: DeviceKindId[] = ["environment"];
  if (["fattening", "piglet", "integrated"].includes(pigstyType)) kinds.push("cough");
  if (["fattening", "nursing", "pregnancy"].includes(pigstyType) && at % 2 === 0) kinds.push("temperature");
  return kinds;
}

interface DeviceSeed {
  kind: DeviceKindId;
  serialNumber: string;
  name: string;
  farm: string;
  house?: string;
  unit?: string;
}

/** All demo devices in a fixed order; serial numbers never change, because people use them in scripts. */
export function demoDevices(): (DeviceSeed & { tenantId: string; sort: number })[] {
  const devices: (DeviceSeed & { tenantId: string; sort: number })[] = [];
  for (const tenant of demoTenants) {
    for (const farm of tenant.farms) {
      const counts = new Map<DeviceKindId, number>();
      const add = (kind: DeviceKindId, place: { house?: string; unit?: string }, name: string) => {
        const number = (counts.get(kind) ?? 0) + 1;
        counts.set(kind, number);
        devices.push({
          kind,
          serialNumber: `${prefixes[kind] ?? kind.slice(0, 3).toUpperCase()}-${farm.code}-${String(number).padStart(2, "0")}`,
          name,
          farm: farm.code,
          ...place,
          tenantId: tenant.tenantId,
          sort: devices.length,
        });
      };
      for (const { name: houseName, pigstyType, units } of farm.houses) {
        for (let at = 0; at < units; at += 1) {
          const unit = `${at + 1} 单元`;
          for (const kind of unitKinds(pigstyType, at)) {
            add(kind, { house: houseName, unit }, `${houseName} ${unit} ${nameOf(kind)}`);
          }
        }
      }
      for (const [kind, count] of Object.entries(farm.farmDevices) as [DeviceKindId, number][]) {
        for (let at = 0; at < count; at += 1) {
          add(kind, {}, `${farm.name} ${at + 1} 号${nameOf(kind)}`);
        }
      }
    }
  }
  return devices;
}

/** Kinds whose name is what is done and not what does it. */
const deviceNamesEn: Partial<Record<DeviceKindId, string>> = { needleless: "Needleless injector" };

/** English names of devices that serve a farm as a whole; names of other devices are composed of house and unit. */
function farmDeviceTranslations(): Record<string, string> {
  const english: Record<string, string> = {};
  for (const { farms } of demoTenants) {
    for (const farm of farms) {
      for (const [kind, count] of Object.entries(farm.farmDevices) as [DeviceKindId, number][]) {
        const name = deviceNamesEn[kind] ?? kindList.find((listed) => listed.kind === kind)?.name.en ?? kind;
        for (let at = 1; at <= count; at += 1) {
          english[`${farm.name} ${at} 号${nameOf(kind)}`] =
            `${demoTranslations[farm.name]}, ${name.toLowerCase()} ${at}`;
        }
      }
    }
  }
  return english;
}

/** Two units of the enterprise are empty or being washed, to show these modes. */
const restingUnits: Record<string, UnitMode> = { "ZJY/4 号育肥舍/3 单元": "empty", "QS/3 号保育舍/2 单元": "washing" };

/** Phone number of the person in charge of a demo farm: the account's own, otherwise one that belongs to nobody. */
const phoneOfPrincipal = (principal: string): string =>
  [...demoAccounts, ...demoMembers].find(({ realName }) => realName === principal)?.phone ?? "13800000090";

/**
 * Adds phone numbers to the demo's accounts and farms, also in installations that are older than them; values that people
 * changed stay.
 * @param cipher encrypts personal data
 */
export async function seedDemoPhones(db: Kysely<DB>, cipher: PersonalCipher): Promise<void> {
  for (const { account, phone } of [...demoAccounts, ...demoMembers]) {
    await db
      .updateTable("accounts")
      .set({
        phoneEncrypted: cipher.encrypt(phone),
        phoneIndex: cipher.index(phone),
        phoneVerifiedAt: sql<Date>`now()`,
      })
      .where("accountKey", "=", account)
      .where("demoNote", "is not", null)
      .where("phoneIndex", "is", null)
      .execute();
  }
  for (const { tenantId, farms } of demoTenants) {
    for (const { code, principal } of farms) {
      const phone = phoneOfPrincipal(principal);
      await db
        .updateTable("farms")
        .set({ contactPhoneEncrypted: cipher.encrypt(phone), contactPhoneIndex: cipher.index(phone) })
        .where("tenantId", "=", tenantId)
        .where("code", "=", code)
        .where("principal", "=", principal)
        .where("contactPhoneIndex", "is", null)
        .execute();
    }
  }
}

/** Pig category by type of pigsty. */
const categoryOf: Readonly<Record<PigstyType, PigCategory>> = {
  integrated: "fattener",
  piglet: "weaner",
  fattening: "fattener",
  boar: "boar",
  reserve: "gilt",
  pregnancy: "sow",
  nursing: "sow",
};

const numbered = (at: number): string => String(at + 1).padStart(2, "0");

/**
 * Movements of a batch that arrived with a few more heads than it has now.
 * @param ageDays age of the batch, 28 days at its arrival
 */
function demoMovements({ heads, ageDays }: { heads: number; ageDays: number }) {
  const since = Math.max(ageDays - 28, 10);
  const losses: readonly [share: number, kind: MovementKind, lost: number, reason: string][] =
    heads < 100
      ? []
      : [
          [0.2, "cull", 4, "残次，无害化处理"],
          [0.55, "death", 3, "原因待检"],
          [0.85, "death", 2, "应激"],
        ];
  const at = (share: number) => sql<Date>`now() - ${Math.round(since * (1 - share) * 86_400)} * interval '1 second'`;
  const arrived = heads + losses.reduce((sum, [, , lost]) => sum + lost, 0);
  return [
    { kind: "arrival", heads: arrived, reason: "期初存栏", happenedAt: at(0) },
    ...losses.map(([share, kind, lost, reason]) => ({ kind, heads: -lost, reason, happenedAt: at(share) })),
  ];
}

const md5 = (text: string) => createHash("md5").update(text).digest("hex");
const sha256 = (text: string) => createHash("sha256").update(text).digest();

/**
 * Stores English names as if an editor had entered them; existing ones stay.
 * @param names English by the Chinese text
 */
export async function seedTranslations(db: Kysely<DB>, names: Readonly<Record<string, string>>): Promise<void> {
  await db
    .insertInto("translations")
    .values(
      Object.entries(names).map(([source, translation]) => ({
        source,
        language: "en",
        translation,
        machine: false,
        provider: "editor",
      })),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

/** When devices of the demo were bound: before the oldest of their reports, which the simulator sends for two weeks back. */
export const demoBoundDaysAgo = 40;

/**
 * Demo tenants, farms, devices and accounts; existing ones are unchanged.
 * @param hashPassword hashes the MD5 that clients send
 */
export async function seedDemo(
  db: Kysely<DB>,
  nextId: () => string,
  hashPassword: (md5: string) => Promise<string>,
): Promise<boolean> {
  const passwordHash = await hashPassword(md5(demoPassword));
  const daysAgo = (days: number): Date => new Date(Date.now() - days * 86_400_000);
  const demoSince = daysAgo(400);
  return db.transaction().execute(async (to) => {
    await sql`select pg_advisory_xact_lock(hashtext('seeds'))`.execute(to);
    const present = await to
      .selectFrom("accounts")
      .select("id")
      .where("demoNote", "is not", null)
      .limit(1)
      .executeTakeFirst();
    if (present !== undefined) return false;

    await seedTranslations(to, { ...demoTranslations, ...farmDeviceTranslations() });
    // The group is older than its customers.
    await to
      .updateTable("tenants")
      .set({ createdAt: daysAgo(900) })
      .where("tenantId", "=", groupTenantId)
      .execute();
    for (const tenant of demoTenants) {
      const { tenantId, name, type, showcase } = tenant;
      await to.insertInto("tenants").values({ tenantId, name, type, showcase, createdAt: demoSince }).execute();
      await seedRoles(to, tenantId, customerRoles, nextId);
      await grantSeededMenus(to, tenantId);
      const places = new Map<string, { farmId: string; houseId?: string; unitId?: string }>();
      const movements: (ReturnType<typeof demoMovements>[number] & {
        id: string;
        tenantId: string;
        unitId: string;
        category: PigCategory;
      })[] = [];
      for (const [farmSort, farm] of tenant.farms.entries()) {
        const farmId = nextId();
        const { code, principal, regionCode, address } = farm;
        await to
          .insertInto("farms")
          .values({
            id: farmId,
            tenantId,
            code,
            name: farm.name,
            type: farm.type,
            principal,
            regionCode,
            address,
            latitude: Math.round(farm.latitude * 1e6),
            longitude: Math.round(farm.longitude * 1e6),
            sort: farmSort,
          })
          .execute();
        places.set(code, { farmId });
        for (const [houseSort, seed] of farm.houses.entries()) {
          const houseId = nextId();
          const houseCode = `${code}-${numbered(houseSort)}`;
          await to
            .insertInto("pigHouses")
            .values({
              id: houseId,
              tenantId,
              farmId,
              code: houseCode,
              name: seed.name,
              pigstyType: seed.pigstyType,
              sort: houseSort,
            })
            .execute();
          for (let at = 0; at < seed.units; at += 1) {
            const unitId = nextId();
            const unitName = `${at + 1} 单元`;
            const mode = restingUnits[`${code}/${seed.name}/${unitName}`] ?? "normal";
            const occupied = mode === "normal";
            const category = categoryOf[seed.pigstyType];
            const ageDays = seed.ageDays === undefined ? undefined : seed.ageDays + at * 2;
            const weightGrams = Math.round((seed.weightKg + at * 0.8) * 1000);
            await to
              .insertInto("units")
              .values({
                id: unitId,
                tenantId,
                houseId,
                code: `${houseCode}-${numbered(at)}`,
                name: unitName,
                pigstyType: seed.pigstyType,
                category,
                capacity: Math.ceil(seed.headCount / 20) * 20,
                areaSquareMeters: seed.areaSquareMeters,
                volumeCubicMeters: Math.round(seed.areaSquareMeters * 2.8),
                mode,
                ...(mode === "washing" && { modeBefore: "empty", modeEndsAt: sql<Date>`now() + interval '1 day'` }),
                sort: at,
                targetTemperature: targetTemperature(seed.pigstyType, { ageDays, weightKg: weightGrams / 1000 }),
                ...(occupied && { averageWeightGrams: weightGrams }),
                ...(occupied &&
                  ageDays !== undefined && {
                    batchArrivedOn: sql<string>`(now() at time zone 'Asia/Shanghai')::date - ${ageDays - 28}::int`,
                    batchArrivalAgeDays: 28,
                  }),
              })
              .execute();
            if (occupied) {
              const heads = seed.headCount - at * 3;
              movements.push(
                ...demoMovements({ heads, ageDays: ageDays ?? 90 }).map((movement) => ({
                  ...movement,
                  id: nextId(),
                  tenantId,
                  unitId,
                  category,
                })),
              );
            }
            places.set(`${code}/${seed.name}/${unitName}`, { farmId, houseId, unitId });
          }
        }
      }
      await to.insertInto("inventoryMovements").values(movements).execute();
      await to
        .insertInto("devices")
        .values(
          demoDevices()
            .filter((device) => device.tenantId === tenantId)
            .map(({ kind, serialNumber, name: deviceName, farm, house: houseName, unit, sort }) => {
              const place = places.get(unit ? `${farm}/${houseName}/${unit}` : farm);
              if (place === undefined) throw new Error(`The demo device ${serialNumber} has no place`);
              return {
                id: nextId(),
                tenantId,
                kind,
                name: deviceName,
                serialNumber,
                tokenHash: sha256(`${demoTokenPrefix}${serialNumber}`),
                boundAt: daysAgo(demoBoundDaysAgo),
                firmwareVersion: "1.4.2",
                sort,
                ...place,
              };
            }),
        )
        .execute();
    }

    const members = demoMembers.map((member) => ({ ...member, note: "" }));
    for (const { account, realName, type, note, tenants, ...more } of [...demoAccounts, ...members]) {
      const id = nextId();
      await to
        .insertInto("accounts")
        .values({
          id,
          account,
          accountKey: account,
          type,
          realName,
          nickName: realName,
          passwordHash,
          demoNote: note,
          createdAt: demoSince,
          passwordChangedAt: daysAgo(passwordDaysAgo),
        })
        .execute();
      for (const [tenantId, alias] of tenants) {
        const membershipId = nextId();
        const code = "code" in more ? more.code : "";
        await to.insertInto("memberships").values({ id: membershipId, accountId: id, tenantId, code }).execute();
        await to
          .insertInto("membershipRoles")
          .columns(["membershipId", "roleId"])
          .expression((from) =>
            from
              .selectFrom("roles")
              .select([sql<string>`${membershipId}::bigint`.as("membershipId"), "id"])
              .where("tenantId", "=", tenantId)
              .where("roleAlias", "=", alias),
          )
          .execute();
      }
    }
    return true;
  });
}
