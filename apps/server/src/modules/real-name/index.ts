import { shanghaiDay } from "@herdwise/contract/shanghai";
import type { Platform, ServerModule } from "../../module.ts";
import { dueRepository, tellBy } from "../../processes/index.ts";
import { httpRemittance } from "../../providers/remittance/http.ts";
import { sandboxRemittance } from "../../providers/remittance/sandbox.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { type MemberScope, memberScope, systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import { auditRepository } from "../audit/index.ts";
import { type FileService, ticketCookie } from "../files/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { ServiceCalendar } from "../service-calendar/index.ts";
import { realNameRepository } from "./real-name.repository.ts";
import { realNameRoutes } from "./real-name.routes.ts";
import { createRealNameService, type RealNameService } from "./real-name.service.ts";
import { createRealNameProcess } from "./real-name-process.ts";
import { remittanceRepository } from "./remittance.repository.ts";
import { createClockService } from "./remittance.service.ts";
import { createReviewService } from "./review.service.ts";

export type { RealNameService } from "./real-name.service.ts";

export interface RealNameModule extends ServerModule {
  readonly service: RealNameService;
  /** The service's `isOpen` within a transaction, which must not wait for another connection. */
  readonly isOpenIn: (scope: MemberScope, db: DatabaseHandle) => Promise<boolean>;
}

const told = systemScope("whoever sent an application is told what became of it, whoever decided");
const shownToReviewers = systemScope(
  "reviewers see the pictures of an application, which are its sender's private files",
);
const byTheClock = systemScope("remittances go on and licences end without anybody's call");

export function createRealNameModule(
  { config, kysely, jobs, inTransaction, personalCipher, nextId, now, warn }: Platform,
  {
    files,
    calendar,
    record,
  }: {
    files: Pick<FileService, "detail" | "ticketOf">;
    calendar: ServiceCalendar;
    record: RecordEvent;
  },
): RealNameModule {
  const provider = config.remittance ? httpRemittance({ ...config.remittance, now }) : sandboxRemittance(now);
  const applications = realNameRepository(kysely);
  const remittances = remittanceRepository(kysely);
  const inOne = inTransaction((db) => ({
    applications: realNameRepository(db),
    remittances: remittanceRepository(db),
    due: dueRepository(db),
    audit: auditRepository(db),
    tell: tellBy(messageRepository(db), { scope: told, kind: "real_name", nextId }),
  }));
  const process = createRealNameProcess(nextId);
  const parts = { process, applications, remittances, inOne, cipher: personalCipher, nextId, now };
  const clock = createClockService({
    ...parts,
    provider,
    jobs,
    scope: byTheClock,
    due: dueRepository(kysely),
    onFault: warn("an application was not brought on"),
  });
  const realName = createRealNameService({
    ...parts,
    calendar,
    sandbox: provider.sandbox,
    isOwnPicture: async (owner, id) => {
      const file = await files.detail(owner, id).catch(() => undefined);
      return file?.visibility === "private" && (file.extension === "jpg" || file.extension === "png");
    },
    onOrdered: clock.remittances.onOrdered,
  });
  const review = createReviewService({
    ...parts,
    record,
    ticketOf: (session, owner, id) => files.ticketOf(session, memberScope(shownToReviewers, owner), id),
  });
  return {
    service: realName,
    isOpenIn: (scope: MemberScope, db: DatabaseHandle) => realNameRepository(db).isOpen(scope, shanghaiDay(now())),
    routes: (router) => realNameRoutes(router, { realName, review, ticketCookie }),
    jobs: [
      {
        name: "real-name.remit",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 300,
        run: (_payload, { signal }) => clock.remittances.remit(signal),
      },
      clock.remittances.job,
      {
        name: "real-name.licences",
        schedule: "0 8 * * *",
        retries: 3,
        timeoutS: 300,
        run: () => clock.watchLicences(),
      },
    ],
  };
}
