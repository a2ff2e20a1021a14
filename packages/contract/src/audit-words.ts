import { alarmSeverities, alarmSeverityNames } from "./alarms.ts";
import { bankCardStates, bankCardWords } from "./bank-card-rules.ts";
import { deviceKindNames } from "./generated/device-kind-ids.ts";
import { priceBreeds } from "./prices.ts";
import { pricedProvinces } from "./provinces.ts";
import { realNameItems } from "./real-name-checks.ts";
import {
  choice,
  type Field,
  moment,
  number,
  onOff,
  type ResourceDeclaration,
  reference,
  text,
} from "./resource/index.ts";
import { resourceNamed } from "./resources.ts";

/** A text in both languages; without `en` it is data, which only the interface's translation knows in English. */
export interface AuditText {
  readonly zh: string;
  readonly en?: string;
}

/** What an audit entry can be about, as sentences and details name it. */
export interface AuditThing {
  /** One of it, in the middle of a sentence. */
  readonly one: AuditText;
  readonly fields: ReadonlyMap<string, Field>;
  /** Chinese names of events of its process. */
  readonly events: Readonly<Record<string, string>>;
}

const word = (label: string) => text(label, { max: 4000 });
const count = (label: string, unit?: string) => number(label, { min: 0, max: 1e15, ...(unit && { unit }) });
const state = (options: readonly (readonly [value: string, name: string])[]) => choice("状态", { options });
const moments = (label: string) => moment(label, {});
const yes = (label: string) => onOff(label, {});
/** A reason that somebody gave, told at the end of a sentence. */
const reason = word("原因");
const severity = choice("级别", { options: alarmSeverities.map((one) => [one, alarmSeverityNames[one]] as const) });

const remittance = choice("测试汇款", {
  options: [
    ["ordered", "准备汇出"],
    ["sent", "已汇出"],
    ["arrived", "已到账"],
    ["confirmed", "金额已核对"],
    ["failed", "没有成功"],
    ["expired", "已过期"],
  ],
});

const publishing = [
  ["draft", "草稿"],
  ["standard", "原始内容"],
  ["scheduled", "等待发布"],
  ["published", "已发布"],
  ["withdrawn", "已撤下"],
] as const;

interface Own {
  readonly one?: AuditText;
  readonly fields?: Readonly<Record<string, Field>>;
  readonly events?: Readonly<Record<string, string>>;
}

