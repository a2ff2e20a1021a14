/**
 * Chinese texts that come from the server and stand on screens as they are: menu names, refusals, notes of demo accounts.
 * Listed here so that the dictionary must hold them; names of farms and people are shown as they were entered.
 */
export const serverTexts: readonly string[] = [
  "未获得用户的租户信息",
  "未获得用户的角色信息",
  "请输入账号和密码",
  "登录错误次数过多,请稍后再试",
  "用户名或密码错误",
  "该账号属于多个租户，请选择要登录的租户",
  "令牌授权已过期",
  "结束时间必须晚于开始时间",
  "时间范围过大，请缩短范围或改用更粗的粒度",
  "请至少选择一台设备",
  "集团管理员",
  "企业主，3 个场区 12 栋猪舍",
  "兽医，服务两家客户",
  "饲养员，家庭农场",
  "查看数据表",
];
