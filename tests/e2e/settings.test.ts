import { commandSubmit, type ParameterSetting, parameterStatus, parameterSubmit } from "@herdwise/contract";
import { type DeviceKindId, deviceKindIds, deviceKinds, parameterGroups } from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { pageAddress } from "@herdwise/device-kinds/kind-pages";
import type { MqttClient } from "mqtt";
import type { Page } from "playwright-core";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { deviceLink } from "../../apps/simulator/src/device-link.ts";
import {
  initialState,
  modelParameters,
  reportTimeBefore,
  virtualDevice,
} from "../../apps/simulator/src/virtual-device.ts";
import { foundBrowser } from "../harness/browser.ts";
import { navigate } from "../harness/crawl.ts";
import { apiOf } from "../harness/departments.ts";
import { connectDevice } from "../harness/device.ts";
import { openPage, usePortal } from "../harness/portal.ts";
import { volume } from "../harness/volume.ts";

const portal = usePortal();

interface Found {
  id: string;
  unitId: string;
  name: string;
}
const deviceOf = async (serialNumber: string, account = "farm"): Promise<Found> => {
  const api = apiOf(portal, account);
  const { records } = await api<{ records: Found[] }>(`/api/muyuan-iot/device/page?size=500&name=${serialNumber}`);
  const [device] = records;
  if (!device) throw new Error(`${serialNumber} is not there`);
  return device;
};
const addressOf = (kind: string, page: "device" | "parameters", id: string): string => {
  const pages = kindList.find((listed) => listed.kind === kind)?.pages;
  return `${pages ? pageAddress(pages, page) : ""}?id=${id}`;
};

const rpc = "v1/devices/me/rpc/request/";

/** A device that follows what it is told: it takes settings over, and answers commands as it is asked to. */
class Follower {
  readonly client: MqttClient;
  /** What it makes of a setting, before it reports it; undefined reports nothing. */
  take: (key: string, value: unknown) => unknown = (_key, value) => value;
  answer: unknown = { success: true };
  readonly heard: Record<string, unknown>[] = [];

  constructor(client: MqttClient) {
    this.client = client;
    client.on("message", (topic, payload) => {
      const body = JSON.parse(payload.toString()) as Record<string, unknown>;
      if (topic.startsWith(rpc)) {
        this.tell(`v1/devices/me/rpc/response/${topic.slice(rpc.length)}`, this.answer);
        return;
      }
      this.heard.push(body);
      const taken = Object.entries(body).flatMap(([key, value]) => {
        const held = this.take(key, value);
        return held === undefined ? [] : [[key, held]];
      });
      this.report(Object.fromEntries(taken));
    });
  }
  tell(topic: string, body: unknown): void {
    this.client.publish(topic, JSON.stringify(body), { qos: 1 });
  }
  report(values: object): void {
    this.tell("v1/devices/me/attributes", values);
  }
}
/** @param answer to commands; what waits for the device comes as soon as it listens */
async function follow(serialNumber: string, answer?: unknown): Promise<Follower> {
  const client = await connectDevice(portal, serialNumber);
  const follower = new Follower(client);
  if (answer !== undefined) follower.answer = answer;
  await client.subscribeAsync([`${rpc}+`, "v1/devices/me/attributes"], { qos: 1 });
  return follower;
}

const row = (page: Page, name: string) =>
  page.locator(".parameters tbody tr", { has: page.getByRole("rowheader", { name, exact: true }) });
const toSend = async (page: Page): Promise<void> => {
  await page.getByRole("button", { name: "核对并下发" }).click();
  const question = page.getByRole("alertdialog");
  await question.getByRole("checkbox").check();
  await question.getByRole("button", { name: "下发", exact: true }).click();
  await question.waitFor({ state: "detached" });
};

