import { type Static, Type } from "typebox";
import { deviceKindIds } from "./generated/device-kind-ids.ts";

/** The device kinds; the list is made from the declarations in `@herdwise/device-kinds`. */
export const DeviceKindId = Type.Enum(deviceKindIds);
export type DeviceKindId = (typeof deviceKindIds)[number];
export { deviceKindIds };

/**
 * States of a device (product.md 4). `online`: reports within its interval; `fault`: reported by itself, or a fault alarm is
 * open; `blocked`: by the group's staff.
 */
export const deviceStatuses = ["unactivated", "online", "offline", "fault", "blocked"] as const;
export const DeviceStatus = Type.Enum(deviceStatuses);
export type DeviceStatus = (typeof deviceStatuses)[number];

/** The seven pigsty types of product.md 3. */
export const pigstyTypes = ["integrated", "piglet", "fattening", "boar", "reserve", "pregnancy", "nursing"] as const;
export const PigstyType = Type.Enum(pigstyTypes);
export type PigstyType = (typeof pigstyTypes)[number];

/** Types of farms. */
export const farmTypes = ["breeding", "multiplication", "commercial", "boar-station"] as const;
export const FarmType = Type.Enum(farmTypes);
export type FarmType = (typeof farmTypes)[number];

/** Unit modes of product.md 2: `empty` and `washing` mask alarms. */
export const unitModes = ["normal", "empty", "washing"] as const;
export const UnitMode = Type.Enum(unitModes);
export type UnitMode = (typeof unitModes)[number];

/** Pig categories that the heads of a unit are counted by. */
export const pigCategories = ["fattener", "weaner", "suckling", "gilt", "sow", "boar"] as const;
export const PigCategory = Type.Enum(pigCategories);
export type PigCategory = (typeof pigCategories)[number];

/** Types of tenants: the group itself, and enterprise and personal customers. */
export const tenantTypes = ["group", "enterprise", "personal"] as const;
export const TenantType = Type.Enum(tenantTypes);
export type TenantType = (typeof tenantTypes)[number];

/** Account types of the log-in form: 1 personal, 2 enterprise, 3 group employee. */
export const accountTypes = ["personal", "enterprise", "employee"] as const;
export type AccountType = (typeof accountTypes)[number];

/** Resolutions of a history query; `auto` chooses the finest that stays under the cap of points. */
export const resolutions = ["auto", "raw", "minute", "hour", "day"] as const;
export const Resolution = Type.Enum(resolutions);
export type Resolution = Static<typeof Resolution>;
