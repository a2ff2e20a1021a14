import type { CommandState } from "@herdwise/contract";
import { repeat } from "../../repeat.ts";
import type { ChangedCommand, CommandProtocolRepository } from "./command-protocol.repository.ts";
import type { DownLink, Downlinks } from "./downlinks.ts";

/** How often what is overdue is ended, and what no message woke is looked for. */
const sweepMs = 2000;
/** Characters of an answer that is kept; a longer one ends its command as failed. */
const longestAnswer = 64 * 1024;
const longestError = 500;

export interface DeliveryDependencies {
  repository: CommandProtocolRepository;
  links: Downlinks;
  serverId: string;
  onChanged: (deviceId: string, commandId: string, state: CommandState) => void;
  onError: (error: unknown) => void;
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** What a device's answer says: `{"success": false}` or an `error` is its refusal, anything else its success. */
function verdictOf(answer: unknown): { succeeded: boolean; response: unknown; error: string } {
  if (JSON.stringify(answer ?? null).length > longestAnswer)
    return { succeeded: false, response: null, error: "the answer is too large" };
  if (!isRecord(answer)) return { succeeded: true, response: answer, error: "" };
  const { error, success } = answer;
  const hasError = error !== undefined && error !== null && error !== "" && error !== false;
  const succeeded = success !== false && !(hasError && success !== true);
  const words = typeof error === "string" ? error : hasError ? JSON.stringify(error) : "";
  return { succeeded, response: answer, error: succeeded ? "" : words.slice(0, longestError) };
}

/**
 * Brings commands to devices that are connected to this server: one at a time and in order for each device. The table says
 * where each stands; nothing here needs to survive.
 */
export function createDelivery({ repository, links, serverId, onChanged, onError }: DeliveryDependencies) {
  /** Commands that a connection has in hand, by their ids. */
  const inHand = new Map<string, { deviceId: string; link: DownLink | undefined }>();
  /** Devices that are being looked after; true when there is a reason to look again. */
  const busy = new Map<string, boolean>();
  /** Devices whose connections changed: what was sent and is in nobody's hand goes back to the queue first. */
  const unsettled = new Set<string>();
  const underWay = new Set<Promise<unknown>>();
  let end: (() => Promise<void>) | undefined;
  let stopped = false;

  const heldOf = (deviceId: string): string[] =>
    [...inHand].filter(([, held]) => held.deviceId === deviceId).map(([id]) => id);
  const during = (work: Promise<unknown>): void => {
    const ended = work.catch(onError).finally(() => underWay.delete(ended));
    underWay.add(ended);
  };
  const told = (changes: readonly ChangedCommand[]): void => {
    for (const { id, deviceId, state } of changes) {
      if (state !== "sent") inHand.delete(id);
      onChanged(deviceId, id, state);
      if (state !== "sent" && state !== "delivered") wake(deviceId);
    }
  };

  const sendNext = async (deviceId: string): Promise<void> => {
    if (stopped || !links.reaches(deviceId, "rpc")) return;
    const command = await repository.takeNext(deviceId, serverId);
    if (command === undefined) return;
    const { id, requestId, method, params } = command;
    // Told before it leaves: the states of a command never go backwards for who follows them.
    onChanged(deviceId, id, "sent");
    let isAcknowledged = false;
    const link = links.send(deviceId, { kind: "rpc", requestId, method, params }, () => {
      isAcknowledged = true;
      // It may not be sent again while that is written down, though its link may be gone by now.
      inHand.set(id, { deviceId, link: undefined });
      during(repository.delivered(id).then(told));
    });
    if (link === undefined) {
      for (const { state } of await repository.release(id)) onChanged(deviceId, id, state);
    } else if (!isAcknowledged) inHand.set(id, { deviceId, link });
  };

  const look = async (deviceId: string): Promise<void> => {
    try {
      do {
        busy.set(deviceId, false);
        if (unsettled.delete(deviceId)) told(await repository.requeue(deviceId, heldOf(deviceId)));
        await sendNext(deviceId);
      } while (busy.get(deviceId) === true);
    } finally {
      busy.delete(deviceId);
    }
  };
  /** Something may wait for the device. */
  function wake(deviceId: string): void {
    if (stopped) return;
    if (busy.has(deviceId)) busy.set(deviceId, true);
    else if (unsettled.has(deviceId) || links.reaches(deviceId, "rpc")) during(look(deviceId));
  }

  const sweep = async (): Promise<void> => {
    told(await repository.settleOverdue());
    for (const deviceId of await repository.waiting(links.ids())) wake(deviceId);
  };

  return {
    wake,
    /** The device listens: what an ended connection took with it is sent again. */
    listening(deviceId: string): void {
      unsettled.add(deviceId);
      wake(deviceId);
    },
    /** A connection ended. */
    gone(deviceId: string, link: DownLink): void {
      const lost = [...inHand].filter(([, held]) => held.link === link).map(([id]) => id);
      if (lost.length === 0) return;
      for (const id of lost) inHand.delete(id);
      unsettled.add(deviceId);
      wake(deviceId);
    },
    /** Takes the answer of a device. @returns false when no command waits for it */
    async answer(deviceId: string, requestId: number, answer: unknown): Promise<boolean> {
      const changes = await repository.answered(deviceId, requestId, verdictOf(answer));
      told(changes);
      return changes.length > 0;
    },
    /** Ends what is overdue; it happens by itself every 2 s after `start`. */
    sweep,
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
