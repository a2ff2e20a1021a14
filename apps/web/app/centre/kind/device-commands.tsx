import { type CommandState, commandCancel, commandPage, commandSubmit, type DeviceCommand } from "@herdwise/contract";
import type { UnitState } from "@herdwise/contract/unit-states";
import { type Command, checkCommandFields } from "@herdwise/device-kinds";
import { useRef, useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Problem as ProblemLine } from "../../shared/forms/problem.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { Waiting } from "../../shared/states/waiting.tsx";
import { useDeviceSignals } from "./device-signals.ts";
import { useKind, useLocalText } from "./kind-view.ts";
import { NewerOlder } from "./newer-older.tsx";
import { useProblemWords, useRangeWords, ValueInput } from "./parameter-input.tsx";
import { useParameterText } from "./parameter-words.ts";
import styles from "./parameters.module.css";
import { StateMark } from "./state-mark.tsx";

const stateWords: Readonly<Record<CommandState, readonly [state: UnitState, words: string]>> = {
  queued: ["notice", "排队，等设备"],
  sent: ["notice", "已发出"],
  delivered: ["notice", "设备已收到，等待结果"],
  succeeded: ["ok", "已完成"],
  failed: ["major", "设备报告失败"],
  timed_out: ["minor", "没有回复，请到现场确认"],
  expired: ["minor", "已过期，没有发出"],
  cancelled: ["silent", "已取消"],
};

/** Found at once when it is needed: it stands first and apart from the others by its colour. */
const emergencyStop = "emergencyStop";

/** How long a device that is away is waited for, s. */
const expiries: readonly (readonly [seconds: number, name: string])[] = [
  [60, "1 分钟"],
  [600, "10 分钟"],
  [3600, "1 小时"],
];
const usualExpiry = 600;
const size = 2;

type Values = Readonly<Record<string, unknown>>;

