/** What the server has for a device, whatever carries it there. */
export type DownMessage =
  | { readonly kind: "rpc"; readonly requestId: number; readonly method: string; readonly params: unknown }
  | {
      readonly kind: "attributes";
      readonly values: Readonly<Record<string, unknown>>;
      readonly deleted: readonly string[];
    };
export type DownKind = DownMessage["kind"];

/** A way to a device that is open now: an MQTT connection, its gateway's, or a request that waits. */
export interface DownLink {
  listensTo(kind: DownKind): boolean;
  /**
   * Hands a message to the device.
   * @param onDelivered called when the device acknowledged it; at once where the way knows no acknowledgement
   * @returns false when it could not be taken
   */
  send(message: DownMessage, onDelivered: () => void): boolean;
}

export interface DownlinkListener {
  /** A device listens to something that it did not listen to before. */
  onListening(deviceId: string, kind: DownKind): void;
  /** A link ended; what it had taken and not delivered is lost. */
  onGone(deviceId: string, link: DownLink): void;
}

/** Ways to the devices that are connected to this server. */
export function createDownlinks() {
  const links = new Map<string, Set<DownLink>>();
  let listener: DownlinkListener | undefined;

  return {
    follow(by: DownlinkListener): void {
      listener = by;
    },

    add(deviceId: string, link: DownLink): void {
      const held = links.get(deviceId) ?? new Set();
      held.add(link);
      links.set(deviceId, held);
    },

    /** The link of a device listens to more than before. */
    listening: (deviceId: string, kind: DownKind): void => listener?.onListening(deviceId, kind),

    remove(deviceId: string, link: DownLink): void {
      const held = links.get(deviceId);
      if (held?.delete(link) !== true) return;
      if (held.size === 0) links.delete(deviceId);
      listener?.onGone(deviceId, link);
    },

    reaches: (deviceId: string, kind: DownKind): boolean =>
      [...(links.get(deviceId) ?? [])].some((link) => link.listensTo(kind)),

    /** Hands a message to the newest link that takes it. @returns that link */
    send(deviceId: string, message: DownMessage, onDelivered: () => void): DownLink | undefined {
      return [...(links.get(deviceId) ?? [])]
        .reverse()
        .find((link) => link.listensTo(message.kind) && link.send(message, onDelivered));
    },

    /** Devices with a link. */
    ids: (): string[] => [...links.keys()],
  };
}
export type Downlinks = ReturnType<typeof createDownlinks>;
