import type { RemittanceFailure } from "@herdwise/contract";
import { licenceReminderDays, remittanceProcess } from "@herdwise/contract";
import { nextState } from "@herdwise/contract/process";
import { wireDate } from "../../http/present.ts";
import type { JobQueue } from "../../jobs/queue.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type ClockParts, createRemittances, eachDue } from "../../processes/index.ts";
import type { RemittanceProvider } from "../../providers/remittance/remittance.ts";
import { valuesOf } from "./present.ts";
import { licenceEnding, licenceOver, type RealNameRepository } from "./real-name.repository.ts";
import { remittanceHours } from "./real-name.service.ts";
import { type RealNameParts, type RealNameProcess, realNameScreen } from "./real-name-process.ts";
import type { RemittanceRepository, RemittanceRow } from "./remittance.repository.ts";

export interface ClockDependencies extends ClockParts<RealNameParts> {
  process: RealNameProcess;
  applications: RealNameRepository;
  remittances: RemittanceRepository;
  provider: RemittanceProvider;
  cipher: PersonalCipher;
  jobs: Pick<JobQueue, "enqueue" | "wake">;
  nextId: () => string;
  now: () => number;
}

const failureWords: Readonly<Record<Exclude<RemittanceFailure, "tries">, string>> = {
  name_mismatch: "银行说户名与账号不符。请核对开户名和账号，改好后会重汇。",
  not_public: "银行说这不是对公账户。请换成企业的对公账户，改好后会重汇。",
  no_account: "银行说没有这个账号。请核对账号和联行号，改好后会重汇。",
  refused: "银行退回了这笔汇款。请核对账户，改好后会重汇。",
};

const lines = {
  send: "remitted",
  arrive: "arrived",
  fail: "remittance_failed",
  expire: "remittance_expired",
} as const;
const words: Readonly<Partial<Record<keyof typeof lines, readonly [title: string, content?: string]>>> = {
  arrive: ["测试汇款到账了", "请查看银行的到账短信，72 小时内在实名认证里填收到的金额。"],
  fail: ["测试汇款没有成功"],
  expire: ["测试汇款过期了", "72 小时内没有填收到的金额。在实名认证里可以重新汇一次。"],
};

/** What goes on with applications without anybody's call: remittances at the bank, and licences that end. */
export function createClockService(dependencies: ClockDependencies) {
  const { process, applications, remittances, inOne, cipher, scope, nextId, now } = dependencies;

  const orderOf = async (row: RemittanceRow) => {
    const values = valuesOf(await applications.items(scope, row.realNameApplicationId), cipher);
    const { accountName = "", bankName = "", branchName = "", bankCode = "", bankAccount = "" } = values;
    return { id: row.id, accountName, bankName, branchName, bankCode, bankAccount, amountFen: row.amountFen };
  };

  return {
    remittances: createRemittances({
      ...dependencies,
      hours: remittanceHours,
      job: "real-name.remit-one",
      running: (state, after, applicationId) => remittances.running(scope, state, after, applicationId),
      orderOf,
      step: (row, event, change, standing) =>
        inOne(async (parts) => {
          // First the application, as every other change does, so that two never wait for each other.
          const application = await parts.applications.find(scope, row.realNameApplicationId, true);
          if (application?.state !== "remitting") return;
          const held = await parts.remittances.newest(scope, application.id, true);
          const party = event === "expire" ? "clock" : "bank";
          const after = held?.id === row.id ? nextState(remittanceProcess, held, event, party) : undefined;
          if (held === undefined || after === undefined) return;
          await parts.remittances.learn(scope, row.id, { ...change, state: after });
          await parts.applications.addEvent(scope, application.id, { id: nextId(), what: lines[event] });
          const [title, content] = words[event] ?? [];
          if (title !== undefined)
            await parts.tell({
              to: [application.submittedBy],
              title,
              content: content ?? (standing?.state === "failed" ? failureWords[standing.failure] : ""),
              link: realNameScreen,
            });
          await process.audit(parts, scope, application, {
            event,
            before: application.state,
            after: application.state,
            audited: [{ field: "remittance", before: held.state, after }],
          });
        }),
      recount: ({ id }, arrivals) => remittances.learn(scope, id, { arrivals }),
    }),

    /** Reminds before the end of licences, and suspends after it. Once each, however often it runs. */
    async watchLicences(): Promise<void> {
      const today = wireDate(new Date(now()));
      await eachDue(dependencies, licenceOver(today), (parts, id) =>
        process.act(parts, { by: scope, party: "clock", row: id, event: "suspend" }),
      );
      const words: Readonly<Record<(typeof licenceReminderDays)[number], string>> = {
        30: "营业执照 30 天内到期",
        7: "营业执照 7 天内到期",
      };
      // The nearest first: who is reminded of 7 days is not reminded of 30 as well.
      for (const days of licenceReminderDays.toSorted((a, b) => a - b))
        await eachDue(dependencies, licenceEnding(today, days), async (parts, id) => {
          const row = await parts.applications.find(scope, id);
          await parts.applications.addEvent(scope, id, { id: nextId(), what: "reminded" });
          const content = "到期后不能绑新设备、申报和竞价。请尽早传新执照。";
          await parts.tell({ to: [row?.submittedBy ?? null], title: words[days], content, link: realNameScreen });
        });
    },
  };
}
