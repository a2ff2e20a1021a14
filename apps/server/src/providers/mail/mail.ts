import { createTransport } from "nodemailer";
import { serviceLimitMs } from "../outside-service.ts";

interface Mail {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
  /** The same for each try of one mail, by which mailboxes show it once: `<number@host>`. */
  messageId?: string;
}

export interface MailSender {
  /** @throws {MailFault} when the server refuses, fails, or does not answer within 3 s */
  send(mail: Mail): Promise<void>;
}

/** The mail did not go out. The text names the reason, never the receiver or what was to be sent. */
export class MailFault extends Error {
  override readonly name = "MailFault";
}

/** For an installation without a mail server. */
export const noMail: MailSender = {
  async send() {
    throw new MailFault("no mail server is configured (MAIL_URL)");
  },
};

function transportOf(url: string) {
  const { protocol, hostname, port, username, password, searchParams } = new URL(url);
  const secure = protocol === "smtps:";
  return createTransport({
    host: hostname.replace(/^\[|\]$/g, ""),
    port: port === "" ? (secure ? 465 : 587) : Number(port),
    secure,
    // Credentials never travel in the open, unless the address says that this is wanted.
    requireTLS: !secure && username !== "" && searchParams.get("tls") !== "off",
    ignoreTLS: searchParams.get("tls") === "off",
    ...(username !== "" && { auth: { user: decodeURIComponent(username), pass: decodeURIComponent(password) } }),
    connectionTimeout: serviceLimitMs,
    greetingTimeout: serviceLimitMs,
    socketTimeout: serviceLimitMs,
    // Texts are ours; no file or address may be pulled into a mail.
    disableFileAccess: true,
    disableUrlAccess: true,
  });
}

/** @throws {MailFault} when the work fails or takes longer than a service may */
async function inTime(work: Promise<unknown>): Promise<void> {
  let limit: NodeJS.Timeout | undefined;
  // The limits of the transport begin anew with each word of a server that drips.
  const late = new Promise<never>((_resolve, reject) => {
    limit = setTimeout(() => reject(Object.assign(new Error("too slow"), { code: "ETIMEDOUT" })), serviceLimitMs);
  });
  try {
    await Promise.race([work, late]);
  } catch (error) {
    const { code, responseCode } = error as { code?: string; responseCode?: number };
    throw new MailFault(`the mail server refused or failed: ${responseCode ?? code ?? "unknown"}`);
  } finally {
    clearTimeout(limit);
  }
}

/**
 * Connects to the mail server and logs in, without sending anything.
 * @throws {MailFault} when it refuses, fails, or does not answer within 3 s
 */
export async function tryMail(url: string): Promise<void> {
  const transport = transportOf(url);
  try {
    await inTime(transport.verify());
  } finally {
    transport.close();
  }
}

/**
 * Sends by SMTP.
 * @param url smtp://user:password@host:587 (STARTTLS where offered) or smtps://...:465
 * @param from sender, such as `Herdwise <no-reply@example.cn>`
 */
export function smtpMail(url: string, from: string): MailSender {
  const transport = transportOf(url);
  return {
    send: ({ to, subject, text, messageId }) =>
      inTime(transport.sendMail({ from, to, subject, text, ...(messageId && { messageId }) })),
  };
}
