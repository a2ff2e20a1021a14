import { createHmac } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

export const gatewaySecret = "what the gateway and the portal share";

/** How the gateway behaves to those who ask it. */
type Way = "works" | "hangs" | "stutters" | "lies";

/** A payment gateway on this machine; it shares no code with the adapter. */
export async function payGateway() {
  const orders = new Map<string, { amountFen: number; noticeUrl: string; opened: number }>();
  const paid = new Map<string, { state: string; reference: string; amountFen: number }>();
  const state = { way: "works" as Way, unsigned: 0 };
  const sign = (method: string, path: string, timestamp: string, body: string, secret = gatewaySecret) =>
    createHmac("sha256", secret).update(`${method}\n${path}\n${timestamp}\n${body}`).digest("hex");
  const server = createServer(async (request, response) => {
    let body = "";
    for await (const piece of request) body += piece;
    const { "x-timestamp": timestamp = "", "x-signature": signature } = request.headers;
    if (signature !== sign(request.method ?? "", request.url ?? "", String(timestamp), body)) {
      state.unsigned += 1;
      return void response.writeHead(401).end("{}");
    }
    if (state.way === "hangs") return;
    if (state.way === "stutters") return void response.writeHead(502).end("<html>");
    if (state.way === "lies") return void response.end('{"state":"paid"}');
    const reply = (answer: object) =>
      response.setHeader("Content-Type", "application/json").end(JSON.stringify(answer));
    if (request.method === "POST") {
      const order = JSON.parse(body) as { id: string; amountFen: number; noticeUrl: string };
      const known = orders.get(order.id);
      orders.set(order.id, { ...order, opened: (known?.opened ?? 0) + 1 });
      return void reply({ payUrl: `https://pay.example/${order.id}` });
    }
    const id = decodeURIComponent(request.url?.split("/").at(-1) ?? "");
    if (!orders.has(id)) return void response.writeHead(404).end("{}");
    reply(paid.get(id) ?? { state: "waiting" });
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/gate`,
    orders,
    paid,
    state,

    /** A notice of an order as the gateway sends it. */
    notice(
      said: { id: string; outcome?: string; reference?: string; amountFen?: number },
      secret = gatewaySecret,
      at = Date.now(),
    ) {
      const body = JSON.stringify({
        outcome: "paid",
        reference: `R${said.id.slice(-8)}`,
        amountFen: orders.get(said.id)?.amountFen,
        ...said,
      });
      const timestamp = String(at);
      return {
        method: "POST" as const,
        url: "/pay/notice",
        payload: body,
        headers: {
          "content-type": "application/json",
          "x-timestamp": timestamp,
          "x-signature": sign("POST", "/pay/notice", timestamp, body, secret),
        },
      };
    },

    close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
