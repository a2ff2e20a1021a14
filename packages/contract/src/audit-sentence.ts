import { type AuditAction, type AuditChange, auditActionNames } from "./audit.ts";
import { type AuditText, auditThing } from "./audit-words.ts";
import { type Field, isBlank } from "./resource/index.ts";

/**
 * A sentence in both languages. `{0}`, `{1}` and so on stand for the names, which are data: rows' titles, people, and values that
 * somebody typed.
 */
export interface AuditSentence {
  readonly zh: string;
  readonly en: string;
  readonly names: readonly string[];
}

/** English of a unit for a number: `{count|day|days}` is "day" for 1. */
const counted = (unit: string, value: unknown): string =>
  unit.replace(/\{count\|([^|}]*)\|([^}]*)\}/g, (_, one: string, many: string) => (String(value) === "1" ? one : many));

/** One changed field in words; `before` and `after` are left out where there was, or is, nothing. */
export interface AuditDetail {
  readonly label: AuditText;
  readonly before?: AuditText;
  readonly after?: AuditText;
}

/** A stored entry, as far as it is put into words. */
export interface AuditEntryContent {
  readonly actorName: string;
  readonly resource: string;
  readonly rowTitle: string;
  readonly action: string;
  readonly changes: readonly AuditChange[];
}

/** Words that the sentence needs of others. */
export interface AuditLookUps {
  /** English of a text of the screens. */
  english(chinese: string): string | undefined;
  /**
   * Name of a row by its id; undefined where there is none any more.
   * @param of name of a resource; `menu` by its code, `region` by its code, `dictionary/<code>` by the key of an entry
   */
  nameOf(of: string, id: string): string | undefined;
  /** Labels and values of parameters and commands of devices. */
  device: {
    field(key: string): Required<AuditText> | undefined;
    value(key: string, value: unknown): Required<AuditText> | undefined;
    command(method: string): Required<AuditText> | undefined;
  };
}

const changesTold = 3;
const namesTold = 5;
const longestValue = 60;
const separator = { zh: "，", en: "; " };
/** Stored where a value was shown to somebody. */
const shown = "shown";

/** The first letter of a label in the middle of an English sentence; abbreviations stay. */
const midSentence = (text: string): string =>
  /^[A-Z](?![A-Z])/.test(text) ? text[0]?.toLowerCase() + text.slice(1) : text;

type Said = { zh: string; en: string };
type Values = Readonly<Record<string, AuditText | Said>>;

