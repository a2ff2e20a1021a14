/** What the answer to a call must be; `rows` and `fields` name what each row, node or object has. */
export type Expected =
  | { kind: "page"; fields: readonly string[]; least?: number; total?: number }
  | { kind: "list"; fields: readonly string[]; least?: number; total?: number }
  /** Nodes of wire.md 3.4; `deep` where children must stand in them. */
  | { kind: "nodes"; least?: number; total?: number; deep?: true }
  | { kind: "object"; fields: readonly string[] }
  /** A write that answers `data` of any shape and 操作成功. */
  | { kind: "done" }
  | { kind: "text" }
  /** An xlsx whose first row has these headings. */
  | { kind: "sheet"; headings: readonly string[] }
  | { kind: "refused"; status: number; msg: string };

/** A call of the family as its clients send it, in the order in which the calls are replayed. */
export interface WireCall {
  /** Section of the wire format. */
  readonly section: string;
  readonly method: "GET" | "POST";
  /** Below `/api/muyuan-`. `{name}` stands for what an earlier call kept. */
  readonly path: string;
  readonly query?: Readonly<Record<string, string>>;
  /** A form body (x-www-form-urlencoded). */
  readonly form?: Readonly<Record<string, string>>;
  readonly body?: unknown;
  /** Rows of an xlsx that is sent in the field `file`, the headings first; without rows no file is sent. */
  readonly sheet?: readonly (readonly string[])[];
  /** Who calls: the group's administrator unless it is said; the owner of a customer's tenant; nobody. */
  readonly as?: "owner" | "nobody";
  readonly answer: Expected;
  /** Names under which later calls use values of `data`, by their places in it. */
  readonly keep?: Readonly<Record<string, string>>;
  /** Where the answer differs from the family's, and why. */
  readonly deviation?: string;
}

const refused = (msg: string, status = 400): Expected => ({ kind: "refused", status, msg });
const done: Expected = { kind: "done" };

const user = [
  "id",
  "tenantId",
  "code",
  "userType",
  "account",
  "name",
  "realName",
  "avatar",
  "email",
  "phone",
  "birthday",
  "sex",
  "roleId",
  "deptId",
  "postId",
  "createUser",
  "createDept",
  "createTime",
  "updateUser",
  "updateTime",
  "status",
  "isDeleted",
  "tenantName",
  "userTypeName",
  "roleName",
  "deptName",
  "postName",
  "sexName",
  "userExt",
];
const base = ["id", "createUser", "createDept", "createTime", "updateUser", "updateTime", "status", "isDeleted"];
const role = ["id", "tenantId", "parentId", "roleName", "roleAlias", "sort", "isDeleted", "parentName"];
const dept = [
  "id",
  "tenantId",
  "parentId",
  "deptName",
  "fullName",
  "deptCategory",
  "sort",
  "remark",
  "isDeleted",
  "parentName",
  "deptCategoryName",
];
const post = [...base, "tenantId", "category", "postCode", "postName", "sort", "remark", "categoryName"];
const tenant = [
  "id",
  "tenantId",
  "tenantName",
  "domainUrl",
  "backgroundUrl",
  "linkman",
  "contactNumber",
  "address",
  "accountNumber",
  "expireTime",
  "packageId",
  "datasourceId",
  "licenseKey",
];
const menu = [
  "id",
  "parentId",
  "code",
  "name",
  "alias",
  "path",
  "source",
  "sort",
  "category",
  "action",
  "isOpen",
  "component",
  "remark",
  "isDeleted",
  "parentName",
  "categoryName",
  "actionName",
  "isOpenName",
];
const dict = ["id", "parentId", "code", "dictKey", "dictValue", "sort", "remark", "isSealed", "isDeleted"];
const region = [
  "id",
  "parentId",
  "code",
  "parentCode",
  "ancestors",
  "name",
  "provinceCode",
  "provinceName",
  "cityCode",
  "cityName",
  "districtCode",
  "districtName",
  "townCode",
  "townName",
  "villageCode",
  "villageName",
  "regionLevel",
  "sort",
  "remark",
  "parentName",
];
const notice = [...base, "tenantId", "title", "category", "categoryName", "releaseTime", "content"];
const log = [
  "id",
  "tenantId",
  "serviceId",
  "serverHost",
  "serverIp",
  "env",
  "remoteIp",
  "userAgent",
  "requestUri",
  "method",
  "methodClass",
  "methodName",
  "params",
  "createBy",
  "createTime",
];
const attach = ["id", "link", "domainUrl", "name", "originalName", "extension", "attachSize", "createTime"];
const provider = ["id", "tenantId", "category", "categoryName", "status", "statusName", "remark", "isDeleted"];
const dataScope = [
  "id",
  "menuId",
  "resourceCode",
  "scopeName",
  "scopeField",
  "scopeClass",
  "scopeColumn",
  "scopeType",
  "scopeValue",
  "remark",
  "scopeTypeName",
];
const apiScope = ["id", "menuId", "resourceCode", "scopeName", "scopePath", "scopeType", "remark", "scopeTypeName"];
const userSheet = [
  "租户编号",
  "用户平台名称",
  "账户",
  "昵称",
  "姓名",
  "邮箱",
  "手机",
  "角色名称",
  "部门名称",
  "岗位名称",
  "生日",
];
const regionSheet = ["区划编号", "上级编号", "区划名称", "排序", "备注"];

/** A month from now, as forms send it. */
const inMonth = new Date(Date.now() + 30 * 86_400_000).toISOString().slice(0, 19).replace("T", " ");

