import type { BodyOf, CustomerAuthentication, CustomerKind, CustomerState, customerExport } from "@herdwise/contract";
import { writePersonal } from "../../http/personal.ts";
import { wireDateTime } from "../../http/present.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { columnsIn, makeSheetFile, reachedScopeOf, rowsByParts, type WordedColumn } from "../../resources/index.ts";
import { reachOf, type TenantReach, type TenantScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { BackgroundJobDefinition, BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { SheetValue } from "../sheets/index.ts";
import type { CustomerRepository, CustomerRow } from "./customer.repository.ts";
import { customerOf, filterOf, requireReason } from "./customer.service.ts";

type Order = BodyOf<typeof customerExport>;
type Language = NonNullable<Order["language"]>;
type Words = Readonly<Record<Language, string>>;

export interface CustomerExportDependencies {
  customers: Pick<CustomerRepository, "after" | "page">;
  jobs: Pick<BackgroundJobService, "submit">;
  files: Pick<FileService, "make" | "withDraft">;
  cipher: PersonalCipher;
  record: RecordEvent;
  /** Notes in the audit trail that personal data leave. */
  noteExport(scope: TenantScope, reason: string): Promise<void>;
}

const exportKind = "customer.export";
const rowsAtOnce = 500;

const columns: readonly WordedColumn[] = [
  { key: "id", header: { zh: "客户编号", en: "Customer number" }, width: 14 },
  { key: "name", header: { zh: "名称", en: "Name" }, width: 32 },
  { key: "kind", header: { zh: "类型", en: "Kind" }, width: 10 },
  { key: "state", header: { zh: "状态", en: "State" }, width: 10 },
  { key: "authentication", header: { zh: "实名认证", en: "Identity verification" }, width: 14 },
  { key: "regionCode", header: { zh: "地区代码", en: "Region code" }, width: 12 },
  { key: "account", header: { zh: "登录名", en: "Login name" }, width: 20 },
  { key: "contactName", header: { zh: "联系人", en: "Contact" }, width: 12 },
  { key: "phone", header: { zh: "手机", en: "Phone" }, width: 16 },
  { key: "members", header: { zh: "成员", en: "Members" }, type: "number", width: 8 },
  { key: "farms", header: { zh: "场区", en: "Farms" }, type: "number", width: 8 },
  { key: "devices", header: { zh: "设备", en: "Devices" }, type: "number", width: 8 },
  { key: "since", header: { zh: "成为客户", en: "Customer since" }, type: "dateTime", width: 20 },
];
const kindWords: Readonly<Record<CustomerKind, Words>> = {
  personal: { zh: "个人", en: "Person" },
  enterprise: { zh: "企业", en: "Enterprise" },
};
const stateWords: Readonly<Record<CustomerState, Words>> = {
  active: { zh: "正常", en: "Active" },
  disabled: { zh: "停用", en: "Disabled" },
  cancelled: { zh: "已注销", en: "Cancelled" },
};
const authenticationWords: Readonly<Record<CustomerAuthentication, Words>> = {
  none: { zh: "未认证", en: "None" },
  reviewing: { zh: "审核中", en: "Under review" },
  rejected: { zh: "被退回", en: "Returned" },
  passed: { zh: "已通过", en: "Passed" },
  suspended: { zh: "已暂停", en: "Suspended" },
};

/** The list of customers as a file. */
export function createCustomerExport(dependencies: CustomerExportDependencies) {
  const { customers, jobs, files, cipher, record, noteExport } = dependencies;

  const cellsOf = (row: CustomerRow, language: Language, personal: boolean): Record<string, SheetValue> => {
    const { contactName, phone, ...rest } = customerOf(row, cipher);
    return {
      id: rest.id,
      name: rest.name,
      regionCode: rest.regionCode,
      account: rest.account,
      members: rest.members,
      farms: rest.farms,
      devices: rest.devices,
      kind: kindWords[rest.kind][language],
      state: stateWords[rest.state][language],
      authentication: authenticationWords[rest.authentication][language],
      contactName: personal ? contactName : String(writePersonal("mask-name", contactName)),
      phone: personal ? phone : String(writePersonal("mask-phone", phone)),
      since: wireDateTime(rest.createTime),
    };
  };

  const run: BackgroundJobDefinition<Order & { scope: TenantReach }>["run"] = async (
    { scope: reach, language = "zh", personal = false, reason = "", ...query },
    of,
  ) => {
    const scope = reachedScopeOf(reach);
    const filter = filterOf(cipher, query);
    const { total } = await customers.page(scope, filter, { offset: 0, limit: 1 });
    async function* rows() {
      const parts = rowsByParts<CustomerRow>(of, total, rowsAtOnce, (last) =>
        customers.after(scope, filter, last?.id ?? "", rowsAtOnce),
      );
      for await (const row of parts) {
        // Said before the file has it: nobody's data leave without their history saying so.
        if (personal && row.accountId !== null)
          await record(row.accountId, "data_shown", { detail: `export|${reason}` });
        yield cellsOf(row, language, personal);
      }
    }
    const title = language === "zh" ? "客户" : "Customers";
    return makeSheetFile(files, of, { name: `${title}.xlsx`, columns: columnsIn(language, columns), rows: rows() });
  };

  return {
    job: { kind: exportKind, retries: 1, timeoutS: 1800, run } as const,

    async export(scope: TenantScope, order: Order): Promise<{ jobId: string }> {
      const reason = order.personal ? requireReason(order.reason) : "";
      if (order.personal) await noteExport(scope, reason);
      return { jobId: await jobs.submit(scope, exportKind, "导出客户", { ...order, reason, scope: reachOf(scope) }) };
    },
  };
}
export type CustomerExport = ReturnType<typeof createCustomerExport>;
