import { longestPassword, usualPasswordRule } from "./account-rules.ts";
import { timeRangesOf } from "./resource/check.ts";

/** Sections of the settings of the installation, in the order of the screen. */
export const settingSections = [
  "brand",
  "group",
  "public",
  "retention",
  "login",
  "mail",
  "sms",
  "voice",
  "wechat",
  "payment",
  "translation",
  "webhook",
  "files",
] as const;
export type SettingSection = (typeof settingSections)[number];

/** A text in both languages. */
export interface SettingWords {
  readonly zh: string;
  readonly en: string;
}

export const settingSectionWords: Readonly<Record<SettingSection, SettingWords>> = {
  brand: { zh: "品牌", en: "Brand" },
  group: { zh: "集团基本信息", en: "The group" },
  public: { zh: "公众网站", en: "Public site" },
  retention: { zh: "数据保留", en: "Data retention" },
  login: { zh: "登录规则", en: "Log-in rules" },
  mail: { zh: "邮件服务器", en: "Mail server" },
  sms: { zh: "短信服务", en: "SMS service" },
  voice: { zh: "语音电话", en: "Voice calls" },
  wechat: { zh: "微信公众号", en: "WeChat official account" },
  payment: { zh: "支付网关", en: "Payment gateway" },
  translation: { zh: "机器翻译", en: "Machine translation" },
  webhook: { zh: "通知地址", en: "Webhooks" },
  files: { zh: "文件存储", en: "File store" },
};

/** Sections whose service can be tried from the screen. */
export const triedServices = ["mail", "sms", "voice", "wechat", "payment", "translation", "webhook", "files"] as const;
export type TriedService = (typeof triedServices)[number];
/** Services of them that are tried without a receiver: nothing is sent to anybody. */
export const servicesWithoutReceiver: readonly TriedService[] = ["wechat", "payment", "files"];

/**
 * What a setting takes. `colour` is #rrggbb, `url` an http or https address, `phone` a telephone number, `networks` addresses or
 * networks separated by commas, `sender` the sender of a mail, `host` a host name or address, `places` three names of a template's
 * places separated by commas, `hours` times of a day such as 08:30-12:00,14:00-18:00.
 */
type SettingKind =
  | "text"
  | "number"
  | "choice"
  | "colour"
  | "url"
  | "phone"
  | "networks"
  | "sender"
  | "host"
  | "places"
  | "hours";

/** A setting of the installation; its key is also that of its parameter (wire.md 3.9), unless it is a secret. */
export interface SettingDeclaration {
  readonly section: SettingSection;
  readonly kind: SettingKind;
  readonly words: SettingWords;
  readonly hint?: SettingWords;
  /** Holds while nobody entered a value; "" for none. */
  readonly fallback: string;
  /** Bounds of a number, inclusive. */
  readonly least?: number;
  readonly most?: number;
  /** Most characters of a text; 200 where it is left out. */
  readonly max?: number;
  /** A blank value is refused. */
  readonly required?: true;
  /** Values of a choice and their words. */
  readonly choices?: readonly (readonly [value: string, words: SettingWords])[];
  /** Written and never read back; stored encrypted, and no parameter. */
  readonly secret?: true;
  /** Environment variable that holds instead when it is set; the setting is then locked. */
  readonly env?: string;
  /** Only the environment sets it, and a change takes a restart; the screen shows it. */
  readonly fixed?: true;
  /** What a colour is seen on or under: the page of the light or of the dark theme. */
  readonly theme?: "light" | "dark";
}

const w = (zh: string, en: string): SettingWords => ({ zh, en });
const retention = (words: SettingWords, hint: SettingWords, fallback: number, least: number, most: number) =>
  ({ section: "retention", kind: "number", words, hint, fallback: String(fallback), least, most }) as const;
const template = (env: string, words: SettingWords) =>
  ({ section: "sms", kind: "text", words, fallback: "", max: 60, env: `SMS_TEMPLATE_${env}` }) as const;