/** Of each kind a device that no other test sends messages for. */
const quiet: Readonly<Record<DeviceKindId, string>> = {
  environment: "ENV-ZJY-07",
  cough: "COU-ZJY-07",
  needleless: "INJ-QS-01",
  temperature: "TMP-ZJY-04",
  bathroom: "BAT-QS-01",
  disinfect: "WAT-ZJY-02",
  deodorization: "DEO-QS-01",
  "bungalow-deodorization": "BDE-LHF-02",
  "dosing-station": "DOS-LHF-01",
  weighbridge: "WBR-ZJY-01",
};
/** Two numbers that a kind may be set to, each with two values beside its default. */
interface Settable {
  key: string;
  name: string;
  group: string;
  values: readonly [first: number, second: number];
}
function settableOf(kind: DeviceKindId): readonly [Settable, Settable] {
  const declared = deviceKinds[kind];
  const [first, second] = parameterGroups(declared).flatMap(({ id, keys }) =>
    keys.flatMap((key): Settable[] => {
      const parameter = declared.parameters.find((one) => one.key === key);
      if (parameter?.type !== "number" || typeof parameter.default !== "number") return [];
      const { default: usual, range } = parameter;
      const [low, high] = range;
      const around = [1, 0.1, 0.01].flatMap((step) => [usual + step, usual + 2 * step, usual - step, usual - 2 * step]);
      // A step of 1 says nothing where the whole range is as wide.
      const within = around
        .slice(high - low >= 10 ? 0 : 4)
        .map((value) => Math.round(value * 100) / 100)
        .filter((value) => value >= low && value <= high);
      const [one, other] = within;
      return one === undefined || other === undefined
        ? []
        : [{ key, name: parameter.name.zh, group: id, values: [one, other] }];
    }),
  );
  if (!first || !second) throw new Error(`${kind} has no two numbers to set`);
  return [first, second];
}
/** Kinds whose way of a setting is gone in this run. */
const settable = volume<readonly DeviceKindId[]>({ short: ["temperature", "dosing-station"], long: deviceKindIds });

