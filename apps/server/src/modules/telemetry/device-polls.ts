import type { FastifyReply } from "fastify";
import type { DownKind, DownLink, Downlinks, DownMessage } from "../commands/index.ts";

/** Default and longest waiting time of a request in ms; proxies close connections that are silent for one or two minutes. */
const waits = { usual: 20_000, most: 90_000 };
/** Most waiting requests for one device and kind, and on this server in total. */
const waiting = { device: 2, all: 5000 };

export type PollOutcome =
  | { readonly message: DownMessage; delivered(): void }
  /** Nothing arrived in time, the client disconnected, or the server is stopping. */
  | "nothing"
  /** Too many requests wait already. */
  | "too_many";

/** Long-polling requests of devices without a permanent connection, which wait for a command or for settings. */
export function createDevicePolls(links: Downlinks, stopping: AbortSignal) {
  const perDevice = new Map<string, number>();
  let all = 0;
  const count = (key: string, by: 1 | -1): void => {
    const held = (perDevice.get(key) ?? 0) + by;
    all += by;
    if (held === 0) perDevice.delete(key);
    else perDevice.set(key, held);
  };

  return {
    /** @param timeoutMs as requested by the device; an invalid value means the default */
    async wait(deviceId: string, kind: DownKind, timeoutMs: number, reply: FastifyReply): Promise<PollOutcome> {
      const key = `${deviceId}/${kind}`;
      if (all >= waiting.all || (perDevice.get(key) ?? 0) >= waiting.device) return "too_many";
      if (stopping.aborted) return "nothing";
      const { promise, resolve } = Promise.withResolvers<PollOutcome>();
      let isTaken = false;
      let remove: () => void = () => undefined;
      const link: DownLink = {
        listensTo: (wanted) => wanted === kind && !isTaken,
        send(message, onDelivered) {
          isTaken = true;
          const delivered = () => {
            onDelivered();
            remove();
          };
          resolve({ message, delivered });
          return true;
        },
      };
      const nothing = () => resolve("nothing");
      // Also covers data that was being sent when the device disconnects before the answer has left.
      remove = () => links.remove(deviceId, link);
      const end = () => {
        nothing();
        remove();
      };
      const limit = setTimeout(nothing, Math.min(timeoutMs > 0 ? timeoutMs : waits.usual, waits.most));
      reply.raw.once("close", end);
      stopping.addEventListener("abort", nothing);
      count(key, 1);
      links.add(deviceId, link);
      links.listening(deviceId, kind);
      try {
        const outcome = await promise;
        if (outcome === "nothing") remove();
        return outcome;
      } finally {
        clearTimeout(limit);
        stopping.removeEventListener("abort", nothing);
        count(key, -1);
      }
    },
    /** Number of waiting requests. */
    size: () => all,
  };
}
