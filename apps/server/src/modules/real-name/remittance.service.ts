import type { RemittanceFailure } from "@herdwise/contract";
import { licenceReminderDays, type RemittanceParty, type RemittanceStep, remittanceProcess } from "@herdwise/contract";
import { nextState } from "@herdwise/contract/process";
import { wireDate } from "../../http/present.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import { type ClockParts, eachDue } from "../../processes/index.ts";
import type { RemittanceOrder, RemittanceProvider, RemittanceStanding } from "../../providers/remittance/remittance.ts";
import { valuesOf } from "./present.ts";
import { type EventWhat, licenceEnding, licenceOver, type RealNameRepository } from "./real-name.repository.ts";
import { remittanceHours } from "./real-name.service.ts";
import { type RealNameParts, type RealNameProcess, realNameScreen } from "./real-name-process.ts";
import type { RemittanceRepository, RemittanceRow } from "./remittance.repository.ts";

export interface ClockDependencies extends ClockParts<RealNameParts> {
  process: RealNameProcess;
  applications: RealNameRepository;
  remittances: RemittanceRepository;
  provider: RemittanceProvider;
  cipher: PersonalCipher;
  nextId: () => string;
  now: () => number;
}

const failureWords: Readonly<Record<Exclude<RemittanceFailure, "tries">, string>> = {
  name_mismatch: "银行说户名与账号不符。请核对开户名和账号，改好后会重汇。",
  not_public: "银行说这不是对公账户。请换成企业的对公账户，改好后会重汇。",
  no_account: "银行说没有这个账号。请核对账号和联行号，改好后会重汇。",
  refused: "银行退回了这笔汇款。请核对账户，改好后会重汇。",
};

/** What goes on with applications without anybody's call: remittances at the bank, and licences that end. */
export function createClockService(dependencies: ClockDependencies) {
  const { process, applications, remittances, inOne, provider, cipher, scope, nextId, now, onFault } = dependencies;

  const orderOf = async (row: RemittanceRow): Promise<RemittanceOrder> => {
    const values = valuesOf(await applications.items(scope, row.realNameApplicationId), cipher);
    const { accountName = "", bankName = "", branchName = "", bankCode = "", bankAccount = "" } = values;
    return { id: row.id, accountName, bankName, branchName, bankCode, bankAccount, amountFen: row.amountFen };
  };

  /** Takes a step of a remittance with its event, its entry and its message; one that is known already, or comes too late, does nothing. */
  const note = (
    row: RemittanceRow,
    { step, by, what }: { step: RemittanceStep; by: RemittanceParty; what: EventWhat },
    change: (remittances: RemittanceRepository) => Promise<boolean>,
    words?: { title: string; content: string },
  ): Promise<void> =>
    inOne(async (parts) => {
      // First the application, as every other change does, so that two never wait for each other.
      const application = await parts.applications.find(scope, row.realNameApplicationId, true);
      if (application?.state !== "remitting") return;
      const held = await parts.remittances.newest(scope, application.id, true);
      const after = held?.id === row.id ? nextState(remittanceProcess, held, step, by) : undefined;
      if (held === undefined || after === undefined || !(await change(parts.remittances))) return;
      await parts.applications.addEvent(scope, application.id, { id: nextId(), what });
      if (words) await parts.tell({ to: [application.submittedBy], ...words, link: realNameScreen });
      await process.audit(parts, scope, application, {
        event: step,
        before: application.state,
        after: application.state,
        audited: [{ field: "remittance", before: held.state, after }],
      });
    });

  const learn = async (row: RemittanceRow, standing: RemittanceStanding): Promise<void> => {
    switch (standing.state) {
      case "sent":
        return note(row, { step: "send", by: "bank", what: "remitted" }, (to) =>
          to.sent(scope, row.id, standing.reference),
        );
      case "arrived":
        await remittances.countArrivals(scope, row.id, standing.arrivals);
        return note(
          row,
          { step: "arrive", by: "bank", what: "arrived" },
          (to) => to.arrived(scope, row.id, { reference: standing.reference, hours: remittanceHours }),
          {
            title: "测试汇款到账了",
            content: "请查看银行的到账短信，72 小时内在实名认证里填收到的金额。",
          },
        );
      case "failed":
        return note(
          row,
          { step: "fail", by: "bank", what: "remittance_failed" },
          (to) => to.failed(scope, row.id, standing.failure),
          { title: "测试汇款没有成功", content: failureWords[standing.failure] },
        );
      default:
        return;
    }
  };

  /** Brings one on by a step. No transaction is open while the bank is asked. */
  const step = async (row: RemittanceRow): Promise<void> => {
    if (row.expiresAt.getTime() < now())
      return note(
        row,
        { step: "expire", by: "clock", what: "remittance_expired" },
        (to) => to.expired(scope, row.id, new Date(now())),
        {
          title: "测试汇款过期了",
          content: "72 小时内没有填收到的金额。在实名认证里可以重新汇一次。",
        },
      );
    try {
      const order = await orderOf(row);
      // The same order again is the same remittance: after a fault it is simply handed over once more.
      if (row.state === "ordered") return await learn(row, await provider.send(order));
      if (row.sentAt === null) return;
      await learn(row, await provider.standing({ ...order, sentAt: row.sentAt }));
    } catch (error) {
      onFault(error);
    }
  };

  return {
    /** Brings all that run on, or those of one application. @returns how many still wait for the bank */
    async remit(signal: AbortSignal, applicationId?: string): Promise<number> {
      for (const row of await remittances.running(scope, applicationId)) {
        if (signal.aborted) break;
        await step(row);
      }
      return (await remittances.running(scope, applicationId)).filter(({ state }) => state !== "arrived").length;
    },

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
