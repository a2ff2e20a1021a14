import { readFile } from "node:fs/promises";
import { deviceKinds } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import { describe, expect, test } from "vitest";
import { frameTabs } from "../../apps/web/app/centre/kind/frame-tab-names.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { lookAt, navigate } from "../harness/crawl.ts";
import { expectAllDeclared } from "../harness/declared.ts";
import { connectDevice, publish } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basic, tokenOfDemo } from "../harness/session.ts";
import { demoDevices } from "../harness/simulated.ts";
import { isInTurn, volume } from "../harness/volume.ts";

const portal = usePortal();

interface Placed {
  id: string;
  unitId: string;
}
async function deviceOf(serialNumber: string): Promise<Placed> {
  const { access_token: token } = await tokenOfDemo(portal.address, "farm");
  const answer = await fetch(`${portal.address}/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, {
    headers: { Authorization: basic, "Muyuan-Auth": `bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { records: Placed[] } };
  const [device] = data.records;
  if (!device) throw new Error(`${serialNumber} is not there`);
  return device;
}

const calm = { rdi: 0.21, rehs: 88, coughs: 1, laeq: 61.5, t: 20.4, rh: 66, mic_ok: true, pigs: 230, rssi: -71 };

describe.skipIf(foundBrowser === undefined)("cough, by its declaration alone", () => {
  test("the overview leads to the unit, whose values change as the device sends them, and on to the device", async () => {
    await publish(portal, "COU-ZJY-05", "telemetry", { ...calm, rdi: 0.37 });
    const now = Date.now();
    await publish(portal, "COU-ZJY-05", "events", [
      { ts: now - 60_000, type: "cough", id: "c1", confidence: 0.87, zone: "B", duration_s: 0.4 },
      { ts: now - 120_000, type: "microphone_test", id: "m1", result: "passed" },
    ]);
    await publish(portal, "COU-ZJY-05", "attributes", { sensitivity: 7, min_confidence: 0.7 });

    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/vet/cough/overview`);
    await page.getByRole("heading", { level: 1, name: "咳嗽监测总览" }).waitFor();
    // No other unit has such a figure; units of breeding stock have no monitor, and say so.
    const tile = page.locator("a.tile", { hasText: "0.37" });
    await tile.waitFor();
    expect(await page.locator(".bares", { hasText: "未绑定" }).locator("a").count()).toBeGreaterThan(0);
    await tile.click();
    await page.waitForURL(/vet\/cough\/unit\?id=/);
    const figure = (name: string) => page.locator(".figures .vital", { hasText: name });
    await figure("呼吸窘迫指数").getByText("0.37").waitFor();
    expect(await page.locator(".worst").count()).toBe(0);

    const device = await connectDevice(portal, "COU-ZJY-05");
    device.publish("v1/devices/me/telemetry", JSON.stringify({ rdi: 0.44, laeq: 91.5 }), { qos: 1 });
    await figure("呼吸窘迫指数").getByText("0.44").waitFor({ timeout: 5000 });
    // What is too loud by the declared rule stands in the head, with its cause and figure.
    await page.locator(".worst").getByText("噪声高").waitFor();
    expect(await page.locator(".worst").innerText()).toContain("91.5 dBA");
    await device.endAsync();

    await page.getByRole("tab", { name: "历史" }).click();
    // Two lines at first; another one by a tap, and it stands in the address with the span.
    await page.getByRole("button", { name: "等效声级" }).click();
    const chart = page.locator("section.card", { has: page.getByRole("heading", { name: "数值曲线" }) });
    await chart.getByRole("button", { name: "7 日" }).click();
    await page.waitForURL(/show=.*laeq/);
    expect(new URL(page.url()).searchParams.get("range")).toBe("7d");
    await chart.getByRole("button", { name: "24 小时" }).click();
    await page.getByRole("button", { name: "看数据表" }).click();
    await page.getByRole("columnheader", { name: "等效声级 dBA" }).waitFor();
    await page.getByRole("cell", { name: "91.5" }).first().waitFor();

    // What lies behind the chart comes as a file: a table for programs at once, a sheet by a job.
    await page.getByRole("button", { name: "导出原始数据" }).click();
    const question = page.getByRole("dialog", { name: "导出原始数据" });
    await question.getByText("等效声级").waitFor();
    await question.getByRole("radio", { name: "CSV" }).check();
    await question.getByRole("radio", { name: "按小时" }).check();
    const saved = page.waitForEvent("download");
    await question.getByRole("button", { name: "导出", exact: true }).click();
    const file = await saved;
    expect(file.suggestedFilename()).toMatch(/^\d{4}-\d\d-\d\d \d{4}-\d\d-\d\d 按小时\.csv$/);
    expect(await readFile(await file.path(), "utf8")).toMatch(/^\ufeff设备编号,设备,.*等效声级 \(dBA\) 平均,/);
    await question.waitFor({ state: "detached" });
    await page.getByRole("button", { name: "导出原始数据" }).click();
    await question.getByRole("radio", { name: "Excel" }).check();
    await question.getByRole("button", { name: "导出", exact: true }).click();
    await page.getByText("导出已开始，完成后在顶栏和消息里下载").waitFor();
    expect(await question.count()).toBe(0);

    await page.getByRole("tab", { name: "关于" }).click();
    await page.getByRole("link", { name: "设备详情" }).click();
    await page.waitForURL(/vet\/cough\/device\?id=/);
    // The page of a device tells of the device itself: its reports, its sensors, and the unit that it is mounted in.
    const signal = page.getByRole("region", { name: "信号与上报" });
    await signal.getByRole("table", { name: "信号强度，每日每小时" }).waitFor();
    await signal.getByText(/7 天里 .*的小时有上报，最长中断/).waitFor();
    expect(await signal.getByRole("link").getAttribute("href")).toContain("/vet/cough/unit?id=");
    const sensors = page.getByRole("region", { name: "其他传感器，24 小时" });
    await sensors.getByRole("row", { name: "温度 2" }).waitFor();
    // What the figures above tell stands there alone.
    expect(await sensors.getByRole("row", { name: "等效声级" }).count()).toBe(0);
    await page.getByRole("tab", { name: "设备记录" }).click();
    await page.locator(".event-list").getByText("置信度 0.87").waitFor();
    const maintenance = page.locator("section", { has: page.getByRole("heading", { name: "维护记录" }) });
    await maintenance.getByText("拾音自检").waitFor();
    expect(await maintenance.getByText("咳嗽", { exact: true }).count()).toBe(0);
    await page.getByRole("tab", { name: "参数设置" }).click();
    const row = (name: string) => page.locator(".parameters tr", { hasText: name });
    expect(await row("灵敏度").innerText()).toMatch(/--\s+7\s+现场值，没有下发过/);
    expect(await row("统计窗口").innerText()).toMatch(/默认 5 min\s+--\s+未上报/);
    expect(problems).toEqual([]);
    await context.close();
  });

  test("a unit without a monitor, another kind's device and another tenant's unit say what they are", async () => {
    const [environment, foreign] = [await deviceOf("ENV-LHF-01"), await deviceOf("ENV-ZJY-01")];
    const context = await portal.signedIn("farm");
    const { page } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/vet/cough/unit?id=${environment.unitId}`);
    await page.getByText("还没有绑定“咳嗽监测”的设备").waitFor();
    await page.goto(`${portal.address}/selfCenter/vet/cough/device?id=${environment.id}`);
    await page.getByText("先选一台设备").waitFor();
    await context.close();
    const worker = await portal.signedIn("worker");
    const { page: other } = await openPage(worker);
    await other.goto(`${portal.address}/selfCenter/vet/cough/unit?id=${foreign.unitId}`);
    await other.getByRole("heading", { name: "单元详情" }).waitFor({ state: "attached" });
    expect(await other.getByText("周家营").count()).toBe(0);
    await worker.close();
  });
});