/** Things without a declaration of the resource kit, and what the trail has of the others beside their declared fields. */
const own: Readonly<Record<string, Own>> = {
  user: { one: { zh: "用户", en: "user" }, fields: { password: word("密码") } },
  session: { one: { zh: "用户", en: "user" }, fields: { count: count("登录会话") } },
  webhook: { fields: { secret: word("密钥") } },
  personal_token: { one: { zh: "访问令牌", en: "access token" } },
  attachment: {
    one: { zh: "文件", en: "file" },
    fields: { attachSize: count("大小", "B"), owner: word("上传人") },
  },
  customer: {
    one: { zh: "客户", en: "customer" },
    fields: {
      name: word("名称"),
      contactName: word("联系人"),
      regionCode: text("所在地区", { max: 6, rule: "region" }),
      address: word("地址"),
      remark: word("备注"),
      phone: word("手机号"),
      email: word("邮箱"),
      idNumber: word("证件号码"),
      export: word("客户名单"),
      reason,
    },
  },
  tenant: {
    one: { zh: "租户", en: "tenant" },
    fields: {
      name: word("名称"),
      domainUrl: word("域名"),
      backgroundUrl: word("背景图"),
      linkman: word("联系人"),
      address: word("地址"),
      accountNumber: count("账号额度"),
      expireTime: moments("到期"),
      packageId: reference("套餐", { to: "tenant_package" }),
      status: choice("状态", {
        options: [
          ["1", "正常"],
          ["0", "已停用"],
        ],
      }),
    },
  },
  real_name: {
    one: { zh: "实名认证", en: "identity verification" },
    fields: {
      ...Object.fromEntries(
        [...realNameItems.personal, ...realNameItems.enterprise].map(({ field, label }) => [field, word(label)]),
      ),
      state: state([
        ["remitting", "等 0.01 元验证"],
        ["waiting", "等审核"],
        ["second_look", "等复核"],
        ["rejected", "退回修改"],
        ["passed", "已通过"],
        ["suspended", "执照到期，已暂停"],
        ["replaced", "已由新的代替"],
        ["withdrawn", "已撤回"],
      ]),
      remittance,
      fields: word("要改的项目"),
    },
    events: {
      submit: "提交申请",
      resubmit: "重新提交",
      resubmit_account: "重新提交对公账户",
      remit_again: "重新汇款",
      confirm: "金额确认无误",
      mistype: "填错了金额",
      spend_tries: "金额错了 3 次",
      withdraw: "撤回申请",
      accept: "审核通过",
      return: "退回修改",
      suspend: "执照到期，暂停",
      replace: "由新的认证代替",
      send: "测试汇款已汇出",
      arrive: "测试汇款已到账",
      fail: "测试汇款没有成功",
      expire: "测试汇款过期",
      follow: "重新汇款",
      remind: "提醒执照快到期",
    },
  },
  bank_card: {
    one: { zh: "银行卡", en: "bank card" },
    fields: {
      state: state(bankCardStates.map((one) => [one, bankCardWords[one].word] as const)),
      number: word("卡号"),
      reason,
    },
    events: {
      bind: "绑定银行卡",
      send: "小额已汇出",
      arrive: "小额已到账",
      fail: "小额汇款没有成功",
      expire: "验证过期",
      confirm: "金额确认无误",
      mistype: "填错了金额",
      spend_tries: "金额错了 3 次",
      remit_again: "重新汇款",
      prefer: "设为默认卡",
      unbind: "解绑",
    },
  },
  contract: {
    one: { zh: "合同", en: "contract" },
    fields: {
      state: state([
        ["draft", "草稿"],
        ["sent", "等客户签"],
        ["seen", "客户已打开"],
        ["signed", "生效中"],
        ["rejected", "已退回"],
        ["withdrawn", "已撤回"],
        ["expired", "过期没签"],
        ["ended", "已结束"],
      ]),
    },
    events: {
      draft: "起草",
      revise: "修改",
      send: "签署并发出",
      see: "打开",
      sign: "签署",
      reject: "退回",
      withdraw: "撤回",
      expire: "签署期已过",
      end: "合同结束",
      download: "下载文件",
      remind: "系统提醒了双方",
    },
  },
  work_order: {
    one: { zh: "工单", en: "service order" },
    fields: {
      state: state([
        ["pending", "等待处理"],
        ["in_process", "处理中"],
        ["waiting_customer", "等客户答复"],
        ["completed", "已完成"],
        ["closed", "已关闭"],
        ["cancelled", "已撤回"],
        ["merged", "已并入"],
        ["adopted", "已采纳"],
        ["rejected", "未采纳"],
      ]),
    },
    events: {
      raise: "提交",
      reply: "回复",
      urge: "催办",
      receive: "确认收货",
      cancel: "撤回",
      rate: "评价",
      reopen: "重新打开",
      claim: "接手",
      assign: "转交",
      answer: "答复",
      ask: "等客户答复",
      note: "内部备注",
      ship: "寄出",
      arrive: "工厂收到寄回的设备",
      remote: "远程指导",
      redirect: "修改维修方式",
      complete: "处理完成",
      merge: "并入另一张工单",
      absorb: "并入另一张工单",
      adopt: "采纳",
      reject: "不采纳",
      publish: "修改是否公开",
      close: "自动关闭",
    },
  },
  cancellation: {
    one: { zh: "注销申请", en: "request to close an account" },
    fields: {
      state: state([
        ["cooling", "冷静期"],
        ["waiting", "等客服答复"],
        ["accepted", "已同意，等清除"],
        ["refused", "没有同意"],
        ["taken_back", "已取回"],
        ["erased", "已清除"],
      ]),
      retained: choice("依法保留的资料", {
        options: [
          ["identity", "认证资料与账号"],
          ["consents", "同意过的协议"],
          ["payments", "汇款记录"],
          ["log_ins", "登录日志"],
        ],
      }),
      reason,
      redacted: count("抹去的姓名"),
    },
    events: {
      request: "申请注销",
      ask: "申请注销",
      take_back: "取回注销",
      ripen: "冷静期结束",
      accept: "同意注销",
      refuse: "不同意注销",
      hold: "暂停清除",
      erase: "清除资料",
    },
  },
  announcement: {
    one: { zh: "公告", en: "announcement" },
    fields: {
      title: word("标题"),
      content: word("正文"),
      audience: word("发送对象"),
      dueTime: moments("发送时间"),
      state: state([
        ["draft", "草稿"],
        ["scheduled", "等待发送"],
        ["sending", "正在发送"],
        ["sent", "已发送"],
        ["withdrawn", "已收回"],
      ]),
    },
  },
  agreement: {
    one: { zh: "协议版本", en: "version of an agreement" },
    fields: {
      version: word("版本"),
      askAgain: yes("再次征求同意"),
      title: word("标题"),
      publishedAt: moments("发布时间"),
    },
  },
  home_page: {
    one: { zh: "首页", en: "home page" },
    fields: { versionNumber: count("草稿版本"), publishedVersion: count("公开的版本"), state: state(publishing) },
  },
  day_price: {
    one: { zh: "每日价格", en: "daily prices" },
    fields: {
      publishAt: moments("发布时间"),
      published: count("发布的价格"),
      ...Object.fromEntries(
        pricedProvinces.flatMap(({ code, name }) =>
          priceBreeds.map(([breed, breedName]) => [`${code}.${breed}`, word(`${name} · ${breedName}`)]),
        ),
      ),
    },
  },
  setting: { one: { zh: "平台设置", en: "setting" }, fields: { paramValue: word("值") } },
  region: {
    one: { zh: "行政区划", en: "division" },
    fields: { name: word("名称"), sort: count("排序"), remark: word("备注"), disabled: yes("停用") },
  },
  alarm: { one: { zh: "告警", en: "alarm" } },
  alarm_rule: { one: { zh: "告警规则", en: "alarm rule" } },
  alarm_masking: { one: { zh: "告警屏蔽", en: "masking of alarms" } },
  alarm_push: { one: { zh: "告警推送", en: "alarm notifications" }, fields: { severity } },
  own_alarm_rule: { one: { zh: "自定义告警规则", en: "own alarm rule" }, fields: { rule: word("规则内容") } },
  device_command: { one: { zh: "设备", en: "device" } },
  device_parameter: { one: { zh: "设备", en: "device" } },
  unit_mode: {
    one: { zh: "单元", en: "unit" },
    fields: { mode: resourceNamed("unit")?.derived?.mode ?? word("运行模式"), endsInS: count("持续时间", "秒") },
  },
  firmware: { one: { zh: "固件", en: "firmware" }, fields: { checksum: word("校验值") } },
  firmware_rollout: {
    one: { zh: "固件升级", en: "firmware rollout" },
    fields: {
      devices: count("设备数"),
      stage: count("批次"),
      state: state([
        ["running", "进行中"],
        ["paused", "已暂停"],
        ["stopped", "已停下"],
        ["done", "已完成"],
      ]),
      retry: word("重试的设备"),
    },
  },
  provision_profile: {
    one: { zh: "设备预置档案", en: "provisioning profile" },
    fields: {
      name: word("名称"),
      kind: choice("设备类型", { options: deviceKindNames }),
      strategy: choice("注册方式", {
        options: [
          ["ALLOW_CREATE_NEW", "允许新增设备"],
          ["CHECK_PRE_PROVISIONED", "只认已登记的设备"],
        ],
      }),
      gateways: yes("作为网关"),
    },
  },
  role: {
    fields: {
      menus: word("菜单与按钮"),
      departments: word("指定部门"),
      dataScopes: word("数据权限"),
      apiScopes: word("接口权限"),
    },
  },
  tenant_package: { fields: { menus: word("菜单与按钮") } },
  topmenu: { fields: { menus: count("菜单数") } },
  unit: { fields: { headCount: count("存栏", "头") } },
  device: {
    one: { zh: "设备", en: "device" },
    fields: {
      blocked: yes("停用"),
      label: word("标签"),
      credentials: word("登录凭据"),
      isGateway: yes("作为网关"),
      mayCreateChildren: yes("可新增子设备"),
      farmId: reference("猪场", { to: "farm" }),
      houseId: reference("栋舍", { to: "pig_house" }),
      unitId: reference("单元", { to: "unit" }),
    },
  },
  video: {
    fields: {
      fileBytes: count("影片", "B"),
      posterWidth: count("封面宽度", "px"),
      captions: choice("字幕", {
        options: [
          ["zh", "中文字幕"],
          ["en", "英文字幕"],
        ],
      }),
      state: state(publishing),
    },
  },
  article: { fields: { versionNumber: count("草稿版本") } },
  product_document: { fields: { pages: count("页数"), state: state(publishing) } },
  maintenance: { fields: { photos: word("照片") } },
  contract_template: { fields: { versionNumber: count("版本") } },
  lot: { fields: { struck: count("取消的出价"), reason, bidders: word("出价人") } },
  transit: { fields: { driverLink: word("司机链接") } },
  commissioning: {
    one: { zh: "调试单", en: "commissioning list" },
    fields: {
      state: state([
        ["open", "调试中"],
        ["signed", "已签字"],
        ["discarded", "已作废"],
      ]),
      check: word("检查项"),
      result: choice("检查结果", {
        options: [
          ["open", "没测"],
          ["running", "正在测"],
          ["passed", "通过"],
          ["failed", "没通过"],
          ["absent", "没有装"],
        ],
      }),
      hash: word("校验值"),
    },
    events: { begin: "开始调试", begin_trial: "开始测一项", answer: "答一项", sign: "签字", discard: "作废" },
  },
};