/** The one list of the settings of the installation, by key. */
export const settingDeclarations = {
  "brand.name": {
    section: "brand",
    kind: "text",
    words: w("中文名称", "Name in Chinese"),
    hint: w("显示在页头、登录页、邮件和短信", "Shown in page headers, on the log-in page, in mails and SMS"),
    fallback: "慧牧",
    max: 20,
    required: true,
    env: "BRAND_NAME",
  },
  "brand.nameEn": {
    section: "brand",
    kind: "text",
    words: w("英文名称", "Name in English"),
    fallback: "Herdwise",
    max: 30,
    env: "BRAND_NAME",
  },
  "brand.colour": {
    section: "brand",
    kind: "colour",
    words: w("浅色主题的主色", "Main colour by day"),
    hint: w("按钮和链接的颜色，与白色的对比度至少 4.5", "Of buttons and links; at least 4.5 to 1 against white"),
    fallback: "#1b7a45",
    theme: "light",
  },
  "brand.colourDark": {
    section: "brand",
    kind: "colour",
    words: w("深色主题的主色", "Main colour by night"),
    hint: w("在深色页面上的对比度至少 4.5", "At least 4.5 to 1 against the dark page"),
    fallback: "#74d192",
    theme: "dark",
  },
  "brand.companySuffix": {
    section: "brand",
    kind: "text",
    words: w("标题后缀", "Title suffix"),
    hint: w("公司名称，接在网页标题的品牌之后", "The company's name, behind the brand in page titles"),
    fallback: "",
    max: 40,
    env: "COMPANY_SUFFIX",
  },
  "group.name": {
    section: "group",
    kind: "text",
    words: w("公司全称（中文）", "Company name in Chinese"),
    hint: w("合同里的乙方，也在网站页脚", "Party B of contracts, and in the site's footer"),
    fallback: "",
    max: 60,
  },
  "group.nameEn": {
    section: "group",
    kind: "text",
    words: w("公司全称（英文）", "Company name in English"),
    fallback: "",
    max: 90,
  },
  "site.address": {
    section: "group",
    kind: "text",
    words: w("地址（中文）", "Address in Chinese"),
    fallback: "",
    max: 80,
  },
  "site.addressEn": {
    section: "group",
    kind: "text",
    words: w("地址（英文）", "Address in English"),
    fallback: "",
    max: 120,
  },
  "site.icpNumber": {
    section: "public",
    kind: "text",
    words: w("ICP 备案号", "ICP number"),
    hint: w("如 豫ICP备12345678号，显示在页脚", "The number that the ministry gave the site; in the footer"),
    fallback: "",
    max: 40,
    env: "ICP_NUMBER",
  },
  "site.policeNumber": {
    section: "public",
    kind: "text",
    words: w("公安备案号", "Police number"),
    hint: w("如 豫公网安备41130000000000号", "The number that the police gave the site; in the footer"),
    fallback: "",
    max: 40,
    env: "POLICE_NUMBER",
  },
  "site.phone": { section: "public", kind: "phone", words: w("客服电话", "Service telephone"), fallback: "" },
  "site.salesPhone": { section: "public", kind: "phone", words: w("销售电话", "Sales telephone"), fallback: "" },
  "site.hours": {
    section: "public",
    kind: "hours",
    words: w("工作日服务时间", "Service hours on working days"),
    hint: w(
      "如 08:30-12:00,14:00-18:00；调休上班日也按它",
      "Such as 08:30-12:00,14:00-18:00; worked weekends have them, too",
    ),
    fallback: "08:30-12:00,14:00-18:00",
    max: 60,
    required: true,
  },
  "site.weekendHours": {
    section: "public",
    kind: "hours",
    words: w("周末服务时间", "Service hours on weekends"),
    hint: w("不填为休息；节假日也按它", "Closed where left empty; public holidays have them, too"),
    fallback: "",
    max: 60,
  },
  "site.serviceUrl": {
    section: "public",
    kind: "url",
    words: w("在线客服链接", "Link of the service chat"),
    fallback: "",
    max: 300,
    env: "CUSTOMER_SERVICE_URL",
  },
  "mall.url": {
    section: "public",
    kind: "url",
    words: w("商城地址", "Address of the mall"),
    hint: w("商城链接从它的 /pc/ 打开", "Links of the mall open at its /pc/"),
    fallback: "",
    max: 300,
    env: "MALL_URL",
  },
  "mall.secret": {
    section: "public",
    kind: "text",
    words: w("商城密钥", "Secret of the mall"),
    hint: w(
      "至少 16 个字符，商城服务器用它换取登录人",
      "At least 16 characters; the mall's server proves itself with it",
    ),
    fallback: "",
    least: 16,
    secret: true,
    env: "MALL_SECRET",
  },
  "telemetry.rawDays": retention(
    w("原始数据保留天数", "Days to keep raw readings"),
    w(
      "设备上报的原始数据，7 至 730 天；更早的数据不再接收",
      "As devices report them, 7 to 730 days; older ones are not taken",
    ),
    90,
    7,
    730,
  ),
  "telemetry.minuteDays": retention(
    w("分钟数据保留天数", "Days to keep minute values"),
    w("按分钟汇总的数据，30 至 3650 天，按整月删除", "Rolled up by minute, 30 to 3650 days; removed by the month"),
    365,
    30,
    3650,
  ),
  "telemetry.hourDays": retention(
    w("小时数据保留天数", "Days to keep hourly values"),
    w(
      "按小时汇总的数据，366 至 36500 天，按整年删除；按天汇总的数据一直保留",
      "Rolled up by hour, 366 to 36500 days; removed by the year. Daily ones are kept for ever",
    ),
    1826,
    366,
    36_500,
  ),
  "retention.messageDays": retention(
    w("消息保留天数", "Days to keep messages"),
    w("站内消息的投递记录，30 至 3650 天", "Records of delivery, 30 to 3650 days"),
    180,
    30,
    3650,
  ),
  "retention.jobDays": retention(
    w("后台任务保留天数", "Days to keep background jobs"),
    w("已结束的导入导出，7 至 365 天", "Imports and exports that ended, 7 to 365 days"),
    30,
    7,
    365,
  ),
  "retention.commandDays": retention(
    w("指令记录保留天数", "Days to keep commands"),
    w("下发给设备的指令记录，90 至 3650 天", "Log of commands to devices, 90 to 3650 days"),
    365,
    90,
    3650,
  ),
  "retention.alarmDays": retention(
    w("告警保留天数", "Days to keep alarms"),
    w("已结束的告警，365 至 36500 天", "Alarms that ended, 365 to 36500 days"),
    1095,
    365,
    36_500,
  ),
  "retention.visitDays": retention(
    w("访问记录保留天数", "Days to keep page visits"),
    w("每页每日的访问次数，30 至 3650 天", "Counts of visits by page and day, 30 to 3650 days"),
    730,
    30,
    3650,
  ),
  "retention.formDays": retention(
    w("网站表单保留天数", "Days to keep website forms"),
    w(
      "已办结的表单，30 至 3650 天；到期后抹去姓名、联系方式和内容",
      "Forms that ended, 30 to 3650 days; then name, contact and content are taken out",
    ),
    365,
    30,
    3650,
  ),
  "log.usualDays": retention(
    w("拒绝的请求保留天数", "Days to keep refused requests"),
    w("被拒绝的调用及其原因，1 至 3650 天", "Calls that were refused and why, 1 to 3650 days"),
    30,
    1,
    3650,
  ),
  "log.apiDays": retention(
    w("接口日志保留天数", "Days to keep the call log"),
    w("有改动的调用及其耗时，1 至 3650 天", "Calls that changed something and how long they took, 1 to 3650 days"),
    90,
    1,
    3650,
  ),
  "log.errorDays": retention(
    w("错误日志保留天数", "Days to keep the error log"),
    w("出错的调用，1 至 3650 天", "Calls that failed, 1 to 3650 days"),
    180,
    1,
    3650,
  ),
  "account.failCount": {
    section: "login",
    kind: "number",
    words: w("密码可输错次数", "Wrong passwords before a lock"),
    hint: w(
      "连续输错这么多次后锁定，3 至 20 次",
      "After this many wrong passwords in a row, 3 to 20, the account is locked",
    ),
    fallback: "5",
    least: 3,
    most: 20,
  },
  "login.lockMinutes": {
    section: "login",
    kind: "number",
    words: w("锁定分钟数", "Minutes that a lock lasts"),
    hint: w("5 至 1440 分钟", "5 to 1440 minutes"),
    fallback: "30",
    least: 5,
    most: 1440,
  },
  "login.captchaAfter": {
    section: "login",
    kind: "number",
    words: w("输错几次后要验证码", "Wrong passwords before a captcha"),
    hint: w("0 表示总要验证码，最多 10 次", "0 asks always; at most 10"),
    fallback: "3",
    least: 0,
    most: 10,
    env: "LOGIN_CAPTCHA",
  },
  "password.least": {
    section: "login",
    kind: "number",
    words: w("密码最少位数", "Fewest characters of a password"),
    hint: w("6 至 20 位，对以后设的密码起作用", "6 to 20, for passwords that are chosen from now on"),
    fallback: String(usualPasswordRule.least),
    least: usualPasswordRule.least,
    most: longestPassword,
  },
  "password.kinds": {
    section: "login",
    kind: "number",
    words: w("密码字符种类", "Kinds of characters of a password"),
    hint: w(
      "大写字母、小写字母、数字、标点中至少几种，2 至 4",
      "Of capitals, small letters, digits, punctuation; 2 to 4",
    ),
    fallback: String(usualPasswordRule.kinds),
    least: usualPasswordRule.kinds,
    most: 4,
  },
  "login.sessionDays": {
    section: "login",
    kind: "number",
    words: w("登录有效天数", "Days that a log-in lasts"),
    hint: w("登录后最多保持这么多天，1 至 3650 天", "A session ends so many days after its log-in, 1 to 3650"),
    fallback: "90",
    least: 1,
    most: 3650,
    env: "SESSION_DAYS",
  },
  "mail.host": { section: "mail", kind: "host", words: w("服务器", "Server"), fallback: "", env: "MAIL_URL" },
  "mail.port": {
    section: "mail",
    kind: "number",
    words: w("端口", "Port"),
    fallback: "465",
    least: 1,
    most: 65_535,
    env: "MAIL_URL",
  },
  "mail.security": {
    section: "mail",
    kind: "choice",
    words: w("加密", "Encryption"),
    fallback: "tls",
    choices: [
      ["tls", w("TLS", "TLS")],
      ["starttls", w("STARTTLS", "STARTTLS")],
      ["none", w("不加密，仅限内网", "None, within the own network only")],
    ],
    env: "MAIL_URL",
  },
  "mail.user": { section: "mail", kind: "text", words: w("用户名", "User"), fallback: "", env: "MAIL_URL" },
  "mail.password": {
    section: "mail",
    kind: "text",
    words: w("密码", "Password"),
    fallback: "",
    secret: true,
    env: "MAIL_URL",
  },
  "mail.from": {
    section: "mail",
    kind: "sender",
    words: w("发件人", "Sender"),
    hint: w(
      "如 名称 <no-reply@example.cn>；留空用品牌名",
      "Such as Name <no-reply@example.cn>; the brand's name when empty",
    ),
    fallback: "",
    env: "MAIL_FROM",
  },
  "sms.provider": {
    section: "sms",
    kind: "choice",
    words: w("服务商", "Provider"),
    fallback: "",
    choices: [
      ["", w("不用", "None")],
      ["aliyun", w("阿里云", "Alibaba Cloud")],
      ["tencent", w("腾讯云", "Tencent Cloud")],
    ],
    env: "SMS_PROVIDER",
  },
  "sms.keyId": {
    section: "sms",
    kind: "text",
    words: w("访问密钥 ID", "Access key id"),
    fallback: "",
    env: "SMS_KEY_ID",
  },
  "sms.keySecret": {
    section: "sms",
    kind: "text",
    words: w("访问密钥", "Access key secret"),
    fallback: "",
    secret: true,
    env: "SMS_KEY_SECRET",
  },
  "sms.signName": {
    section: "sms",
    kind: "text",
    words: w("短信签名", "Sender's name"),
    fallback: "",
    max: 20,
    env: "SMS_SIGN_NAME",
  },
  "sms.appId": {
    section: "sms",
    kind: "text",
    words: w("应用 ID（腾讯云）", "App id (Tencent)"),
    fallback: "",
    env: "SMS_APP_ID",
  },
  "sms.region": {
    section: "sms",
    kind: "text",
    words: w("地域（腾讯云）", "Region (Tencent)"),
    fallback: "ap-guangzhou",
    env: "SMS_REGION",
  },
  "sms.endpoint": {
    section: "sms",
    kind: "url",
    words: w("接口地址", "Address of the service"),
    hint: w("留空用服务商自己的", "The provider's own when empty"),
    fallback: "",
    env: "SMS_ENDPOINT",
  },
  "sms.perDay": {
    section: "sms",
    kind: "number",
    words: w("每天最多条数", "Most in a day"),
    fallback: "5000",
    least: 0,
    most: 10_000_000,
    env: "SMS_PER_DAY",
  },
  "sms.template.login": template("LOGIN", w("模板：登录", "Template: log-in")),
  "sms.template.register": template("REGISTER", w("模板：注册", "Template: registration")),
  "sms.template.resetPassword": template("RESET_PASSWORD", w("模板：重置密码", "Template: password reset")),
  "sms.template.resetLink": template("RESET_LINK", w("模板：重置链接", "Template: reset link")),
  "sms.template.verifyPhone": template("VERIFY_PHONE", w("模板：验证手机号", "Template: phone check")),
  "sms.template.accountNames": template("ACCOUNT_NAMES", w("模板：找回账号", "Template: account names")),
  "sms.template.noAccount": template("NO_ACCOUNT", w("模板：没有账号", "Template: no account")),
  "sms.template.phoneChange": template("PHONE_CHANGE", w("模板：换手机号", "Template: phone change")),
  "sms.template.accountClosing": template("ACCOUNT_CLOSING", w("模板：注销", "Template: cancellation")),
  "sms.template.contractCode": template("CONTRACT_CODE", w("模板：签合同", "Template: contract code")),
  "sms.template.alarm": template("ALARM", w("模板：告警", "Template: alarm")),
  "sms.template.alarmEn": template("ALARM_EN", w("模板：英文告警", "Template: alarm in English")),
  "sms.template.contractNotice": template("CONTRACT_NOTICE", w("模板：合同通知", "Template: contract notice")),
  "sms.template.driverLink": template("DRIVER_LINK", w("模板：司机链接", "Template: driver's link")),
  "sms.template.message": template("MESSAGE", w("模板：消息", "Template: message")),
  "voice.provider": {
    section: "voice",
    kind: "choice",
    words: w("服务商", "Provider"),
    hint: w("没人接的紧急告警打电话叫醒人", "Calls people for a critical alarm that nobody took"),
    fallback: "",
    choices: [
      ["", w("不用", "None")],
      ["aliyun", w("阿里云", "Alibaba Cloud")],
      ["tencent", w("腾讯云", "Tencent Cloud")],
    ],
    env: "VOICE_PROVIDER",
  },
  "voice.keyId": {
    section: "voice",
    kind: "text",
    words: w("访问密钥 ID", "Access key id"),
    fallback: "",
    env: "VOICE_KEY_ID",
  },
  "voice.keySecret": {
    section: "voice",
    kind: "text",
    words: w("访问密钥", "Access key secret"),
    fallback: "",
    secret: true,
    env: "VOICE_KEY_SECRET",
  },
  "voice.template.alarm": {
    section: "voice",
    kind: "text",
    words: w("模板：告警", "Template: alarm"),
    fallback: "",
    max: 60,
    env: "VOICE_TEMPLATE_ALARM",
  },
  "voice.template.alarmEn": {
    section: "voice",
    kind: "text",
    words: w("模板：英文告警", "Template: alarm in English"),
    fallback: "",
    max: 60,
    env: "VOICE_TEMPLATE_ALARM_EN",
  },
  "voice.showNumber": {
    section: "voice",
    kind: "text",
    words: w("显示的号码（阿里云）", "Number that is shown (Alibaba Cloud)"),
    fallback: "",
    max: 20,
    env: "VOICE_SHOW_NUMBER",
  },
  "voice.appId": {
    section: "voice",
    kind: "text",
    words: w("应用 ID（腾讯云）", "App id (Tencent)"),
    fallback: "",
    env: "VOICE_APP_ID",
  },
  "voice.region": {
    section: "voice",
    kind: "text",
    words: w("地域（腾讯云）", "Region (Tencent)"),
    fallback: "ap-guangzhou",
    env: "VOICE_REGION",
  },
  "voice.endpoint": {
    section: "voice",
    kind: "url",
    words: w("接口地址", "Address of the service"),
    hint: w("留空用服务商自己的", "The provider's own when empty"),
    fallback: "",
    env: "VOICE_ENDPOINT",
  },
  "wechat.appId": {
    section: "wechat",
    kind: "text",
    words: w("公众号 AppID", "App id of the account"),
    hint: w(
      "告警和消息由公众号推送；换公众号后，绑定过的人要重新绑定",
      "Alarms and messages are told by it; after a change of the account people bind again",
    ),
    fallback: "",
    max: 60,
    env: "WECHAT_APP_ID",
  },
  "wechat.appSecret": {
    section: "wechat",
    kind: "text",
    words: w("公众号 AppSecret", "App secret of the account"),
    fallback: "",
    secret: true,
    env: "WECHAT_APP_SECRET",
  },
  "wechat.token": {
    section: "wechat",
    kind: "text",
    words: w("服务器令牌（Token）", "Token of the server address"),
    hint: w(
      "与公众号后台“服务器配置”里的一样，地址是本站的 /wechat/callback",
      "The same as at the account, whose server address is this site's /wechat/callback",
    ),
    fallback: "",
    secret: true,
    env: "WECHAT_TOKEN",
  },
  "wechat.template": {
    section: "wechat",
    kind: "text",
    words: w("模板编号", "Template"),
    fallback: "",
    max: 100,
    env: "WECHAT_TEMPLATE",
  },
  "wechat.templateFields": {
    section: "wechat",
    kind: "places",
    words: w("模板里标题、内容、时间的名称", "Places for title, content, time"),
    hint: w("如 thing1,thing2,time3", "Such as thing1,thing2,time3"),
    fallback: "thing1,thing2,time3",
    max: 100,
    required: true,
    env: "WECHAT_TEMPLATE_FIELDS",
  },
  "wechat.endpoint": {
    section: "wechat",
    kind: "url",
    words: w("接口地址", "Address of the service"),
    hint: w("留空用微信自己的", "WeChat's own when empty"),
    fallback: "",
    env: "WECHAT_ENDPOINT",
  },
  "payment.url": {
    section: "payment",
    kind: "url",
    words: w("网关地址", "Address of the gateway"),
    hint: w(
      "留空就不收在线付款；换网关后，三天内仍向原网关核对没有结果的付款",
      "None is paid online when empty; after a change the former gateway is still asked for three days about what is open",
    ),
    fallback: "",
    max: 300,
    env: "PAYMENT_URL",
  },
  "payment.secret": {
    section: "payment",
    kind: "text",
    words: w("网关密钥", "Secret of the gateway"),
    hint: w("至少 16 个字符，双方的请求和通知都用它签名", "At least 16 characters; signs calls and notices of both"),
    fallback: "",
    least: 16,
    secret: true,
    env: "PAYMENT_SECRET",
  },
  "translation.provider": {
    section: "translation",
    kind: "choice",
    words: w("服务商", "Provider"),
    fallback: "none",
    choices: [
      ["none", w("不用", "None")],
      ["baidu", w("百度翻译", "Baidu")],
      ["libretranslate", w("LibreTranslate", "LibreTranslate")],
    ],
    env: "TRANSLATION_PROVIDER",
  },
  "translation.baiduAppId": {
    section: "translation",
    kind: "text",
    words: w("百度 APP ID", "Baidu app id"),
    fallback: "",
    env: "BAIDU_APP_ID",
  },
  "translation.baiduKey": {
    section: "translation",
    kind: "text",
    words: w("百度密钥", "Baidu key"),
    fallback: "",
    secret: true,
    env: "BAIDU_KEY",
  },
  "translation.libreUrl": {
    section: "translation",
    kind: "url",
    words: w("LibreTranslate 地址", "Address of LibreTranslate"),
    fallback: "",
    max: 300,
    env: "LIBRETRANSLATE_URL",
  },
  "translation.libreKey": {
    section: "translation",
    kind: "text",
    words: w("LibreTranslate 密钥", "Key of LibreTranslate"),
    fallback: "",
    secret: true,
    env: "LIBRETRANSLATE_API_KEY",
  },
  "translation.charactersPerDay": {
    section: "translation",
    kind: "number",
    words: w("每天最多字符数", "Most characters in a day"),
    fallback: "1000000",
    least: 0,
    most: 1_000_000_000,
    env: "TRANSLATION_CHARACTERS_PER_DAY",
  },
  "webhook.networks": {
    section: "webhook",
    kind: "networks",
    words: w("允许的内网", "Own networks"),
    hint: w(
      "告警通知可以发往的内网地址，如 10.1.0.0/16，用逗号分隔；留空只发往公网的 https 地址",
      "Own networks that notices may be posted to, such as 10.1.0.0/16, separated by commas; only https on the internet when empty",
    ),
    fallback: "",
    max: 500,
    env: "WEBHOOK_NETWORKS",
  },
  "files.bucket": {
    section: "files",
    kind: "text",
    words: w("存储桶", "Bucket"),
    hint: w(
      "空着时文件在服务器的 DATA_DIR/files；换存储要先停机搬文件",
      "Files lie in the server's DATA_DIR/files when empty; files are moved with the servers stopped before a change",
    ),
    fallback: "",
    fixed: true,
    env: "S3_BUCKET",
  },
  "files.endpoint": {
    section: "files",
    kind: "url",
    words: w("接口地址", "Address of the service"),
    fallback: "",
    fixed: true,
    env: "S3_ENDPOINT",
  },
  "files.region": {
    section: "files",
    kind: "text",
    words: w("地域", "Region"),
    fallback: "",
    fixed: true,
    env: "S3_REGION",
  },
  "files.keyId": {
    section: "files",
    kind: "text",
    words: w("访问密钥 ID", "Access key id"),
    fallback: "",
    fixed: true,
    env: "S3_KEY_ID",
  },
  "files.keySecret": {
    section: "files",
    kind: "text",
    words: w("访问密钥", "Access key secret"),
    fallback: "",
    secret: true,
    fixed: true,
    env: "S3_KEY_SECRET",
  },
} as const satisfies Readonly<Record<string, SettingDeclaration>>;
export type SettingKey = keyof typeof settingDeclarations;