describe.skipIf(foundBrowser === undefined)("a dosing station, which serves a farm", () => {
  test("stands in the list of its kind with what is wrong, and its picture has the fault on its valve and in words", async () => {
    await publish(portal, "DOS-QS-01", "telemetry", {
      state: "dispensing",
      ...Object.fromEntries(
        [1, 2, 3].flatMap((tank) => [
          [`tank_${tank}`, 60 + tank],
          [`tank_${tank}_l`, 3000],
        ]),
      ),
      ...Object.fromEntries(
        [1, 2, 3, 4].flatMap((valve) => [
          [`valve_${valve}`, valve === 2],
          [`valve_${valve}_cmd`, valve <= 2],
        ]),
      ),
      flow_1: 212,
      flow_2: 0,
      pump_1_hz: 42,
      pump_2_hz: 0,
      p: 0.31,
    });
    await publish(portal, "DOS-QS-01", "events", [
      {
        ts: Date.now() - 60_000,
        type: "batch",
        id: "b1",
        recipe: "洗消",
        dest: "1",
        target_l: 120,
        actual_l: 96,
        deviation: -20,
        result: "ok",
      },
      {
        ts: Date.now() - 120_000,
        type: "batch",
        id: "b2",
        recipe: "洗消",
        dest: "1",
        target_l: 120,
        actual_l: 120,
        deviation: 0,
        result: "ok",
      },
    ]);
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/clean/dosingStation/overview`);
    await page.getByRole("heading", { level: 1, name: "配药站总览" }).waitFor();
    const row = page.locator("tbody tr", { hasText: "清水保育场" }).filter({ hasText: "1 号配药站" });
    await row.getByText("阀未到位").waitFor();
    // (100 + 80) ÷ 2
    await row.getByText("90 %").waitFor();
    await row.getByRole("link").click();
    await page.waitForURL(/clean\/dosingStation\/device\?id=/);
    const picture = page.getByRole("img", { name: /流程 有问题的部件：1 号阀/ });
    await picture.waitFor();
    expect(await picture.locator("[data-state=major]").count()).toBeGreaterThan(0);
    const parts = page.getByRole("list", { name: "部件" }).getByRole("listitem");
    expect(await parts.first().innerText()).toMatch(/严重\s*1 号阀\s*关着\s*指令开，反馈关/);
    await page.getByRole("tab", { name: "设备记录" }).click();
    const batches = page.locator("section.card", { has: page.getByRole("heading", { name: "批次记录" }) });
    await batches.getByText("1 条不合格").waitFor();
    expect(await batches.locator("tbody tr").first().innerText()).toMatch(/偏差 -20 %/);
    // The valve opens: picture and words follow without a reload.
    await publish(portal, "DOS-QS-01", "telemetry", { valve_1: true });
    await page.getByRole("img", { name: /流程 各部件都正常/ }).waitFor({ timeout: 5000 });

    // On a phone the picture is pushed sideways inside its card, and the page itself is not wider.
    await page.setViewportSize({ width: 390, height: 844 });
    expect(
      await page.evaluate<number>("document.documentElement.scrollWidth - document.documentElement.clientWidth"),
    ).toBeLessThanOrEqual(0);
    expect(problems).toEqual([]);
    await context.close();
  });
});

describe.skipIf(foundBrowser === undefined)("pages of kinds", () => {
  const kinds = kindList.flatMap(({ kind, pages }) => (pages ? [{ kind, pages }] : []));
  /** Something is wrong with each, in long words. */
  const trouble: Readonly<Record<string, Record<string, unknown>>> = {
    environment: {
      t_in: 31.2,
      t_target: 19.6,
      rh: 57,
      nh3: 38.4,
      co2: 5200,
      gear: 3,
      gear_cmd: 12,
      mode: "normal",
      mains: true,
    },
    cough: { ...calm, rdi: 0.93, rehs: 34, laeq: 92.4, mic_ok: false },
    needleless: {
      state: "ready",
      vaccine_t: 18.4,
      bottle_ml: 42,
      charge: 71,
      shots_total: 21_500,
      p_peak: 21.4,
      p_set: 22,
      batt: 8,
    },
    temperature: {
      state: "jam",
      fever_share: 16.4,
      mean: 39.6,
      p95: 40.8,
      scanned: 61,
      t_amb: 24,
      bb_drift: 0.7,
      n: 300,
      batt: 84,
    },
    bathroom: {
      state: "showering",
      occupancy: 1,
      occupied_s: 2600,
      water_t: 51,
      flow: 9,
      room_t: 25,
      door_a: true,
      door_b: true,
      tank: 9,
      tank_t: 52,
      disinfectant: 8,
      cabinet: "fault",
      cabinet_t: 71,
    },
    disinfect: {
      state: "dosing",
      flow: 2.4,
      total: 31_204.5,
      p: 0.27,
      free_cl: 0.12,
      clo2: 0.4,
      orp: 588,
      ph: 8.9,
      turb: 6.4,
      ec: 640,
      t: 17,
      pump: 0,
      stock: 3,
      acid: 60,
    },
    deodorization: {
      state: "running",
      nh3_in: 23,
      nh3_out: 21.5,
      h2s_in: 0.6,
      h2s_out: 0.4,
      t_exhaust: 21.8,
      airflow: 48_000,
      gear: 6,
      ph: 5.6,
      ec: 262,
      dp: 168,
      pump: false,
      pump_a: 0,
      circ: 0,
      level: 12,
      acid: 9,
      agent: 50,
      discharge: 413.2,
    },
    "bungalow-deodorization": {
      state: "running",
      pump: true,
      pump_a: 4.2,
      p: 3.4,
      flow: 0,
      conc: 0.5,
      tank: 11,
      curtain_ok: false,
      t_water: 1,
      nh3_before: 14,
      nh3_after: 12.8,
      h2s_before: 0.4,
      h2s_after: 0.3,
      nh3_boundary: 2.1,
      h2s_boundary: 0.09,
      odour: 110,
      gear: 6,
    },
    weighbridge: {
      state: "overload",
      weight: 128_060,
      stable: "unstable",
      zero_kg: 64,
      on_scale_s: 2400,
      ticket: "WBR-ZJY-01-1",
      plate: "豫RA2618",
      tickets: 4100,
      cal_days: -3,
      cell_1: 0,
      cell_2: 42_000,
      cell_3: 43_000,
      cell_4: 43_060,
      cell_spread: 100,
      t_box: 18.5,
    },
    "dosing-station": {
      state: "estop",
      tank_1: 3,
      tank_1_l: 150,
      tank_1_days_left: -2,
      tank_2: 62,
      tank_2_l: 3100,
      tank_2_days_left: 41,
      tank_3: 18,
      tank_3_l: 900,
      tank_3_days_left: 5,
      valve_1_cmd: true,
      valve_1: false,
      valve_2_cmd: true,
      valve_2: true,
      flow_1: 0,
      flow_2: 0,
      pump_1_hz: 42,
      pump_2_hz: 0,
      p: 0.32,
      mix_ec: 12.4,
      mix_ph: 8.6,
    },
  };
  /** Records of today, of each type that the kind shows; some of them are not good. */
  const records: Readonly<Record<string, readonly Record<string, unknown>[]>> = {
    needleless: [
      {
        type: "shot",
        ear_tag: "CN1",
        vaccine: "CSF",
        lot: "L1",
        dose_set: 2,
        dose_act: 1.4,
        dose_deviation: -30,
        result: "wet",
      },
      { type: "session_closed", task: "T1", shots: 120, coverage: 92.5 },
    ],
    cough: [
      { type: "cough", zone: "B", confidence: 0.9, duration_s: 0.4 },
      { type: "episode", onset: new Date(Date.now() - 86_400_000).toISOString(), peak: 42, duration_h: 24 },
    ],
    temperature: [
      { type: "scan", pen: 4, t_core_est: 40.8 },
      { type: "scan", pen: 5, t_core_est: 39.1 },
      { type: "round_end", round: 1, n: 300, fever: 49, scanned: 61 },
      { type: "fever_case", pen: 4, t_core_est: 40.8, times_4h: 2 },
    ],
    bathroom: [
      {
        type: "shower",
        person: "Wu Lei",
        team: "A",
        in: new Date(Date.now() - 900_000).toISOString(),
        out: new Date(Date.now() - 376_000).toISOString(),
        shower_start: new Date(Date.now() - 780_000).toISOString(),
        water_s: 204,
        total_s: 524,
        temp_avg: 38.8,
        litres: 31,
        soap_ml: 15,
        result: "under_time",
        reason: "water_time",
      },
      { type: "bypass", person: "Wu Lei", door: "B" },
    ],
    disinfect: [{ type: "flush", duration_s: 600, litres: 250 }],
    deodorization: [{ type: "hourly_record", ph: 5.6, ec: 262, discharge: 0, dp: 168, kwh: 3.2 }],
    "bungalow-deodorization": [{ type: "spray_run", duration_s: 720, litres: 52, trigger: "timer" }],
    weighbridge: [
      {
        type: "weighed",
        ticket: "T-1",
        plate: "豫RA2618",
        phase: "in",
        weight_g: 38_040_000,
        zero_kg: 64,
        stability: "unstable",
        calibrated_until: new Date(Date.now() - 86_400_000).toISOString(),
      },
    ],
    "dosing-station": [
      { type: "batch", recipe: "洗消", dest: "2", target_l: 120, actual_l: 102, deviation: -15, result: "timeout" },
    ],
  };

  test.each(kinds)(
    "$kind: nothing is cut from a phone to a desk, nothing is left in Chinese, and axe finds nothing",
    async ({ kind, pages }) => {
      const serialNumber = demoDevices[kind];
      await publish(portal, serialNumber, "telemetry", trouble[kind]);
      const told = records[kind]?.map((record, at) => ({
        ...record,
        ts: Date.now() - 60_000 * (at + 1),
        id: `e${at}`,
      }));
      if (told) await publish(portal, serialNumber, "events", told);
      const { id, unitId } = await deviceOf(serialNumber);
      const [overview = "", unit, device = "", parameters = ""] = (
        ["overview", "unit", "device", "parameters"] as const
      ).map((of) => pageAddress(pages, of));
      const boards = unit === undefined ? [overview] : [overview, `${overview}?view=list`, `${unit}?id=${unitId}`];
      const inDepth = isInTurn(
        kinds.findIndex((one) => one.kind === kind),
        kinds.length / 2,
      );
      // English, whose words are the longer ones, is looked at on a desk and a phone; the widths between them, tabs, forms and the dark
      // theme of two kinds in each run.
      const looks = [
        { lang: "en", width: 1440, alsoAt: inDepth ? [1366, 1024, 390] : [390], colorScheme: "light" },
        { lang: "zh", width: 390, alsoAt: volume({ short: [], long: [1440, 1366, 1024] }), colorScheme: "dark" },
      ] as const;
      for (const look of looks.slice(0, inDepth ? 2 : 1)) {
        const context = await portal.signedIn("farm", {
          viewport: { width: look.width, height: 900 },
          colorScheme: look.colorScheme,
        });
        await context.addCookies([{ name: "langType", value: look.lang, url: portal.address }]);
        await context.addInitScript((language) => localStorage.setItem("langType", language), look.lang);
        const { page, problems } = await openPage(context);
        await page.goto(portal.address + overview);
        await settled(page);
        const tabs = inDepth ? frameTabs.slice(1).map((tab) => `${device}?id=${id}&tab=${tab}`) : [];
        for (const address of [...boards, `${device}?id=${id}`, ...tabs]) {
          await navigate(page, address);
          await settled(page);
          // The trouble is on the page before its words are measured.
          await page
            .locator(".state.critical:visible, .tag.critical:visible, .state.major:visible, .tag.major:visible")
            .first()
            .waitFor();
          // Pages of kinds are drawn by one kit; axe looks at those of two kinds in each run.
          await lookAt(page, address, { ...look, axe: inDepth });
        }
        if (look.lang === "en") {
          await navigate(page, `${device}?id=${id}`);
          await expectAllDeclared(page, deviceKinds[kind]);
        }
        // Forms are drawn by one kit, too.
        if (inDepth) {
          await navigate(page, `${parameters}?id=${id}`);
          await page.getByRole("tablist").waitFor();
          await lookAt(page, parameters, look);
        }
        expect(problems).toEqual([]);
        await context.close();
      }
    },
  );
});
