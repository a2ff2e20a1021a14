import { customerMenuCode, type ResourceDeclaration } from "./resource/index.ts";
import { resources } from "./resources.ts";

/** The part of a resource that the web app knows before its screen is opened. */
export interface ResourceScreenEntry {
  /** Name of the resource. */
  name: string;
  /** Code of its menu; left out where it is the name. */
  code?: string;
  path: string;
  /** Chinese. */
  title: string;
  /** Only the group's staff can see it. */
  staffOnly?: true;
  /** Has an import below its path. */
  imports?: true;
}

/** Screens of the resources without their fields; a resource that customers see as well has one screen for each menu. */
export const resourceScreens: readonly ResourceScreenEntry[] = resources.flatMap((held: ResourceDeclaration) => {
  const shared = {
    name: held.name,
    title: held.words.many,
    ...(held.sheets && !held.sheets.exportOnly && { imports: true as const }),
  };
  const { menu, customerMenu, scope } = held;
  // The log-in page loads these, so that they say no more than they must.
  return [
    { ...shared, path: menu.path, ...(scope === "group" && { staffOnly: true as const }) },
    ...(customerMenu ? [{ ...shared, code: customerMenuCode(held), path: customerMenu.path }] : []),
  ];
});