/** Declarations with their keys, in the order of the screen. */
export const settingList: readonly (SettingDeclaration & { key: SettingKey })[] = Object.entries(
  settingDeclarations,
).map(([key, declaration]) => ({ ...declaration, key: key as SettingKey }));

/** Whether a text is the key of a setting. */
export const isSettingKey = (key: string): key is SettingKey => Object.hasOwn(settingDeclarations, key);

/** The declaration of a setting, with what few of them have. */
export const settingOf = (key: SettingKey): SettingDeclaration => settingDeclarations[key];

const channelOf = (hex: string, at: number): number => {
  const value = Number.parseInt(hex.slice(at, at + 2), 16) / 255;
  return value <= 0.040_45 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
};
const luminanceOf = (hex: string): number =>
  0.2126 * channelOf(hex, 1) + 0.7152 * channelOf(hex, 3) + 0.0722 * channelOf(hex, 5);

/** Contrast of two colours (#rrggbb) by WCAG 2, from 1 to 21. */
export function contrastOf(one: string, other: string): number {
  const [darker = 0, lighter = 0] = [luminanceOf(one), luminanceOf(other)].sort((a, b) => a - b);
  return (lighter + 0.05) / (darker + 0.05);
}

/** Contrast that text needs to be readable (WCAG 2 AA). */
export const leastContrast = 4.5;

