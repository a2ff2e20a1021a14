import type { Platform, ServerModule } from "../../module.ts";
import { dueRepository, tellBy } from "../../processes/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { DeviceService } from "../devices/index.ts";
import { messageRepository } from "../messages/index.ts";
import { createServiceCalendarOn } from "../service-calendar/index.ts";
import type { TelemetryService } from "../telemetry/index.ts";
import { createClockService } from "./clock.service.ts";
import { deskRepository } from "./desk.repository.ts";
import { createDeskService } from "./desk.service.ts";
import { entryRepository } from "./entry.repository.ts";
import { orderFinders } from "./order-finders.ts";
import { createOrderProcess } from "./order-process.ts";
import { createSnapshots } from "./snapshot.service.ts";
import { workOrderRepository } from "./work-order.repository.ts";
import { workOrderRoutes } from "./work-order.routes.ts";
import { createWorkOrderService, deskRight, type WorkOrderService } from "./work-order.service.ts";

export { dueNext, isLate } from "./work-order.repository.ts";

const told = systemScope("whoever raised or has an order is told what became of it, whoever did it");
const byTheClock = systemScope("orders come due and close without anybody's call");
const shown = systemScope("adopted suggestions that the group shows are for everybody");
const deskOf = systemScope("new orders are told to the group's desk, whoever raised them");

export interface WorkOrdersModuleDependencies {
  devices: DeviceService;
  telemetry: TelemetryService;
  holdersOf: HoldersOf;
  /** Tenant of the group, whose people are the desk. */
  groupTenantId: string;
}

/** After-sales orders, complaints and suggestions: the customers' side and the group's desk. */
export interface WorkOrdersModule extends ServerModule {
  /** What the site may show. */
  readonly service: Pick<WorkOrderService, "publicAll">;
}

export function createWorkOrdersModule(
  { kysely, inTransaction, bus, nextId, now, warn }: Platform,
  { devices, telemetry, holdersOf, groupTenantId }: WorkOrdersModuleDependencies,
): WorkOrdersModule {
  const orders = workOrderRepository(kysely);
  const entries = entryRepository(kysely);
  const calendar = createServiceCalendarOn({ kysely });
  const inOne = inTransaction((db) => ({
    orders: workOrderRepository(db),
    entries: entryRepository(db),
    desk: deskRepository(db),
    due: dueRepository(db),
    audit: auditRepository(db),
    calendar: createServiceCalendarOn({ kysely: db }),
    tell: tellBy(messageRepository(db), { scope: told, kind: "service", nextId }),
  }));
  const deskPeople = () => holdersOf(deskOf, groupTenantId, deskRight);
  const process = createOrderProcess({ deskPeople, nextId, now });
  const parts = { process, orders, entries, inOne, calendar, nextId, now };
  const snapshots = createSnapshots({
    devices,
    telemetry,
    entries,
    now,
    onFault: warn("the values of a device were not kept with an order"),
  });
  const customers = createWorkOrderService({ ...parts, snapshots, deskPeople, shown });
  const desk = createDeskService({
    ...parts,
    desk: deskRepository(kysely),
    onPublished: () => bus.publish("contentChanged", {}),
  });
  const clock = createClockService({
    process,
    deskPeople,
    due: dueRepository(kysely),
    inOne,
    scope: byTheClock,
    onFault: warn("time did not bring an order on"),
  });
  return {
    service: customers,
    finders: orderFinders(orders, deskRepository(kysely)),
    routes: (router) => workOrderRoutes(router, { orders: customers, desk }),
    jobs: [
      {
        name: "work-orders.remind",
        schedule: "*/5 * * * *",
        retries: 0,
        timeoutS: 120,
        run: (_payload, { signal }) => clock.remind(signal),
      },
      {
        name: "work-orders.close",
        schedule: "30 6 * * *",
        retries: 3,
        timeoutS: 300,
        run: (_payload, { signal }) => clock.close(signal),
      },
    ],
  };
}
