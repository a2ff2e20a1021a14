import { type Tenant, tenantDetail, tenantPage } from "@herdwise/contract";
import { choice, date, list, text } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useMemo } from "react";
import { useNavigate } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { callResource, keysOf, type RowPage } from "../../shared/resource/resource-api.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { TenantForm } from "./tenant-form.tsx";
import { expiryWords, stateOf, typeWords } from "./words.ts";

const mostPackages = 500;
const tenantOf = (row: Row): Tenant => row as unknown as Tenant;

const cells: Cells = {
  tenantName: function Name({ row }) {
    const { tenantName, tenantId } = tenantOf(row);
    return (
      <>
        <Translated text={tenantName} /> <span className="mut num">{tenantId}</span>
      </>
    );
  },
  accountNumber: function Accounts({ row }) {
    const { number } = useFormats();
    const { accountCount, accountNumber, isFull } = tenantOf(row);
    return (
      <span className="num">
        {accountNumber === -1 ? number(accountCount) : `${number(accountCount)} / ${number(accountNumber)}`}{" "}
        {isFull && <StateTag plain word="已满" mark="minor" />}
      </span>
    );
  },
  expireTime: function Expiry({ row }) {
    const t = useTranslate();
    const { expireTime } = tenantOf(row);
    return <span className="num">{expireTime === "" ? t("长期") : expireTime.slice(0, 10)}</span>;
  },
  packageId: function Package({ row }) {
    const t = useTranslate();
    const { packageName } = tenantOf(row);
    return packageName === "" ? <span className="mut">{t("全部功能")}</span> : <Translated text={packageName} />;
  },
  // Most are there for good; of the others it is told until when.
  status: function Status({ row }) {
    const t = useTranslate();
    const tenant = tenantOf(row);
    const face = expiryWords[tenant.expiry];
    return (
      <>
        <StateTag plain {...stateOf(tenant)} />
        {tenant.expireTime !== "" && (
          <>
            {" "}
            {face ? <StateTag plain {...face} /> : null}{" "}
            <span className="mut num">{t("到 {day}", { day: tenant.expireTime.slice(0, 10) })}</span>
          </>
        )}
      </>
    );
  },
};

/** Packages that a tenant can have, by name. */
function usePackages(enabled: boolean) {
  return useQuery({
    queryKey: ["resource", "tenant_package", "choices"],
    queryFn: async ({ signal }): Promise<readonly (readonly [string, string])[]> => {
      const of = await loadResource("tenant_package");
      if (!of) throw new Error("the declaration of packages is missing");
      const query = { current: 1, size: mostPackages };
      const { records } = await callResource<RowPage>(of, "page", { query, signal, quiet: true });
      return records.map((row) => [row.id, String(row.packageName)] as const);
    },
    enabled,
  });
}

/** The tenants of the installation: who they are, how many accounts they may have, until when, and with which package. */
export default function Tenants() {
  const t = useTranslate();
  const client = useQueryClient();
  const navigate = useNavigate();
  const { permissions } = useAccess();
  const [search, go] = useAddressValues({ isStep: true });
  const mayEdit = permissions.has("tenant_edit");
  const packages = usePackages(permissions.has("tenant_package_view")).data;
  const of = useMemo(
    () =>
      list({
        name: "tenant",
        path: "/api/muyuan-system/tenant",
        page: tenantPage.path,
        words: { one: "租户", many: "租户管理" },
        title: "tenantName",
        card: ["status", "type", "accountNumber", "createTime"],
        fields: {
          tenantName: text("名称", { max: 60, column: true, search: true, sort: true }),
          type: choice("类型", {
            options: Object.entries(typeWords),
            column: true,
            filter: true,
            single: true,
          }),
          accountNumber: text("账号数", { max: 30, column: true }),
          expireTime: text("到期", { max: 24, sort: true }),
          packageId: choice("套餐", {
            options: [["none", "全部功能"], ...(packages ?? [])],
            column: true,
            filter: true,
            single: true,
          }),
          status: choice("状态", {
            options: [
              ["1", "正常"],
              ["0", "已停用"],
            ],
            column: true,
            filter: true,
            single: true,
          }),
          createTime: date("创建日期", { column: true, sort: true }),
        },
        conditions: {
          expiry: choice("到期", {
            options: [
              ["past", "已到期"],
              ["near", "三十天内到期"],
              ["later", "三十天后到期"],
              ["none", "长期"],
            ],
            filter: true,
            single: true,
          }),
        },
      }),
    [packages],
  );
  const tenants = useList(of);
  const open = /^\d{6,12}$/.exec(search.get("tenant") ?? "")?.[0];
  const opened = useQuery({
    queryKey: [...keysOf(of), "detail", open],
    queryFn: ({ signal }) =>
      call(tenantDetail, { query: open === undefined ? {} : { tenantId: open }, signal, quiet: true }),
    enabled: open !== undefined,
  });
  const openTenant = (row: Row): void => go({ tenant: tenantOf(row).tenantId });
  const close = (): void => go({ tenant: undefined });
  return (
    <>
      <ListScreen
        list={tenants}
        cells={cells}
        onOpen={openTenant}
        actions={(row) => [
          {
            id: "open",
            icon: mayEdit ? "edit" : "eye",
            name: t(mayEdit ? "额度、期限和套餐" : "打开"),
            shortcut: "Enter",
            onAction: () => openTenant(row),
          },
          ...(permissions.has("customer_view") && tenantOf(row).type !== "group"
            ? [
                {
                  id: "customer",
                  icon: "people" as const,
                  name: t("客户详情"),
                  onAction: () => void navigate(`/customer/detail?id=${tenantOf(row).tenantId}`),
                },
              ]
            : []),
        ]}
        nothing="客户注册以后会出现在这里。"
      />
      {opened.error && open && (
        <LoadingProblem
          error={asApiError(opened.error)}
          onRetry={() => void opened.refetch()}
          what={t("租户")}
          kept={false}
        />
      )}
      {open && opened.data && (
        <TenantForm
          key={open}
          tenant={opened.data}
          packages={packages}
          readOnly={!mayEdit}
          onClose={close}
          onSaved={() => void client.invalidateQueries({ queryKey: keysOf(of) })}
        />
      )}
    </>
  );
}
