/**
 * Reasons for refusing a value of a form, used by the browser and the server.
 * `zh` is the text of the envelope and the key of its translation; placeholders are filled from the problem's values, of which
 * `label` is itself translated.
 */
export const ruleReasons = {
  "field.required": { zh: "请填写{label}", en: "Enter {label}" },
  "field.type": { zh: "{label}的格式不正确", en: "{label} has the wrong format" },
  "field.too_long": { zh: "{label}最多 {max} 个字符", en: "{label}: at most {max} characters" },
  "field.length": { zh: "{label}为 {min} 到 {max} 个字符", en: "{label}: {min} to {max} characters" },
  "field.one_line": { zh: "{label}不能换行", en: "{label} must be one line" },
  "field.person_name": {
    zh: "{label}为 2 到 5 个汉字；有间隔号（·）或字母的为 2 到 30 个字符",
    en: "{label}: 2 to 5 Han characters, or 2 to 30 with a middle dot (·) or Latin letters",
  },
  "field.mobile": { zh: "请输入正确的手机号", en: "Enter a valid mobile number" },
  "field.phone": { zh: "请输入正确的电话号码", en: "Enter a valid phone number" },
  "field.email": { zh: "请输入正确的邮箱", en: "Enter a valid e-mail address" },
  "field.code": { zh: "{label}由字母、数字、- 和 _ 组成", en: "{label}: letters, digits, - and _ only" },
  "field.login_name": {
    zh: "{label}为 2 到 32 个字符，只能包含文字、数字和 _ . @ -",
    en: "{label}: 2 to 32 characters, only letters, digits and _ . @ -",
  },
  "field.region": { zh: "请选择{label}", en: "Choose {label}" },
  "field.path": { zh: "{label}以 / 开头，不含空格", en: "{label} begins with / and has no spaces" },
  "field.link": {
    zh: "{label}以 / 或 http 开头，不含空格、反斜杠和 ..",
    en: "{label} begins with / or http and has no spaces, backslashes or ..",
  },
  "field.web_address": {
    zh: "{label}要以 https:// 开头，不含用户名、密码和空格",
    en: "{label} begins with https:// and has no user name, password or spaces",
  },
  "field.time_ranges": {
    zh: "请填写时间段，如 08:30-12:00；结束晚于开始，不能重叠",
    en: "Enter times such as 08:30-12:00; the end is later than the start and none overlap",
  },
  "field.number": { zh: "{label}须为数字", en: "{label} must be a number" },
  "field.range": { zh: "{label}为 {min} 到 {max} {unit}", en: "{label}: {min} to {max} {unit}" },
  "field.choice": { zh: "{label}没有“{value}”这一项", en: "{label} has no “{value}”" },
  "field.too_many": { zh: "{label}最多选 {max} 项", en: "{label}: at most {max}" },
  "field.reference": { zh: "请选择{label}", en: "Choose {label}" },
  "field.date": { zh: "{label}不是有效日期", en: "{label} is not a valid date" },
  "field.unique": { zh: "{label}“{value}”已存在", en: "{label} “{value}” is taken" },
  "field.doubled": { zh: "{label}“{value}”与第 {row} 行重复", en: "{label} “{value}” also stands in row {row}" },
  "field.region_many": {
    zh: "{label}“{value}”不止一处：{names}，请写全或填编号",
    en: "{label} “{value}” is the name of several: {names}. Write it in full or enter its code",
  },
  "field.formula": {
    zh: "{label}是公式，没有算出的值，请用 Excel 或 WPS 打开再保存一次",
    en: "{label} is a formula without a result. Open the sheet in Excel or WPS and save it",
  },
  "field.error": { zh: "{label}的公式出错了：{value}", en: "The formula of {label} failed: {value}" },
  "field.digits": {
    zh: "{label}是超过 15 位的数字，表格存不准，请把格子设为文本再填",
    en: "{label} is a number of more than 15 digits, of which a sheet loses some. Format the cell as text and enter it again",
  },
  "field.cut": {
    zh: "{label}超过一个格子能放的 32767 个字符",
    en: "{label} is longer than the 32,767 characters of a cell",
  },
  "field.fixed": { zh: "{label}不能再改", en: "{label} can't be changed any more" },
} as const satisfies Record<string, { zh: string; en: string }>;
export type RuleReason = keyof typeof ruleReasons;

/** The problem of one field. */
export interface Problem {
  field: string;
  /** Code by which programs tell problems apart. */
  reason: string;
  /** Chinese with placeholders; the key of its translation. */
  text: string;
  values: Readonly<Record<string, string | number>>;
}
