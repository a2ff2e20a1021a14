import { httpPayment } from "./http.ts";
import { PaymentFault, type PaymentProvider, type PayStanding } from "./payment.ts";
import type { SandboxPayment } from "./sandbox.ts";

interface Gateway {
  url: string;
  secret: string;
}

interface GatewayOptions {
  settings: {
    /** The gateway that takes orders now; undefined without one. */
    payment(): Gateway | undefined;
    /** Gateways that were set before and may still tell of what was begun there. */
    formerPayments(nowMs: number): readonly Gateway[];
  };
  /** Address of the portal, to which gateways send their notices. */
  portal: string;
  now: () => number;
}

/** The gateway as it is set, with those before it: what was begun at one is known by no other. */
export interface GatewayPayment extends PaymentProvider {
  /** Whether it takes orders now. */
  offered(): boolean;
  /** Whether there is a gateway, or was one, whose notices may come. */
  awaited(): boolean;
}

/** What customers can pay by, looked up at each use. */
export interface PaymentProviders {
  gateway: GatewayPayment;
  /** The demo's, while no gateway is set. */
  sandbox(): SandboxPayment | undefined;
}

/** What takes orders now; undefined where nothing can be paid online. */
export const offeredBy = ({ gateway, sandbox }: PaymentProviders): PaymentProvider | undefined =>
  gateway.offered() ? gateway : sandbox();

/** Where an order is, whoever of them took it. @throws {PaymentFault} when one that may know it can't be asked */
export async function standingBy({ gateway, sandbox }: PaymentProviders, order: { id: string }): Promise<PayStanding> {
  const standing = await gateway.standing(order);
  return standing.state === "unknown" ? ((await sandbox()?.standing(order)) ?? standing) : standing;
}

/** Speaks to the gateway that is set at the moment, and asks and hears former ones about their own orders. */
export function gatewayPayment({ settings, portal, now }: GatewayOptions): GatewayPayment {
  const made = (of: Gateway): PaymentProvider => httpPayment({ ...of, portal, now });
  const present = (): PaymentProvider[] => [settings.payment()].flatMap((of) => (of === undefined ? [] : [made(of)]));
  const all = (): PaymentProvider[] => [...present(), ...settings.formerPayments(now()).map(made)];
  return {
    channel: "gateway",
    offered: () => settings.payment() !== undefined,
    awaited: () => all().length > 0,
    async open(order) {
      const [gateway] = present();
      if (gateway === undefined) throw new PaymentFault("no payment gateway is set");
      return gateway.open(order);
    },
    async standing(order) {
      let fault: unknown;
      for (const gateway of all()) {
        const standing = await gateway.standing(order).catch((error: unknown) => {
          fault = error;
          return undefined;
        });
        if (standing !== undefined && standing.state !== "unknown") return standing;
      }
      // One that could not be asked may be the one that knows it.
      if (fault !== undefined) throw fault;
      return { state: "unknown" };
    },
    read(notice) {
      for (const gateway of all()) {
        const read = gateway.read(notice);
        if (read !== undefined) return read;
      }
      return undefined;
    },
  };
}
