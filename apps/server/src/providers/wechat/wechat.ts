/** What somebody is told by WeChat. */
interface WechatMessage {
  /** The user on the official account. */
  openId: string;
  title: string;
  content: string;
  at: Date;
  /** Page that a tap opens. */
  url: string;
  /** The same for each try of one message: the service shows it once. */
  messageId: string;
}

/** Tells people by the template messages of a WeChat official account. */
export interface WechatSender {
  /** There is a service; without one nothing can be sent and nobody bound. */
  readonly available: boolean;
  /** It is the demo's: whoever asks is bound at once, and messages stand in the outbox. */
  readonly sandbox: boolean;
  /** @throws {WechatFault} when the service refuses, fails, or does not answer within 3 s */
  send(message: WechatMessage): Promise<void>;
  /**
   * What a QR code says that, scanned, tells the service's callback this scene and who scanned it.
   * @param scene at most 64 characters
   * @throws {WechatFault}
   */
  invite(scene: string, lifetimeS: number): Promise<string>;
}

/** The message did not go out. The text names the reason, never the receiver or what was to be sent. */
export class WechatFault extends Error {
  override readonly name = "WechatFault";
  /** The user does not follow the account any more, so that no try will reach them. */
  readonly left: boolean;
  constructor(message: string, left = false) {
    super(message);
    this.left = left;
  }
}

/** For an installation without an official account. */
export const noWechat: WechatSender = {
  available: false,
  sandbox: false,
  async send() {
    throw new WechatFault("no official account is configured (WECHAT_APP_ID)");
  },
  async invite() {
    throw new WechatFault("no official account is configured (WECHAT_APP_ID)");
  },
};
