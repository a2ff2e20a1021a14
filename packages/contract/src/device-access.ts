import { type Static, Type } from "typebox";
import { DeviceKindId } from "./codes.ts";
import { type Endpoint, permission } from "./endpoint.ts";
import { DateTime, Empty, Id, pageOf, pageQuery } from "./scalars.ts";

const Login = Type.String({ minLength: 1, maxLength: 128 });

export const deviceClaim = {
  method: "POST",
  path: "/api/muyuan-iot/device/claim",
  summary:
    "Binds a device that offers itself, by its serial number and the secret that it shows, to a place of the session's tenant; with a gateway those behind it.",
  access: permission("device_claim"),
  owner: "tenant",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    serialNumber: Type.String({ minLength: 1, maxLength: 200 }),
    secretKey: Type.String({ minLength: 1, maxLength: 128 }),
    farmId: Id,
    houseId: Type.Optional(Id),
    /** Requires `houseId`. */
    unitId: Type.Optional(Id),
  }),
  reply: Type.Object({
    deviceId: Id,
    bound: Type.Integer({ description: "devices that were bound: 1, and with a gateway those behind it" }),
  }),
} satisfies Endpoint;

export const deviceTokenRenew = {
  method: "POST",
  path: "/api/muyuan-iot/device/token",
  summary:
    "Gives a device another access token, which is shown once; the old one ends, and with it user name, password and open connections.",
  access: permission("device_credentials"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id }),
  reply: Type.Object({ accessToken: Type.String() }),
} satisfies Endpoint;

export const deviceLogin = {
  method: "POST",
  path: "/api/muyuan-iot/device/credentials",
  summary:
    "Lets a device log in by MQTT user name and password, with a client id where one is given, instead of its access token.",
  access: permission("device_credentials"),
  owner: "tenants",
  rate: "guarded",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({
    id: Id,
    clientId: Type.Optional(Type.String({ maxLength: 128, description: "any client id when it is empty" })),
    loginName: Login,
    password: Type.String({ minLength: 8, maxLength: 128 }),
  }),
  reply: Empty,
} satisfies Endpoint;

export const deviceGateway = {
  method: "POST",
  path: "/api/muyuan-iot/device/gateway",
  summary: "Makes a device a gateway, or none, and says whether it may register the devices behind it.",
  access: permission("device_credentials"),
  owner: "tenants",
  rate: "write",
  personal: {},
  form: "envelope",
  query: Empty,
  body: Type.Object({ id: Id, isGateway: Type.Boolean(), mayCreateChildren: Type.Boolean() }),
  reply: Empty,
} satisfies Endpoint;

/** ALLOW_CREATE_NEW registers any device that shows key and secret; CHECK_PRE_PROVISIONED only what is in the registry. */
export const provisionStrategies = ["ALLOW_CREATE_NEW", "CHECK_PRE_PROVISIONED"] as const;
export type ProvisionStrategy = (typeof provisionStrategies)[number];

export const ProvisionProfile = Type.Object({
  id: Id,
  name: Type.String(),
  kind: DeviceKindId,
  strategy: Type.Enum(provisionStrategies),
  provisionKey: Type.String(),
  /** Registered devices become gateways. */
  gateways: Type.Boolean(),
  enabled: Type.Boolean(),
  createTime: DateTime,
});
export type ProvisionProfile = Static<typeof ProvisionProfile>;

const staff = {
  access: permission("provision_edit"),
  owner: "group",
  personal: {},
  form: "envelope",
} as const;

export const provisionPage = {
  method: "GET",
  path: "/api/muyuan-iot/provision/page",
  summary: "Profiles with which devices register themselves, newest first.",
  ...staff,
  rate: "read",
  query: Type.Object(pageQuery),
  body: Empty,
  reply: pageOf(ProvisionProfile),
} satisfies Endpoint;

export const provisionSubmit = {
  method: "POST",
  path: "/api/muyuan-iot/provision/submit",
  summary: "Makes a profile; its secret is shown once.",
  ...staff,
  rate: "write",
  query: Empty,
  body: Type.Object({
    name: Type.String({ minLength: 1, maxLength: 60 }),
    kind: DeviceKindId,
    strategy: Type.Enum(provisionStrategies),
    gateways: Type.Optional(Type.Boolean()),
  }),
  reply: Type.Object({ id: Id, provisionKey: Type.String(), provisionSecret: Type.String() }),
} satisfies Endpoint;

export const provisionRemove = {
  method: "POST",
  path: "/api/muyuan-iot/provision/remove",
  summary: "Removes a profile; devices that it registered stay.",
  ...staff,
  rate: "write",
  query: Type.Object({ id: Id }),
  body: Empty,
  reply: Empty,
} satisfies Endpoint;
