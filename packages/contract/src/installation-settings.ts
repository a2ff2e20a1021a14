import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty } from "./scalars.ts";
import { triedServices } from "./setting-declarations.ts";

const base = "/api/muyuan-system";
const common = { owner: "group", personal: {}, form: "envelope" } as const;

const SettingKeyText = Type.String({ maxLength: 80, description: "key of a declared setting" });

/** A setting as it holds now. */
export const SettingState = Type.Object({
  key: SettingKeyText,
  value: Type.String({ description: 'what holds now; always "" for a secret' }),
  isSet: Type.Boolean({ description: "somebody entered it, or the environment has it" }),
  lockedBy: Type.String({ description: 'environment variable that holds instead, or alone can set it; "" for none' }),
  version: Type.Integer({ minimum: 0, description: "0 while nobody entered it" }),
  /** When it was entered last; "" while nobody did. */
  updateTime: DateTime,
});
export type SettingState = Static<typeof SettingState>;

export const settingStates = {
  ...common,
  method: "GET",
  path: `${base}/setting/list`,
  summary: "Settings of the installation as they hold now; of secrets only whether they are set and since when.",
  access: permission("setting_view"),
  rate: "read",
  query: Empty,
  body: Empty,
  reply: Type.Object({ settings: Type.Array(SettingState) }),
} satisfies Endpoint;

export const settingSubmit = {
  ...common,
  method: "POST",
  path: `${base}/setting/submit`,
  summary:
    "Changes settings of the installation, all of them or none; they hold on every server at once. Refused at the field, whose name is the key, for a value that can't be, an earlier version or a setting that the environment has.",
  access: permission("setting_edit"),
  rate: "write",
  query: Empty,
  body: Type.Object({
    changes: Type.Array(
      Type.Object({
        key: SettingKeyText,
        value: Type.String({ maxLength: 2000, description: '"" removes a secret' }),
        version: Type.Integer({ minimum: 0, description: "that was read" }),
      }),
      { minItems: 1, maxItems: 100 },
    ),
  }),
  reply: Type.Object({ settings: Type.Array(SettingState) }),
  confirmation: "always",
} satisfies Endpoint;

export const settingTry = {
  ...common,
  method: "POST",
  path: `${base}/setting/try`,
  summary:
    "Really sends by a service as it is set, or asks it where nobody is to be told, and tells what the service answered.",
  access: permission("setting_edit"),
  rate: "guarded",
  query: Empty,
  body: Type.Object({
    service: Type.Enum(triedServices),
    to: Type.String({
      maxLength: 300,
      description:
        "mail address, mobile number (SMS, voice), address of a webhook, or the text to be translated; blank where nobody is told (wechat, payment, files)",
    }),
  }),
  reply: Type.Object({
    ok: Type.Boolean(),
    answer: Type.String({ description: "in the service's words, without secrets" }),
    tookMs: Type.Integer({ minimum: 0 }),
  }),
} satisfies Endpoint;
