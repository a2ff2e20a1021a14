import { type ParameterPeer, parameterPeers, parameterSubmit, type UnitDetail } from "@herdwise/contract";
import { checkParameter, type Parameter, type Problem, parameterGroups } from "@herdwise/device-kinds";
import { useRef, useState } from "react";
import { Link, useBlocker, useSearchParams } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { focusFirstProblem } from "../../shared/forms/focus-problem.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { Translated, TranslatedPlace } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { DeviceStatusMark } from "../devices/device-status.tsx";
import { Connection } from "./connection.tsx";
import "./kind.css";
import "./unit.css";
import { shortName } from "../farms/short-name.ts";
import { CopySettings } from "./copy-settings.tsx";
import { DayTimeline, liesOnDay } from "./day-timeline.tsx";
import { SettingsTable } from "./device-parameters.tsx";
import { KindPage } from "./kind-page.tsx";
import { kindPath, useKind, useLocalText } from "./kind-view.ts";
import { kindViewAt, onOtherPath } from "./load-kind.ts";
import { holdsWords } from "./overview-filter.ts";
import { PlainEditor, StructureEditor } from "./parameter-editor.tsx";
import { differencesOf, sameValue, startValue } from "./parameter-values.ts";
import styles from "./parameters.module.css";
import { ScalarPreview } from "./scalar-preview.tsx";
import { SendSettings, type SettingChange } from "./send-settings.tsx";
import { SettingHistory } from "./setting-history.tsx";
import { StateMark } from "./state-mark.tsx";
import { useDevice } from "./use-device.ts";
import { type Settings, useSettings } from "./use-settings.ts";
import type { DeviceNow } from "./use-unit.ts";

/** Columns of a table that still has its preview beside it. */
const mostBeside = 6;

type Draft = Readonly<Record<string, unknown>>;
type Plain = Exclude<Parameter, { type: "structure" }>;

/** Problems that the server found, as the form shows its own. */
function problemsOf(error: ApiError): Record<string, Problem[]> {
  const english = error.more("english");
  const words = Array.isArray(english) ? (english as { field: string; text: string }[]) : [];
  const found: Record<string, Problem[]> = {};
  for (const { field, text } of error.problems) {
    const [key = "", ...path] = field.split(".");
    const en = words.find((word) => word.field === field)?.text ?? text;
    found[key] = [...(found[key] ?? []), { path: path.join("."), zh: text, en }];
  }
  return found;
}

