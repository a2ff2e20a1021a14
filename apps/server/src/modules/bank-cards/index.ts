import {
  bankCardBind,
  bankCardCode,
  bankCardConfirm,
  bankCardDefault,
  bankCardDeskPage,
  bankCardKeepDefault,
  bankCardList,
  bankCardRemitAgain,
  bankCardReveal,
  bankCardUnbind,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { Platform, ServerModule } from "../../module.ts";
import { dueRepository, tellBy } from "../../processes/index.ts";
import { httpRemittance } from "../../providers/remittance/http.ts";
import { sandboxRemittance } from "../../providers/remittance/sandbox.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import type { RecordEvent } from "../account-log/index.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { RealNameService } from "../real-name/index.ts";
import type { VerificationService } from "../verification/index.ts";
import { bankCardRepository } from "./bank-card.repository.ts";
import { createBankCardService } from "./bank-card.service.ts";
import { createCardClock } from "./card-clock.service.ts";
import { createCardProcess } from "./card-process.ts";

export interface BankCardsModuleDependencies {
  verification: Pick<VerificationService, "send" | "prove">;
  realName: Pick<RealNameService, "provenNameOf">;
  holdersOf: HoldersOf;
  record: RecordEvent;
}

const byTheClock = systemScope("small amounts go on and default cards change without anybody's call");
const told = systemScope("everybody who looks after a customer's cards is told what happens to them, whoever did it");

const manageRight = "bank_card_manage";
/** Cards that customers are paid to. */
export function createBankCardsModule(
  { config, kysely, jobs, inTransaction, personalCipher, nextId, now, warn }: Platform,
  { verification, realName, holdersOf, record }: BankCardsModuleDependencies,
): ServerModule {
  const provider = config.remittance ? httpRemittance({ ...config.remittance, now }) : sandboxRemittance(now);
  const cards = bankCardRepository(kysely);
  const inOne = inTransaction((db) => ({
    cards: bankCardRepository(db),
    due: dueRepository(db),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: told, kind: "security", nextId }),
  }));
  const keepersOf = (tenantId: string) => holdersOf(told, tenantId, manageRight);
  const process = createCardProcess({ keepersOf, nextId });
  const clock = createCardClock({
    cards,
    process,
    inOne,
    provider,
    jobs,
    due: dueRepository(kysely),
    cipher: personalCipher,
    scope: byTheClock,
    now,
    onFault: warn("a bank card was not brought on"),
  });
  const service = createBankCardService({
    cards,
    process,
    inOne,
    cipher: personalCipher,
    verification,
    nextId,
    now,
    sandbox: provider.sandbox,
    record,
    provenNameOf: realName.provenNameOf,
    keepersOf,
    onOrdered: clock.remittances.onOrdered,
  });
  return {
    routes(router) {
      router.on(bankCardList, ({ scope }) => service.list(scope));
      router.on(bankCardCode, ({ body, remoteAddress }) => service.sendCode(body.phone, remoteAddress));
      router.on(bankCardBind, (call) => {
        // The group is not paid by itself.
        if (call.session.tenantType === "group") throw refuse("bank_card.group");
        return service.bind(call.scope, call.body, call);
      });
      router.on(bankCardConfirm, (call) => service.confirm(call.scope, call.body.id, call.body.amountFen, call));
      router.on(bankCardRemitAgain, ({ scope, body }) => service.remitAgain(scope, body.id));
      router.on(bankCardDefault, (call) => service.makeDefault(call.scope, call.body.id, call));
      router.on(bankCardKeepDefault, ({ scope, body }) => service.keepDefault(scope, body.id));
      router.on(bankCardUnbind, (call) => service.unbind(call.scope, call.body.id, call));
      router.on(bankCardDeskPage, ({ scope, query }) => service.page(scope, query));
      router.on(bankCardReveal, ({ scope, body }) => service.reveal(scope, body.id, body.reason));
    },
    jobs: [
      {
        name: "bank-cards.remit",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 300,
        async run(_payload, { signal }) {
          await clock.applyDefaults(signal);
          await clock.remittances.remit(signal);
        },
      },
      clock.remittances.job,
    ],
  };
}
