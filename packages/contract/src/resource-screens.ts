import { customerMenuCode, type ResourceDeclaration } from "./resource/index.ts";
import { resources } from "./resources.ts";

/** The part of a resource that the web app knows before its screen is opened. */
export interface ResourceScreenEntry {
  /** Name of the resource. */
  name: string;
  /** Code of its menu. */
  code: string;
  path: string;
  /** Chinese. */
  title: string;
  /** Only the group's staff can see it. */
  staffOnly: boolean;
  /** Has an import below its path. */
  imports?: true;
}

/** Screens of the resources without their fields; a resource that customers see as well has one screen for each menu. */
export const resourceScreens: readonly ResourceScreenEntry[] = resources.flatMap((held: ResourceDeclaration) => {
  const shared = { name: held.name, title: held.words.many, ...(held.sheets && { imports: true as const }) };
  const { menu, customerMenu, scope } = held;
  return [
    { ...shared, code: held.name, path: menu.path, staffOnly: scope === "group" },
    ...(customerMenu
      ? [
          {
            ...shared,
            code: customerMenuCode(held),
            path: customerMenu.path,
            staffOnly: false,
          },
        ]
      : []),
  ];
});
