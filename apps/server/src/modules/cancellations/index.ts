import {
  cancellationAccept,
  cancellationCode,
  cancellationDeskDetail,
  cancellationDeskPage,
  cancellationDetail,
  cancellationRefuse,
  cancellationSubmit,
  cancellationTakeBack,
  customerCloseDetail,
  customerCloseSubmit,
  customerCloseTakeBack,
  retainedShow,
} from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { dueRepository, effect, tellBy } from "../../processes/index.ts";
import type { MailSender } from "../../providers/mail/mail.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import type { RecordEvent } from "../account-log/index.ts";
import { auditRepository } from "../audit/index.ts";
import { messageRepository } from "../messages/index.ts";
import { personalDataRepository } from "../personal-data/index.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import type { VerificationService } from "../verification/index.ts";
import { cancellationRepository } from "./cancellation.repository.ts";
import { type CancellationDependencies, createCancellationService, type ToldOutside } from "./cancellation.service.ts";

export interface CancellationsModuleDependencies extends Pick<CancellationDependencies, "endSessions"> {
  verification: Pick<VerificationService, "send" | "prove" | "notify">;
  mail: MailSender;
  /** Name of the brand, in front of subjects. */
  brand: () => string;
  calendar: ServiceCalendar;
  holdersOf: HoldersOf;
  record: RecordEvent;
  /** Tenant of the group, whose people are the desk. */
  groupTenantId: string;
}

const system = systemScope("an erasure goes through everything of who asked for it, whosever tables it stands in");
const deskRight = "cancellation_desk";
const closeRight = "customer_close";

/** Closing of accounts and customers. */
export function createCancellationsModule(
  { kysely, inTransaction, personalCipher, jobs, nextId, now, log, warn }: Platform,
  {
    verification,
    mail,
    brand,
    calendar,
    holdersOf,
    record,
    endSessions,
    groupTenantId,
  }: CancellationsModuleDependencies,
): ServerModule {
  const tellOutside = effect<ToldOutside>(jobs, "cancellations.tell", async ({ way, toEncrypted, text }) => {
    const to = personalCipher.decrypt(toEncrypted);
    if (way === "mail") return mail.send({ to, subject: `${brand()}：注销`, text });
    const variables = { what: "已完成，个人信息已清除" };
    return verification.notify({ phone: to, kind: "account-closing", variables }, "0.0.0.0");
  });
  const service = createCancellationService({
    rows: cancellationRepository(kysely),
    inOne: inTransaction((db) => ({
      rows: cancellationRepository(db),
      personal: personalDataRepository(db),
      due: dueRepository(db),
      audit: auditRepository(db),
      tell: tellBy(messageRepository(db), { scope: system, kind: "security", nextId }),
      tellOutside: tellOutside.in(db),
    })),
    scope: system,
    cipher: personalCipher,
    calendar,
    verification,
    record,
    endSessions,
    deskPeople: () => holdersOf(system, groupTenantId, deskRight),
    closersOf: (tenantId) => holdersOf(system, tenantId, closeRight),
    nextId,
    now,
    due: dueRepository(kysely),
    onFault: warn("a step of a cancellation failed"),
  });
  return {
    routes(router) {
      router.on(cancellationDetail, ({ session }) => service.detail(session, "account"));
      router.on(cancellationCode, ({ session, remoteAddress }) => service.sendCode(session, remoteAddress));
      router.on(cancellationSubmit, (call) => service.ask(call.session, system, "account", call.body, call));
      router.on(cancellationTakeBack, (call) => service.takeBack(call.session, system, "account", call.body.id, call));
      router.on(customerCloseDetail, ({ scope }) => service.detail(scope, "tenant"));
      router.on(customerCloseSubmit, (call) => service.ask(call.scope, call.scope, "tenant", call.body, call));
      router.on(customerCloseTakeBack, (call) =>
        service.takeBack(call.scope, call.scope, "tenant", call.body.id, call),
      );
      router.on(cancellationDeskPage, ({ scope, query }) => service.page(scope, query));
      router.on(cancellationDeskDetail, ({ scope, query }) => service.deskDetail(scope, query.id));
      router.on(cancellationAccept, ({ scope, body }) => service.accept(scope, body));
      router.on(cancellationRefuse, ({ scope, body }) => service.refuse(scope, body));
      router.on(retainedShow, ({ scope, body }) => service.showRetained(scope, body.id, body.reason));
    },
    jobs: [
      tellOutside.job,
      {
        name: "cancellations.tick",
        schedule: "*/5 * * * *",
        retries: 0,
        timeoutS: 300,
        run: (_payload, { signal }) => service.tick(signal),
      },
      {
        name: "cancellations.retained",
        schedule: "10 4 * * *",
        retries: 3,
        timeoutS: 300,
        async run() {
          const ended = await service.endRetained();
          if (ended > 0) log.info({ ended }, "what law kept of former customers is gone");
        },
      },
    ],
  };
}
