import { type ComponentProps, lazy, Suspense } from "react";

/* Parts of the alarm centre and of the maintenance log on these pages. They come by themselves when such a page is open, so that the list of what each
   screen needs, which the log-in page carries, does not grow by them. */

const Banner = lazy(() => import("../alarms/alarm-banner.tsx").then(({ AlarmBanner }) => ({ default: AlarmBanner })));
const Log = lazy(() => import("../alarms/alarm-history.tsx").then(({ AlarmLog }) => ({ default: AlarmLog })));

/** What is wrong with a unit or a device, above everything else of its page. */
export const AlarmBanner = (props: ComponentProps<typeof Banner>) => (
  <Suspense>
    <Banner {...props} />
  </Suspense>
);

/** The alarms of a device. */
export const AlarmLog = (props: ComponentProps<typeof Log>) => (
  <Suspense>
    <Log {...props} />
  </Suspense>
);

const Maintenance = lazy(() =>
  import("../maintenance/maintenance-here.tsx").then(({ MaintenanceHere }) => ({ default: MaintenanceHere })),
);

/** What people did at a device or in a unit. */
export const MaintenanceHere = (props: ComponentProps<typeof Maintenance>) => (
  <Suspense>
    <Maintenance {...props} />
  </Suspense>
);

const OrderHere = lazy(() => import("../work-orders/order-here.tsx").then((module) => ({ default: module.OrderHere })));

/** The way to the group's desk, with what the device says of itself. */
export const WorkOrderHere = (props: ComponentProps<typeof OrderHere>) => (
  <Suspense>
    <OrderHere {...props} />
  </Suspense>
);
