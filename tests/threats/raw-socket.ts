import { connect } from "node:net";

/** One exchange over a connection of its own, byte for byte: clients of HTTP libraries would tidy the request line up. */
export function exchange(port: number, request: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, "127.0.0.1", () => socket.write(request));
    const chunks: Buffer[] = [];
    socket.on("data", (chunk) => chunks.push(chunk));
    socket.on("close", () => resolve(Buffer.concat(chunks).toString("utf8")));
    socket.on("error", reject);
  });
}

/** A request whose connection ends with the answer. */
export function requestText(method: string, target: string, headers: Record<string, string> = {}, body = ""): string {
  const lines = Object.entries({
    Host: "x",
    Connection: "close",
    ...(body !== "" && { "Content-Type": "application/json", "Content-Length": String(Buffer.byteLength(body)) }),
    ...headers,
  }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${target} HTTP/1.1\r\n${lines.join("")}\r\n${body}`;
}
