import { archives } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";

/** Serves the archives as they are declared. */
export const createArchiveModules = (context: ResourceContext): ServerModule[] =>
  archives.map((of) => resourceModule(context, of));