const common: Readonly<Record<string, Field>> = { sort: count("排序"), parentId: word("上级") };
const things = new Map<string, AuditThing>();

/** What a row is called inside a sentence. */
function oneOf(of: ResourceDeclaration | undefined): AuditText {
  if (of === undefined) return { zh: "记录", en: "record" };
  const { one, oneEn } = of.words;
  return { zh: one, ...(oneEn !== undefined && { en: oneEn.charAt(0).toLowerCase() + oneEn.slice(1) }) };
}

/** What entries of a resource's name are about; of an unknown name, a record. */
export function auditThing(name: string): AuditThing {
  const known = things.get(name);
  if (known) return known;
  const of = resourceNamed(name);
  const { one, fields = {}, events = {} } = own[name] ?? {};
  const declared = of?.process;
  const thing: AuditThing = {
    one: one ?? oneOf(of),
    fields: new Map(
      Object.entries({
        ...common,
        ...(of?.tree && { parentId: reference("上级", { to: of.name }) }),
        ...of?.derived,
        ...of?.fields,
        ...fields,
      }),
    ),
    events: {
      ...(declared && {
        begin: declared.begin?.word ?? declared.lines.begin ?? "新增",
        ...declared.lines,
        ...Object.fromEntries(Object.entries(declared.events).map(([event, face]) => [event, face.word])),
      }),
      ...events,
    },
  };
  // Names come from stored entries, so that only known ones are kept.
  if (of || name in own) things.set(name, thing);
  return thing;
}

/** Names of everything that the trail can be about. */
export const auditThingNames: readonly string[] = Object.keys(own);
