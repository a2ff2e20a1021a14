import { kindList } from "@herdwise/device-kinds/kind-list";
import mqtt from "mqtt";
import type { Page } from "playwright-core";
import { describe, expect, test } from "vitest";
import { violationsOf } from "../harness/axe.ts";
import { foundBrowser, settled } from "../harness/browser.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { basicHeader, tokenOfDemo } from "../harness/session.ts";

const portal = usePortal();

/** A device as its own client. */
const connected = (serialNumber: string) =>
  mqtt.connectAsync(`mqtt://127.0.0.1:${portal.mqttPort}`, { username: `demo-${serialNumber}` });
const publish = async (serialNumber: string, topic: "telemetry" | "events" | "attributes", payload: unknown) => {
  const client = await connected(serialNumber);
  await client.publishAsync(`v1/devices/me/${topic}`, JSON.stringify(payload), { qos: 1 });
  await client.endAsync();
};

interface Placed {
  id: string;
  unitId: string;
}
async function deviceOf(serialNumber: string): Promise<Placed> {
  const { access_token: token } = await tokenOfDemo(portal.address, "farm");
  const answer = await fetch(`${portal.address}/api/muyuan-iot/device/page?size=500&name=${serialNumber}`, {
    headers: { Authorization: basicHeader, "Muyuan-Auth": `bearer ${token}` },
  });
  const { data } = (await answer.json()) as { data: { records: Placed[] } };
  const [device] = data.records;
  if (!device) throw new Error(`${serialNumber} is not there`);
  return device;
}

const calm = { rdi: 0.21, rehs: 88, coughs: 1, laeq: 61.5, t: 20.4, rh: 66, mic_ok: true, pigs: 230, rssi: -71 };

