import { alarmCall, alarmHandleCode, alarmSeverityNames } from "@herdwise/contract";
import { localUnit } from "@herdwise/device-kinds";
import { useEffect, useState } from "react";
import { Link, redirect, useLoaderData } from "react-router";
import { call } from "../../shared/api/call.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { keepPage } from "../../shared/offline/keep-page.ts";
import { loadAccess } from "../../shared/session/access.ts";
import { redirectQuery } from "../../shared/session/redirect.ts";
import { keepSessionFresh } from "../../shared/session/renew.ts";
import { readSession, storedUserId } from "../../shared/session/storage.ts";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { severityMarks } from "../alarms/alarm-marks.ts";
import { guideOf, ruleNameOf } from "../alarms/alarm-words.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { modeNames } from "../kind/words.ts";
import styles from "./barn.module.css";
import { byWorst, type UnitWithAlarms, unitsOf } from "./barn-order.ts";
import type { BarnAlarm, BarnUnit } from "./kept.ts";
import { type Barn, useBarn } from "./use-barn.ts";

/** Codes of the signed-in person's rights as every page stores them; none without any. */
function storedPermissions(): string[] {
  try {
    const codes: unknown = JSON.parse(localStorage.getItem("permissions") ?? "[]");
    return Array.isArray(codes) ? codes.filter((code) => typeof code === "string") : [];
  } catch {
    return [];
  }
}

export const links = () => [{ rel: "manifest", href: "/barn.webmanifest" }];

/** Who is here: of the server where it is heard, else as the session was kept. */
export async function clientLoader({ request }: { request: Request }): Promise<{ owner: string; mayHandle: boolean }> {
  const session = readSession();
  const { pathname, search } = new URL(request.url);
  if (!session) throw redirect(`/login?${new URLSearchParams({ redirect: redirectQuery(pathname, search) })}`);
  const ownerOf = (userId: string): string => `${session.tenantId}_${userId}`;
  try {
    const { user, permissions } = await loadAccess();
    return { owner: ownerOf(user.user_id), mayHandle: permissions.has(alarmHandleCode) };
  } catch (error) {
    const userId = storedUserId();
    if (userId === "") throw error;
    return { owner: ownerOf(userId), mayHandle: storedPermissions().includes(alarmHandleCode) };
  }
}
clientLoader.hydrate = true as const;

export function HydrateFallback() {
  const t = useTranslate();
  return (
    <main className={styles.barn} data-density="barn" aria-busy="true">
      <h1 className="visually-hidden">{t("舍内模式")}</h1>
      <p className={styles.calm} role="status">
        {t("正在加载")}
      </p>
    </main>
  );
}

export function ErrorBoundary() {
  const t = useTranslate();
  return (
    <main className="page-state">
      <PageTitle title={t("舍内模式")} />
      <ExceptionView type="500" text={t("没有网络，这台手机上也还没有存过数值。连上网络再打开一次。")}>
        <button type="button" className="btn primary" onClick={() => location.reload()}>
          {t("重试")}
        </button>
      </ExceptionView>
    </main>
  );
}

/** A value that nobody renewed for so long is not the present one, ms. */
const staleMs = 180_000;

/** Quick words: with gloves on nobody types. */
const quickWords = ["看过了", "要人帮忙", "要配件", "已处理"] as const;

function NoteForm({ onNote, onClose }: { onNote: (text: string) => void; onClose: () => void }) {
  const t = useTranslate();
  const [text, setText] = useState("");
  return (
    <form
      className={styles.note}
      onSubmit={(event) => {
        event.preventDefault();
        if (text.trim() === "") return;
        onNote(text.trim());
        onClose();
      }}
    >
      <div className={styles.quick}>
        {quickWords.map((word) => (
          <button
            key={word}
            type="button"
            onClick={() => setText((now) => (now === "" ? t(word) : `${now} ${t(word)}`))}
          >
            {t(word)}
          </button>
        ))}
      </div>
      <label>
        <span>{t("记一句")}</span>
        <textarea rows={3} maxLength={500} value={text} onChange={(event) => setText(event.target.value)} />
      </label>
      <button type="submit" className={styles.big} disabled={text.trim() === ""}>
        {t("记下")}
      </button>
    </form>
  );
}

interface ActionProps {
  alarm: BarnAlarm;
  barn: Barn;
  about: string;
  mayHandle: boolean;
}

