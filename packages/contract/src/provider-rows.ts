import { type Static, Type } from "typebox";
import { type Endpoint, permission } from "./endpoint.ts";
import { Empty, Id, idList, pageOf, pageQuery } from "./scalars.ts";

/** A provider that the installation uses, as it was configured by the environment; without secrets. */
export const ProviderRow = Type.Object({
  id: Id,
  tenantId: Type.String(),
  category: Type.String({ description: "name of the provider" }),
  categoryName: Type.String(),
  ossCode: Type.String(),
  smsCode: Type.String(),
  endpoint: Type.String(),
  bucketName: Type.String(),
  regionId: Type.String(),
  signName: Type.String(),
  templateId: Type.String(),
  remark: Type.String(),
  status: Type.Integer({ description: "1 not in use, 2 in use" }),
  statusName: Type.String(),
  isDeleted: Type.Integer(),
});
export type ProviderRow = Static<typeof ProviderRow>;

/**
 * Calls with which clients of the family keep the providers of files and SMS (wire.md 5.2). Here the environment configures them, so
 * that keys stand in no table: they are listed, and changes are refused with that reason.
 */
const providerCalls = (thing: "oss" | "sms") => {
  const base = `/api/muyuan-resource/${thing}`;
  const reading = {
    method: "GET",
    access: permission("provider_view"),
    owner: "group",
    rate: "read",
    personal: {},
    form: "envelope",
    body: Empty,
  } as const;
  const refused = {
    method: "POST",
    access: permission("provider_view"),
    owner: "group",
    rate: "write",
    personal: {},
    form: "envelope",
    query: Empty,
    body: Empty,
    reply: Empty,
    summary: "Refused: the environment configures the provider.",
  } as const;
  return {
    page: {
      ...reading,
      path: `${base}/list`,
      aliases: [`${base}/page`],
      summary: `The provider of ${thing === "oss" ? "files" : "SMS"} that this installation uses, without secrets.`,
      query: Type.Object(pageQuery),
      reply: pageOf(ProviderRow),
    } satisfies Endpoint,
    detail: {
      ...reading,
      path: `${base}/detail`,
      summary: `The provider of ${thing === "oss" ? "files" : "SMS"} by its id, without secrets.`,
      query: Type.Object({ id: Id }),
      reply: ProviderRow,
    } satisfies Endpoint,
    submit: { ...refused, path: `${base}/submit` } satisfies Endpoint,
    remove: { ...refused, path: `${base}/remove`, query: Type.Object({ ids: idList }) } satisfies Endpoint,
    enable: { ...refused, path: `${base}/enable`, query: Type.Object({ id: Type.Optional(Id) }) } satisfies Endpoint,
  };
};

export const {
  page: ossPage,
  detail: ossDetail,
  submit: ossSubmit,
  remove: ossRemove,
  enable: ossEnable,
} = providerCalls("oss");
export const {
  page: smsPage,
  detail: smsDetail,
  submit: smsSubmit,
  remove: smsRemove,
  enable: smsEnable,
} = providerCalls("sms");
