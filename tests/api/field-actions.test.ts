import { randomUUID } from "node:crypto";
import type { Alarm, AlarmDetail, Device, FieldOutcome, Page } from "@herdwise/contract";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { createTestApp, type TestApp } from "../harness/app.ts";

let app: TestApp;
let farm: string;
let worker: string;
let alarm: Alarm;

const base = "/api/muyuan-iot";
const send = (actions: readonly object[], token = farm) =>
  app.call({ method: "POST", path: `${base}/field-action/submit`, body: { actions }, token });
const outcomes = async (actions: readonly object[], token = farm): Promise<FieldOutcome[]> =>
  (await send(actions, token)).body.data as FieldOutcome[];
const detail = async (): Promise<AlarmDetail> =>
  (await app.get<AlarmDetail>(`${base}/alarm/detail?id=${alarm.id}`, farm)).body.data;
const action = (more: object = {}) => ({
  key: randomUUID(),
  type: "acknowledge",
  alarmId: alarm.id,
  atMs: Date.now() - 60_000,
  ...more,
});

beforeAll(async () => {
  app = await createTestApp();
  [farm, worker] = await Promise.all([app.logIn("farm"), app.logIn("worker")]);
  const page = await app.get<Page<Device>>(`${base}/device/page?size=500&name=ENV-ZJY-05`, farm);
  const [device] = page.body.data.records as [Device];
  const values = { t_in: 22, t_target: 22, rh: 65, h2s: 12, mains: true, mode: "normal", pigs: 400 };
  await app.report(device.serialNumber, { ts: Date.now() - 80_000, values });
  await app.report(device.serialNumber, { ts: Date.now() - 10_000, values });
  for (const until = Date.now() + 5000; alarm === undefined && Date.now() < until; ) {
    const found = await app.get<Page<Alarm>>(`${base}/alarm/page?deviceId=${device.id}`, farm);
    const raised = found.body.data.records.find(({ ruleId }) => ruleId === "hydrogen_sulfide_danger");
    if (raised) alarm = raised;
  }
  expect(alarm).toBeDefined();
});
afterAll(() => app.close());

describe("what a phone did without a network", () => {
  test("is done once, however often it is sent, and by how many connections at once", async () => {
    const note = action({ type: "note", text: "F3 电机烫手" });
    const answers = await Promise.all(Array.from({ length: 8 }, () => outcomes([note])));
    for (const answer of answers) expect(answer).toEqual([{ key: note.key, outcome: "done", text: "" }]);
    expect((await detail()).entries.filter(({ action: done }) => done === "comment")).toHaveLength(1);

    const first = action();
    expect(await outcomes([first])).toEqual([{ key: first.key, outcome: "done", text: "" }]);
    expect(await outcomes([first])).toEqual([{ key: first.key, outcome: "done", text: "" }]);
    // Another phone was too late, and is told so, as often as it asks.
    const second = action();
    expect(await outcomes([second])).toEqual([{ key: second.key, outcome: "already", text: "" }]);
    expect(await outcomes([second])).toEqual([{ key: second.key, outcome: "already", text: "" }]);
    const { entries, acknowledgedMs } = await detail();
    expect(entries.filter(({ action: done }) => done === "acknowledge")).toHaveLength(1);
    expect(acknowledgedMs).toBeDefined();
  });

  test("is refused one by one: what can be done is done", async () => {
    const [unknown, empty, good] = [
      action({ alarmId: "1" }),
      action({ type: "note", text: "  " }),
      action({ type: "note", text: "看过了" }),
    ];
    const answer = await outcomes([unknown, empty, good]);
    expect(answer.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "done"]);
    expect(answer[0]?.text).not.toBe("");
    expect(answer[1]?.text).toBe("备注是空的");
  });

  test("reaches no alarm of another tenant, and nobody's without the right", async () => {
    const foreign = action({ type: "note", text: "外人" });
    expect((await outcomes([foreign], worker)).map(({ outcome }) => outcome)).toEqual(["refused"]);
    expect((await detail()).entries.some(({ body }) => body === "外人")).toBe(false);
    // The same key is another one for another account: it neither learns nor blocks anything.
    const mine = action({ type: "note", text: "自己的" });
    await outcomes([mine]);
    expect(await outcomes([mine], worker)).toMatchObject([{ outcome: "refused" }]);
    expect((await send([action()], await app.logIn("chenxiao"))).status).toBe(403);
    expect((await send([])).status).toBe(400);
    expect((await send([action({ key: "abc" })])).status).toBe(400);
  });
});
