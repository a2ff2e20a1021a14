import { createHash } from "node:crypto";
import {
  ossDetail,
  ossEnable,
  ossPage,
  ossRemove,
  ossSubmit,
  type ProviderRow,
  smsDetail,
  smsEnable,
  smsPage,
  smsRemove,
  smsSubmit,
} from "@herdwise/contract";
import type { Config } from "../../config.ts";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { Platform, ServerModule } from "../../module.ts";

/** An id that stays the same as long as the provider does. */
const idOf = (text: string): string =>
  String(createHash("sha256").update(text).digest().readBigUInt64BE() % 1_000_000_000_000_000_000n);

type Given = Partial<ProviderRow> & { category: string; tenantId: string };
const row = (given: Given): ProviderRow => ({
  id: idOf(JSON.stringify(given)),
  categoryName: given.category,
  ossCode: "",
  smsCode: "",
  endpoint: "",
  bucketName: "",
  regionId: "",
  signName: "",
  templateId: "",
  remark: "",
  status: 2,
  statusName: "启用",
  isDeleted: 0,
  ...given,
});

/** Where files lie, without keys. */
const filesOf = ({ s3 }: Config, tenantId: string): ProviderRow =>
  s3 === undefined
    ? row({ tenantId, category: "local", ossCode: "local" })
    : row({
        tenantId,
        category: "s3",
        ossCode: "s3",
        endpoint: s3.endpoint === undefined ? "" : new URL(s3.endpoint).host,
        bucketName: s3.bucket,
        regionId: s3.region,
      });

/** Who sends SMS, without keys. */
const smsOf = ({ sms }: Config, tenantId: string): ProviderRow =>
  sms === undefined
    ? row({ tenantId, category: "outbox", smsCode: "outbox" })
    : row({ tenantId, category: sms.provider, smsCode: sms.provider, signName: sms.signName });

/** The providers of files and SMS as administrators of the family look them up (wire.md 5.2). */
export function createProviderRowsModule(
  { config }: Platform,
  { groupTenantId }: { groupTenantId: string },
): ServerModule {
  const refused = async (): Promise<never> => {
    throw refuse("provider.configured");
  };
  const page = (held: ProviderRow) => async (query: Parameters<typeof pageRequest>[0]) => {
    const request = pageRequest(query, []);
    return pageOfRows(request.offset === 0 ? [held] : [], 1, request);
  };
  const detail = (held: ProviderRow) => async (id: string) => {
    if (id !== held.id) throw refuse("provider.not_found");
    return held;
  };
  const [files, sms] = [filesOf(config, groupTenantId), smsOf(config, groupTenantId)];
  return {
    routes(router) {
      router.on(ossPage, ({ query }) => page(files)(query));
      router.on(ossDetail, ({ query }) => detail(files)(query.id));
      router.on(smsPage, ({ query }) => page(sms)(query));
      router.on(smsDetail, ({ query }) => detail(sms)(query.id));
      for (const endpoint of [ossSubmit, ossRemove, ossEnable, smsSubmit, smsRemove, smsEnable])
        router.on(endpoint, refused);
    },
  };
}
