import { type Refusal, refuse } from "../../http/errors.ts";
import { tradeSystem } from "./context.ts";
import type { tradeRepository } from "./trade.repository.ts";

/**
 * Why heads of a plan's unit may not be planned, offered or loaded: a treatment or vaccination whose withdrawal period reaches into the loading
 * day (decisions.md 15), fewer heads than are sold, or no unit although the field is a farm of the group.
 * @param heads to be kept free beside the other plans; undefined where the heads are taken already
 */
export async function herdRefusal(
  trade: Pick<ReturnType<typeof tradeRepository>, "herdOf">,
  plan: string,
  heads?: number,
): Promise<Refusal | undefined> {
  const herd = await trade.herdOf(tradeSystem, plan);
  if (herd === undefined) return undefined;
  const { unit, unitName, medicine, given, until } = herd;
  if (unit === null) return refuse("sale_plan.no_unit");
  if (until !== null)
    return refuse("sale_plan.withdrawal", {
      values: { unit: unitName, medicine: medicine ?? "", given: given ?? "", until },
    });
  const free = herd.heads - herd.planned;
  return heads !== undefined && free < heads
    ? refuse("sale_plan.heads", { values: { unit: unitName, free: Math.max(free, 0) } })
    : undefined;
}