describe.skipIf(foundBrowser === undefined)("settings and commands of devices", () => {
  let page: Page;
  let problems: string[];
  beforeAll(async () => {
    if (foundBrowser === undefined) return;
    const context = await portal.signedIn("farm", { viewport: { width: 1440, height: 900 } });
    ({ page, problems } = await openPage(context));
    await page.goto(`${portal.address}/selfCenter/vet/environment/parameters`);
    await page.getByRole("heading", { level: 1 }).waitFor();
    // What nobody takes expires while other tests run.
    const api = apiOf(portal, "farm");
    const [controller, station] = [await deviceOf("ENV-ZJY-02"), await deviceOf("DOS-ZJY-01")];
    await api(parameterSubmit.path, { deviceId: controller.id, values: { t_target: 23 }, expiresInS: 1 });
    await api(commandSubmit.path, { deviceId: station.id, method: "flush", expiresInS: 5 });
    for (const kind of settable) {
      const [, { key, values }] = settableOf(kind);
      const { id } = await deviceOf(quiet[kind]);
      await api(parameterSubmit.path, { deviceId: id, values: { [key]: values[0] }, expiresInS: 1 });
    }
  });
  afterAll(async () => {
    if (foundBrowser !== undefined) await page.context().close();
  });

  test("a fan table: faults at the field, what it would do, what changes, and back from the device as applied", async () => {
    const { name } = await deviceOf("ENV-ZJY-03");
    const device = await follow("ENV-ZJY-03");
    const now = Date.now();
    // Two hours around the up temperature of the second gear.
    await device.client.publishAsync(
      "v1/devices/me/telemetry",
      JSON.stringify(
        Array.from({ length: 24 }, (_, at) => ({
          ts: now - (24 - at) * 300_000,
          values: { t_in: at % 2 === 0 ? 19.5 : 20.4 },
        })),
      ),
      { qos: 1 },
    );
    // The list of devices of the kind leads to it.
    // The only controller of its unit is listed by the unit's name.
    await page.getByRole("link", { name: new RegExp(name.replace(/ 环控器$/, "")) }).click();
    await page.getByRole("heading", { level: 1, name: `${name}，参数` }).waitFor();
    await page.getByText("没有改动", { exact: true }).waitFor();
    const up = page.getByRole("textbox", { name: "第 2 行 升档温度" });
    await up.fill("18");
    await page.getByText("升档温度应逐档升高，上一档为 19 ℃").waitFor();
    expect(await up.getAttribute("aria-invalid")).toBe("true");
    // With a fault it leads to the field instead of sending.
    await page.getByRole("button", { name: "核对并下发" }).click();
    expect(await page.getByRole("alertdialog").count()).toBe(0);
    await expect.poll(() => page.locator(":focus").getAttribute("id")).toBe("fan_table-1-t_up");
    await up.fill("20.5");
    // The old table changes gear each time, the new one never gets there.
    const replay = page.locator("section.card", { has: page.getByRole("heading", { name: /过去 24 小时风机会换档/ }) });
    const told = replay.getByText(/\d+ 次，原来 \d+ 次/);
    await told.waitFor();
    const [changes = -1, before = -1] = [...(await told.innerText()).matchAll(/\d+/g)].map(Number);
    expect(before).toBeGreaterThanOrEqual(22);
    expect(changes).toBeLessThan(5);
    await page.getByRole("button", { name: "核对并下发" }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("风机配置 第 2 行 升档温度").waitFor();
    await question.getByText("20 ℃ → 20.5 ℃").or(question.getByText("20 °C → 20.5 °C")).waitFor();
    expect(await question.getByRole("button", { name: "下发", exact: true }).isDisabled()).toBe(true);
    await question.getByRole("button", { name: "再看看" }).click();
    await toSend(page);
    await row(page, "风机配置").getByText("已生效").waitFor();
    expect(device.heard).toHaveLength(1);
    expect(device.heard[0]).toMatchObject({
      fan_table: expect.arrayContaining([expect.objectContaining({ gear: 2, t_up: 20.5 })]),
    });
    await device.client.endAsync();
  });

  test("refused, drifted and expired are shown as what they are, each with its way on; and the way back through the history", async () => {
    const { id } = await deviceOf("ENV-ZJY-04");
    const device = await follow("ENV-ZJY-04");
    await navigate(page, `${addressOf("environment", "parameters", id)}&group=setting`);
    const target = page.getByRole("textbox", { name: "目标温度", exact: true });
    await target.waitFor();
    device.take = (key, value) => (key === "rh_max" ? 70 : value);
    await target.fill("22.5");
    await page.getByRole("textbox", { name: "湿度上限" }).fill("80");
    await toSend(page);
    await row(page, "目标温度").getByText("已生效").waitFor();
    await row(page, "湿度上限").getByText("设备没有采用").waitFor();
    // Somebody turns the panel.
    device.report({ t_target: 19 });
    await row(page, "目标温度").getByText("漂移：现场改过").waitFor();
    await row(page, "目标温度").getByRole("button", { name: "再下发 22.5" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "下发", exact: true }).click();
    await row(page, "目标温度").getByText("已生效").waitFor();
    await row(page, "湿度上限").getByRole("button", { name: "用设备的 70 %" }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "以设备为准" }).click();
    await row(page, "湿度上限").getByText("已生效").waitFor();
    await device.client.endAsync();

    const history = page.locator("section.card", { has: page.getByRole("heading", { name: "历史", exact: true }) });
    // Back to before the very first change: the form has the values, and nothing is sent yet.
    await history.getByRole("listitem").last().getByRole("button", { name: "恢复到这次之前" }).click();
    await page.getByText("改了 2 处").waitFor();
    await expect.poll(() => target.inputValue()).toBe("20");
    await page.getByRole("button", { name: "放弃改动" }).click();
    await expect.poll(() => target.inputValue()).toBe("22.5");

    const late = await deviceOf("ENV-ZJY-02");
    await navigate(page, addressOf("environment", "parameters", late.id));
    await page.getByText("设备离线", { exact: true }).waitFor();
    await row(page, "目标温度")
      .getByText(/已过期，23 °C 没有送达，已撤回/)
      .waitFor({ timeout: 12_000 });
    await history.getByText("已过期撤回").waitFor();
  });

  test("lighting and periods: their limits at the field, and their day before they are sent", async () => {
    const { id } = await deviceOf("ENV-ZJY-04");
    await navigate(page, `${addressOf("environment", "parameters", id)}&group=lighting`);
    const add = page.getByRole("button", { name: "加一行" });
    for (let count = 1; count < 6; count++) await add.click();
    // At most six groups; the seventh can't be entered.
    expect(await add.isDisabled()).toBe(true);
    await page.getByText("时间不能为空").first().waitFor();
    await page.getByRole("textbox", { name: "第 2 行 开启时间" }).fill("20:00");
    await page.getByRole("textbox", { name: "第 2 行 关闭时间" }).fill("19:00");
    await page.getByText("关闭时间不能早于开启时间").waitFor();
    await page.getByRole("tab", { name: "控制时段" }).click();
    await add.click();
    await page.getByRole("textbox", { name: "第 1 行 开始时间" }).fill("8:00");
    await page.getByRole("textbox", { name: "第 1 行 结束时间" }).fill("1000");
    await add.click();
    await page.getByRole("textbox", { name: "第 2 行 开始时间" }).fill("09:00");
    await page.getByRole("textbox", { name: "第 2 行 结束时间" }).fill("11:00");
    await page.getByText("与第 1 组时段重叠").waitFor();
    await page.getByRole("img", { name: "控制时段，一天" }).waitFor();
    await page.getByRole("button", { name: "放弃改动" }).click();
  });

  test("the mode of a unit is asked for with what it does, and reaches its controller", async () => {
    const { id } = await deviceOf("ENV-ZJY-04");
    const device = await follow("ENV-ZJY-04");
    await navigate(page, `${addressOf("environment", "parameters", id)}&group=mode`);
    await page.getByRole("radio", { name: /空栏/ }).click();
    const question = page.getByRole("alertdialog", { name: "切换到“空栏”？" });
    await question.getByText("全部告警屏蔽").waitFor();
    await question.getByText(/头在栏：风机停了会闷死/).waitFor();
    // The unit is read again late: until then the mode that was accepted is the one shown.
    const late = Promise.withResolvers<void>();
    await page.route(/unit\/overview/, async (route) => {
      await late.promise;
      await route.continue();
    });
    await question.getByRole("button", { name: "切换" }).click();
    await expect.poll(() => device.heard.at(-1)).toMatchObject({ mode: "empty" });
    await row(page, "单元模式").getByText("已生效").waitFor();
    await page.getByRole("radio", { name: /正常饲养/ }).click();
    await page.getByRole("alertdialog").getByRole("button", { name: "切换" }).click();
    await expect.poll(() => device.heard.at(-1)).toMatchObject({ mode: "normal" });
    late.resolve();
    await page.unrouteAll({ behavior: "wait" });
    await device.client.endAsync();
  });

  test("settings are copied to a device of the choice, with what differs", async () => {
    const [from, to] = [await deviceOf("ENV-ZJY-04"), await deviceOf("ENV-ZJY-05")];
    const device = await follow("ENV-ZJY-05");
    device.report(
      Object.fromEntries(deviceKinds.environment.parameters.map(({ key, default: value }) => [key, value])),
    );
    await navigate(page, `${addressOf("environment", "parameters", from.id)}&group=setting`);
    await page.getByRole("button", { name: "复制到其他设备" }).click();
    const dialog = page.getByRole("dialog", { name: "复制到其他设备" });
    await dialog.getByRole("checkbox", { name: "风机配置" }).uncheck();
    await dialog.getByRole("checkbox", { name: "参数设置" }).check();
    const peer = dialog
      .getByRole("listitem")
      .filter({ has: page.getByText(to.name, { exact: true }) })
      .first();
    await peer.getByRole("button", { name: "会改 2 处" }).click();
    await peer.getByText("20 °C → 22.5 °C").waitFor();
    await peer.getByRole("checkbox").check();
    await dialog.getByRole("button", { name: "下发到 1 台设备" }).click();
    await peer.getByText("已下发").waitFor();
    await expect.poll(() => device.heard.at(0)).toEqual({ rh_max: 70, t_target: 22.5 });
    await dialog.getByRole("button", { name: "关闭" }).last().click();
    await device.client.endAsync();
  });

  /** One device of each group of the menu; a number of it and its new value. */
  const others: readonly { kind: DeviceKindId; serialNumber: string; key: string; value: number; command: string }[] = [
    { kind: "cough", serialNumber: "COU-ZJY-05", key: "min_confidence", value: 0.8, command: "requestClip" },
    { kind: "needleless", serialNumber: "INJ-ZJY-02", key: "max_rate", value: 25, command: "setDose" },
    { kind: "bathroom", serialNumber: "BAT-ZJY-02", key: "min_water_s", value: 360, command: "sterilise" },
    { kind: "deodorization", serialNumber: "DEO-ZJY-02", key: "ph_set", value: 3.8, command: "doseAgent" },
  ];
  test.each(others)(
    "$kind: a setting and a command go to the device and come back",
    async ({ kind, serialNumber, ...asked }) => {
      const { id } = await deviceOf(serialNumber);
      const declared = deviceKinds[kind].parameters.find(({ key }) => key === asked.key);
      const command = deviceKinds[kind].commands.find(({ method }) => method === asked.command);
      if (!declared || !command) throw new Error(kind);
      const device = await follow(serialNumber);
      await navigate(page, addressOf(kind, "parameters", id));
      await page.getByRole("textbox", { name: declared.name.zh, exact: true }).fill(String(asked.value));
      await toSend(page);
      await row(page, declared.name.zh).getByText("已生效").waitFor();
      expect(device.heard).toEqual([{ [asked.key]: asked.value }]);

      await navigate(page, addressOf(kind, "device", id));
      const card = page.locator("section.card", { has: page.getByRole("heading", { name: "操作", exact: true }) });
      await card.getByRole("button", { name: command.name.zh }).click();
      const question = page.getByRole("alertdialog");
      if (command.effect) await question.getByText(command.effect.zh).waitFor();
      for (const field of command.fields)
        await question.getByRole("textbox", { name: field.name.zh }).fill(String(field.range?.[1] ?? 1));
      if (command.confirm) await question.getByRole("checkbox").last().check();
      await question.getByRole("button", { name: command.name.zh, exact: true }).click();
      const log = card.getByRole("list", { name: "指令记录" }).getByRole("listitem").first();
      await log.getByText("已完成").waitFor();
      await device.client.endAsync();
    },
  );

  test("commands for a device that is away wait, can be taken back, and say what became of them when it is there", async () => {
    const { id } = await deviceOf("DOS-LHF-01");
    await navigate(page, addressOf("dosing-station", "device", id));
    const card = page.locator("section.card", { has: page.getByRole("heading", { name: "操作", exact: true }) });
    const log = card.getByRole("list", { name: "指令记录" }).getByRole("listitem");
    await card.getByRole("button", { name: "冲洗", exact: true }).click();
    const question = page.getByRole("alertdialog");
    await question.getByText("设备离线：指令会排队").waitFor();
    await question.getByRole("button", { name: "冲洗", exact: true }).click();
    await log.first().getByText("排队，等设备").waitFor();
    await log.first().getByRole("button", { name: "取消" }).click();
    await log.first().getByText("已取消").waitFor();
    // A machine that moves: what it does, and only after it was read; a value out of range stays at the field.
    await card.getByRole("button", { name: "阀门开关" }).click();
    await question.getByText("阀门立即动作").waitFor();
    const give = question.getByRole("button", { name: "阀门开关" });
    expect(await give.isDisabled()).toBe(true);
    await question.getByRole("checkbox").last().check();
    await question.getByRole("textbox", { name: "阀" }).fill("9");
    await give.click();
    await question.getByText("阀应在 1 到 4 之间").waitFor();
    await question.getByRole("textbox", { name: "阀" }).fill("2");
    await give.click();
    await log.first().getByText("排队，等设备").waitFor();
    const device = await follow("DOS-LHF-01", { success: false, error: "valve 2 is blocked" });
    await log.first().getByText("设备报告失败").waitFor();
    await log.first().getByText("设备说：valve 2 is blocked").waitFor();
    await device.client.endAsync();
    // One that nobody took in time never went.
    await navigate(page, addressOf("dosing-station", "device", (await deviceOf("DOS-ZJY-01")).id));
    await log.first().getByText("已过期，没有发出").waitFor({ timeout: 12_000 });
  });

  test.each(settable)(
    "%s: a setting goes from the form to the simulated device and back as applied; refused, drifted and expired are told as such",
    async (kind) => {
      const serialNumber = quiet[kind];
      const { id } = await deviceOf(serialNumber);
      const [{ key, name, group, values }, missed] = settableOf(kind);
      const [wanted, other] = values;
      const field = page.getByRole("textbox", { name, exact: true });
      await navigate(page, `${addressOf(kind, "parameters", id)}&group=${group}`);
      // What was wanted before the device was there.
      await row(page, missed.name)
        .getByText(/已过期，.* 没有送达，已撤回/)
        .waitFor({ timeout: 12_000 });

      const virtual = virtualDevice(
        {
          token: `demo-${serialNumber}`,
          serialNumber,
          kind,
          firmwareVersion: "1.4.2",
          unit: { id, pigstyType: "fattening", headCount: 480, ageDays: 96, weightGrams: 58_000, mode: "normal" },
        },
        1,
      );
      const simulated = deviceLink({
        virtual,
        state: initialState(virtual, reportTimeBefore(virtual, Date.now())),
        url: `mqtt://127.0.0.1:${portal.mqttPort}`,
        speed: 1,
        onError: (message) => problems.push(message),
      });
      simulated.start();
      await field.fill(String(wanted));
      await toSend(page);
      await row(page, name).getByText("已生效").waitFor();
      // The model itself runs with it.
      expect(modelParameters(simulated.state())[key] ?? wanted).toBe(wanted);
      await simulated.stop();

      const device = await follow(serialNumber);
      device.take = (of, value) => (of === key ? wanted : value);
      await field.fill(String(other));
      await toSend(page);
      await row(page, name).getByText("设备没有采用").waitFor();
      // It follows later all the same, and then somebody turns the panel.
      device.report({ [key]: other });
      await row(page, name).getByText("已生效").waitFor();
      device.report({ [key]: wanted });
      await row(page, name).getByText("漂移：现场改过").waitFor();
      await device.client.endAsync();
    },
  );

  test("every parameter and every command of every kind is on a screen", async () => {
    const serials: Readonly<Record<DeviceKindId, string>> = {
      environment: "ENV-ZJY-04",
      cough: "COU-ZJY-05",
      needleless: "INJ-ZJY-01",
      temperature: "TMP-ZJY-01",
      bathroom: "BAT-ZJY-01",
      disinfect: "WAT-ZJY-01",
      deodorization: "DEO-ZJY-01",
      "bungalow-deodorization": "BDE-LHF-01",
      "dosing-station": "DOS-ZJY-01",
      weighbridge: "WBR-ZJY-01",
    };
    const looked = volume({ short: [deviceKinds["dosing-station"]], long: Object.values(deviceKinds) });
    for (const kind of looked) {
      const { id } = await deviceOf(serials[kind.kind]);
      await navigate(page, addressOf(kind.kind, "parameters", id));
      await page.getByRole("tablist", { name: "参数分组" }).waitFor();
      for (const group of parameterGroups(kind)) {
        await page.getByRole("tab", { name: group.name.zh, exact: true }).click();
        const panel = page.getByRole("tabpanel", { name: group.name.zh, exact: true });
        await panel.waitFor();
        for (const key of group.keys) {
          const declared = kind.parameters.find((parameter) => parameter.key === key);
          const name = declared?.name.zh ?? "";
          const shown =
            declared?.type === "structure" || key === "mode"
              ? panel.getByRole("heading", { name, exact: true })
              : panel.getByLabel(name, { exact: true });
          expect(await shown.count(), `${kind.kind}: ${key}`).toBeGreaterThan(0);
        }
      }
      for (const { name } of kind.parameters) expect(await row(page, name.zh).count(), name.zh).toBe(1);
      await navigate(page, addressOf(kind.kind, "device", id));
      const card = page.locator("section.card", { has: page.getByRole("heading", { name: "操作", exact: true }) });
      await card.waitFor();
      for (const { name } of kind.commands)
        expect(await card.getByRole("button", { name: name.zh }).count(), `${kind.kind}: ${name.zh}`).toBeGreaterThan(
          0,
        );
    }
    expect(problems).toEqual([]);
  });

  test("a worker looks at settings and commands, and changes none", async () => {
    const context = await portal.signedIn("worker");
    const { page: other, problems: theirs } = await openPage(context);
    const [device] = (
      await apiOf(portal, "worker")<{ records: Found[] }>("/api/muyuan-iot/device/page?kind=environment")
    ).records;
    if (!device) throw new Error("the worker's farm has no controller");
    await other.goto(portal.address + addressOf("environment", "parameters", device.id));
    await other.getByText("只能查看").waitFor();
    expect(await other.getByRole("textbox").filter({ visible: true }).first().isDisabled()).toBe(true);
    expect(await other.getByRole("button", { name: "核对并下发" }).count()).toBe(0);
    await other.goto(portal.address + addressOf("environment", "device", device.id));
    const card = other.locator("section.card", { has: other.getByRole("heading", { name: "操作", exact: true }) });
    await card.getByText("下发指令需要“下发指令”权限").waitFor();
    expect(await card.getByRole("button", { name: "重启控制器" }).count()).toBe(0);
    expect(theirs).toEqual([]);
    await context.close();
    const foreign = await apiOf(
      portal,
      "worker",
    )<ParameterSetting[]>(`${parameterStatus.path}?id=${(await deviceOf("ENV-ZJY-04")).id}`).catch((reason: unknown) =>
      String(reason),
    );
    expect(foreign).toContain("404");
  });
});
