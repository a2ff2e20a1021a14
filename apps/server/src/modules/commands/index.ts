import type { CommandState } from "@herdwise/contract";
import type { Platform, ServerModule } from "../../module.ts";
import { accountScope, systemScope, type TenantScope } from "../../tenant-scope.ts";
import type { HoldersOf } from "../access/index.ts";
import { auditRepository } from "../audit/index.ts";
import type { DeviceService } from "../devices/index.ts";
import { type MessageService, messageRepository } from "../messages/index.ts";
import type { HeldSettings } from "../settings/index.ts";
import { commandRepository } from "./command.repository.ts";
import { commandRoutes } from "./command.routes.ts";
import { type CommandService, createCommandService } from "./command.service.ts";
import { commandProtocolRepository } from "./command-protocol.repository.ts";
import { createDelivery } from "./delivery.service.ts";
import { createDownlinks, type Downlinks } from "./downlinks.ts";
import { parameterRepository } from "./parameter.repository.ts";
import { createParameterService } from "./parameter.service.ts";
import { createParameterDelivery } from "./parameter-delivery.service.ts";
import { parameterProtocolRepository } from "./parameter-protocol.repository.ts";

export type { CommandService } from "./command.service.ts";
export { createDownlinks, type DownKind, type DownLink, type Downlinks, type DownMessage } from "./downlinks.ts";

/** What the device protocol needs of commands and settings. */
export interface DeviceDownstream {
  /** Ways to the devices that are connected to this server. */
  readonly links: Downlinks;
  /** Takes the answer of a device to a command. @returns false when none waits for it */
  answer(deviceId: string, requestId: number, answer: unknown): Promise<boolean>;
  /** A device told the values of these attributes. */
  reported(deviceId: string, keys: readonly string[]): Promise<void>;
}

export interface CommandsModule extends ServerModule {
  readonly service: CommandService;
  readonly downstream: DeviceDownstream;
  /** Settings of a device changed in the database: the server that holds its connection sends them. */
  settingsChanged(deviceId: string): void;
}

export interface CommandsModuleDependencies {
  devices: DeviceService;
  messages: Pick<MessageService, "send">;
  holdersOf: HoldersOf;
  /** Settings of the installation. */
  installation: HeldSettings;
}

const dayMs = 86_400_000;
const notices = systemScope("those who answer for the barns are told what was done there");
const modeNames: Readonly<Record<string, string>> = { normal: "正常饲养", empty: "空栏", washing: "冲洗" };
/** A time as messages say it. */
const shanghai = new Intl.DateTimeFormat("zh-CN", {
  timeZone: "Asia/Shanghai",
  month: "numeric",
  day: "numeric",
  hour: "2-digit",
  minute: "2-digit",
  hourCycle: "h23",
});

export function createCommandsModule(platform: Platform, dependencies: CommandsModuleDependencies): CommandsModule {
  const { kysely, bus, nextId, serverId, now, warn } = platform;
  const { devices, messages, holdersOf, installation } = dependencies;
  const links = createDownlinks();
  const towards = systemScope("commands and settings go to whichever device they were written down for");
  const delivered = commandProtocolRepository(kysely, towards);
  const onChanged = (deviceId: string, commandId: string, state: CommandState): void =>
    bus.publish("commandChanged", { deviceId, commandId, state });
  const delivery = createDelivery({
    repository: delivered,
    links,
    serverId,
    onChanged,
    onError: warn("commands were not brought on their way"),
  });
  const settingsTold = (deviceId: string): void => bus.publish("parametersChanged", { deviceId });
  const settings = createParameterDelivery({
    repository: parameterProtocolRepository(kysely, towards),
    links,
    onChanged: settingsTold,
    onError: warn("settings were not brought on their way"),
  });
  links.follow({
    onListening: (deviceId, kind) => (kind === "rpc" ? delivery.listening(deviceId) : settings.wake(deviceId)),
    onGone: delivery.gone,
  });
  bus.subscribe("deviceWaiting", ({ deviceId, for: kind }) =>
    kind === "rpc" ? delivery.wake(deviceId) : settings.wake(deviceId),
  );
  const wake = (kind: "rpc" | "attributes") => (deviceId: string) =>
    bus.publish("deviceWaiting", { deviceId, for: kind });

  const tell = async (scope: TenantScope, title: string, content: string): Promise<void> => {
    for (const accountId of await holdersOf(notices, scope.tenantId, "parameter_edit"))
      await messages.send(accountScope(notices, accountId), "system", title, content);
  };
  const failed = warn("nobody was told of a command");

  const commands = createCommandService({
    repository: commandRepository(kysely),
    devices,
    withAudit: platform.inTransaction((db) => ({ commands: commandRepository(db), audit: auditRepository(db) })),
    nextId,
    wake: wake("rpc"),
    onChanged,
    announce: (scope, { command, device }) =>
      tell(scope, "设备指令", `“${device}”收到指令：${command}。`).catch(failed),
  });
  const parameters = createParameterService({
    repository: parameterRepository(kysely),
    devices,
    withAudit: platform.inTransaction((db) => ({
      parameters: parameterRepository(db),
      audit: auditRepository(db),
      async announceEnd({ tenantId, name, after }) {
        const content =
          after === "normal"
            ? `“${name}”的冲洗已到时，恢复为${modeNames[after]}，照常告警。`
            : `“${name}”的冲洗已到时，恢复为${modeNames[after]}，仍不告警。`;
        for (const accountId of await holdersOf(notices, tenantId, "parameter_edit"))
          await messageRepository(db).insert(accountScope(notices, accountId), {
            id: nextId(),
            kind: "system",
            title: "冲洗已结束",
            content,
            link: "",
          });
      },
    })),
    nextId,
    wake: wake("attributes"),
    onChanged: settingsTold,
    announceMode: (scope, { mode, unit, endsMs }) =>
      tell(
        scope,
        "告警已屏蔽",
        endsMs === undefined
          ? `“${unit}”已切换为${modeNames[mode] ?? mode}，期间不告警。`
          : `“${unit}”已切换为${modeNames[mode] ?? mode}，到 ${shanghai.format(endsMs)} 自动结束，期间不告警。`,
      ).catch(failed),
  });

  return {
    service: commands,
    downstream: { links, answer: delivery.answer, reported: settings.reported },
    settingsChanged: wake("attributes"),
    routes: (router) => commandRoutes(router, commands, parameters),
    jobs: [
      {
        name: "commands.unit-modes",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 60,
        run: () => parameters.endModes(),
      },
      {
        name: "commands.sweep",
        schedule: "17 3 * * *",
        retries: 1,
        timeoutS: 300,
        async run() {
          await delivered.removeBefore(new Date(now() - installation.number("retention.commandDays") * dayMs));
        },
      },
    ],
    async start() {
      delivery.start();
      settings.start();
    },
    async stop() {
      await Promise.all([delivery.stop(), settings.stop()]);
    },
  };
}
