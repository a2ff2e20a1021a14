import { type Static, Type } from "typebox";
import { type Endpoint, signedIn } from "./endpoint.ts";
import { messageKinds } from "./messages.ts";
import { DateTime, Empty } from "./scalars.ts";

/** Channels of messages. `site` is the list in the portal, which contains every message. */
export const messageChannels = ["site", "sms", "mail", "wechat"] as const;
export type MessageChannel = (typeof messageChannels)[number];
/** Value of `digestAt` for no digest: each message is sent by itself. */
export const noDigest = -1;

/** Channels by which one kind of message is sent to a person; a channel that is not listed can't be chosen. */
const KindChoice = Type.Object({
  kind: Type.Enum(messageKinds),
  channels: Type.Array(
    Type.Object({
      channel: Type.Enum(messageChannels),
      enabled: Type.Boolean(),
      locked: Type.Boolean({ description: "can't be turned off" }),
    }),
  ),
});

/** Whether a channel can reach the person. */
const ChannelStanding = Type.Object({
  channel: Type.Enum(messageChannels),
  /** The installation has a service for it. */
  available: Type.Boolean(),
  /** The person has a proven number or address, or follows the official account. */
  bound: Type.Boolean(),
  phone: Type.String({ description: "masked; of SMS alone" }),
  email: Type.String({ description: "masked; of mail alone" }),
  lastTime: DateTime,
  /** The last attempt failed. */
  failed: Type.Boolean(),
});

export const MessageSettings = Type.Object({
  kinds: Type.Array(KindChoice),
  channels: Type.Array(ChannelStanding),
  /** Quiet hours in minutes of the day, Asia/Shanghai, 0 to 1439; equal numbers mean none. */
  quietFrom: Type.Integer(),
  quietTo: Type.Integer(),
  digestAt: Type.Integer({
    description: "minute of the day at which mails and WeChat come in one, -1 for each at once",
  }),
});
export type MessageSettings = Static<typeof MessageSettings>;

const base = "/api/muyuan-message-center/channel";
const minute = Type.Integer({ minimum: 0, maximum: 1439 });
const self = { access: signedIn, owner: "self", form: "envelope" } as const;

export const messageSettings = {
  ...self,
  method: "GET",
  path: `${base}/detail`,
  summary: "How the signed-in person is told of what.",
  rate: "read",
  personal: { phone: "mask-phone", email: "mask-email" },
  query: Empty,
  body: Empty,
  reply: MessageSettings,
} satisfies Endpoint;

export const messageSettingsSubmit = {
  ...self,
  method: "POST",
  path: `${base}/submit`,
  summary: "Changes how the signed-in person is told; what is locked stays on.",
  rate: "write",
  personal: {},
  query: Empty,
  body: Type.Object({
    choices: Type.Optional(
      Type.Array(
        Type.Object({
          kind: Type.Enum(messageKinds),
          channel: Type.Enum(messageChannels),
          enabled: Type.Boolean(),
        }),
        { maxItems: 100 },
      ),
    ),
    quietFrom: Type.Optional(minute),
    quietTo: Type.Optional(minute),
    digestAt: Type.Optional(Type.Integer({ minimum: noDigest, maximum: 1439 })),
  }),
  reply: Empty,
} satisfies Endpoint;

export const messageChannelTest = {
  ...self,
  method: "POST",
  path: `${base}/test`,
  summary: "Sends the signed-in person a try by a channel; five a day of each that costs.",
  rate: "guarded",
  personal: {},
  query: Empty,
  body: Type.Object({ channel: Type.Enum(messageChannels) }),
  reply: Type.Object({ arrived: Type.Boolean(), fault: Type.String() }),
} satisfies Endpoint;

export const wechatBindBegin = {
  ...self,
  method: "POST",
  path: `${base}/wechat/begin`,
  summary:
    "Makes a QR code that binds the WeChat user who scans it and follows the official account, once and within 10 minutes.",
  rate: "guarded",
  personal: {},
  query: Empty,
  body: Empty,
  reply: Type.Object({
    ticket: Type.String(),
    /** Content of the QR code; "" where there is no official account and the demo binds at once. */
    code: Type.String(),
    expiresIn: Type.Integer({ description: "seconds" }),
  }),
  confirmation: "always",
} satisfies Endpoint;

export const wechatBindCheck = {
  ...self,
  method: "GET",
  path: `${base}/wechat/check`,
  summary: "Whether a WeChat user was bound to the signed-in person.",
  rate: "read",
  personal: {},
  query: Empty,
  body: Empty,
  reply: Type.Object({ bound: Type.Boolean() }),
} satisfies Endpoint;

export const wechatUnbind = {
  ...self,
  method: "POST",
  path: `${base}/wechat/unbind`,
  summary: "Tells the signed-in person nothing by WeChat any more.",
  rate: "write",
  personal: {},
  query: Empty,
  body: Empty,
  reply: Empty,
} satisfies Endpoint;