/** What clients send with each list beside their filters. */
const paged = { current: "1", size: "10" };

const get = (section: string, path: string, answer: Expected, more: Partial<WireCall> = {}): WireCall => ({
  section,
  method: "GET",
  path,
  answer,
  ...more,
});
const send = (section: string, path: string, answer: Expected, more: Partial<WireCall> = {}): WireCall => ({
  section,
  method: "POST",
  path,
  answer,
  ...more,
});

/** The set of dictionary calls, of the installation and of tenants. */
const dictionary = (thing: "dict" | "dict-biz", code: string, more: readonly string[] = []): WireCall[] => [
  send("3.8", `system/${thing}/submit`, done, {
    body: { id: "", code, dictKey: "-1", dictValue: "批次状态", sort: 1, isSealed: 0, remark: "" },
    keep: { [`${thing}Top`]: "id" },
  }),
  send("3.8", `system/${thing}/submit`, done, {
    body: { parentId: `{${thing}Top}`, code, dictKey: "1", dictValue: "在养", sort: 1, isSealed: 0 },
    keep: { [`${thing}Value`]: "id" },
  }),
  send("3.8", `system/${thing}/submit`, refused("当前字典键值已存在!"), {
    body: { parentId: `{${thing}Top}`, code, dictKey: "1", dictValue: "出栏", sort: 2, isSealed: 0 },
  }),
  get("3.8", `system/${thing}/dictionary`, { kind: "list", fields: [...dict, ...more], total: 1 }, { query: { code } }),
  get(
    "3.8",
    `system/${thing}/list`,
    { kind: "list", fields: [...dict, "parentName", "children"], total: 1 },
    {
      query: { code, dictValue: "" },
    },
  ),
  get(
    "3.8",
    `system/${thing}/parent-list`,
    { kind: "page", fields: [...dict, "parentName"], total: 1 },
    {
      query: { ...paged, code, dictValue: "批次" },
    },
  ),
  get(
    "3.8",
    `system/${thing}/child-list`,
    { kind: "list", fields: [...dict, "parentName"], total: 1 },
    {
      query: { ...paged, parentId: `{${thing}Top}` },
    },
  ),
  get("3.8", `system/${thing}/child-list`, { kind: "list", fields: [], total: 0 }, { query: paged }),
  get("3.8", `system/${thing}/tree`, { kind: "nodes", least: 1, deep: true }),
  get("3.8", `system/${thing}/parent-tree`, { kind: "nodes", least: 1 }),
  get("3.8", `system/${thing}/dictionary-tree`, { kind: "nodes", total: 1 }, { query: { code } }),
  get(
    "3.8",
    `system/${thing}/detail`,
    { kind: "object", fields: dict },
    {
      query: { id: `{${thing}Value}` },
      deviation: "isSealed is true or false here, a number in the lists",
    },
  ),
  send("3.8", `system/${thing}/remove`, refused("请先删除子节点!"), { query: { ids: `{${thing}Top}` } }),
  send("3.8", `system/${thing}/remove`, done, { form: { ids: `{${thing}Value}` } }),
  send("3.8", `system/${thing}/remove`, done, { query: { ids: `{${thing}Top}` } }),
];

const scopes: WireCall[] = [
  send("3.7", "system/data-scope/submit", done, {
    body: {
      menuId: "{menuOfMenus}",
      scopeName: "岗位本人可见",
      resourceCode: "post",
      scopeType: "2",
      scopeColumn: "create_user",
      scopeClass: "",
      scopeField: "*",
      scopeValue: "",
      remark: "",
    },
    keep: { dataScope: "id" },
  }),
  get(
    "3.7",
    "system/data-scope/list",
    { kind: "page", fields: dataScope, total: 1 },
    {
      query: { ...paged, menuId: "{menuOfMenus}", scopeName: "" },
    },
  ),
  get("3.7", "system/data-scope/detail", { kind: "object", fields: dataScope }, { query: { id: "{dataScope}" } }),
  send("3.7", "system/api-scope/submit", done, {
    body: {
      menuId: "{menuOfMenus}",
      scopeName: "导出用户接口",
      resourceCode: "user",
      scopePath: "/muyuan-system/user/export-user",
      scopeType: "1",
      remark: "",
    },
    keep: { apiScope: "id" },
  }),
  get(
    "3.7",
    "system/api-scope/list",
    { kind: "page", fields: apiScope, total: 1 },
    {
      query: { ...paged, menuId: "{menuOfMenus}" },
    },
  ),
  get("3.7", "system/api-scope/detail", { kind: "object", fields: apiScope }, { query: { id: "{apiScope}" } }),
  get("3.7", "system/menu/grant-tree", { kind: "object", fields: ["menu", "dataScope", "apiScope"] }),
  send("3.7", "system/data-scope/remove", done, { form: { ids: "{dataScope}" } }),
  send("3.7", "system/api-scope/remove", done, { query: { ids: "{apiScope}" } }),
];

