import { archives, serviceDepartments } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";

/** Serves the archives as they are declared. */
export function createArchiveModules(context: ResourceContext): ServerModule[] {
  const { bus } = context.platform;
  // Service departments are the outlets of the public site.
  const told = { hooks: { changed: () => bus.publish("contentChanged", {}) } };
  return archives.map((of) => resourceModule(context, of, of.name === serviceDepartments.name ? told : {}));
}
