import type { FastifyReply } from "fastify";
import type { DownKind, DownLink, Downlinks, DownMessage } from "../commands/index.ts";

/** How long a request waits when it does not say, and at most, in ms. Proxies end what is silent for a minute or two. */
const waits = { usual: 20_000, most: 90_000 };
/** Requests that may wait for one device and kind, and on this server in all. */
const waiting = { device: 2, all: 5000 };

export type PollOutcome =
  | { readonly message: DownMessage; delivered(): void }
  /** Nothing came in time, the client left, or the server stops. */
  | "nothing"
  /** More wait already than may. */
  | "too_many";

/** Requests of devices without a lasting connection, which wait for a command or for settings. */
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
    /** @param timeoutMs as the device asks for it; anything that is no time means the usual one */
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
      // With what was under way to it, when the device is gone before the answer has left.
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
    /** Requests that wait. */
    size: () => all,
  };
}