describe.skipIf(foundBrowser === undefined)("cough, by its declaration alone", () => {
  test("the overview leads to the unit, whose values change as the device sends them, and on to the device", async () => {
    await publish("COU-ZJY-05", "telemetry", { ...calm, rdi: 0.37 });
    const now = Date.now();
    await publish("COU-ZJY-05", "events", [
      { ts: now - 60_000, type: "cough", id: "c1", confidence: 0.87, zone: "B", duration_s: 0.4 },
      { ts: now - 120_000, type: "microphone_test", id: "m1", result: "passed" },
    ]);
    await publish("COU-ZJY-05", "attributes", { sensitivity: 7, min_confidence: 0.7 });

    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    const { page, problems } = await openPage(context);
    await page.goto(`${portal.address}/selfCenter/vet/cough/overview`);
    await page.getByRole("heading", { level: 1, name: "咳嗽监测总览" }).waitFor();
    // No other unit has such a figure; units of breeding stock have no monitor, and say so.
    const tile = page.locator("a.tile", { hasText: "0.37" });
    await tile.waitFor();
    expect(await page.locator("a.tile", { hasText: "未绑定" }).count()).toBeGreaterThan(0);
    await tile.click();
    await page.waitForURL(/vet\/cough\/unit\?id=/);
    const figure = (name: string) => page.locator(".figures .vital", { hasText: name });
    await figure("呼吸窘迫指数").getByText("0.37").waitFor();
    expect(await page.locator(".worst").count()).toBe(0);

    const device = await connected("COU-ZJY-05");
    device.publish("v1/devices/me/telemetry", JSON.stringify({ rdi: 0.44, laeq: 91.5 }), { qos: 1 });
    await figure("呼吸窘迫指数").getByText("0.44").waitFor({ timeout: 5000 });
    // What is too loud by the declared rule stands in the head, with its cause and figure.
    await page.locator(".worst").getByText("噪声高").waitFor();
    expect(await page.locator(".worst").innerText()).toContain("91.5 dBA");
    await device.endAsync();

    // Two lines at first; another one by a tap, and it stands in the address with the span.
    await page.getByRole("button", { name: "等效声级" }).click();
    await page.getByRole("button", { name: "7 日" }).click();
    await page.waitForURL(/show=.*laeq/);
    expect(new URL(page.url()).searchParams.get("range")).toBe("7d");
    await page.getByRole("button", { name: "24 小时" }).click();
    await page.getByRole("button", { name: "看数据表" }).click();
    await page.getByRole("columnheader", { name: "等效声级 dBA" }).waitFor();
    await page.getByRole("cell", { name: "91.5" }).first().waitFor();

    // What lies behind the chart comes as a file, by a job.
    await page.getByRole("button", { name: "导出原始数据" }).click();
    const question = page.getByRole("dialog", { name: "导出原始数据" });
    await question.getByText("等效声级").waitFor();
    await question.getByRole("radio", { name: "CSV" }).check();
    await question.getByRole("button", { name: "导出", exact: true }).click();
    await page.getByText("导出已开始，完成后在顶栏和消息里下载").waitFor();
    expect(await question.count()).toBe(0);

    await page.getByRole("link", { name: "设备详情" }).click();
    await page.waitForURL(/vet\/cough\/device\?id=/);
    await page.locator(".event-list").getByText("置信度 0.87").waitFor();
    const maintenance = page.locator("section", { has: page.getByRole("heading", { name: "维护记录" }) });
    await maintenance.getByText("拾音自检").waitFor();
    expect(await maintenance.getByText("咳嗽", { exact: true }).count()).toBe(0);
    const row = (name: string) => page.locator(".parameters tr", { hasText: name });
    expect(await row("灵敏度").innerText()).toMatch(/默认 5\s+7\s+不一致/);
    expect(await row("最低置信度").innerText()).toMatch(/一致$/);
    expect(await row("统计窗口").innerText()).toContain("未上报");
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

/** Texts of states, causes and figures that do not fit where they stand. */
function cutTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    interface Box {
      left: number;
      right: number;
      width: number;
    }
    interface Element {
      innerText: string;
      scrollWidth: number;
      clientWidth: number;
      getBoundingClientRect(): Box;
      closest(selector: string): Element | null;
    }
    const { document, getComputedStyle } = globalThis as unknown as {
      document: { querySelectorAll(selector: string): Iterable<Element> };
      getComputedStyle(element: Element): { overflowX: string; display: string };
    };
    const told =
      ".tile .tile-head, .tile .value, .tile .words, .state, .tag, .worst, .worst span, .att a > span, .health-list b, .health-list .mut, .sum dt, .sum dd, .figure, .tgt, .parameters td, .event-list li span";
    const cut: string[] = [];
    for (const element of document.querySelectorAll(told)) {
      const box = element.getBoundingClientRect();
      if (box.width === 0) continue;
      const around = element
        .closest(".tile, .sum dl, .worst, .att a, td, li, .vitals .vital, .card")
        ?.getBoundingClientRect();
      // What scrolls sideways with its whole row is not cut.
      if (element.closest(".tbl-wrap, .filters, .lgd")) continue;
      const beyond = around !== undefined && (box.right > around.right + 1 || box.left < around.left - 1);
      const inline = getComputedStyle(element).display === "inline";
      if (beyond || (!inline && element.scrollWidth > element.clientWidth + 1)) cut.push(element.innerText);
    }
    return cut;
  });
}

describe.skipIf(foundBrowser === undefined)("pages of kinds", () => {
  const kinds = kindList.flatMap(({ kind, pages }) => (pages ? [{ kind, path: pages.path }] : []));
  const serialNumbers: Readonly<Record<string, string>> = { environment: "ENV-ZJY-06", cough: "COU-ZJY-06" };
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
  };

  test.each(kinds.flatMap(({ kind, path }) => (["zh", "en"] as const).map((lang) => ({ kind, path, lang }))))(
    "$kind in $lang: no state, cause or figure is cut from a phone to a desk, and axe finds nothing",
    async ({ kind, path, lang }) => {
      const serialNumber = serialNumbers[kind] ?? "";
      await publish(serialNumber, "telemetry", trouble[kind]);
      const { id, unitId } = await deviceOf(serialNumber);
      const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
      await context.addCookies([{ name: "langType", value: lang, url: portal.address }]);
      await context.addInitScript((language) => localStorage.setItem("langType", language), lang);
      const { page } = await openPage(context);
      for (const address of ["overview", "overview?view=list", `unit?id=${unitId}`, `device?id=${id}`]) {
        await page.setViewportSize({ width: 1440, height: 900 });
        await page.goto(`${portal.address}/selfCenter/${path}/${address}`);
        await settled(page);
        // The trouble is on the page before its words are measured.
        await page.locator(".state.critical, .tag.critical, .state.major, .tag.major").first().waitFor();
        for (const width of [1440, 1366, 1024, 390]) {
          await page.setViewportSize({ width, height: 900 });
          expect.soft(await cutTexts(page), `${address} at ${width} px`).toEqual([]);
          const wider = await page.evaluate<number>(
            "document.documentElement.scrollWidth - document.documentElement.clientWidth",
          );
          expect.soft(wider, `${address} at ${width} px is wider than the page`).toBeLessThanOrEqual(0);
        }
        expect.soft(await violationsOf(page), address).toEqual([]);
      }
      await context.close();
    },
    90_000,
  );
});