/** Colours of each theme that the main colour is seen against: pages and the text on buttons. */
const seenAgainst = {
  light: ["#f5f3ee", "#ffffff"],
  dark: ["#0b1411", "#17241f", "#04160c"],
} as const;

/** Colours from one towards another, nearest first. */
function* towards(colour: string, end: 0 | 255): Generator<string> {
  for (let share = 0; share <= 100; share += 1)
    yield `#${[1, 3, 5]
      .map((at) => {
        const from = Number.parseInt(colour.slice(at, at + 2), 16);
        return Math.round(from + ((end - from) * share) / 100)
          .toString(16)
          .padStart(2, "0");
      })
      .join("")}`;
}

/** The nearest shade of a colour that is readable in a theme: darker by day, lighter by night. */
export function nearestReadable(theme: "light" | "dark", colour: string): string {
  for (const shade of towards(colour, theme === "light" ? 0 : 255))
    if (contrastIn(theme, shade) >= leastContrast) return shade;
  throw new Error("black and white are readable");
}

/** The lowest contrast that a main colour has in its theme. */
export const contrastIn = (theme: "light" | "dark", colour: string): number =>
  Math.min(...seenAgainst[theme].map((other) => contrastOf(colour, other)));

/** Why a setting can't have a text. */
export type SettingProblem =
  | "required"
  | "range"
  | "choice"
  | "too_long"
  | "too_short"
  | "colour"
  | "contrast"
  | "url"
  | "phone"
  | "networks"
  | "sender"
  | "host"
  | "places"
  | "hours";

