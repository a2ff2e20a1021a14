import { resourceScreens } from "@herdwise/contract";

/** Resources by name with their Chinese titles; a resource with two screens once. */
export const resourceTitles: ReadonlyMap<string, string> = new Map(
  resourceScreens.map(({ name, title }) => [name, title]),
);

const yearMonthDay = /^\d{4}-\d{2}-\d{2}$/;

/** A day of the address; "" for none or for something else. */
export const knownDay = (value: string | null): string => {
  if (value === null || !yearMonthDay.test(value)) return "";
  return Number.isNaN(Date.parse(`${value}T00:00:00Z`)) ? "" : value;
};
