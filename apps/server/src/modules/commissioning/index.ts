import {
  commissioningActSubmit,
  commissioningBegin,
  commissioningConfirm,
  commissioningDetail,
  commissioningDiscard,
  commissioningLook,
  commissioningMeasure,
  commissioningOfUnit,
  commissioningReceivers,
  commissioningSign,
  commissioningUnitPage,
} from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { effect, tellBy } from "../../processes/index.ts";
import type { SmsSender } from "../../providers/sms/sms.ts";
import { reachedScopeOf } from "../../resources/job-scope.ts";
import { systemScope } from "../../tenant-scope.ts";
import { auditRepository } from "../audit/index.ts";
import type { CommandService } from "../commands/index.ts";
import type { DeviceService } from "../devices/index.ts";
import { messageRepository } from "../messages/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import { commissioningRepository } from "./commissioning.repository.ts";
import { createCommissioningService } from "./commissioning.service.ts";
import { createMeasures, releaser, type TestSms } from "./measures.ts";
import { receiverRepository } from "./receiver.repository.ts";
import { createCommissioningProcess } from "./steps.ts";
import { createTrials } from "./trials.ts";
import { unitStandingRepository } from "./unit-standing.repository.ts";

export { demoCommissioning } from "./demo.ts";

/** Right to give commands to devices. */
const commandCode = "device_command";
/** Lists whose trials the clock ends in one run. */
const sweptTogether = 200;

export interface CommissioningModuleDependencies {
  devices: DeviceService;
  telemetry: TelemetryService;
  commands: CommandService;
  sms: SmsSender;
}

/** Commissioning lists of units: derived from their devices, measured on site, signed and kept. */
export function createCommissioningModule(
  platform: Platform,
  { devices, telemetry, commands, sms }: CommissioningModuleDependencies,
): ServerModule {
  const { kysely, nextId, now, store, jobs, personalCipher, warn } = platform;
  const towards = systemScope("a test alarm is told to the person whom it is sent to");
  const byTheClock = systemScope("trials of which nobody looks at the outcome end by the clock");
  const lists = commissioningRepository(kysely);
  const people = receiverRepository(kysely);
  const process = createCommissioningProcess(nextId);
  const trials = createTrials({ devices, telemetry, commands, now });
  const testSms = effect<TestSms>(jobs, "commissioning.sms", ({ phoneEncrypted, text, textEn }) =>
    sms.send({
      phone: personalCipher.decrypt(phoneEncrypted),
      kind: "alarm",
      variables: { count: "1", alarm: text },
      english: { count: "1", alarm: textEn },
    }),
  );
  const inTransaction = platform.inTransaction((db) => {
    const messages = messageRepository(db);
    return {
      lists: commissioningRepository(db),
      audit: auditRepository(db),
      tell: tellBy(messages, { scope: towards, kind: "system", nextId }),
      messages,
      sms: testSms.in(db),
    };
  });
  const service = createCommissioningService({
    lists,
    people,
    units: unitStandingRepository(kysely),
    process,
    inTransaction,
    trials,
    release: releaser(commands),
    store,
    now,
    nextId,
  });
  const measures = createMeasures({
    lists,
    people,
    process,
    inTransaction,
    trials,
    commands,
    service,
    towards,
    now,
    nextId,
  });
  const failed = warn("a trial of a commissioning list was not ended");
  return {
    routes(router) {
      router.on(commissioningUnitPage, ({ scope, query }) => service.unitPage(scope, query));
      router.on(commissioningOfUnit, ({ scope, query }) => service.ofUnit(scope, query.unitId));
      router.on(commissioningDetail, ({ scope, query }) => service.detail(scope, query.id));
      router.on(commissioningReceivers, ({ scope, query }) => measures.receivers(scope, query.id));
      router.on(commissioningBegin, ({ scope, body }) => service.begin(scope, body.unitId));
      router.on(commissioningActSubmit, ({ scope, body }) => service.act(scope, body));
      router.on(commissioningMeasure, ({ scope, body, session }) =>
        measures.measure(scope, body, session.permissions.has(commandCode)),
      );
      router.on(commissioningLook, ({ scope, body }) => service.look(scope, body.id));
      router.on(commissioningConfirm, async ({ scope, body }) => {
        await service.confirm(scope, body.itemId);
        return {};
      });
      router.on(commissioningSign, ({ scope, body }) => service.sign(scope, body));
      router.on(commissioningDiscard, ({ scope, body }) => service.discard(scope, body));
    },
    jobs: [
      testSms.job,
      {
        name: "commissioning.trials",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 60,
        async run() {
          for (const { id, reach } of await lists.overdue(byTheClock, sweptTogether))
            await service.settleAll(reachedScopeOf(reach), id, "clock").catch(failed);
        },
      },
    ],
  };
}