/** Asks for the parameters of a command and says what it does before it goes. */
function GiveCommand({
  deviceId,
  deviceName,
  command,
  offline,
  onGiven,
  onClose,
}: {
  deviceId: string;
  deviceName: string;
  command: Command;
  offline: boolean;
  onGiven: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const words = useProblemWords();
  const range = useRangeWords();
  const [values, setValues] = useState<Values>(() =>
    Object.fromEntries(command.fields.filter(({ type }) => type === "boolean").map(({ key }) => [key, false])),
  );
  const [tried, setTried] = useState(false);
  const [read, setRead] = useState(false);
  const [expiry, setExpiry] = useState(usualExpiry);
  const [refused, setRefused] = useState<string>();
  const [busy, setBusy] = useState(false);
  // Sent again after a broken answer, it is still the same command.
  const [requestKey] = useState(() => crypto.randomUUID());
  const filled = Object.fromEntries(Object.entries(values).filter(([, value]) => value !== null && value !== ""));
  const problems = checkCommandFields(command.fields, filled);
  const give = async (): Promise<void> => {
    setTried(true);
    if (problems.length > 0) return;
    setBusy(true);
    try {
      await call(commandSubmit, {
        body: {
          deviceId,
          method: command.method,
          params: filled,
          expiresInS: expiry,
          requestKey,
          ...(command.confirm ? { confirmed: true } : {}),
        },
        quiet: true,
      });
      onGiven();
      onClose();
    } catch (reason) {
      setRefused(tellIn(t, asApiError(reason)));
      setBusy(false);
    }
  };
  return (
    <Dialog
      title={t("对“{device}”下发“{command}”", { command: local(command.name), device: deviceName })}
      alert
      onClose={onClose}
      footer={
        <>
          <Button onPress={onClose} isDisabled={busy} autoFocus={command.confirm}>
            {t("取消")}
          </Button>
          <Button
            kind={command.confirm ? "danger" : "primary"}
            isDisabled={busy || (command.confirm && !read)}
            onPress={() => void give()}
          >
            {local(command.name)}
          </Button>
        </>
      }
    >
      <div className={styles.ask}>
        {command.effect && <p className={styles.effect}>{local(command.effect)}</p>}
        {command.fields.map((field) => {
          const id = `command-${field.key}`;
          const problem = tried ? problems.find(({ path }) => path === field.key) : undefined;
          return (
            <div key={field.key} className={styles.field}>
              <label htmlFor={id}>
                {local(field.name)}
                {!field.required && ` ${t("（可不填）")}`}
              </label>
              <span className={styles.entry}>
                <ValueInput
                  id={id}
                  field={field}
                  value={values[field.key]}
                  onChange={(value) => setValues((held) => ({ ...held, [field.key]: value }))}
                  invalid={problem !== undefined}
                  describedBy={`${id}-problem ${id}-hint`}
                />
                {field.unit !== "" && <span className={styles.unit}>{field.unit}</span>}
              </span>
              <small id={`${id}-hint`} className={styles.hint}>
                {range(field)}
              </small>
              <ProblemLine id={`${id}-problem`} text={problem && words(problem)} />
            </div>
          );
        })}
        <p className={styles.wait}>
          <label htmlFor="command-expiry">{t("最多等设备")}</label>
          <select
            id="command-expiry"
            className="input"
            value={expiry}
            onChange={(event) => setExpiry(Number(event.target.value))}
          >
            {expiries.map(([seconds, name]) => (
              <option key={seconds} value={seconds}>
                {t(name)}
              </option>
            ))}
          </select>
        </p>
        {offline && <p>{t("设备离线：指令会排队，过了期限就不再发出。")}</p>}
        {command.confirm && (
          <label className={styles.read}>
            <CheckBox checked={read} onChange={(event) => setRead(event.target.checked)} />
            {t("我知道它会怎样，现场没有人会受伤")}
          </label>
        )}
        <ProblemLine id="command-refused" text={refused} />
      </div>
    </Dialog>
  );
}

/** Commands that a device takes, and what became of the last ones. */
export function DeviceCommands({
  deviceId,
  deviceName,
  offline,
}: {
  deviceId: string;
  deviceName: string;
  offline: boolean;
}) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const local = useLocalText();
  const nameOf = useNames();
  const join = useJoin();
  const text = useParameterText();
  const { kind } = useKind();
  const mayGive = useAccess().permissions.has("device_command");
  const [search, changeAddress] = useAddressValues();
  // The step of an alarm leads here with its command.
  const asked = mayGive ? kind.commands.find(({ method }) => method === search.get("command")) : undefined;
  const ask = (method: string | undefined): void => changeAddress({ command: method });
  const [current, setCurrent] = useState(1);
  const card = useRef<HTMLElement>(null);
  const { value, error, reload } = useLoad(`commands ${deviceId} ${current}`, (signal) =>
    call(commandPage, { query: { deviceId, current, size }, signal, quiet: true }),
  );
  useDeviceSignals(deviceId, ({ type }) => type === "command" && reload());
  if (kind.commands.length === 0) return null;
  const commands = kind.commands.toSorted(
    (a, b) => Number(b.method === emergencyStop) - Number(a.method === emergencyStop),
  );
  const paramsOf = ({ method, params }: DeviceCommand): string => {
    const fields = kind.commands.find((command) => command.method === method)?.fields ?? [];
    return join(
      Object.entries(params).map(([key, held]) => {
        const field = fields.find((declared) => declared.key === key);
        return field ? `${local(field.name)} ${text(field, held)}` : `${key} ${String(held)}`;
      }),
    );
  };
  return (
    <section className="card" aria-labelledby="commands-title" ref={card}>
      <header>
        <h2 id="commands-title">{t("操作")}</h2>
        <span className="age">{t(mayGive ? "每一步先说后果，再确认" : "下发指令需要“下发指令”权限")}</span>
      </header>
      {mayGive && (
        <div className={styles.actions}>
          {commands.map((command) => (
            <Button
              key={command.method}
              small
              {...(command.method === emergencyStop && { kind: "danger" as const })}
              onPress={() => ask(command.method)}
            >
              {command.fields.length > 0 || command.confirm ? `${local(command.name)}…` : local(command.name)}
            </Button>
          ))}
        </div>
      )}
      {error && <LoadingProblem error={error} onRetry={reload} what={t("指令记录")} kept={value !== undefined} />}
      {!value && !error && <Waiting />}
      {!mayGive && value?.records.length === 0 && <p className="calm">{t("还没有给这台设备下发过指令。")}</p>}
      <ul className={styles.entries} aria-label={t("指令记录")}>
        {value?.records.map((given) => {
          const declared = kind.commands.find(({ method }) => method === given.method);
          const [state, words] = stateWords[given.state];
          const until = parseWireDateTime(given.expireTime);
          return (
            <li key={given.id}>
              <div>
                <p>
                  <b>{declared ? local(declared.name) : given.method}</b> <span className="mut">{paramsOf(given)}</span>
                </p>
                <small className="mut">
                  {`${given.actorName} ${dayTime(parseWireDateTime(given.createTime))}`.trim()}
                </small>
                <StateMark state={state}>{t(words)}</StateMark>
                {given.state === "queued" && until !== undefined && (
                  <small className="mut"> {t("{time} 前有效", { time: dayTime(until) })}</small>
                )}
                {given.error !== "" && <p className="mut">{t("设备说：{words}", { words: given.error })}</p>}
              </div>
              {mayGive && given.state === "queued" && (
                <Button
                  small
                  onPress={() => void call(commandCancel, { query: { id: given.id } }).then(reload, reload)}
                >
                  {t("取消")}
                </Button>
              )}
            </li>
          );
        })}
      </ul>
      {value && <NewerOlder current={current} pages={value.pages} onChange={setCurrent} />}
      {asked && (
        <GiveCommand
          key={asked.method}
          deviceId={deviceId}
          deviceName={nameOf(deviceName)}
          command={asked}
          offline={offline}
          onGiven={() => {
            setCurrent(1);
            reload();
            // What becomes of it is told there, which may be below the fold.
            card.current?.scrollIntoView({ block: "nearest" });
          }}
          onClose={() => ask(undefined)}
        />
      )}
    </section>
  );
}
