import { availableParallelism, loadavg } from "node:os";

/**
 * A limit in ms that holds on an idle machine, stretched by what else runs on this one (load per core in the last minute): the
 * tests run beside each other, and what waits for a core is not slow itself. Measurements proper are in bench/.
 */
export const onThisMachine = (ms: number): number => ms * Math.max(1, (loadavg()[0] ?? 0) / availableParallelism());
