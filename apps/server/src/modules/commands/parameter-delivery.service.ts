import { repeat } from "../../repeat.ts";
import type { Downlinks } from "./downlinks.ts";
import type { ParameterProtocolRepository } from "./parameter-protocol.repository.ts";

/** How often settings that no message woke are looked for. */
const sweepMs = 5000;

export interface ParameterDeliveryDependencies {
  repository: ParameterProtocolRepository;
  links: Downlinks;
  /** Something became of a device's settings. */
  onChanged: (deviceId: string) => void;
  onError: (error: unknown) => void;
}

/** Brings changed settings to devices that are connected to this server; the table says which are still to be sent. */
export function createParameterDelivery({ repository, links, onChanged, onError }: ParameterDeliveryDependencies) {
  const busy = new Map<string, boolean>();
  /** Notes under way that a connection took settings of a device. A device may answer before they are written. */
  const noting = new Map<string, Promise<unknown>>();
  const underWay = new Set<Promise<unknown>>();
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  const during = (work: Promise<unknown>): void => {
    const ended = work.catch(onError).finally(() => underWay.delete(ended));
    underWay.add(ended);
  };

  const push = async (deviceId: string): Promise<void> => {
    if (stopped || !links.reaches(deviceId, "attributes")) return;
    const unsent = await repository.unsent(deviceId);
    if (unsent.length === 0) return;
    const values = Object.fromEntries(unsent.flatMap(({ key, value, isWanted }) => (isWanted ? [[key, value]] : [])));
    const deleted = unsent.flatMap(({ key, isWanted }) => (isWanted ? [] : [key]));
    // What it does not get is asked for by devices at their next connection.
    const link = links.send(deviceId, { kind: "attributes", values, deleted }, () => undefined);
    if (link === undefined) return;
    const noted = repository.sent(deviceId, unsent);
    noting.set(
      deviceId,
      noted.catch(() => undefined),
    );
    try {
      await noted;
    } finally {
      noting.delete(deviceId);
    }
    onChanged(deviceId);
  };
  const look = async (deviceId: string): Promise<void> => {
    try {
      do {
        busy.set(deviceId, false);
        await push(deviceId);
      } while (busy.get(deviceId) === true);
    } finally {
      busy.delete(deviceId);
    }
  };
  const wake = (deviceId: string): void => {
    if (stopped) return;
    if (busy.has(deviceId)) busy.set(deviceId, true);
    else if (links.reaches(deviceId, "attributes")) during(look(deviceId));
  };
  const sweep = async (): Promise<void> => {
    for (const deviceId of await repository.expire()) onChanged(deviceId);
    for (const deviceId of await repository.waiting(links.ids())) wake(deviceId);
  };

  return {
    /** Settings may wait for the device. */
    wake,
    /** A device reported values of these keys. */
    async reported(deviceId: string, keys: readonly string[]): Promise<void> {
      // Another value is a refusal only of what was sent: an answer that is quicker than the note of that waits for it.
      await noting.get(deviceId);
      if (await repository.reported(deviceId, keys)) onChanged(deviceId);
    },
    start(): void {
      end = repeat(sweep, sweepMs, onError);
    },
    async stop(): Promise<void> {
      stopped = true;
      await end?.();
      await Promise.all(underWay);
    },
  };
}