/** Every call of sections 3 and 5 of the wire format, as admin clients of the family send it; replayed in order on one server. */
export const wireCalls: readonly WireCall[] = [
  // 3.3 departments
  send(
    "3.3",
    "system/dept/submit",
    { kind: "object", fields: ["id", "tenantId", "deptCategoryName"] },
    {
      body: {
        id: "",
        parentId: "",
        deptName: "研发中心",
        fullName: "研发中心",
        deptCategory: "2",
        sort: 1,
        remark: "",
      },
      keep: { dept: "id" },
    },
  ),
  send("3.3", "system/dept/submit", done, {
    body: { parentId: "{dept}", deptName: "软件组", fullName: "软件组", deptCategory: 3, sort: 1, remark: "" },
    keep: { deptBelow: "id" },
    deviation: "deptCategory is a text in answers",
  }),
  send("3.3", "system/dept/submit", refused("父节点不可选择自身!"), {
    body: { id: "{dept}", parentId: "{deptBelow}" },
  }),
  get(
    "3.3",
    "system/dept/list",
    { kind: "list", fields: dept, least: 1 },
    {
      query: { deptName: "", fullName: "", tenantId: "" },
    },
  ),
  get(
    "3.3",
    "system/dept/lazy-list",
    { kind: "list", fields: [...dept, "hasChildren"], least: 1 },
    {
      query: { parentId: "0", deptName: "", fullName: "" },
    },
  ),
  get("3.3", "system/dept/lazy-list", { kind: "list", fields: dept, total: 1 }, { query: { deptName_like: "软件" } }),
  get("3.3", "system/dept/tree", { kind: "nodes", least: 1 }, { query: { tenantId: "000000" } }),
  get("3.3", "system/dept/lazy-tree", { kind: "nodes", total: 1 }, { query: { tenantId: "", parentId: "{dept}" } }),
  get(
    "3.3",
    "system/dept/select",
    { kind: "list", fields: ["id", "deptName"], total: 1 },
    { query: { deptId: "{dept}" } },
  ),
  get(
    "3.3",
    "system/dept/detail",
    { kind: "object", fields: [...dept, "ancestors"] },
    { query: { id: "{deptBelow}" } },
  ),
  get("3.3", "system/search/dept", { kind: "list", fields: dept, total: 1 }, { query: { deptName: "软件" } }),
  send("3.3", "system/dept/remove", refused("请先删除子节点!"), { form: { ids: "{dept}" } }),

  // 3.5 posts
  send("3.5", "system/post/submit", done, {
    body: { category: 2, postCode: "wire_lead", postName: "场长助理", sort: 3, remark: "" },
    keep: { post: "id" },
    deviation: "category is a text in answers",
  }),
  send("3.5", "system/post/save", done, {
    body: { category: "3", postCode: "wire_keeper", postName: "饲养组长", sort: 4 },
    keep: { postTwo: "id" },
  }),
  send("3.5", "system/post/update", done, { body: { id: "{postTwo}", postName: "饲养队长" } }),
  get(
    "3.5",
    "system/post/list",
    { kind: "page", fields: post, total: 1 },
    {
      query: { ...paged, category: "2", postCode: "wire_lead", postName: "" },
    },
  ),
  get(
    "3.5",
    "system/post/page",
    { kind: "page", fields: post, total: 1 },
    { query: { ...paged, postCode_equal: "wire_lead" } },
  ),
  get(
    "3.5",
    "system/post/page",
    { kind: "page", fields: post, total: 1 },
    {
      query: { ...paged, postCode_likeright: "wire_", postName_notlike: "助理" },
    },
  ),
  get(
    "3.5",
    "system/post/page",
    { kind: "page", fields: post, total: 2 },
    {
      query: {
        ...paged,
        postCode_likeright: "wire_",
        createTime_datege: "2024-01-01 00:00:00",
        sort_gt: "1",
        remark_ignore: "x",
      },
    },
  ),
  get(
    "3.5",
    "system/post/select",
    { kind: "list", fields: ["id", "postName"], least: 2 },
    { query: { tenantId: "000000" } },
  ),
  get("3.5", "system/post/detail", { kind: "object", fields: post }, { query: { id: "{post}" } }),
  get("3.5", "system/search/post", { kind: "page", fields: post, total: 1 }, { query: { ...paged, postName: "队长" } }),
  send("3.5", "system/post/remove", done, { form: { ids: "{postTwo}" } }),

  // 3.2 roles
  send("3.2", "system/role/submit", done, {
    body: { parentId: "", roleName: "区域管理", roleAlias: "wire_area", sort: 9, tenantId: "000000" },
    keep: { role: "id" },
  }),
  send("3.2", "system/role/submit", done, {
    body: { parentId: "{role}", roleName: "区域助理", roleAlias: "wire_helper", sort: 1 },
    keep: { roleBelow: "id" },
  }),
  get(
    "3.2",
    "system/role/list",
    { kind: "list", fields: [...role, "children"], total: 1 },
    {
      query: { roleName: "", roleAlias: "wire", tenantId: "" },
    },
  ),
  get("3.2", "system/role/detail", { kind: "object", fields: role }, { query: { id: "{role}" } }),
  get("3.2", "system/role/tree", { kind: "nodes", least: 6 }, { query: { tenantId: "000000" } }),
  get("3.2", "system/role/tree-by-id", { kind: "nodes", total: 1, deep: true }, { query: { roleId: "{role}" } }),
  get(
    "3.2",
    "system/role/select",
    { kind: "list", fields: ["id", "tenantId", "parentId", "roleName", "roleAlias", "sort"], least: 6 },
    {
      query: { userId: "", roleId: "" },
    },
  ),
  get("3.2", "system/search/role", { kind: "list", fields: role, total: 1 }, { query: { roleName: "区域助理" } }),
  send("3.2", "system/role/grant", done, {
    body: { roleIds: ["{role}"], menuIds: [], dataScopeIds: [], apiScopeIds: [] },
  }),
  send("3.2", "system/role/remove", refused("请先删除子节点!"), { query: { ids: "{role}" } }),

  // 3.1 users
  send("3.1", "system/user/submit", done, {
    body: {
      id: "",
      tenantId: "000000",
      account: "wireuser",
      password: "Portal2026",
      name: "小线",
      realName: "王小线",
      phone: "13900000008",
      email: "line@example.cn",
      sex: 1,
      userType: 1,
      birthday: "1990-05-01 00:00:00",
      roleId: "{role}",
      deptId: "{dept}",
      postId: "{post}",
      code: "W001",
    },
    keep: { user: "id" },
    deviation: "a new user needs a role; a common password is refused",
  }),
  send("3.1", "system/user/submit", refused("当前用户 [wireuser] 已存在!"), {
    body: { account: "wireuser", roleId: "{role}" },
  }),
  get(
    "3.1",
    "system/user/page",
    { kind: "page", fields: user, total: 1 },
    {
      query: { ...paged, tenantId: "", account: "wireuser", realName: "", userType: "", deptId: "{dept}" },
    },
  ),
  get(
    "3.1",
    "system/user/list",
    { kind: "page", fields: user, total: 1 },
    {
      query: { ...paged, account: "wireu", realName_equal: "", status: "" },
    },
  ),
  get(
    "3.1",
    "system/user/list",
    { kind: "page", fields: user, total: 1 },
    {
      query: { ...paged, account_equal: "wireuser" },
      deviation: "account and realName take suffixes, other fields their exact value",
    },
  ),
  get("3.1", "system/user/detail", { kind: "object", fields: user }, { query: { id: "{user}" } }),
  get(
    "3.1",
    "system/user/info",
    {
      kind: "object",
      fields: [
        "id",
        "tenantId",
        "account",
        "name",
        "realName",
        "avatar",
        "phone",
        "roleId",
        "roleName",
        "deptId",
        "postId",
      ],
    },
    {
      deviation:
        "beside the names of the token's claims; e-mail, birthday, departments and posts are empty or left out",
    },
  ),
  get("3.1", "system/user/user-list", { kind: "list", fields: user, total: 1 }, { query: { account: "wireuser" } }),
  get(
    "3.3",
    "system/dept/select",
    { kind: "list", fields: ["id", "deptName"], total: 1 },
    { query: { userId: "{user}" } },
  ),
  send("3.1", "system/user/update", done, { body: { id: "{user}", name: "大线", password: "ignored" } }),
  send("3.1", "system/user/update-platform", done, {
    form: { userId: "{user}", userType: "1", userExt: '{"theme":"dark"}' },
  }),
  get("3.1", "system/user/platform-detail", { kind: "object", fields: user }, { query: { id: "{user}" } }),
  send("3.1", "system/user/grant", done, { query: { userIds: "{user}", roleIds: "{role},{roleBelow}" } }),
  send("3.1", "system/user/unlock", done, { form: { userIds: "{user}" } }),
  send("3.1", "system/user/unlock", refused("请至少选择一个用户"), { query: { userIds: "" } }),
  send("3.1", "system/user/reset-password", done, {
    query: { userIds: "{user}" },
    deviation: "the configured or a random password, told once; a proven phone gets a link (decisions.md 2)",
  }),
  send("3.1", "system/user/update-password", refused("原密码不正确!"), {
    query: {},
    body: {
      oldPassword: "00000000000000000000000000000000",
      newPassword: "11111111111111111111111111111111",
      newPassword1: "11111111111111111111111111111111",
    },
    deviation:
      "the three values come in a body; an admin client that sends them as query is refused with the missing one",
  }),
  get(
    "3.1",
    "system/search/user",
    { kind: "page", fields: user, total: 1 },
    {
      query: { ...paged, name: "王小线", deptName: "研发", postName: "助理" },
    },
  ),
  get(
    "3.1",
    "system/user/export-template",
    { kind: "sheet", headings: userSheet },
    {
      deviation: "the token comes in its header; a token in the address is not read (wire.md 1.5)",
    },
  ),
  get(
    "3.1",
    "system/user/export-user",
    { kind: "sheet", headings: userSheet },
    {
      query: { account: "wireuser", realName: "" },
      deviation: "phones and e-mail addresses are masked",
    },
  ),
  send("3.1", "system/user/import-user", done, {
    query: { isCovered: "0" },
    sheet: [
      userSheet,
      ["000000", "WEB", "wiresheet", "表", "张小表", "", "", "区域管理", "研发中心", "场长助理", "1991-02-03"],
    ],
  }),
  send("3.1", "system/user/import-user", refused("第 3 行：当前用户 [wireuser] 已存在!"), {
    query: { isCovered: "0" },
    sheet: [
      userSheet,
      ["000000", "WEB", "wirenew", "新", "张小新", "", "", "区域管理", "", "", ""],
      ["000000", "WEB", "wireuser", "线", "王小线", "", "", "区域管理", "", "", ""],
    ],
  }),
  get("3.1", "system/user/page", { kind: "page", fields: user, total: 0 }, { query: { ...paged, account: "wirenew" } }),
  send("3.1", "system/user/import-user", done, {
    query: { isCovered: "1" },
    sheet: [userSheet, ["000000", "WEB", "wireuser", "改", "王小线", "", "", "区域管理", "", "", ""]],
  }),
  send("3.1", "system/user/import-user", refused("请上传文件!"), { query: { isCovered: "0" }, sheet: [] }),
  send("3.1", "system/user/register-guest", refused("这里不能注册访客，请在注册页面用手机号注册"), {
    as: "nobody",
    body: { tenantId: "000000", name: "x", account: "x", password: "x", oauthId: "1" },
    deviation: "refused: who registers proves a phone",
  }),
  send("3.1", "system/user/update-info", done, { body: { name: "管理员" } }),
  get(
    "3.1",
    "system/user/page",
    { kind: "page", fields: user, total: 1 },
    {
      query: { ...paged, account: "wiresheet" },
      keep: { sheetUser: "records.0.id" },
    },
  ),
  send("3.1", "system/user/remove", done, { form: { ids: "{user},{sheetUser}" } }),
  send("3.2", "system/role/remove", done, { query: { ids: "{roleBelow}" } }),
  send("3.2", "system/role/remove", done, { form: { ids: "{role}" } }),
  send("3.3", "system/dept/remove", done, { query: { ids: "{deptBelow}" } }),
  send("3.3", "system/dept/remove", done, { query: { ids: "{dept}" } }),
  send("3.5", "system/post/remove", done, { query: { ids: "{post}" } }),

  // 3.6 tenants
  send("3.6", "system/tenant/submit", done, {
    body: {
      id: "",
      tenantName: "接线测试公司",
      domainUrl: "https://wire.example.cn/",
      backgroundUrl: "",
      linkman: "李四",
      contactNumber: "13800000001",
      address: "郑州",
      accountNumber: 2,
      expireTime: "",
    },
    keep: { tenant: "id", tenantNumber: "tenantId" },
    deviation: "the first administrator is admin<number> with a random password, which the answer tells once",
  }),
  get(
    "3.6",
    "system/tenant/list",
    { kind: "page", fields: tenant, total: 1 },
    {
      query: { ...paged, tenantId: "", tenantName: "接线", contactNumber: "13800000001" },
    },
  ),
  get(
    "3.6",
    "system/tenant/page",
    { kind: "page", fields: tenant, total: 1 },
    { query: { ...paged, tenantId: "{tenantNumber}" } },
  ),
  get("3.6", "system/tenant/select", { kind: "list", fields: ["tenantId", "tenantName"], least: 3 }),
  get("3.6", "system/tenant/select", { kind: "list", fields: ["tenantId", "tenantName"], total: 1 }, { as: "owner" }),
  get("3.6", "system/tenant/detail", { kind: "object", fields: tenant }, { query: { id: "{tenant}" } }),
  get(
    "3.6",
    "system/tenant/info",
    { kind: "object", fields: ["tenantId", "domain", "backgroundUrl"] },
    {
      as: "nobody",
      query: { domain: "https://wire.example.cn/" },
    },
  ),
  get("3.6", "system/tenant/info", { kind: "object", fields: [] }, { as: "nobody", query: { domain: "" } }),
  get("3.6", "system/tenant/find-by-name", { kind: "list", fields: tenant, total: 1 }, { query: { name: "接线测试" } }),
  send("3.6", "system/tenant/setting", done, {
    query: { ids: "{tenant}", accountNumber: "1", expireTime: "2099-01-01 00:00:00" },
  }),
  send("3.6", "system/tenant/datasource", refused("所有租户共用一个数据库，不能切换"), {
    form: { tenantId: "{tenantNumber}", datasourceId: "1" },
    deviation: "refused: all tenants share one database",
  }),
  get("3.6", "system/tenant/package-detail", { kind: "object", fields: [] }, { query: { tenantId: "{tenantNumber}" } }),
  send("3.6", "system/tenant/package-setting", refused("没有这个套餐，请从套餐列表中选"), {
    query: { tenantId: "{tenantNumber}", packageId: "1" },
  }),
  send("3.6", "system/tenant/remove", refused("不可删除管理租户!"), { query: { ids: "{tenant},000000" } }),
  send("3.6", "system/tenant/remove", done, {
    form: { ids: "{tenant}" },
    deviation: "the tenant is closed (status 0), its rows stay",
  }),

  // 3.7 menus
  get(
    "3.7",
    "system/menu/routes",
    { kind: "list", fields: ["id", "parentId", "code", "name", "path", "source", "sort", "category"], least: 3 },
    {
      query: { topMenuId: "" },
    },
  ),
  get("3.7", "system/menu/routes", { kind: "list", fields: [], total: 0 }, { as: "nobody" }),
  get("3.7", "system/menu/buttons", {
    kind: "list",
    fields: ["id", "parentId", "code", "name", "alias", "path", "source", "action", "sort", "children"],
    least: 3,
  }),
  get(
    "3.7",
    "system/menu/list",
    { kind: "list", fields: menu, total: 1 },
    {
      query: { code_equal: "menu", name: "菜单管理", alias: "" },
      keep: { menuOfMenus: "0.id", platform: "0.parentId" },
    },
  ),
  get(
    "3.7",
    "system/menu/lazy-list",
    { kind: "list", fields: [...menu, "hasChildren"], least: 3 },
    { query: { parentId: "0" } },
  ),
  get("3.7", "system/menu/menu-list", { kind: "list", fields: menu, least: 3 }, { query: { name: "" } }),
  get(
    "3.7",
    "system/menu/lazy-menu-list",
    { kind: "list", fields: [...menu, "hasChildren"], least: 3 },
    { query: { parentId: "{platform}" } },
  ),
  get("3.7", "system/menu/tree", { kind: "nodes", least: 3, deep: true }),
  get("3.7", "system/menu/detail", { kind: "object", fields: menu }, { query: { id: "{menuOfMenus}" } }),
  send(
    "3.7",
    "system/menu/submit",
    { kind: "object", fields: ["id"] },
    {
      body: {
        parentId: "{platform}",
        name: "外部报表",
        code: "wire_report",
        alias: "menu",
        path: "https://report.example.cn",
        source: "chart",
        sort: 50,
        category: 1,
        action: 0,
        isOpen: 2,
        remark: "",
      },
      keep: { menu: "id" },
    },
  ),
  send(
    "3.7",
    "system/menu/submit",
    { kind: "object", fields: ["id"] },
    {
      body: {
        parentId: "{menu}",
        name: "新增",
        code: "wire_report_add",
        alias: "add",
        path: "",
        source: "plus",
        sort: 1,
        category: 2,
        action: 1,
        isOpen: 1,
      },
      keep: { button: "id" },
    },
  ),
  send("3.7", "system/menu/submit", refused("菜单名或编号已存在!"), {
    body: { parentId: "{platform}", name: "外部报表", code: "wire_report", category: 1, sort: 1 },
    deviation: "the code must be unique, names may repeat",
  }),
  send("3.7", "system/menu/submit", refused("父节点只可选择菜单类型!"), {
    body: { parentId: "{button}", name: "下级", code: "wire_below", category: 1, sort: 1 },
  }),
  get(
    "3.7",
    "system/menu/role-tree-keys",
    { kind: "object", fields: ["menu", "dataScope", "apiScope"] },
    { query: { roleIds: "{administrator}" } },
  ),
  get("3.7", "system/menu/auth-routes", { kind: "list", fields: [], least: 3 }),
  send("3.7", "system/topmenu/submit", done, {
    body: { code: "wire_top", name: "报表", source: "chart", sort: 1 },
    keep: { topMenu: "id" },
  }),
  get(
    "3.7",
    "system/topmenu/list",
    { kind: "page", fields: ["id", "tenantId", "code", "name", "source", "sort"], total: 1 },
    {
      query: { ...paged, name: "", code: "" },
    },
  ),
  get(
    "3.7",
    "system/topmenu/detail",
    { kind: "object", fields: ["id", "tenantId", "code", "name", "source", "sort"] },
    { query: { id: "{topMenu}" } },
  ),
  get("3.7", "system/menu/grant-top-tree", { kind: "object", fields: ["menu"] }),
  send("3.7", "system/topmenu/grant", done, { body: { topMenuIds: ["{topMenu}"], menuIds: ["{menu}"] } }),
  get("3.7", "system/menu/top-tree-keys", { kind: "object", fields: ["menu"] }, { query: { topMenuIds: "{topMenu}" } }),
  get("3.7", "system/menu/top-menu", {
    kind: "list",
    fields: ["id", "tenantId", "code", "name", "source", "sort"],
    total: 1,
  }),
  get(
    "3.7",
    "system/menu/routes",
    { kind: "list", fields: ["id", "children"], total: 1 },
    { query: { topMenuId: "{topMenu}" } },
  ),
  send("3.7", "system/topmenu/remove", done, { form: { ids: "{topMenu}" } }),
  ...scopes,
  send("3.7", "system/menu/remove", refused("请先删除子节点!"), { query: { ids: "{menu}" } }),
  send("3.7", "system/menu/remove", done, { form: { ids: "{button}" } }),
  send("3.7", "system/menu/remove", done, { query: { ids: "{menu}" } }),

  // 3.8 dictionaries
  get("3.8", "system/dict/dictionary", { kind: "list", fields: dict, total: 3 }, { query: { code: "user_type" } }),
  ...dictionary("dict", "wire_batch"),
  ...dictionary("dict-biz", "wire_batch"),

  // 3.9 parameters
  send("3.9", "system/param/submit", done, {
    body: { id: "", paramName: "接线参数", paramKey: "wire.key", paramValue: "1", remark: "" },
    keep: { param: "id" },
  }),
  get(
    "3.9",
    "system/param/list",
    { kind: "page", fields: [...base, "paramName", "paramKey", "paramValue", "remark"], total: 1 },
    {
      query: { ...paged, paramName: "", paramKey: "wire", paramValue: "" },
    },
  ),
  get(
    "3.9",
    "system/param/detail",
    { kind: "object", fields: ["paramName", "paramKey", "paramValue", "remark"] },
    { query: { id: "{param}" } },
  ),
  send("3.9", "system/param/remove", done, { form: { ids: "{param}" } }),

  // 3.10 regions
  get(
    "3.10",
    "system/region/lazy-tree",
    { kind: "nodes", total: 34 },
    { query: { parentCode: "00", code: "", name: "" } },
  ),
  get("3.10", "system/region/lazy-tree", { kind: "nodes", least: 1 }, { query: { parentCode: "", name: "nanyang" } }),
  get("3.10", "system/region/lazy-tree", { kind: "nodes", least: 3000 }),
  get(
    "3.10",
    "system/region/lazy-list",
    { kind: "list", fields: [...region, "hasChildren"], least: 10 },
    { query: { parentCode: "41" } },
  ),
  get("3.10", "system/region/select", { kind: "list", fields: region, total: 34 }, { query: { code: "00" } }),
  get(
    "3.10",
    "system/region/list",
    { kind: "page", fields: region, least: 1 },
    { query: { ...paged, name: "内乡", code: "" } },
  ),
  get("3.10", "system/region/detail", { kind: "object", fields: region }, { query: { code: "411325" } }),
  send("3.10", "system/region/submit", done, {
    body: { code: "411325101", parentCode: "411325", name: "灌涨镇", sort: 1, regionLevel: 4, remark: "" },
  }),
  send("3.10", "system/region/save", done, {
    body: { code: "411325101201", parentCode: "411325101", name: "前湾村", sort: 1 },
  }),
  send("3.10", "system/region/update", done, { body: { code: "411325101", name: "灌涨镇（改）" } }),
  send("3.10", "system/region/submit", refused("编号须是上级编号再加 2 位（乡镇、村为 3 位）数字"), {
    body: { code: "511325102", parentCode: "411325", name: "错" },
  }),
  send("3.10", "system/region/import-region", done, {
    query: { isCovered: "0" },
    sheet: [regionSheet, ["411325102", "411325", "王店镇", "2", ""]],
  }),
  send("3.10", "system/region/import-region", refused("第 2 行：区划 411325102 已存在"), {
    query: { isCovered: "0" },
    sheet: [regionSheet, ["411325102", "411325", "王店镇", "2", ""]],
  }),
  get("3.10", "system/region/export-region", { kind: "sheet", headings: regionSheet }),
  get("3.10", "system/region/export-template", { kind: "sheet", headings: regionSheet }),
  send("3.10", "system/region/remove", refused("请先删除子节点!"), { query: { id: "411325101" } }),
  send("3.10", "system/region/remove", done, { form: { id: "411325101201" } }),
  send("3.10", "system/region/remove", done, { query: { id: "411325101" } }),
  send("3.10", "system/region/remove", refused("系统自带的区划不能删除，可以改名"), {
    query: { id: "411326" },
    deviation: "divisions of the product are renamed, never removed",
  }),

  // 3.11 clients
  send("3.11", "system/client/submit", done, {
    body: {
      name: "接线应用",
      webServerRedirectUri: "https://app.example.cn/callback",
      clientId: "ignored",
      clientSecret: "ignored",
    },
    keep: { client: "id" },
    deviation:
      "clientId and clientSecret are ours, the secret is told once; grants, scopes and lifetimes are those of OAuth 2.1",
  }),
  get(
    "3.11",
    "system/client/list",
    {
      kind: "page",
      fields: [
        "id",
        "clientId",
        "clientSecret",
        "resourceIds",
        "scope",
        "authorizedGrantTypes",
        "webServerRedirectUri",
        "authorities",
        "accessTokenValidity",
        "refreshTokenValidity",
        "autoapprove",
      ],
      least: 1,
    },
    {
      query: paged,
    },
  ),
  get(
    "3.11",
    "system/client/detail",
    { kind: "object", fields: ["id", "clientId", "scope", "authorizedGrantTypes"] },
    { query: { id: "{client}" } },
  ),
  send("3.11", "system/client/remove", done, { query: { ids: "{client}" } }),

  // 3.12 notices
  send("3.12", "desk/notice/submit", done, {
    body: { title: "接线公告一", category: 3, releaseTime: "", content: "<p>第一段</p><p>a &lt; b</p>" },
    deviation: "an announcement to everybody: a draft without releaseTime, sent at it otherwise; plain text is kept",
  }),
  get(
    "3.12",
    "desk/notice/list",
    { kind: "page", fields: notice, total: 1 },
    {
      query: {
        ...paged,
        title: "接线公告",
        category: "3",
        releaseTime_datege: "2024-01-01 00:00:00",
        releaseTime_datele: "2099-01-01 00:00:00",
      },
      keep: { notice: "records.0.id" },
    },
  ),
  get(
    "3.12",
    "desk/notice/page",
    { kind: "page", fields: notice, total: 0 },
    { query: { ...paged, title: "接线公告", category_equal: "1" } },
  ),
  get("3.12", "desk/notice/detail", { kind: "object", fields: notice }, { query: { id: "{notice}" } }),
  send("3.12", "desk/notice/update", done, {
    body: { id: "{notice}", title: "接线公告改", category: 3, content: "<p>改</p>" },
  }),
  send("3.12", "desk/notice/save", done, {
    body: { title: "接线公告二", category: 1, releaseTime: inMonth, content: "<p>定时</p>" },
  }),
  get("3.12", "desk/notice/top", { kind: "page", fields: notice }, { query: { current: "1", size: "5" } }),
  get(
    "3.12",
    "desk/notice/list",
    { kind: "page", fields: notice, total: 2 },
    {
      query: { ...paged, title: "接线公告" },
      keep: { noticeTwo: "records.0.id" },
    },
  ),
  send("3.12", "desk/notice/remove", done, { form: { ids: "{notice},{noticeTwo}" } }),
  get("3.12", "desk/dashboard/activities", { kind: "list", fields: [] }, { deviation: "the caller's newest messages" }),
  get(
    "3.12",
    "desk/dashboard/notices",
    { kind: "list", fields: [] },
    { deviation: "announcements that reached the caller" },
  ),
  get("3.12", "desk/dashboard/my-notices", { kind: "list", fields: [] }, { deviation: "those not read" }),

  // 3.13 logs
  get(
    "3.13",
    "log/usual/list",
    { kind: "page", fields: [...log, "logLevel", "logId", "logData"], least: 1 },
    {
      query: { ...paged, serviceId: "system", createTime_datege: "2024-01-01 00:00:00" },
      keep: { usualLog: "records.0.id" },
      deviation: "methodClass and env are empty; params stand in the detail alone, without personal data",
    },
  ),
  get(
    "3.13",
    "log/usual/detail",
    { kind: "object", fields: [...log, "logLevel", "logId", "logData"] },
    { query: { id: "{usualLog}" } },
  ),
  get(
    "3.13",
    "log/api/list",
    { kind: "page", fields: [...log, "type", "title", "time"], least: 1 },
    {
      query: { ...paged, title: "" },
      keep: { apiLog: "records.0.id" },
    },
  ),
  get(
    "3.13",
    "log/api/detail",
    { kind: "object", fields: [...log, "type", "title", "time"] },
    { query: { id: "{apiLog}" } },
  ),
  get(
    "3.13",
    "log/error/list",
    { kind: "page", fields: [...log, "stackTrace", "exceptionName", "message", "fileName", "lineNumber"] },
    {
      query: paged,
      deviation: "the list leaves the stack out",
    },
  ),
  get("3.13", "log/error/detail", refused("404 没找到请求", 404), { query: { id: "1" } }),

  // 5.2 files
  send(
    "5.2",
    "resource/oss/endpoint/put-file-attach",
    { kind: "object", fields: ["link", "domain", "name", "originalName", "attachId"] },
    {
      sheet: [["a"], ["1"]],
      keep: { file: "name", attach: "attachId" },
    },
  ),
  send(
    "5.2",
    "resource/oss/endpoint/put-file",
    { kind: "object", fields: ["link", "name", "originalName"] },
    {
      sheet: [["a"], ["2"]],
      keep: { fileTwo: "name" },
      deviation: "the same as put-file-attach: each file has its row",
    },
  ),
  send(
    "5.2",
    "resource/oss/endpoint/put-file-by-name",
    { kind: "object", fields: ["link", "name"] },
    {
      query: { fileName: "named.xlsx" },
      sheet: [["a"], ["3"]],
      keep: { fileThree: "name" },
    },
  ),
  send(
    "5.2",
    "resource/oss/endpoint/put-file-attach-by-name",
    { kind: "object", fields: ["link", "name", "attachId"] },
    {
      query: { fileName: "named.xlsx" },
      sheet: [["a"], ["4"]],
      keep: { fileFour: "name" },
    },
  ),
  get(
    "5.2",
    "resource/oss/endpoint/stat-file",
    { kind: "object", fields: ["link", "name", "hash", "length", "putTime", "contentType"] },
    { query: { fileName: "{file}" } },
  ),
  get("5.2", "resource/oss/endpoint/file-path", { kind: "text" }, { query: { fileName: "{file}" } }),
  get("5.2", "resource/oss/endpoint/file-link", { kind: "text" }, { query: { fileName: "{file}" } }),
  get(
    "5.2",
    "resource/attach/list",
    { kind: "page", fields: attach, least: 4 },
    {
      query: paged,
      deviation: "the caller's own files; those of others are nobody's business",
    },
  ),
  get("5.2", "resource/attach/detail", { kind: "object", fields: attach }, { query: { id: "{attach}" } }),
  send("5.2", "resource/oss/endpoint/remove-file", done, { query: { fileName: "{fileTwo}" } }),
  send("5.2", "resource/oss/endpoint/remove-files", done, { query: { fileNames: "{fileThree},{fileFour}" } }),
  send("5.2", "resource/attach/remove", done, { form: { ids: "{attach}" } }),
  ...(["oss", "sms"] as const).flatMap((thing): WireCall[] => [
    get(
      "5.2",
      `resource/${thing}/list`,
      { kind: "page", fields: provider, total: 1 },
      {
        query: paged,
        keep: { [thing]: "records.0.id" },
        deviation: "one row: what the environment configures, without secrets",
      },
    ),
    get("5.2", `resource/${thing}/detail`, { kind: "object", fields: provider }, { query: { id: `{${thing}}` } }),
    ...(["submit", "remove", "enable"] as const).map((verb) =>
      send("5.2", `resource/${thing}/${verb}`, refused("文件和短信服务由服务器的环境变量配置，不能在这里修改"), {
        query: verb === "submit" ? {} : { [verb === "remove" ? "ids" : "id"]: `{${thing}}` },
        deviation: "refused: keys stand in no table",
      }),
    ),
  ]),

  // 5.1 SMS
  send("5.1", "resource/sms/endpoint/validate-message", refused("短信校验失败"), {
    as: "nobody",
    form: { phone: "13900000001", id: "none", value: "000000" },
  }),
  send("5.1", "resource/sms/endpoint/skip-secure/send-validate", refused("验证码不正确"), {
    as: "nobody",
    query: { mobilePhone: "13900000001" },
    deviation: "needs a passed captcha (product.md 7)",
  }),
];

/** Calls of the family that no server of ours answers, and why. */
export const unservedCalls: readonly { readonly section: string; readonly call: string; readonly because: string }[] = [
  {
    section: "5.1",
    call: "POST resource/sms/endpoint/send-message",
    because: "a client that sends any text to any phone would be a relay for spam",
  },
  { section: "5.1", call: "POST resource/sms/endpoint/send-notice, send-order, send-meeting", because: "the same" },
  {
    section: "5.2",
    call: "POST resource/oss/endpoint/copy-file, make-bucket, remove-bucket",
    because: "where files lie is the installation's; a client has no bucket",
  },
  {
    section: "5.2",
    call: "POST resource/attach/submit",
    because: "a row of a file comes with the file, and nothing of it changes",
  },
];