/** What can be done about an alarm; without a network it waits. */
function Actions({ alarm, barn, about, mayHandle }: ActionProps) {
  const t = useTranslate();
  const { time } = useFormats();
  const [writing, setWriting] = useState(false);
  const [callee, setCallee] = useState<{ principal: string; contactPhone: string }>();
  const callOut = (): void =>
    void call(alarmCall, { body: { id: alarm.id } }).then(
      (found) => {
        setCallee(found);
        location.assign(`tel:${found.contactPhone}`);
      },
      // A refusal shows as a toast.
      () => undefined,
    );
  const waiting = barn.queue.find(({ type, alarmId }) => type === "acknowledge" && alarmId === alarm.id);
  if (!mayHandle) return null;
  return (
    <>
      <div className={styles.actions}>
        {alarm.acknowledged ? (
          <p className={styles.done}>
            <Mark name="ok" />
            {alarm.acknowledgedBy === "" ? t("已确认") : t("{name} 已确认", { name: alarm.acknowledgedBy })}
          </p>
        ) : (
          <button
            type="button"
            className={styles.big}
            data-waiting={waiting ? true : undefined}
            disabled={waiting !== undefined}
            onClick={() => barn.act({ type: "acknowledge", alarmId: alarm.id }, about)}
          >
            {waiting ? t("确认排队中") : t("确认，我来处理")}
          </button>
        )}
        <button
          type="button"
          className={styles.big}
          data-plain
          aria-expanded={writing}
          onClick={() => setWriting(!writing)}
        >
          {t("记一句")}
        </button>
        <button
          type="button"
          className={styles.big}
          data-plain
          data-wide
          disabled={barn.lostAtMs !== undefined}
          onClick={callOut}
        >
          <Icon name="phone" small />
          {t("呼叫场长")}
        </button>
      </div>
      {callee && (
        <p className={styles.done} role="status">
          <a className="num" href={`tel:${callee.contactPhone}`}>
            {callee.principal} {callee.contactPhone}
          </a>
        </p>
      )}
      {waiting && <p className={styles.small}>{t("{time} 您确认，等网络发出", { time: time(waiting.atMs) })}</p>}
      {writing && (
        <NoteForm
          onNote={(text) => barn.act({ type: "note", alarmId: alarm.id, text }, about)}
          onClose={() => setWriting(false)}
        />
      )}
    </>
  );
}

