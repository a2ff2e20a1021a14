import { roleSelect, tenantSelect, type User, userPage } from "@herdwise/contract";
import { choice, list, moment, reference, text } from "@herdwise/contract/resource";
import { useEffect, useMemo } from "react";
import { useAddress, useFormerNames } from "../address/use-address.ts";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { Mark } from "../icons/mark.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Cells } from "../resource/cells.ts";
import type { Row } from "../resource/form-values.ts";
import { conditionPrefix } from "../resource/list-state.ts";
import { useList } from "../resource/use-list.ts";
import { useAccess } from "../session/access-context.ts";
import { standingOf } from "./user-words.ts";

/** User of a row. The row's id joins account and tenant, because an account has a row for each of its tenants. */
export const userOf = (row: Row): User => ({ ...(row as unknown as User), id: row.id.split(" ")[0] ?? "" });

export const userCells: Cells = {
  account: function Name({ row }) {
    const { realName, name, account } = userOf(row);
    return (
      <>
        <Translated text={realName || name || account} /> <span className="mut">{account}</span>
      </>
    );
  },
  tenantId: ({ row }) => <Translated text={userOf(row).tenantName} />,
  roleId: ({ row }) => {
    const names = userOf(row).roleName.split(",").filter(Boolean);
    return (
      <span className="role-tags">
        {names.map((name) => (
          <span key={name} className="tag">
            <Translated text={name} />
          </span>
        ))}
        {names.length === 0 && <span className="mut">--</span>}
      </span>
    );
  },
  status: function Standing({ row }) {
    const t = useTranslate();
    const { mark, word } = standingOf(userOf(row));
    return (
      <span className={`state ${mark}`}>
        <Mark name={mark} />
        {t(word)}
      </span>
    );
  },
};

const tenantParameter = `${conditionPrefix}tenantId`;
const formerNames = { word: "q", role: `${conditionPrefix}roleId`, tenant: tenantParameter };

/**
 * List of the users of a tenant; the group's staff see those of all tenants.
 * @param menuCode code of the screen's menu
 * @param title Chinese name of the screen
 */
export function useUserList(menuCode: string, title: string) {
  const { user, permissions } = useAccess();
  const ofGroup = user.tenant_type === "group";
  useFormerNames(formerNames);
  const [search] = useAddress();
  const tenantId = (ofGroup && search.get(tenantParameter)) || user.tenant_id;
  const { value: tenants } = useLoad(ofGroup ? "tenants" : undefined, (signal) =>
    call(tenantSelect, { signal, quiet: true }),
  );
  const { value: roles } = useLoad(`roles ${tenantId}`, (signal) =>
    call(roleSelect, { query: ofGroup ? { tenantId } : {}, signal, quiet: true }),
  );
  const of = useMemo(
    () =>
      list({
        name: menuCode,
        path: "/api/muyuan-system/user",
        page: userPage.path,
        key: ["id", "tenantId"],
        bounded: true,
        words: ofGroup ? { one: "用户", many: title } : { one: "成员", many: title, oneEn: "Member" },
        title: "account",
        fields: {
          account: text("姓名与登录名", { max: 40, column: true, search: true, sort: true }),
          realName: text("姓名", { max: 30, sort: true }),
          ...(ofGroup && {
            tenantId: choice("租户", {
              options: tenants?.map((one) => [one.tenantId, one.tenantName]) ?? [],
              column: true,
              filter: true,
              single: true,
            }),
          }),
          roleId: choice("角色", {
            options: roles?.map(({ id, roleName }) => [id, roleName]) ?? [],
            column: true,
            filter: true,
            single: true,
          }),
          ...(permissions.has("dept_view") && {
            deptId: reference("所在部门", { to: "dept", filter: true }),
          }),
          ...(permissions.has("post_view") && { postId: reference("所在岗位", { to: "post", filter: true }) }),
          // Members of a customer all come by the web.
          ...(ofGroup && {
            userType: choice("用户平台", {
              options: [
                ["1", "WEB"],
                ["2", "APP"],
                ["3", "OTHER"],
              ],
              filter: true,
              single: true,
            }),
          }),
          code: text("用户编号", { max: 20, rule: "code", search: true }),
          phone: text("手机", { max: 20, rule: "phone", column: true }),
          status: choice("状态", {
            options: [
              ["1", "启用"],
              ["0", "已停用"],
            ],
            column: true,
            filter: true,
            single: true,
          }),
          lastLoginTime: moment("最近登录", { column: true }),
          updateTime: moment("更新时间", { sort: true }),
          createTime: moment("创建时间", { sort: true }),
        },
      }),
    [menuCode, title, ofGroup, permissions, tenants, roles],
  );
  const users = useList(of);
  const { change } = users;
  const { roleId } = users.state.where;
  // Roles belong to one tenant: a condition on another tenant's role would match nobody.
  useEffect(() => {
    if (roleId && roles?.every(({ id }) => id !== roleId)) change(({ where }) => ({ where: { ...where, roleId: "" } }));
  }, [roleId, roles, change]);
  return { list: users, tenantId, tenants: tenants ?? [] };
}