/** Puts an entry into words. */
function createTeller(entry: AuditEntryContent, look: AuditLookUps) {
  const names: string[] = [];
  const thing = auditThing(entry.resource);
  /** Data in a sentence, by its place among the names. */
  const place = (name: string): Said => {
    const held = names.indexOf(name);
    const at = held < 0 ? names.push(name) - 1 : held;
    return { zh: `{${at}}`, en: `{${at}}` };
  };
  const known = (zh: string): AuditText => {
    const parts = zh.split(" · ");
    const english = parts.map((part) => look.english(part));
    return english.every((part) => part !== undefined) ? { zh, en: english.join(" · ") } : { zh };
  };
  const asSaid = (text: AuditText): Said => (text.en === undefined ? place(text.zh) : { zh: text.zh, en: text.en });
  const say = (zh: string, en: string, values: Values = {}): Said => {
    const said = new Map(Object.entries(values).map(([name, text]) => [name, asSaid(text)]));
    const fill = (template: string, language: "zh" | "en"): string =>
      template.replace(/\[(\w+)\]/g, (_whole, name: string) => said.get(name)?.[language] ?? "");
    return { zh: fill(zh, "zh"), en: fill(en, "en") };
  };
  const listed = (texts: readonly Said[], most: number): Said => {
    const rest = texts.length - most;
    const told = texts.slice(0, most);
    const more = rest > 0 ? say(`等 ${texts.length} 项`, ` and ${rest} more`) : say("", "");
    return { zh: told.map(({ zh }) => zh).join("、") + more.zh, en: told.map(({ en }) => en).join(", ") + more.en };
  };
  const quoted = (text: AuditText): Said => say("“[text]”", "“[text]”", { text });

  /** A name of a row that a value refers to. */
  const named = (of: string, id: string): AuditText => {
    const name = look.nameOf(of, id);
    return name === undefined ? { zh: "已删除的记录", en: "a removed record" } : known(name);
  };
  const plain = (value: unknown): AuditText => {
    const words = String(value)
      .replace(/<[^>]*>/g, " ")
      .replace(/\s+/g, " ")
      .trim();
    // Structures are no words; their label says that they changed.
    if (/^[[{]/.test(words)) return { zh: "新的内容", en: "new content" };
    const cut = [...words].length > longestValue ? `${[...words].slice(0, longestValue).join("")}…` : words;
    return known(cut);
  };
  const number = (value: unknown, unit: string | undefined): AuditText => {
    const text = unit ? `${value} ${unit}` : String(value);
    return { zh: text, en: unit ? `${value} ${counted(look.english(unit) ?? unit, value)}` : text };
  };
  const wordsOf = (field: Field | undefined, name: string, value: unknown): AuditText | undefined => {
    if (isBlank(value)) return undefined;
    if (Array.isArray(value)) {
      const all = value.map((one) => wordsOf(field, name, one)).filter((one) => one !== undefined);
      const en = all.map((one) => one.en ?? one.zh).join(", ");
      const zh = all.map((one) => one.zh).join("、");
      return all.every((one) => one.en !== undefined) ? { zh, en } : { zh };
    }
    if (typeof value === "object") return { zh: "新的内容", en: "new content" };
    if (value === shown || value === "made" || value === "new") return undefined;
    if (field === undefined)
      return look.device.value(name, value) ?? (typeof value === "boolean" ? known(value ? "是" : "否") : undefined);
    switch (field.kind) {
      case "switch":
        return known(value === true || value === "true" ? "是" : "否");
      case "number":
        return number(value, field.unit);
      case "choice":
      case "choices": {
        // A state may have the time that it waits for.
        const [key = "", ...rest] = String(value).split(" ");
        const option = field.options?.find(([held]) => held === key)?.[1];
        if (option !== undefined) {
          const text = known(option);
          return rest.length === 0
            ? text
            : { zh: `${text.zh} ${rest.join(" ")}`, en: `${text.en ?? text.zh} ${rest.join(" ")}` };
        }
        if (field.dictionary) return named(`dictionary/${field.dictionary}`, String(value));
        return { zh: "其他", en: "other" };
      }
      case "reference":
        return String(value) === "0" ? undefined : named(field.to, String(value));
      case "date":
      case "moment":
        return { zh: String(value), en: String(value) };
      default:
        return field.rule === "region" ? named("region", String(value)) : plain(value);
    }
  };
  const fieldOf = (name: string): Field | undefined => thing.fields.get(name);
  const labelOf = (name: string): AuditText => {
    const field = fieldOf(name);
    if (field) return known(field.label);
    return look.device.field(name) ?? { zh: "其他内容", en: "other content" };
  };
  const midLabel = (name: string): Said => {
    const { zh, en } = labelOf(name);
    return { zh, en: midSentence(en ?? look.english(zh) ?? zh) };
  };

  const one: Said = {
    zh: thing.one.zh,
    en: thing.one.en ?? midSentence(look.english(thing.one.zh) ?? thing.one.zh),
  };
  /** The row with its title; titles that are numbers of the database alone are left out. */
  const isNamed = entry.rowTitle !== "" && !/^\d{15,}$/.test(entry.rowTitle);
  const row: Said = isNamed
    ? say("[one]“[title]”", "the [one] “[title]”", { one, title: { zh: entry.rowTitle } })
    : say("一条[one]", "a [one]".replace(/^a (?=\[one\])/, /^[aeiou]/i.test(one.en) ? "an " : "a "), { one });

  const changeOf = (name: string): AuditChange | undefined => entry.changes.find(({ field }) => field === name);
  const textOf = (name: string): string => String(changeOf(name)?.after ?? "");

  /** One change of a field of the row. */
  const told = ({ field, before, after }: AuditChange): Said => {
    const label = midLabel(field);
    const [was, is] = [wordsOf(fieldOf(field), field, before), wordsOf(fieldOf(field), field, after)];
    if (was && is && was.zh !== is.zh)
      return say("[label]由“[was]”改为“[is]”", "[label] from “[was]” to “[is]”", { label, was, is });
    if (is && !was) return say("[label]设为“[is]”", "[label] to “[is]”", { label, is });
    if (was && !is) return say("[label]清空（原为“[was]”）", "[label] to nothing (it was “[was]”)", { label, was });
    return say("[label]", "[label]", { label });
  };
  const changed = (changes: readonly AuditChange[]): Said => {
    const rest = changes.length - changesTold;
    const first = changes.slice(0, changesTold).map(told);
    const more = rest > 0 ? say(`，还有 ${rest} 项`, ` and ${rest} more`) : say("", "");
    return {
      zh: first.map(({ zh }) => zh).join(separator.zh) + more.zh,
      en: first.map(({ en }) => en).join(separator.en) + more.en,
    };
  };
  const because = (): Said => {
    const reason = wordsOf(fieldOf("reason"), "reason", changeOf("reason")?.after);
    return reason ? say("（原因：[reason]）", " (reason: [reason])", { reason }) : say("", "");
  };
  const granted = (codes: unknown): Said | undefined => {
    if (!Array.isArray(codes) || codes.length === 0) return undefined;
    return listed(
      codes.map((code) => quoted(named("menu", String(code)))),
      namesTold,
    );
  };
  const joined = (parts: readonly (Said | undefined)[]): Said => {
    const held = parts.filter((part) => part !== undefined);
    return { zh: held.map(({ zh }) => zh).join(separator.zh), en: held.map(({ en }) => en).join(separator.en) };
  };
  const event = (): string | undefined => (changeOf("event") ? thing.events[textOf("event")] : undefined);

  return {
    entry,
    thing,
    look,
    names,
    one,
    row,
    say,
    place,
    known,
    quoted,
    named,
    wordsOf,
    labelOf,
    midLabel,
    fieldOf,
    changeOf,
    textOf,
    changed,
    because,
    granted,
    joined,
    listed,
    event,
  };
}
type Teller = ReturnType<typeof createTeller>;
/** What an entry says after the name of whoever did it; undefined where the rule does not fit after all. */
type Rule = (to: Teller) => Said | undefined;

/** Menus and buttons that a role or package got and lost, and what else of its grants changed. */
const grant =
  (zh: readonly [string, string], en: readonly [string, string]): Rule =>
  ({ row, say, granted, joined, changeOf, changed, entry }) => {
    const menus = changeOf("menus");
    const [got, lost] = [granted(menus?.after), granted(menus?.before)];
    const rest = entry.changes.filter(({ field }) => field !== "menus");
    return joined([
      got && say(zh[0], en[0], { row, list: got }),
      lost && say(zh[1], en[1], { row, list: lost }),
      rest.length > 0
        ? say("修改了[row]的[changes]", "changed [row]: [changes]", { row, changes: changed(rest) })
        : undefined,
    ]);
  };

const parsed = (text: string): Readonly<Record<string, unknown>> => {
  try {
    return JSON.parse(text) as Record<string, unknown>;
  } catch {
    return {};
  }
};
const severityOf = ({ known }: Teller, severity: string): AuditText =>
  known(
    ({ WARN: "提示", MINOR: "一般", MAJOR: "严重", CRITICAL: "紧急" } as Readonly<Record<string, string>>)[severity] ??
      "其他",
  );
const channelNames: Readonly<Record<string, Said>> = {
  site: { zh: "站内消息", en: "messages on the portal" },
  sms: { zh: "短信", en: "SMS" },
  mail: { zh: "邮件", en: "e-mail" },
  webhook: { zh: "网络回调", en: "webhook" },
  "wechat-robot": { zh: "企业微信机器人", en: "WeChat robot" },
};

/** A price of the desk as the trail writes it. */
function priceChange(to: Teller, { field, before, after }: AuditChange): Said {
  const { say, midLabel } = to;
  const label = to.labelOf(field);
  const of = { label: { zh: label.zh, en: label.en ?? midLabel(field).en } };
  const [was, is] = [String(before ?? ""), String(after ?? "")];
  const [, confirmed] = /^confirmed (.*)$/.exec(is) ?? [];
  const [, returned] = /^returned: (.*)$/s.exec(is) ?? [];
  const [, corrected, why = ""] = /^correction ([\d.]*): (.*)$/s.exec(is) ?? [];
  const price = (yuan: string): Said => (yuan === "" ? say("无", "none") : say(`${yuan} 元/kg`, `${yuan} yuan/kg`));
  if (confirmed !== undefined)
    return say("确认了[label]的 [price]", "confirmed [label] at [price]", { ...of, price: price(confirmed) });
  if (returned !== undefined)
    return say("退回了[label]（原因：[why]）", "returned [label] (reason: [why])", { ...of, why: { zh: returned } });
  if (is === "returned") return say("没有采纳[label]的更正", "did not accept the correction of [label]", of);
  if (corrected !== undefined)
    return say(
      "提出把[label]从 [was] 更正为 [is]（原因：[why]）",
      "proposed to correct [label] from [was] to [is] (reason: [why])",
      {
        ...of,
        was: price(was),
        is: price(corrected),
        why: { zh: why },
      },
    );
  if (is === "") return say("删去了[label]的 [was]", "removed [label], [was]", { ...of, was: price(was) });
  if (was === "") return say("录入了[label] [is]", "entered [label], [is]", { ...of, is: price(is) });
  return say("把[label]从 [was] 改为 [is]", "changed [label] from [was] to [is]", {
    ...of,
    was: price(was),
    is: price(is),
  });
}

/**
 * Sentences of single actions, by `<resource>.<action>`, or of one changed field, by `<resource>.<action>.<field>`; all others follow
 * the general rules below.
 */
const rules: Readonly<Record<string, Rule>> = {
  "role.grant": grant(
    ["让[row]可以使用[list]", "收回了[row]的[list]"],
    ["let [row] use [list]", "took [list] away from [row]"],
  ),
  "tenant_package.grant": grant(
    ["在[row]里加入了[list]", "从[row]里去掉了[list]"],
    ["added [list] to [row]", "took [list] out of [row]"],
  ),
  "topmenu.grant": ({ say, row, textOf }) =>
    say(`在[row]下放了 ${Number(textOf("menus"))} 个菜单`, `put ${Number(textOf("menus"))} menus under [row]`, { row }),
  "user.reset": ({ say, row, textOf }) =>
    textOf("password") === "link"
      ? say(
          "重置了[row]的密码，链接发到本人已验证的手机",
          "reset the password of [row]; a link went to the person's own phone",
          { row },
        )
      : say("重置了[row]的密码，由操作人转告本人", "reset the password of [row], to be told to the person by hand", {
          row,
        }),
  "session.remove": ({ say, row, textOf }) =>
    say(`结束了[row]的 ${Number(textOf("count"))} 个登录会话`, `ended ${Number(textOf("count"))} sessions of [row]`, {
      row,
    }),
  "attachment.view": ({ say, row }) => say("下载了[row]", "downloaded [row]", { row }),
  "device.reset.credentials": ({ say, row, textOf }) =>
    textOf("credentials") === "token"
      ? say("给[row]换了访问令牌", "gave [row] a new access token", { row })
      : say("给[row]设了登录名和密码", "gave [row] a user name and a password", { row }),
  "device.update.bound": ({ say, row, textOf }) =>
    textOf("bound") === "bound"
      ? say("绑定了[row]", "bound [row]", { row })
      : say("解绑了[row]", "unbound [row]", { row }),
  "device.update.blocked": ({ say, row, changeOf }) =>
    changeOf("blocked")?.after === true
      ? say("停用了[row]", "disabled [row]", { row })
      : say("恢复了[row]", "enabled [row]", { row }),
  "device.update.label": ({ say, row, textOf }) =>
    textOf("label") === "new"
      ? say("给[row]生成了新标签", "made a new label for [row]", { row })
      : say("看了[row]的标签", "looked at the label of [row]", { row }),
  "device_command.create": (to) => {
    const { say, row, entry, textOf, look, listed } = to;
    const command = look.device.command(textOf("method")) ?? { zh: "其他指令", en: "another command" };
    const asked = entry.changes
      .filter(({ field }) => field !== "method")
      .flatMap(({ field, after }) => {
        const value = to.wordsOf(undefined, field, after);
        return value ? [say("[label] [value]", "[label] [value]", { label: to.midLabel(field), value })] : [];
      });
    const more = asked.length > 0 ? say("（[list]）", " ([list])", { list: listed(asked, changesTold) }) : say("", "");
    return say("给[row]下达了指令“[command]”[more]", "sent the command “[command]” to [row][more]", {
      row,
      command,
      more,
    });
  },
  "device_command.undo": ({ say, row, changeOf, look }) =>
    say("取消了给[row]的指令“[command]”", "took back the command “[command]” to [row]", {
      row,
      command: look.device.command(String(changeOf("method")?.before ?? "")) ?? {
        zh: "其他指令",
        en: "another command",
      },
    }),
  "customer.view.export": ({ say, because }) =>
    say("导出了客户名单[why]", "exported the list of customers[why]", { why: because() }),
  "lot.view.bidders": ({ say, row }) => say("看了[row]的出价人是谁", "looked up who bids in [row]", { row }),
  "lot.update.struck": ({ say, row, because }) =>
    say("取消了[row]里的一次出价[why]", "struck a bid out of [row][why]", { row, why: because() }),
  "bank_card.view.number": ({ say, entry, because }) =>
    say(
      "看了尾号 [last] 的银行卡的完整卡号[why]",
      "looked at the whole number of the bank card ending in [last][why]",
      {
        last: { zh: entry.rowTitle },
        why: because(),
      },
    ),
  "cancellation.view.retained": ({ say, fieldOf, wordsOf, textOf, because }) =>
    say("打开了依法保留的[what][why]", "opened what law keeps: [what][why]", {
      what: wordsOf(fieldOf("retained"), "retained", textOf("retained")) ?? { zh: "资料", en: "records" },
      why: because(),
    }),
  "cancellation.update.redacted": ({ say, textOf }) =>
    say(
      `按注销抹去了 ${Number.parseInt(textOf("redacted"), 10) || 0} 条记录里的姓名`,
      `took names out of ${Number.parseInt(textOf("redacted"), 10) || 0} entries, as an account was closed`,
    ),
  "alarm.update.acknowledge": ({ say, row, textOf }) =>
    textOf("acknowledge") === ""
      ? say("确认了[row]", "acknowledged [row]", { row })
      : say("确认了[row]（[note]）", "acknowledged [row] ([note])", { row, note: { zh: textOf("acknowledge") } }),
  "alarm.update.assign": ({ say, row, textOf }) =>
    say("把[row]交给“[person]”", "gave [row] to “[person]”", { row, person: { zh: textOf("assign") } }),
  "alarm.update.clear": ({ say, row }) => say("清除了[row]", "cleared [row]", { row }),
  "alarm.update.close": ({ say, row }) => say("关闭了[row]", "closed [row]", { row }),
  "alarm_rule.update": (to) => {
    const { say, row, entry } = to;
    const { removed, enabled, severity } = parsed(String(entry.changes[0]?.after ?? ""));
    if (removed === true) return say("让[row]恢复为上一级的设置", "put [row] back to what holds above", { row });
    if (enabled === false) return say("关闭了[row]", "turned [row] off", { row });
    return typeof severity === "string"
      ? say("修改了[row]，级别“[severity]”", "changed [row], severity “[severity]”", {
          row,
          severity: severityOf(to, severity),
        })
      : say("修改了[row]", "changed [row]", { row });
  },
  "alarm_masking.create": ({ say, entry, named }) => {
    const [{ field = "", after = "" } = {}] = entry.changes;
    const [, id = "", minutes = ""] = /^(.*), (\d+) min$/.exec(String(after)) ?? [];
    const resource = (
      { farm: "farm", house: "pig_house", unit: "unit", device: "device" } as Readonly<Record<string, string>>
    )[field];
    return say(
      `在“[place]”屏蔽告警 ${minutes} 分钟（原因：[why]）`,
      `masked the alarms of “[place]” for ${minutes} minutes (reason: [why])`,
      { place: named(resource ?? "", id), why: { zh: entry.rowTitle } },
    );
  },
  "alarm_masking.remove": ({ say }) => say("提前结束了一次告警屏蔽", "ended a masking of alarms early"),
  "alarm_push.update": (to) => {
    const { say, entry } = to;
    const [{ after = "" } = {}] = entry.changes;
    const [, on, severity = "", step = ""] = /^(on|off), from (\w+), step (\d+)$/.exec(String(after)) ?? [];
    const channel = channelNames[entry.rowTitle] ?? { zh: "其他渠道", en: "another channel" };
    return on === "on"
      ? say(
          `设置自己用[channel]收“[severity]”以上的告警，第 ${step} 步起`,
          `chose [channel] for the own alarms from “[severity]” on, at step ${step}`,
          { channel, severity: severityOf(to, severity) },
        )
      : say("不再用[channel]收告警", "chose to get no alarms by [channel]", { channel });
  },
  "day_price.update": (to) => {
    const { say, entry, joined, row, fieldOf, wordsOf } = to;
    const of = entry.changes.map((change) => {
      if (change.field === "published")
        return say(
          `发布了[row]里的 ${Number(change.after)} 个价格`,
          `published ${Number(change.after)} prices of [row]`,
          { row },
        );
      if (change.field === "publishAt")
        return say("把[row]的发布时间改为 [at]", "moved the publishing of [row] to [at]", {
          row,
          at: wordsOf(fieldOf("publishAt"), "publishAt", shanghaiText(change.after)) ?? { zh: "" },
        });
      return priceChange(to, change);
    });
    const told = joined(of.slice(0, changesTold));
    const rest = of.length - changesTold;
    const more = rest > 0 ? say(`，还有 ${rest} 处`, ` and ${rest} more`) : say("", "");
    return say("在[row]里[told][more]", "in [row]: [told][more]", { row, told, more });
  },
  "firmware.create": ({ say, row }) => say("上传了[row]", "uploaded [row]", { row }),
  "firmware_rollout.create": ({ say, entry, textOf }) =>
    say(
      `开始给 ${Number(textOf("devices"))} 台设备升级到“[title]”`,
      `began to update ${Number(textOf("devices"))} devices to “[title]”`,
      { title: { zh: entry.rowTitle } },
    ),
  "firmware_rollout.update.retry": ({ say, row, named, textOf }) =>
    say("在[row]里让“[device]”重试", "let “[device]” try [row] again", {
      row,
      device: named("device", textOf("retry")),
    }),
  "transit.update.driverLink": ({ say, row, textOf }) =>
    textOf("driverLink") === "revoked"
      ? say("收回了[row]的司机链接", "revoked the driver's link of [row]", { row })
      : say("给[row]生成了司机链接", "made a driver's link for [row]", { row }),
  "maintenance.update.photos": ({ say, row, textOf }) =>
    textOf("photos") === ""
      ? say("删除了[row]的一张照片", "removed a photo of [row]", { row })
      : say("给[row]加了一张照片", "added a photo to [row]", { row }),
  "contract.update.event": ({ say, row, textOf }) =>
    textOf("event") === "see" ? say("打开了[row]", "opened [row]", { row }) : undefined,
  "own_alarm_rule.update": ({ say, row }) => say("修改了[row]", "changed [row]", { row }),
  "real_name.update.fields": (to) => {
    const { say, row, event, labelOf, listed, textOf, quoted } = to;
    const fields = textOf("fields")
      .split(",")
      .map((one) => one.split(":")[0]?.trim() ?? "")
      .filter((one) => to.fieldOf(one) !== undefined);
    const step = quoted(to.known(event() ?? "修改"));
    if (fields.length === 0) return say("对[row]做了[step]", "recorded [step] for [row]", { row, step });
    const list = listed(
      fields.map((field) => {
        const { zh, en } = labelOf(field);
        return { zh, en: en ?? zh };
      }),
      namesTold,
    );
    return say("对[row]做了[step]：[list]", "recorded [step] for [row]: [list]", { row, step, list });
  },
};

/** A moment in Shanghai, from an ISO text. */
const shanghaiText = (value: unknown): string => {
  const at = Date.parse(String(value));
  return Number.isNaN(at) ? "" : new Date(at + 8 * 3_600_000).toISOString().slice(0, 16).replace("T", " ");
};

/** What any row's entry says, by action. */
const general: Readonly<Record<AuditAction, Rule>> = {
  create: ({ say, row }) => say("新增了[row]", "added [row]", { row }),
  update: (to) => {
    const { say, row, entry, changed, because } = to;
    const told = entry.changes.filter(({ field }) => field !== "reason");
    if (told.length === 0) return say("修改了[row]", "changed [row]", { row });
    return say("把[row]的[changes][why]", "changed [row]: [changes][why]", {
      row,
      changes: changed(told),
      why: because(),
    });
  },
  remove: ({ say, row }) => say("删除了[row]", "removed [row]", { row }),
  move: (to) => {
    const { say, row, entry, fieldOf, wordsOf } = to;
    const moved = entry.changes.find(({ field }) => field !== "sort" && /^(parent|farm|house)Id$/.test(field));
    if (!moved) return say("调整了[row]的顺序", "changed the place of [row] in its order", { row });
    const parent = wordsOf(fieldOf(moved.field), moved.field, moved.after);
    return parent
      ? say("把[row]移到“[parent]”下", "moved [row] to “[parent]”", { row, parent })
      : say("把[row]移到最上级", "moved [row] to the top", { row });
  },
  import: ({ say, row }) => say("从表格导入了[row]", "imported [row] from a sheet", { row }),
  undo: ({ say, row }) => say("撤销了[row]的导入", "undid the import of [row]", { row }),
  grant: (to) => general.update(to),
  reset: ({ say, row }) => say("重置了[row]", "reset [row]", { row }),
  view: (to) => {
    const { say, row, entry, listed, labelOf, because } = to;
    const labels = entry.changes.flatMap(({ field }) => {
      if (field === "reason") return [];
      const { zh, en } = labelOf(field);
      return [{ zh, en: midSentence(en ?? to.look.english(zh) ?? zh) }];
    });
    const why = because();
    return labels.length === 0
      ? say("查看了[row][why]", "looked at [row][why]", { row, why })
      : say("查看了[row]的完整[list][why]", "looked at the whole [list] of [row][why]", {
          row,
          why,
          list: listed(labels, namesTold),
        });
  },
  preview: ({ say, row }) => say("以[row]的身份预览了系统", "previewed the portal as [row]", { row }),
};

/** An entry of a process: its event by its word, and the state that it led to. */
const processStep: Rule = (to) => {
  const { say, row, entry, event, changeOf, fieldOf, wordsOf, changed, known } = to;
  if (!changeOf("event")) return undefined;
  const { zh, en } = event() === undefined ? { zh: "其他操作", en: "another step" } : known(event() ?? "");
  const step = en === undefined ? { zh } : { zh, en: midSentence(en) };
  const state = changeOf("state");
  const [was, is] = [
    wordsOf(fieldOf("state"), "state", state?.before),
    wordsOf(fieldOf("state"), "state", state?.after),
  ];
  const rest = entry.changes.filter(({ field }) => field !== "event" && field !== "state");
  const more = rest.length > 0 ? say("，[changes]", "; [changes]", { changes: changed(rest) }) : say("", "");
  if (is && was && was.zh !== is.zh)
    return say("把[row]由“[was]”变为“[is]”（[step]）[more]", "took [row] from “[was]” to “[is]” ([step])[more]", {
      row,
      step,
      was,
      is,
      more,
    });
  if (is && !was)
    return say("新建了[row]（[step]），状态“[is]”[more]", "added [row] ([step]), which is now “[is]”[more]", {
      row,
      step,
      is,
      more,
    });
  return say("给[row]记了“[step]”[more]", "recorded “[step]” for [row][more]", { row, step, more });
};

/**
 * An entry of the audit trail as one sentence, without its time.
 * @returns the sentence, and each changed field in words
 */
export function auditSentence(
  entry: AuditEntryContent,
  look: AuditLookUps,
): { sentence: AuditSentence; details: AuditDetail[] } {
  const to = createTeller(entry, look);
  const { resource, action, changes } = entry;
  const special = [...changes.map(({ field }) => `${resource}.${action}.${field}`), `${resource}.${action}`].find(
    (key) => Object.hasOwn(rules, key),
  );
  const act = action in auditActionNames ? (action as AuditAction) : "update";
  const said =
    (special === undefined ? undefined : rules[special]?.(to)) ?? processStep(to) ?? general[act](to) ?? to.row;
  const actor = entry.actorName === "" ? { zh: "系统", en: "The system" } : { zh: entry.actorName };
  const whole = to.say("[actor][said]", "[actor] [said]", { actor, said });
  const details = changes.flatMap((change): AuditDetail[] => {
    const { field, before, after } = change;
    if (field === "event" || isStructure(before) || isStructure(after)) return [];
    if (field === "menus" && (Array.isArray(before) || Array.isArray(after))) return menuDetails(to, change);
    const declared = to.fieldOf(field);
    if (declared === undefined && !look.device.field(field)) return [];
    const was = to.wordsOf(declared, field, before);
    const is = to.wordsOf(declared, field, after);
    return was || is ? [{ label: to.labelOf(field), ...(was && { before: was }), ...(is && { after: is }) }] : [];
  });
  return { sentence: { ...whole, names: to.names }, details };
}

const isStructure = (value: unknown): boolean =>
  typeof value === "string"
    ? /^[[{]/.test(value)
    : typeof value === "object" && value !== null && !Array.isArray(value);

/** Granted and revoked menus, one each. */
function menuDetails({ named }: Teller, { before, after }: AuditChange): AuditDetail[] {
  const of = (codes: unknown): AuditText[] =>
    Array.isArray(codes) ? codes.map((code) => named("menu", String(code))) : [];
  return [
    ...of(after).map((name) => ({ label: { zh: "授予", en: "Granted" }, after: name })),
    ...of(before).map((name) => ({ label: { zh: "收回", en: "Revoked" }, before: name })),
  ];
}

/** The sentence as plain text, for exports. */
export const plainSentence = ({ names, ...said }: AuditSentence, language: "zh" | "en"): string =>
  said[language].replace(/\{(\d+)\}/g, (_whole, at: string) => names[Number(at)] ?? "");
