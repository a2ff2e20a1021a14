import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import { auditRepository, type TellEntries } from "../audit/index.ts";
import type { BackgroundJobService } from "../background-jobs/index.ts";
import type { FileService } from "../files/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { messageRepository } from "../messages/index.ts";
import { customerRepository } from "./customer.repository.ts";
import { customerRoutes } from "./customer.routes.ts";
import { createCustomerService } from "./customer.service.ts";
import { createCustomerExport } from "./customer-export.service.ts";
import { customerFinder } from "./customer-finder.ts";
import { findingRepository } from "./finding.repository.ts";

const told = systemScope("a customer is told what the group's staff changed of it, whoever changed it");
const byTheClock = systemScope("abnormal customers are looked for without anybody's call");

export interface CustomersModuleDependencies {
  identity: Pick<IdentityService, "requireConfirmed">;
  jobs: BackgroundJobService;
  files: FileService;
  tellEntries: TellEntries;
  record: RecordEvent;
}

/** Customers as the group's staff see them: lists, one page for each, what is abnormal. */
export function createCustomersModule(
  { kysely, inTransaction, personalCipher, nextId, warn }: Platform,
  { identity, jobs, files, tellEntries, record }: CustomersModuleDependencies,
): ServerModule {
  const customers = customerRepository(kysely);
  const inOne = inTransaction((db) => ({
    customers: customerRepository(db),
    audit: auditRepository(db),
    tell: (accountId: string, title: string, content: string) =>
      messageRepository(db).insert(accountScope(told, accountId), {
        id: nextId(),
        kind: "service",
        title,
        content,
        link: "/selfCenter/basicInfo",
      }),
  }));
  const service = createCustomerService({
    customers,
    audit: auditRepository(kysely),
    tellEntries,
    inOne,
    cipher: personalCipher,
    nextId,
    record,
  });
  const exports = createCustomerExport({
    customers,
    jobs,
    files,
    cipher: personalCipher,
    record,
    noteExport: (scope, reason) =>
      inOne(({ audit }) =>
        audit.append(
          scope.tenantId,
          scope,
          [
            {
              resource: "customer",
              rowId: scope.accountId,
              rowTitle: "客户",
              action: "view",
              changes: [
                { field: "export", before: null, after: "shown" },
                { field: "reason", before: null, after: reason },
              ],
            },
          ],
          nextId,
        ),
      ),
  });
  const look = () => findingRepository(kysely, byTheClock).look();
  return {
    finders: [customerFinder(customers)],
    routes: (router) =>
      customerRoutes(router, { customers: service, exports, requireConfirmed: identity.requireConfirmed }),
    jobs: [
      jobs.define(exports.job),
      {
        name: "customers.look",
        schedule: "*/10 * * * *",
        retries: 0,
        timeoutS: 300,
        run: async () => void (await look()),
      },
    ],
    async start() {
      // The list must not be empty until the clock comes round.
      await look().catch(warn("abnormal customers were not looked for and are looked for by the clock"));
    },
  };
}
