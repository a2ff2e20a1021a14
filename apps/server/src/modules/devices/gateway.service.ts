import { randomBytes } from "node:crypto";
import { isDeviceKindId } from "@herdwise/device-kinds";
import type { KnownDevice } from "./device-protocol.repository.ts";
import type { GatewayRepository } from "./gateway.repository.ts";

/** Devices that may stand behind one gateway. */
const mostChildren = 2000;
/** What a gateway may call a device: up to 64 characters that are none of control. */
const name = /^[^\p{Cc}]{1,64}$/u;

/** Finds the devices behind gateways by their names. */
export function createGatewayService(repository: GatewayRepository, nextId: () => string) {
  return {
    /**
     * The devices that a gateway may speak for, by the names that it gives them. Where it is allowed to, it takes devices over
     * that are registered in its tenant and were never connected, and registers the others; a device of another tenant or
     * behind another gateway is never touched.
     * @param type of devices that are registered now: the id of a kind; of others the gateway's own
     */
    async children(gateway: KnownDevice, names: readonly string[], type?: string): Promise<Map<string, KnownDevice>> {
      const asked = names.filter((one) => name.test(one));
      const found = new Map<string, KnownDevice>();
      const look = async (some: readonly string[]): Promise<string[]> => {
        if (some.length === 0) return [];
        for (const child of await repository.children(gateway, some)) found.set(child.gatewayName, child);
        return some.filter((one) => !found.has(one));
      };
      let missing = await look(asked);
      if (missing.length > 0 && gateway.mayCreateChildren) {
        const room = mostChildren - (await repository.count(gateway));
        const wanted = missing.slice(0, Math.max(0, room));
        if (wanted.length > 0) {
          await repository.adopt(gateway, wanted);
          missing = await look(wanted);
        }
        if (missing.length > 0 && wanted.length > 0) {
          await repository.create(
            gateway,
            missing.map((one) => ({ id: nextId(), name: one, tokenHash: randomBytes(32) })),
            isDeviceKindId(type) ? type : gateway.kind,
          );
          await look(missing);
        }
      }
      if (found.size > 0) await repository.activate([...found.values()].map(({ id }) => id));
      return found;
    },
  };
}
export type GatewayService = ReturnType<typeof createGatewayService>;
