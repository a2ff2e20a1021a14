import { personNameLength } from "../plain-text.ts";
import { choice, text } from "../resource/index.ts";

/** Who keeps the archives, and who looks at them. */
export const archiveRoles = {
  roles: ["administrator", "sales"],
  viewers: ["customer_service", "auditor", "device_engineer"],
} as const;

/** Whether an archive's row may still be chosen. */
export const statusField = choice("状态", {
  options: [
    ["1", "启用"],
    ["0", "停用"],
  ],
  default: "1",
  filter: true,
  column: true,
});

/** Code of the county, city or province that something lies in. */
export const regionField = text("所在地区", { required: true, max: 6, rule: "region", filter: true, column: true });

/**
 * Name of whom to call.
 * @param label Chinese, a key of the translations
 */
export const personField = (label: string) =>
  text(label, { max: personNameLength.max, rule: "person-name", personal: "granted", search: true, column: true });

/** Number of that person. */
export const personPhoneField = text("联系电话", {
  max: 20,
  rule: "phone",
  stored: "encrypted",
  personal: "mask-phone",
  column: true,
});
