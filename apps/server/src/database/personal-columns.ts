/**
 * Every column that tells whose a row is, or who did something. The export of a person's data and the erasure use this list; a
 * test compares it with the migrations.
 */
export interface PersonalColumn {
  table: string;
  /** Column with the id of an account. */
  column: string;
  /** For the export: title of the rows, and names of their columns, in Chinese, keys of the translations. */
  shown?: { title: string; columns: Readonly<Record<string, string>>; opened?: readonly string[] };
  /** Reason for leaving it out of the export. */
  leftOut?: string;
  /** What an erasure does with the rows: it removes them, or keeps them with an account that has no name any more. */
  erasure: "remove" | "keep";
  /** Column with a copy of the person's name, which is replaced by the pseudonym. */
  nameColumn?: string;
}

/** Replaces the name of an erased person. */
export const pseudonym = "已注销用户";
/** Replaces the name of an erased customer. */
export const tenantPseudonym = "已注销客户";

const at = { created_at: "时间" } as const;
const staff = "what people of the group did in their work; their accounts end with it, not by a cancellation";
const technical = "which operations were called, without what was sent; removed by age";
const twice = "the same row is in the export by another of its columns";

export const personalColumns: readonly PersonalColumn[] = [
  {
    table: "account_platforms",
    column: "account_id",
    shown: { title: "平台资料", columns: { updated_at: "时间", user_type: "平台", user_ext: "内容" } },
    erasure: "remove",
  },
  { table: "api_logs", column: "account_id", leftOut: technical, erasure: "remove" },
  { table: "error_logs", column: "account_id", leftOut: technical, erasure: "remove" },
  { table: "usual_logs", column: "account_id", leftOut: technical, erasure: "remove" },
  { table: "contract_template_versions", column: "saved_by", leftOut: staff, erasure: "keep" },
  { table: "contracts", column: "created_by", leftOut: staff, erasure: "keep" },
  { table: "contracts", column: "updated_by", leftOut: staff, erasure: "keep" },
  { table: "contract_versions", column: "written_by", leftOut: staff, erasure: "keep" },
  {
    table: "contract_signatures",
    column: "account_id",
    shown: {
      title: "签过的合同",
      columns: {
        contract_id: "合同编号",
        version: "版本",
        side: "签署方",
        signed_at: "时间",
        remote_address: "网络地址",
        signer_encrypted: "签署人",
      },
      opened: ["signer_encrypted"],
    },
    // A signature binds the person's company for as long as law requires contracts to be kept.
    erasure: "keep",
  },
  {
    table: "contract_events",
    column: "account_id",
    shown: { title: "合同记录", columns: { ...at, contract_id: "合同编号", what: "事项", body: "内容" } },
    erasure: "keep",
  },
  {
    table: "bids",
    column: "account_id",
    shown: { title: "竞价出价", columns: { at: "时间", seq: "第几次出价", fen_per_kg: "出价（分/kg）" } },
    // A record of bids is bound by its hashes.
    erasure: "keep",
  },
  {
    table: "bid_limits",
    column: "account_id",
    shown: { title: "竞价最高限价", columns: { fen_per_kg: "最高限价（分/kg）" } },
    erasure: "remove",
  },
  {
    table: "lot_bidders",
    column: "account_id",
    shown: { title: "竞价名次", columns: { bidder: "代号", best_per_kg: "最高出价（分/kg）" } },
    erasure: "keep",
  },
  {
    table: "message_choices",
    column: "account_id",
    shown: { title: "消息通知方式", columns: { kind: "类型", channel: "渠道", enabled: "开启" } },
    erasure: "remove",
  },
  {
    table: "message_settings",
    column: "account_id",
    shown: {
      title: "消息安静时段与汇总",
      columns: {
        quiet_from: "安静从（分钟）",
        quiet_to: "安静到（分钟）",
        digest_at: "汇总在（分钟）",
        updated_at: "时间",
      },
    },
    erasure: "remove",
  },
  {
    table: "wechat_bindings",
    column: "account_id",
    shown: { title: "绑定的微信", columns: { ...at, open_id_encrypted: "微信用户" }, opened: ["open_id_encrypted"] },
    erasure: "remove",
  },
  {
    table: "message_deliveries",
    column: "account_id",
    leftOut: "where the messages of the export went besides, for a few days",
    erasure: "remove",
  },
  {
    table: "announcement_receipts",
    column: "account_id",
    shown: {
      title: "收到的公告",
      columns: { announcement_id: "公告编号", read_at: "读过的时间", reminded_at: "提醒的时间" },
    },
    erasure: "remove",
  },
  {
    table: "customer_entries",
    column: "account_id",
    leftOut: "a short form of the account itself, made by triggers",
    erasure: "keep",
  },
  {
    table: "memberships",
    column: "account_id",
    shown: { title: "所在单位", columns: { tenant_id: "单位编号", code: "工号", status: "状态", ...at } },
    erasure: "remove",
  },
  {
    table: "sessions",
    column: "account_id",
    shown: {
      title: "登录会话",
      columns: {
        ...at,
        last_seen_at: "最近使用",
        user_agent: "浏览器",
        remote_address: "网络地址",
        end_reason: "结束原因",
      },
    },
    erasure: "remove",
  },
  {
    table: "personal_tokens",
    column: "account_id",
    shown: {
      title: "访问令牌",
      columns: { ...at, name: "名称", last_used_at: "最近使用", remote_address: "网络地址", end_reason: "结束原因" },
    },
    erasure: "remove",
  },
  {
    table: "account_events",
    column: "account_id",
    shown: {
      title: "账号记录",
      columns: { ...at, kind: "事项", detail: "内容", user_agent: "浏览器", remote_address: "网络地址" },
    },
    erasure: "remove",
  },
  {
    table: "agreement_consents",
    column: "account_id",
    shown: {
      title: "同意过的协议",
      columns: { version_id: "协议版本", agreed_at: "时间", remote_address: "网络地址" },
    },
    erasure: "remove",
  },
  {
    table: "messages",
    column: "account_id",
    shown: {
      title: "消息",
      columns: { ...at, kind: "类型", title: "标题", content: "内容", read_at: "读过的时间" },
    },
    erasure: "remove",
  },
  {
    table: "addresses",
    column: "account_id",
    shown: {
      title: "联系地址",
      columns: { region_code: "行政区划", address_encrypted: "详细地址", updated_at: "时间" },
      opened: ["address_encrypted"],
    },
    erasure: "remove",
  },
  {
    table: "contact_changes",
    column: "account_id",
    shown: {
      title: "联系方式变更",
      columns: {
        ...at,
        kind: "类型",
        state: "状态",
        old_encrypted: "原来的",
        new_encrypted: "新的",
        proven_by: "凭什么",
      },
      opened: ["old_encrypted", "new_encrypted"],
    },
    erasure: "remove",
  },
  {
    table: "preferences",
    column: "account_id",
    shown: { title: "界面偏好", columns: { key: "名称", value: "内容", updated_at: "时间" } },
    erasure: "remove",
  },
  {
    table: "attachments",
    column: "account_id",
    shown: {
      title: "上传的文件",
      columns: { ...at, id: "编号", original_name: "名称", content_type: "类型", size_bytes: "大小" },
    },
    erasure: "keep",
  },
  {
    table: "background_jobs",
    column: "account_id",
    shown: { title: "任务", columns: { ...at, title: "名称", state: "状态", finished_at: "完成时间" } },
    erasure: "remove",
  },
  {
    table: "imports",
    column: "account_id",
    shown: {
      title: "导入",
      columns: { ...at, resource: "类型", file_name: "文件", state: "状态", written: "写入行数" },
    },
    erasure: "keep",
  },
  {
    table: "idempotency_keys",
    column: "account_id",
    leftOut: "keys of forms that were sent, without content, for a day",
    erasure: "remove",
  },
  {
    table: "alarm_subscriptions",
    column: "account_id",
    shown: {
      title: "告警推送",
      columns: { ...at, channel: "渠道", address_encrypted: "地址", least_severity: "最低级别", enabled: "启用" },
      opened: ["address_encrypted"],
    },
    erasure: "remove",
  },
  {
    table: "alarm_notices",
    column: "account_id",
    shown: { title: "告警通知", columns: { due_at: "时间", alarm_id: "告警", channel: "渠道", state: "状态" } },
    erasure: "remove",
  },
  {
    table: "price_alerts",
    column: "account_id",
    shown: {
      title: "价格提醒",
      columns: { ...at, area: "地区", breed: "品种", direction: "方向", threshold_fen: "价格，分" },
    },
    erasure: "remove",
  },
  {
    table: "comparison_subscriptions",
    column: "account_id",
    shown: { title: "每周的分析", columns: { name: "名称", query: "比什么" } },
    erasure: "remove",
  },
  {
    table: "report_subscriptions",
    column: "account_id",
    shown: { title: "报告订阅", columns: { farm_id: "猪场", period: "周期", minute: "时刻" } },
    erasure: "remove",
  },
  {
    table: "field_actions",
    column: "account_id",
    shown: { title: "舍内操作", columns: { acted_at: "时间", outcome: "结果", reason: "原因" } },
    erasure: "remove",
  },
  {
    table: "real_name_drafts",
    column: "account_id",
    shown: {
      title: "实名认证草稿",
      columns: { updated_at: "时间", kind: "类型", values_encrypted: "内容" },
      opened: ["values_encrypted"],
    },
    erasure: "remove",
  },
  {
    table: "real_name_applications",
    column: "submitted_by",
    shown: {
      title: "实名认证",
      columns: {
        id: "编号",
        kind: "类型",
        state: "状态",
        title: "名称",
        submitted_at: "时间",
        licence_until: "执照到期",
      },
    },
    erasure: "keep",
  },
  {
    table: "bank_cards",
    column: "created_by",
    shown: {
      title: "银行卡",
      columns: {
        ...at,
        bank_name: "银行",
        number_encrypted: "卡号",
        holder_encrypted: "户名",
        phone_encrypted: "手机",
        state: "状态",
      },
      opened: ["number_encrypted", "holder_encrypted", "phone_encrypted"],
    },
    erasure: "keep",
  },
  {
    table: "cancellations",
    column: "account_id",
    shown: {
      title: "注销",
      columns: { asked_at: "时间", kind: "类型", state: "状态", reason: "原因", answer: "答复" },
    },
    erasure: "keep",
  },
  {
    table: "access_requests",
    column: "created_by",
    shown: { title: "权限申请", columns: { created_at: "时间", state: "状态" } },
    erasure: "remove",
  },
  {
    table: "process_entries",
    column: "account_id",
    shown: { title: "办理记录", columns: { ...at, event: "事项", words: "内容" } },
    erasure: "keep",
  },
  {
    table: "data_exports",
    column: "account_id",
    shown: { title: "数据导出", columns: { ...at, language: "语言", fetched_at: "下载时间" } },
    erasure: "remove",
  },
  {
    table: "authorization_payloads",
    column: "account_id",
    shown: { title: "授权的应用", columns: { ...at, model: "类型", client_id: "应用", expires_at: "到期" } },
    erasure: "remove",
  },
  {
    table: "audit_entries",
    column: "account_id",
    shown: {
      title: "操作记录",
      columns: { ...at, resource: "对象", row_title: "名称", action: "操作", remote_address: "网络地址" },
    },
    // Removed by a redaction, which the chain of hashes accounts for.
    erasure: "keep",
  },
  {
    table: "member_entries",
    column: "account_id",
    leftOut: "a copy of the account and its memberships for lists, kept by triggers",
    erasure: "keep",
  },
  {
    table: "work_orders",
    column: "created_by",
    shown: {
      title: "工单",
      columns: {
        ...at,
        number: "单号",
        type: "类型",
        state: "状态",
        title: "标题",
        description: "内容",
        rating: "评价",
      },
    },
    erasure: "keep",
  },
  { table: "work_orders", column: "updated_by", leftOut: twice, erasure: "keep" },
  { table: "work_orders", column: "assignee_id", leftOut: staff, erasure: "keep" },
  {
    table: "commissionings",
    column: "signed_by",
    shown: {
      title: "签过的调试单",
      columns: { state_at: "时间", unit_id: "单元", signed_name: "签字人", body: "内容" },
    },
    // What was signed stays as it was: who answers for a unit on which animals depend.
    erasure: "keep",
  },
  { table: "commissionings", column: "created_by", leftOut: twice, erasure: "keep" },
  {
    table: "commissioning_items",
    column: "answered_by",
    shown: {
      title: "答过的调试项",
      columns: { answered_at: "时间", check_kind: "项目", result: "结果", note: "备注" },
    },
    erasure: "keep",
  },
  { table: "commissioning_items", column: "receiver_id", leftOut: twice, erasure: "keep" },
  {
    table: "work_order_entries",
    column: "account_id",
    shown: { title: "工单往来", columns: { ...at, work_order_id: "工单", what: "事项", body: "内容" } },
    erasure: "keep",
  },
  {
    table: "device_commands",
    column: "created_by",
    shown: { title: "设备指令", columns: { ...at, device_id: "设备", method: "指令", params: "参数", state: "状态" } },
    erasure: "keep",
    nameColumn: "actor_name",
  },
  {
    table: "device_parameter_changes",
    column: "created_by",
    shown: { title: "参数设置", columns: { ...at, device_id: "设备", key: "参数", before: "原值", after: "新值" } },
    erasure: "keep",
    nameColumn: "actor_name",
  },
  {
    table: "alarm_entries",
    column: "account_id",
    shown: { title: "告警处理", columns: { ...at, alarm_id: "告警", action: "操作", body: "内容" } },
    erasure: "keep",
  },
  {
    table: "alarm_maskings",
    column: "created_by",
    shown: { title: "告警屏蔽", columns: { ...at, scope: "范围", reason: "原因", starts_at: "开始", ends_at: "结束" } },
    erasure: "keep",
  },
  {
    table: "alarm_rule_versions",
    column: "created_by",
    shown: { title: "告警规则", columns: { ...at, kind: "设备类别", rule_id: "规则", scope: "范围" } },
    erasure: "keep",
  },
  {
    table: "own_alarm_rule_versions",
    column: "created_by",
    shown: { title: "自建规则", columns: { ...at, name: "名称", kind: "设备类别" } },
    erasure: "keep",
  },
  ...(["acknowledged_by", "assigned_to", "closed_by", "ended_by", "known_by"] as const).map(
    (column): PersonalColumn => ({
      table: "alarms",
      column,
      leftOut: "what somebody did with an alarm is in the export as entries of the alarm",
      erasure: "keep",
    }),
  ),
  ...(
    [
      ["provision_profiles", "created_by"],
      ["firmware_packages", "created_by"],
      ["firmware_rollouts", "created_by"],
      ["real_name_applications", "claimed_by"],
      ["real_name_applications", "first_by"],
      ["real_name_applications", "decided_by"],
      ["real_name_events", "account_id"],
      ["article_versions", "saved_by"],
      ["home_page", "updated_by"],
      ["home_page_versions", "saved_by"],
      ["site_forms", "assignee_id"],
      ["cancellations", "decided_by"],
      ["cancellation_steps", "account_id"],
    ] as const
  ).map(([table, column]): PersonalColumn => ({ table, column, leftOut: staff, erasure: "keep" })),
];