/** The forms of a device's settings with what they would do, and below them what holds. */
function SettingsForms({
  device,
  unit,
  settings,
  offline,
  onModeChanged,
  reload,
}: {
  device: DeviceNow;
  unit: UnitDetail | undefined;
  settings: Settings;
  offline: boolean;
  onModeChanged: () => void;
  reload: () => void;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const view = useKind();
  const { kind, ownControls = {}, settingsPreviews = {} } = view;
  const mayEdit = useAccess().permissions.has("parameter_edit");
  const [search, changeAddress] = useAddressValues();
  const [draft, setDraft] = useState<Draft>({});
  const [refused, setRefused] = useState<Readonly<Record<string, Problem[]>>>({});
  const [open, setOpen] = useState<"send" | "copy">();
  const form = useRef<HTMLDivElement>(null);
  const groups = parameterGroups(kind);
  const group = groups.find(({ id }) => id === search.get("group")) ?? groups[0];
  const declared = (key: string): Parameter | undefined => kind.parameters.find((parameter) => parameter.key === key);
  const before = (key: string): unknown => {
    const parameter = declared(key);
    return parameter && startValue(parameter, settings);
  };
  const value = (key: string): unknown => (key in draft ? draft[key] : before(key));
  const changes = kind.parameters
    .filter(({ key }) => key in draft && !sameValue(before(key), draft[key]))
    .map((parameter): SettingChange => ({ parameter, before: before(parameter.key), after: draft[parameter.key] }));
  const problems = Object.fromEntries(
    changes.map(({ parameter, after }) => [
      parameter.key,
      after === null ? [] : [...checkParameter(parameter, after), ...(refused[parameter.key] ?? [])],
    ]),
  );
  const faulty = changes.filter(({ parameter }) => (problems[parameter.key] ?? []).length > 0);
  const faults = faulty.reduce((sum, { parameter }) => sum + (problems[parameter.key] ?? []).length, 0);
  const count = changes.reduce(
    (sum, change) => sum + differencesOf(change.parameter, change.before, change.after).length,
    0,
  );
  const dirty = changes.length > 0;
  useUnsaved(dirty);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  if (!group) return null;

  const change = (key: string, next: unknown): void => {
    setDraft((held) => ({ ...held, [key]: next }));
    setRefused(({ [key]: _gone, ...others }) => others);
  };
  const groupOf = (key: string): string => groups.find(({ keys }) => keys.includes(key))?.id ?? group.id;
  const show = (id: string): void => changeAddress({ group: id });
  const review = (): void => {
    const [first] = faulty;
    if (!first) {
      setOpen("send");
      return;
    }
    show(groupOf(first.parameter.key));
    focusFirstProblem(form.current);
  };
  const send = async (expiresInS: number): Promise<void> => {
    try {
      await call(parameterSubmit, {
        body: {
          deviceId: device.id,
          values: Object.fromEntries(changes.map(({ parameter, after }) => [parameter.key, after])),
          confirmed: true,
          expiresInS,
        },
      });
      showToast({ kind: "ok", text: offline ? "已排队，等设备上线" : "已下发，等待设备确认" });
      setDraft({});
    } catch (reason) {
      setRefused(problemsOf(asApiError(reason)));
    }
    setOpen(undefined);
    reload();
  };
  const restore = (values: Draft): void => {
    setDraft((held) => ({
      ...held,
      ...Object.fromEntries(Object.entries(values).map(([key, old]) => [key, old ?? declared(key)?.default])),
    }));
    const [first] = Object.keys(values);
    if (first) show(groupOf(first));
    showToast({ kind: "notice", text: "已填回之前的值，核对后下发才会生效" });
  };
  const parameters = group.keys.flatMap((key) => declared(key) ?? []);
  const own = parameters.filter(({ key }) => unit !== undefined && ownControls[key] !== undefined);
  const plain = parameters.filter(
    (parameter): parameter is Plain => parameter.type !== "structure" && !own.includes(parameter),
  );
  const structures = parameters.filter((parameter) => parameter.type === "structure");
  const isWide = structures.some(
    (parameter) => parameter.type === "structure" && parameter.columns.length > mostBeside,
  );
  const editing = { disabled: !mayEdit };
  const tablesFirst = parameters[0]?.type === "structure";
  const tables = structures.map((parameter) => (
    <StructureEditor
      key={parameter.key}
      parameter={parameter}
      value={value(parameter.key)}
      before={before(parameter.key)}
      problems={problems[parameter.key] ?? []}
      onChange={(next) => change(parameter.key, next)}
      {...editing}
    />
  ));
  const Preview = settingsPreviews[group.id];
  return (
    <>
      <div className={styles.bar}>
        <div className="seg" role="tablist" aria-label={t("参数分组")}>
          {groups.map(({ id, name, keys }) => (
            <button
              key={id}
              type="button"
              role="tab"
              aria-selected={id === group.id}
              aria-controls="settings-group"
              onClick={() => show(id)}
            >
              {local(name)}
              {changes.some(({ parameter }) => keys.includes(parameter.key)) && (
                <span className={styles.dot}>
                  <span className="visually-hidden">{t("有改动")}</span>
                </span>
              )}
            </button>
          ))}
        </div>
        <span className="spacer" />
        {mayEdit && (
          <Button icon="copy" onPress={() => setOpen("copy")}>
            {t("复制到其他设备")}
          </Button>
        )}
      </div>
      {!mayEdit && (
        <div className="banner" role="status">
          <StateMark state="notice">{t("只能查看")}</StateMark>
          <span className="mut">{t("修改参数需要“设置参数”权限，请联系本单位的负责人或场长。")}</span>
        </div>
      )}
      <div id="settings-group" role="tabpanel" aria-label={local(group.name)} ref={form} className={styles.group}>
        {own.map(({ key }) => {
          const Control = ownControls[key];
          return Control && unit ? <Control key={key} unit={unit} disabled={!mayEdit} onDone={onModeChanged} /> : null;
        })}
        <div className={styles.two} data-wide={isWide || undefined}>
          <div>
            {tablesFirst && tables}
            {plain.length > 0 && (
              <section className="card" aria-label={t("{name}，数值", { name: local(group.name) })}>
                <div className={styles.fields}>
                  {plain.map((parameter) => (
                    <PlainEditor
                      key={parameter.key}
                      parameter={parameter}
                      value={value(parameter.key)}
                      before={before(parameter.key)}
                      problems={problems[parameter.key] ?? []}
                      onChange={(next) => change(parameter.key, next)}
                      {...editing}
                    />
                  ))}
                </div>
              </section>
            )}
            {!tablesFirst && tables}
          </div>
          <div>
            {structures.filter(liesOnDay).map((parameter) => (
              <DayTimeline
                key={parameter.key}
                parameter={parameter}
                value={value(parameter.key)}
                before={before(parameter.key)}
              />
            ))}
            {Preview && <Preview device={device} before={before} value={value} />}
            {plain.length > 0 && <ScalarPreview parameters={plain} before={before} value={value} />}
          </div>
        </div>
      </div>
      <SettingsTable
        deviceId={device.id}
        loaded={{ value: settings, error: undefined, loading: false, reload }}
        linked={false}
      />
      <div className={styles.history}>
        <SettingHistory deviceId={device.id} onRestore={mayEdit ? restore : undefined} />
      </div>
      {mayEdit && (
        <section className={styles.footer} aria-label={t("改动")}>
          <span aria-live="polite">
            {dirty ? <b>{t("改了 {count} 处", { count })}</b> : <span className="mut">{t("没有改动")}</span>}
            {faults > 0 && (
              <span className="state major">
                <Mark name="major" />
                {t("{count} 处要改正", { count: faults })}
              </span>
            )}
          </span>
          <span className="spacer" />
          <Button isDisabled={!dirty} onPress={() => setDraft({})}>
            {t("放弃改动")}
          </Button>
          <Button kind="primary" isDisabled={!dirty} onPress={review}>
            {t("核对并下发")}
          </Button>
        </section>
      )}
      {open === "send" && (
        <SendSettings
          place={nameOf(device.name)}
          changes={changes}
          offline={offline}
          onSend={send}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === "copy" && (
        <CopySettings deviceId={device.id} groups={groups} from={before} onClose={() => setOpen(undefined)} />
      )}
      {blocker.state === "blocked" && <ConfirmLeave onLeave={() => blocker.proceed()} onStay={() => blocker.reset()} />}
    </>
  );
}

/** As many devices are found by the eye. */
const mostUnsearched = 8;
const isWell = (status: ParameterPeer["status"]): boolean => status === "online";

/** Devices of the kind by farm with how their settings stand, what is not in force and what is silent first, to choose one. */
function Chooser() {
  const t = useTranslate();
  const nameOf = useNames();
  const { kind } = useKind();
  const { value, error, reload } = useLoad(`peers ${kind.kind}`, (signal) =>
    call(parameterPeers, { query: { kind: kind.kind }, signal, quiet: true }),
  );
  const counted = [
    ["refused", "major", "{count} 项没有采用"],
    ["drifted", "minor", "{count} 项漂移"],
    ["expired", "minor", "{count} 项过期"],
    ["pending", "notice", "{count} 项等待"],
  ] as const;
  const worst = (peer: ParameterPeer): number =>
    peer.refused * 1000 + peer.drifted * 100 + peer.expired * 10 + peer.pending;
  const [word, setWord] = useState("");
  const unitOf = ({ farmName, houseName, unitName }: ParameterPeer): string =>
    [farmName, houseName, unitName].join("/");
  const inUnits = Map.groupBy(value ?? [], unitOf);
  /** A unit's only device of the kind is known by its place, any other by its name. */
  const placeOf = (peer: ParameterPeer): string =>
    peer.unitName !== "" && inUnits.get(unitOf(peer))?.length === 1
      ? [peer.houseName, peer.unitName].map(nameOf).join(" ")
      : shortName(nameOf(peer.name), [nameOf(peer.farmName)]);
  const sorted = (value ?? []).toSorted(
    (one, other) => worst(other) - worst(one) || Number(isWell(one.status)) - Number(isWell(other.status)),
  );
  const found = sorted.filter((peer) =>
    holdsWords(word, [peer.name, nameOf(peer.name), ...[peer.farmName, peer.houseName, peer.unitName].map(nameOf)]),
  );
  const groups = [...Map.groupBy(found, ({ farmName }) => farmName)];
  if (error && !value) return <LoadingProblem error={error} onRetry={reload} what={t("参数设置")} />;
  if (!value) return <TableSkeleton rows={6} />;
  if (sorted.length === 0)
    return (
      <section className="card">
        <ExceptionView
          type="empty"
          title={t("没有设备")}
          text={t("本单位还没有绑定这类设备。绑定后，可以在这里设置它的参数。")}
        >
          <Link className="btn primary" to="/selfCenter/equipmentManage/bindDevice">
            {t("绑定设备")}
          </Link>
        </ExceptionView>
      </section>
    );
  return (
    <section className="card" aria-label={t("选一台设备")}>
      {sorted.length > mostUnsearched && (
        <search className={styles.find}>
          <input
            className="input"
            type="search"
            aria-label={t("查找设备")}
            placeholder={t("查找设备")}
            value={word}
            onChange={(event) => setWord(event.target.value)}
          />
        </search>
      )}
      {found.length === 0 && <ExceptionView type="empty" title={t("没有符合条件的设备")} />}
      {groups.map(([name, peers]) => (
        <section key={name} className={styles.choose} aria-label={name === "" ? t("没有分到猪场") : nameOf(name)}>
          <h2>{name === "" ? t("没有分到猪场") : <Translated text={name} />}</h2>
          <ul>
            {peers.map((peer) => (
              <li key={peer.id}>
                <Link to={kindPath(kind.kind, "parameters", peer.id)}>
                  <b>{placeOf(peer)}</b>
                  <span className={styles.peerState}>
                    <DeviceStatusMark status={peer.status} />
                    {counted.map(([key, state, words]) =>
                      peer[key] > 0 ? (
                        <StateMark key={key} state={state}>
                          {t(words, { count: peer[key] })}
                        </StateMark>
                      ) : null,
                    )}
                  </span>
                </Link>
              </li>
            ))}
          </ul>
        </section>
      ))}
    </section>
  );
}

function SettingsOf({ id }: { id: string }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { kind } = useKind();
  const local = useLocalText();
  const { device, unit, error, reload, stream } = useDevice(id);
  const loaded = useSettings(id);
  const overview = kindPath(kind.kind, "overview");
  const fault = error ?? loaded.error;
  if (!device || device.kind !== kind.kind || !loaded.value)
    return (
      <>
        <Crumbs />
        <div className="page-head">
          <h1>{t("{kind}参数", { kind: local(kind.name) })}</h1>
        </div>
        {device && device.kind !== kind.kind ? (
          <ExceptionView
            type="noSearchData"
            title={t("先选一台设备")}
            text={t("这台设备不是这一类，请从下面的总览点开。")}
          >
            <Link className="btn primary" to={overview}>
              {t("去总览")}
            </Link>
          </ExceptionView>
        ) : fault ? (
          <LoadingProblem
            error={fault}
            onRetry={() => {
              reload();
              loaded.reload();
            }}
            what={t("参数设置")}
          />
        ) : (
          <TableSkeleton rows={8} />
        )}
      </>
    );
  const offline = !device.connected && device.status !== "online";
  return (
    <>
      <PageTitle title={t("{name}，参数", { name: nameOf(device.name) })} />
      <Crumbs more={[{ name: device.name, to: kindPath(kind.kind, "device", device.id) }, { name: t("参数设置") }]} />
      <div className="unit-head">
        <div>
          <h1>{t("{name}，参数", { name: nameOf(device.name) })}</h1>
          <div className="meta">
            <DeviceStatusMark status={device.status} />
            <Connection stream={stream} newestAtMs={device.reportedAtMs} />
            <span>
              <TranslatedPlace names={[device.farmName, device.houseName, device.unitName]} />
            </span>
          </div>
        </div>
      </div>
      {offline && (
        <div className="banner" role="status">
          <StateMark state="offline">{t("设备离线")}</StateMark>
          <span className="mut">{t("可以照常修改：改动会排队，设备在期限内上线就送达，过期自动撤回。")}</span>
        </div>
      )}
      <SettingsForms
        key={device.id}
        device={device}
        unit={unit}
        settings={loaded.value}
        offline={offline}
        onModeChanged={() => {
          reload();
          loaded.reload();
        }}
        reload={loaded.reload}
      />
    </>
  );
}

function Parameters() {
  const t = useTranslate();
  const local = useLocalText();
  const { kind } = useKind();
  const [search] = useSearchParams();
  const id = search.get("id") ?? "";
  if (id !== "") return <SettingsOf key={id} id={id} />;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("{kind}参数", { kind: local(kind.name) })}</h1>
        <span className="mut">{t("选一台设备，看它的参数和改动")}</span>
      </div>
      <Chooser />
    </>
  );
}

export const clientLoader = kindViewAt;
export const shouldRevalidate = onOtherPath;

/** What the devices of a kind run with, and the forms that change it. */
export default function KindParameters() {
  return (
    <KindPage>
      <Parameters />
    </KindPage>
  );
}