const forms: Readonly<Partial<Record<SettingKind, RegExp>>> = {
  colour: /^#[0-9a-f]{6}$/,
  phone: /^\+?[0-9][0-9 ()-]{2,28}$/,
  networks: /^[0-9a-f.:/]+(, ?[0-9a-f.:/]+)*$/i,
  sender: /^([^<>"\r\n]{0,60}<[^@\s<>]+@[^@\s<>]+>|[^@\s<>]+@[^@\s<>]+)$/,
  host: /^([a-z0-9]([a-z0-9.-]*[a-z0-9])?|[0-9a-f:]+)$/i,
  places: /^[a-z_]+\d*( ?, ?[a-z_]+\d*){2}$/,
};

function isWebAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const { protocol, username, password } = new URL(text);
  return (protocol === "https:" || protocol === "http:") && username === "" && password === "";
}

/**
 * What is wrong with a text as the value of a setting; undefined when it may be so.
 * @param text without blanks around it; colours in small letters
 */
export function settingProblemOf(of: SettingDeclaration, text: string): SettingProblem | undefined {
  const { kind, least = 0, most = 0, max = 200 } = of;
  if (kind === "number") return /^\d{1,10}$/.test(text) && +text >= least && +text <= most ? undefined : "range";
  if (kind === "choice") return of.choices?.some(([value]) => value === text) ? undefined : "choice";
  if (text === "") return of.required ? "required" : undefined;
  if ([...text].length > max) return "too_long";
  if (of.secret && [...text].length < least) return "too_short";
  if (kind === "url") return isWebAddress(text) ? undefined : "url";
  if (kind === "hours") return timeRangesOf(text) ? undefined : "hours";
  if (kind !== "text" && !forms[kind]?.test(text)) return kind;
  if (kind === "colour" && of.theme !== undefined && contrastIn(of.theme, text) < leastContrast) return "contrast";
  return undefined;
}
