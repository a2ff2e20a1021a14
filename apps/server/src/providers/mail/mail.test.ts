import { once } from "node:events";
import { createServer } from "node:net";
import { text } from "node:stream/consumers";
import { SMTPServer } from "smtp-server";
import { afterEach, expect, test } from "vitest";
import { onThisMachine } from "../../../../../tests/harness/time-limit.ts";
import { MailFault, smtpMail } from "./mail.ts";

const closers: (() => void)[] = [];
afterEach(() => {
  for (const close of closers.splice(0)) close();
});

const mail = { to: "receiver@example.cn", subject: "密码已修改", text: "您的密码刚刚被修改。" };

async function startServer() {
  const received: { from: string; to: string; source: string }[] = [];
  const server = new SMTPServer({
    authMethods: ["PLAIN", "LOGIN"],
    allowInsecureAuth: true,
    disabledCommands: ["STARTTLS"],
    onAuth: ({ username, password }, _session, done) =>
      username === "portal" && password === "p@ss" ? done(null, { user: username }) : done(new Error("no")),
    onRcptTo: ({ address }, _session, done) => done(address.startsWith("nobody") ? new Error("no such box") : null),
    onData(stream, { envelope }, done) {
      void text(stream).then((source) => {
        received.push({
          from: envelope.mailFrom === false ? "" : envelope.mailFrom.address,
          to: envelope.rcptTo.map(({ address }) => address).join(),
          source,
        });
        done();
      });
    },
  });
  server.on("error", () => undefined);
  server.listen(0, "127.0.0.1");
  await once(server.server, "listening");
  closers.push(() => server.close());
  const address = server.server.address();
  return { received, port: typeof address === "object" && address !== null ? address.port : 0 };
}

test("a mail arrives with sender, receiver and Chinese text", async () => {
  const { received, port } = await startServer();
  await smtpMail(`smtp://portal:p%40ss@127.0.0.1:${port}?tls=off`, "Herdwise <no-reply@example.cn>").send(mail);
  expect(received).toHaveLength(1);
  expect(received[0]).toMatchObject({ from: "no-reply@example.cn", to: "receiver@example.cn" });
  const [head = "", body = ""] = (received[0]?.source ?? "").split("\r\n\r\n");
  const encoded = /base64/i.test(head) ? Buffer.from(body, "base64").toString() : body;
  const plain = /quoted-printable/i.test(head)
    ? Buffer.from(
        body
          .replace(/=\r\n/g, "")
          .replace(/=([0-9A-F]{2})/g, (_all, hex: string) => String.fromCharCode(Number.parseInt(hex, 16))),
        "latin1",
      ).toString()
    : encoded;
  expect(plain.trim()).toBe(mail.text);
});

test("a wrong password and a refused receiver are faults that name neither", async () => {
  const { port } = await startServer();
  const wrong = smtpMail(`smtp://portal:wrong@127.0.0.1:${port}?tls=off`, "a@example.cn");
  await expect(wrong.send(mail)).rejects.toThrow(/535/);
  const right = smtpMail(`smtp://portal:p%40ss@127.0.0.1:${port}?tls=off`, "a@example.cn");
  const fault = await right.send({ ...mail, to: "nobody@example.cn" }).catch((error: unknown) => error);
  expect(fault).toBeInstanceOf(MailFault);
  expect(String(fault)).not.toContain("nobody");
});

test("credentials are not sent in the open when TLS is not offered", async () => {
  const { received, port } = await startServer();
  await expect(smtpMail(`smtp://portal:p%40ss@127.0.0.1:${port}`, "a@example.cn").send(mail)).rejects.toBeInstanceOf(
    MailFault,
  );
  expect(received).toHaveLength(0);
});

test("R26: a server that is silent is given up within 3 s", async () => {
  const silent = createServer(() => undefined);
  await once(silent.listen(0, "127.0.0.1"), "listening");
  closers.push(() => silent.close());
  const address = silent.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const begun = Date.now();
  await expect(smtpMail(`smtp://127.0.0.1:${port}`, "a@example.cn").send(mail)).rejects.toBeInstanceOf(MailFault);
  expect(Date.now() - begun).toBeLessThan(onThisMachine(3000));
});

test("R26: a server that greets for ever, a line at a time, is given up within 3 s", async () => {
  const server = createServer((socket) => {
    const timer = setInterval(() => socket.write("220-still here\r\n"), 50);
    socket.on("error", () => undefined);
    socket.on("close", () => clearInterval(timer));
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  closers.push(() => server.close());
  const address = server.address();
  const port = typeof address === "object" && address !== null ? address.port : 0;
  const begun = performance.now();
  await expect(smtpMail(`smtp://127.0.0.1:${port}?tls=off`, "a@example.cn").send(mail)).rejects.toBeInstanceOf(
    MailFault,
  );
  expect(performance.now() - begun).toBeLessThan(onThisMachine(3000));
});
