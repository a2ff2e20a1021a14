import type { MessageKind } from "@herdwise/contract";
import type { Kysely } from "kysely";
import type { DB } from "../generated/database.ts";

interface MessageSeed {
  /** Logins of the demo accounts that receive it. */
  to: readonly string[];
  title: string;
  content: string;
  link: string;
}

/**
 * Suggestions of what to try first with each demo account, oldest first; the texts are keys of the web's dictionary, as in all
 * messages.
 */
export const demoMessages: readonly MessageSeed[] = [
  {
    to: ["farm"],
    title: "给同事开一个账户",
    content: "成员有自己的账户和角色，看到的菜单、按钮和数据范围各不相同。谁在什么时候改了什么，记录里都有。",
    link: "/selfCenter/members",
  },
  {
    to: ["admin"],
    title: "核对谁能做什么",
    content: "角色授权按菜单和按钮给权限，改动前可以预览一个人会看到什么。",
    link: "/system/role",
  },
  {
    to: ["admin"],
    title: "从表格导入档案",
    content: "屠宰场、服务部等档案可以从 Excel 导入：先试算，逐行指出问题，当场改好，导错了能撤销。",
    link: "/archives/slaughterhouse",
  },
  {
    to: ["farm", "vet", "worker"],
    title: "断网了也不用刷新页面",
    content: "打开一个单元，然后断开网络：页面保留最后的数值并标明时间，网络恢复后会自己继续。",
    link: "/selfCenter/vet/environment/overview",
  },
  {
    to: ["farm", "vet", "worker"],
    title: "先看最差的单元",
    content: "演示里有几个单元出了问题：进风口卡住的在升温，有的氨气超限，有的风机电流异常。总览把最急的排在最前。",
    link: "/selfCenter/vet/environment/overview",
  },
];

/** Messages of the demo accounts, for a new demo installation. */
export async function seedDemoMessages(db: Kysely<DB>, nextId: () => string): Promise<void> {
  const accounts = await db
    .selectFrom("accounts")
    .select(["id", "accountKey"])
    .where("demoNote", "is not", null)
    .execute();
  const rows = demoMessages.flatMap(({ to, ...message }) =>
    accounts
      .filter(({ accountKey }) => to.includes(accountKey))
      .map(({ id }) => ({ ...message, id: nextId(), accountId: id, kind: "system" satisfies MessageKind })),
  );
  if (rows.length > 0) await db.insertInto("messages").values(rows).execute();
}
