import { medicines, treatments, vaccinationPlans } from "@herdwise/contract";
import type { ServerModule } from "../../module.ts";
import { type ResourceContext, resourceModule } from "../../resources/index.ts";

/** The books of a herd's health: medicines with their withdrawal periods, plans of vaccinations, what a veterinarian found and gave. */
export const createHerdHealthModules = (context: ResourceContext): ServerModule[] =>
  [medicines, vaccinationPlans, treatments].map((of) => resourceModule(context, of));
