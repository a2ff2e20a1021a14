import { personNameLength } from "../plain-text.ts";
import { choice, text } from "../resource/index.ts";

/** Roles that edit the archives, and roles that may only view them. */
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

/** GB/T 2260 code of a county, city or province. */
export const regionField = text("所在地区", { required: true, max: 6, rule: "region", filter: true, column: true });

/**
 * Name of the contact person.
 * @param label Chinese, a key of the translations
 */
export const personField = (label: string) =>
  text(label, { max: personNameLength.max, rule: "person-name", personal: "granted", search: true, column: true });

/** Phone number of the contact person. */
export const personPhoneField = text("联系电话", {
  max: 20,
  rule: "phone",
  stored: "encrypted",
  personal: "mask-phone",
  column: true,
});
