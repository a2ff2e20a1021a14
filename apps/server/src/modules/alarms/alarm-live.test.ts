import type { Alarm, AlarmEvent } from "@herdwise/contract";
import { expect, test, vi } from "vitest";
import { staffScope } from "../../../../../tests/harness/staff-scope.ts";
import { checkOn, sessionNamed } from "../../../../../tests/harness/streams.ts";
import { memoryBus } from "../../providers/bus.ts";
import { reachOf, type TenantScope, tenantScopeOf } from "../../tenant-scope.ts";
import { createAlarmLive } from "./alarm-live.service.ts";

const tenantId = "100001";
const scopeOf = (all: boolean) =>
  tenantScopeOf({
    ...reachOf(staffScope),
    tenantId,
    everyTenant: false,
    rows: { all, departmentIds: [], own: !all },
  });
const alarmOf = (id: string) => ({ id, tenantId }) as Alarm;

test("a stream has the alarms that the data scope of its reader reaches, and no others", async () => {
  const bus = memoryBus();
  const sessionCheck = checkOn(bus);
  const asked: (readonly string[])[] = [];
  const live = createAlarmLive({
    bus,
    sessionCheck,
    some: async (ids) => ids.map(alarmOf),
    reached: async (_scope, ids) => {
      asked.push(ids);
      return ids.filter((id) => id === "2");
    },
    onError: (error) => expect.fail(String(error)),
  });
  const open = (scope: TenantScope) => {
    const seen: string[] = [];
    const ending = new AbortController();
    const send = async (_name: string, event: object) => {
      const told = event as AlarmEvent;
      seen.push(told.type === "alarm" ? told.alarm.id : told.type);
    };
    const end = () => ending.abort();
    const served = live.serve(sessionNamed("session"), scope, { send, end, signal: ending.signal });
    const close = (): Promise<void> => {
      end();
      return served;
    };
    return { seen, close };
  };
  const [whole, limited] = [open(scopeOf(true)), open(scopeOf(false))];
  await vi.waitFor(() => expect([whole.seen, limited.seen]).toEqual([["reset"], ["reset"]]));
  bus.publish("alarmsChanged", { tenantId, ids: ["1", "2", "3"] });
  await vi.waitFor(() => expect(whole.seen).toEqual(["reset", "1", "2", "3"]));
  await vi.waitFor(() => expect(limited.seen).toEqual(["reset", "2"]));
  expect(asked).toEqual([["1", "2", "3"]]);
  await Promise.all([whole.close(), limited.close()]);
  sessionCheck.stop();
});
