import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Socket } from "node:net";

/** A balancer of TCP connections, as a proxy before several servers is. */
export interface Balancer {
  readonly port: number;
  /** Ports that connections are sent to, in turn; one that refuses is passed over. */
  targets: readonly number[];
  /** The port at which the connection with this local port ended up. */
  targetOf(localPort: number | undefined): number | undefined;
  close(): void;
}

/** Opens a balancer on a free port. Both halves of a connection end together. */
export async function openBalancer(targets: readonly number[]): Promise<Balancer> {
  const sockets = new Set<Socket>();
  const chosen = new Map<number, number>();
  let turn = 0;
  const join = (near: Socket, far: Socket): void => {
    near.pipe(far);
    far.pipe(near);
    far.on("close", () => near.destroy());
    near.on("close", () => far.destroy());
  };
  const server = createServer((near) => {
    sockets.add(near);
    near.on("error", () => undefined);
    near.on("close", () => sockets.delete(near));
    const attempt = (left: number): void => {
      const port = balancer.targets[turn % balancer.targets.length];
      turn += 1;
      if (port === undefined || left === 0) {
        near.destroy();
        return;
      }
      const far = connect(port, "127.0.0.1");
      let isOpen = false;
      far.once("connect", () => {
        isOpen = true;
        chosen.set(near.remotePort ?? 0, port);
        join(near, far);
      });
      far.on("error", () => {
        if (!isOpen) attempt(left - 1);
      });
    };
    attempt(balancer.targets.length);
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const balancer: Balancer = {
    port: (server.address() as AddressInfo).port,
    targets,
    targetOf: (localPort) => chosen.get(localPort ?? 0),
    close() {
      server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
  return balancer;
}
