import { once } from "node:events";
import { type AddressInfo, connect, createServer, type Server, type Socket } from "node:net";

/** Stands between two programs, so that the network between them can fail without either being touched. */
export interface TcpProxy {
  readonly port: number;
  /** Breaks all connections and takes no more. */
  shut(): Promise<void>;
  /** Takes connections again; what was held passes. */
  reopen(): Promise<void>;
  /** Nothing passes any more, but connections stay open and new ones are taken: their ends know nothing of it. */
  stall(): void;
  /** Everything passes so much later, in ms. */
  delay(ms: number): void;
  /** Ends all connections by RST, as a router does that lost its memory. */
  reset(): void;
}

/** @param target where connections go to: a port of a host, or the path of a local socket */
export async function openTcpProxy(target: { host: string; port: number } | { path: string }): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let stalled = false;
  let delayMs = 0;
  let held: (() => void)[] = [];
  const server: Server = createServer((near) => {
    const far = connect(target);
    for (const [from, to] of [
      [near, far],
      [far, near],
    ] as const) {
      sockets.add(from);
      from.on("error", () => undefined);
      from.on("close", () => {
        sockets.delete(from);
        to.destroy();
      });
      from.on("data", (chunk) => {
        const pass = () => to.write(chunk);
        if (stalled) held.push(pass);
        else if (delayMs > 0) setTimeout(() => (stalled ? held.push(pass) : pass()), delayMs);
        else pass();
      });
    }
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  return {
    port,
    async shut() {
      if (!server.listening) return;
      server.close();
      for (const socket of sockets) socket.destroy();
      await once(server, "close");
    },
    async reopen() {
      stalled = false;
      for (const pass of held) pass();
      held = [];
      if (server.listening) return;
      server.listen(port, "127.0.0.1");
      await once(server, "listening");
    },
    stall() {
      stalled = true;
    },
    delay(ms) {
      delayMs = ms;
    },
    reset() {
      for (const socket of sockets) socket.resetAndDestroy();
    },
  };
}
