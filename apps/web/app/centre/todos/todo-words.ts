import type { TodoKind } from "@herdwise/contract";

interface TodoWords {
  /** What is to be done; of some kinds by the variant. */
  word: string | Readonly<Record<string, string>>;
  /** On the link that leads to it. */
  action: string;
}

export const todoWords: Readonly<Record<TodoKind, TodoWords>> = {
  work_order_answer: { word: "服务台在等您答复", action: "去答复" },
  work_order_late: { word: "服务台超时了，可以催办", action: "去催办" },
  transit_papers: { word: "车辆没有当天有效的洗消证明，不能装车", action: "去补证明" },
  payment: { word: { prepayment: "预付款等您付", balance: "尾款等您付" }, action: "去付款" },
  deposit: { word: "保证金等您缴，缴了才能出价", action: "去缴纳" },
  counter_offer: { word: "销售还价了，等您答复", action: "去答复" },
  contract: { word: "合同等您签", action: "去签" },
  real_name: {
    word: {
      none: "还没有实名认证，不能申报和绑定设备",
      rejected: "实名认证被退回，改好后再提交",
      suspended: "执照过期，认证已暂停",
    },
    action: "去认证",
  },
  licence: { word: "营业执照快到期，过期后认证会暂停", action: "去更新" },
  access_request: { word: "有成员申请打开这个页面", action: "去处理" },
  maintenance: { word: "维护到期了", action: "去登记" },
  invoice_returned: { word: "开票申请被退回，改好后再申请", action: "去修改" },
  vaccination: { word: "免疫到期，注射器还没报任务结束", action: "看计划" },
  work_order_rate: { word: "处理完成，请您评价", action: "去评价" },
};