/** The one thing that matters now. */
function Worst({
  held,
  alarm,
  barn,
  mayHandle,
}: {
  held: BarnUnit | undefined;
  alarm: BarnAlarm;
  barn: Barn;
  mayHandle: boolean;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const { number } = useFormats();
  const place = [alarm.houseName, alarm.unitName].filter(Boolean).map(nameOf).join(" ") || nameOf(alarm.deviceName);
  const name = local(ruleNameOf(alarm));
  const [first] = guideOf(alarm)?.steps ?? [];
  return (
    <section className={styles.worst} data-severity={alarm.severity} aria-labelledby="worst-title">
      <p className={styles.head}>
        <span className={`state ${severityMarks[alarm.severity]}`}>
          <Mark name={severityMarks[alarm.severity]} />
          {t(alarmSeverityNames[alarm.severity])}
        </span>
        <Age atMs={alarm.sinceMs} />
      </p>
      <h2 id="worst-title">
        <span>{place}</span>
        {held?.temperature !== undefined && (
          <b className="num">
            {number(held.temperature, 1)}
            <small>℃</small>
          </b>
        )}
      </h2>
      <p className={styles.cause}>{local(alarm.sentence)}</p>
      {first && (
        <p className={styles.first}>
          <b>{t("先：")}</b>
          {local(first)}
        </p>
      )}
      <Actions alarm={alarm} barn={barn} about={`${place} ${name}`} mayHandle={mayHandle} />
    </section>
  );
}

const isStale = ({ toldMs }: BarnUnit, nowMs: number): boolean => toldMs === undefined || nowMs - toldMs > staleMs;

/** Nothing alarms: that is good news only of units that are heard. */
function Calm({ units }: { units: readonly BarnUnit[] }) {
  const t = useTranslate();
  const now = useNow();
  // Nobody looks after pigs in an empty unit.
  const kept = units.filter(({ mode }) => mode === "normal");
  const unheard = kept.filter((unit) => isStale(unit, now)).length;
  if (units.length === 0) return null;
  return (
    <section className={styles.card}>
      {(unheard === 0 || unheard < kept.length) && (
        <p className={styles.calm}>
          <span className="state ok">
            <Mark name="ok" />
            {t("现在没有告警")}
          </span>
        </p>
      )}
      {unheard > 0 && (
        <p className={styles.calm}>
          <span className="state off">
            <Mark name="off" />
            {t("{count} 个单元没有新的数值，不知道里面怎样", { count: unheard })}
          </span>
        </p>
      )}
    </section>
  );
}

function UnitRow({ of: { unit, alarms }, barn, mayHandle }: { of: UnitWithAlarms; barn: Barn; mayHandle: boolean }) {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const { number } = useFormats();
  const now = useNow();
  const [worst] = alarms;
  const stale = isStale(unit, now);
  const away = unit.temperature === undefined || unit.target === undefined ? undefined : unit.temperature - unit.target;
  const place = `${nameOf(unit.houseName)} ${nameOf(unit.name)}`;
  return (
    <li>
      <div className={styles.unit}>
        <span>
          <b>{place}</b>
          {worst ? (
            <span className={`state ${severityMarks[worst.severity]}`}>
              <Mark name={severityMarks[worst.severity]} />
              {local(ruleNameOf(worst))}
              {alarms.length > 1 && ` +${alarms.length - 1}`}
            </span>
          ) : unit.mode !== "normal" ? (
            <span className="state off">
              <Mark name="off" />
              {t(modeNames[unit.mode as keyof typeof modeNames] ?? unit.mode)}
            </span>
          ) : stale ? (
            <span className="state off">
              <Mark name="off" />
              {t("过时")}
            </span>
          ) : (
            <span className="state ok">
              <Mark name="ok" />
              {t("没有告警")}
            </span>
          )}
          {unit.toldMs !== undefined && <Age atMs={unit.toldMs} />}
        </span>
        <span className={styles.value} data-stale={stale || undefined}>
          <b className="num">{unit.temperature === undefined ? "—" : number(unit.temperature, 1)}</b>
          <small>{unit.temperature === undefined ? "" : local(localUnit("°C"))}</small>
          {away !== undefined && Math.abs(away) >= 0.05 && (
            <small className={styles.away}>
              {away > 0 ? t("高 {value}", { value: number(away, 1) }) : t("低 {value}", { value: number(-away, 1) })}
            </small>
          )}
        </span>
      </div>
      {worst && (
        <details>
          <summary>{t("处理")}</summary>
          {alarms.map((alarm) => (
            <div key={alarm.id} className={styles.more}>
              <p className={styles.cause}>
                {local(alarm.sentence)} <Age atMs={alarm.sinceMs} />
              </p>
              <Actions alarm={alarm} barn={barn} about={`${place} ${local(ruleNameOf(alarm))}`} mayHandle={mayHandle} />
            </div>
          ))}
        </details>
      )}
    </li>
  );
}

function Network({ barn: { kept, lostAtMs, queue, reload } }: { barn: Barn }) {
  const t = useTranslate();
  const { time } = useFormats();
  if (lostAtMs === undefined) return null;
  return (
    <button type="button" className={styles.net} onClick={reload}>
      <Mark name="off" />
      <span>
        <b>{kept ? t("没网，数值停在 {time}", { time: time(kept.atMs) }) : t("没有网络")}</b>
        <small>
          {kept && <Age atMs={kept.atMs} />} {t("舍里控制器照常运行；点这里再试")}
        </small>
      </span>
      {queue.length > 0 && <em>{t("排队 {count}", { count: queue.length })}</em>}
    </button>
  );
}

function Waiting({ barn }: { barn: Barn }) {
  const t = useTranslate();
  const { time } = useFormats();
  if (barn.queue.length === 0) return null;
  return (
    <section className={styles.card} aria-labelledby="queue-title">
      <h2 id="queue-title">{t("等网络 {count} 条", { count: barn.queue.length })}</h2>
      <ol className={styles.queue}>
        {barn.queue.map(({ key, type, about, text, atMs }) => (
          <li key={key}>
            <span>
              <b>{type === "acknowledge" ? t("确认") : t("备注")}</b> {about}
              {text && <small>{text}</small>}
              <small className="num">{time(atMs)}</small>
            </span>
            <button type="button" onClick={() => barn.takeBack(key)} aria-label={t("撤回：{about}", { about })}>
              {t("撤回")}
            </button>
          </li>
        ))}
      </ol>
      <p className={styles.small}>{t("换档、开关这类指令不排队：过时的指令会害猪。")}</p>
    </section>
  );
}

function Outcomes({ barn: { outcomes } }: { barn: Barn }) {
  const t = useTranslate();
  const words = { done: t("已送达"), already: t("别人已经确认过"), refused: t("没有被接受") } as const;
  return (
    <div role="status">
      {outcomes.length > 0 && (
        <section className={styles.card} aria-labelledby="outcome-title">
          <h2 id="outcome-title">{t("刚发出的")}</h2>
          <ol className={styles.queue}>
            {outcomes.map(({ key, outcome, text, about, type }) => (
              <li key={key}>
                <span>
                  <b>{type === "acknowledge" ? t("确认") : t("备注")}</b> {about}
                </span>
                <span className={`state ${outcome === "done" ? "ok" : outcome === "already" ? "notice" : "major"}`}>
                  <Mark name={outcome === "done" ? "ok" : outcome === "already" ? "notice" : "major"} />
                  {words[outcome]}
                  {text && ` ${t(text)}`}
                </span>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

/** For one hand, a torch and a bad network: what is wrong in the barns, and that somebody deals with it. */
export default function BarnMode() {
  const t = useTranslate();
  const nameOf = useNames();
  const { owner, mayHandle } = useLoaderData<typeof clientLoader>();
  const [houseId, setHouseId] = useState("");
  const barn = useBarn(owner, houseId);
  const [light, setLight] = useState(false);
  useEffect(() => void keepPage("/barn"), []);
  useEffect(() => keepSessionFresh(), []);
  const { kept } = barn;
  // What a phone kept before it knew of houses has units alone.
  const houses = kept?.houses ?? [...new Map((kept?.units ?? []).map((unit) => [unit.houseId, unit])).values()];
  const chosen = houses.some((house) => house.houseId === houseId) ? houseId : "";
  const units = unitsOf(kept?.units ?? [], kept?.alarms ?? [], chosen);
  const shown = new Set(units.map(({ unit }) => unit.id));
  const alarms = byWorst((kept?.alarms ?? []).filter(({ unitId }) => chosen === "" || shown.has(unitId)));
  const worst = alarms.find(({ acknowledged }) => !acknowledged) ?? alarms[0];
  return (
    <div className={styles.barn} data-density="barn" data-light={light || undefined}>
      <PageTitle title={t("舍内模式")} />
      <a className="skip" href="#main">
        {t("跳到正文")}
      </a>
      <header className={styles.top}>
        <h1 className="visually-hidden">{t("舍内模式")}</h1>
        <Select
          className=""
          aria-label={t("猪舍")}
          value={chosen}
          options={[
            ["", "全部猪舍"],
            ...houses.map(
              (house) => [house.houseId, `${nameOf(house.houseName)} · ${nameOf(house.farmName)}`] as const,
            ),
          ]}
          onChange={setHouseId}
        />
        <button type="button" aria-label={t("切换深浅")} aria-pressed={light} onClick={() => setLight(!light)}>
          <Icon name="sun" />
        </button>
        <Link to="/selfCenter/home" reloadDocument aria-label={t("离开舍内模式")}>
          <Icon name="close" />
        </Link>
      </header>
      <Network barn={barn} />
      <main id="main" className={styles.main}>
        {barn.problem && (
          <p className={styles.problem} role="alert">
            {t(barn.problem)}
          </p>
        )}
        {!kept && (
          <p className={styles.calm} role="status">
            {barn.lostAtMs === undefined
              ? t("正在加载")
              : t("没有网络，这台手机上也还没有存过数值。连上网络再打开一次。")}
          </p>
        )}
        {worst && (
          <Worst
            key={worst.id}
            held={kept?.units.find(({ id }) => id === worst.unitId)}
            alarm={worst}
            barn={barn}
            mayHandle={mayHandle}
          />
        )}
        {kept && !worst && <Calm units={units.map(({ unit }) => unit)} />}
        <Waiting barn={barn} />
        <Outcomes barn={barn} />
        {kept && (
          <section className={styles.card} aria-labelledby="units-title">
            <h2 id="units-title">
              {t("单元")} <span>{t("先看坏的")}</span>
            </h2>
            {units.length === 0 ? (
              <p className={styles.calm}>
                {houses.length === 0
                  ? t("还没有单元。")
                  : chosen === ""
                    ? t("单元太多，先选一栋猪舍。")
                    : barn.lostAtMs === undefined
                      ? t("正在加载")
                      : t("没有网络，这台手机上也还没有存过数值。连上网络再打开一次。")}
              </p>
            ) : (
              <ul>
                {units.map((held) => (
                  <UnitRow key={held.unit.id} of={held} barn={barn} mayHandle={mayHandle} />
                ))}
              </ul>
            )}
          </section>
        )}
      </main>
    </div>
  );
}
