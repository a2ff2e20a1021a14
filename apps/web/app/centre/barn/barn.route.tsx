import { alarmHandleCode, alarmSeverityNames } from "@herdwise/contract";
import { asksNow, worstFirst } from "@herdwise/contract/alarm-asking";
import { outlookOf, worstUnitState } from "@herdwise/device-kinds";
import { useEffect, useState } from "react";
import { Link, redirect, useLoaderData } from "react-router";
import { Select } from "../../shared/forms/select.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { severityMarks } from "../../shared/icons/severity-marks.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { keepPage } from "../../shared/offline/keep-page.ts";
import { loadAccess } from "../../shared/session/access.ts";
import { redirectQuery } from "../../shared/session/redirect.ts";
import { keepSessionFresh } from "../../shared/session/renew.ts";
import { readSession, storedUserId } from "../../shared/session/storage.ts";
import { Age } from "../../shared/states/age.tsx";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { NeedsScripts } from "../../shared/states/needs-scripts.tsx";
import { PageTitle } from "../../shared/states/page-title.tsx";
import { useNow } from "../../shared/states/use-now.ts";
import { guideOf, ruleNameOf } from "../alarms/alarm-words.ts";
import { useLocalText } from "../kind/kind-view.ts";
import { StateMark } from "../kind/state-mark.tsx";
import { verdictAttributes } from "../kind/verdict-mark.tsx";
import { AlarmActions } from "./alarm-actions.tsx";
import styles from "./barn.module.css";
import { isUnheard, type UnitWithAlarms, unitsOf } from "./barn-order.ts";
import type { BarnAlarm } from "./kept.ts";
import { UnitRow } from "./unit-row.tsx";
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
      {import.meta.env.SSR ? <NeedsScripts /> : <noscript />}
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

/** The one thing that matters now. */
function Worst({
  held,
  alarm,
  barn,
  mayHandle,
}: {
  held: UnitWithAlarms | undefined;
  alarm: BarnAlarm;
  barn: Barn;
  mayHandle: boolean;
}) {
  const t = useTranslate();
  const local = useLocalText();
  const nameOf = useNames();
  const { number } = useFormats();
  const temperature = held?.judged.verdictOf("t_in");
  const place = [alarm.houseName, alarm.unitName].filter(Boolean).map(nameOf).join(" ") || nameOf(alarm.deviceName);
  const name = local(ruleNameOf(alarm));
  const [first] = guideOf(alarm)?.steps ?? [];
  const now = useNow();
  return (
    <section
      className={styles.worst}
      data-severity={alarm.severity}
      data-known={!asksNow(alarm, now) || undefined}
      aria-labelledby="worst-title"
    >
      <p className={styles.head}>
        <span className={`state ${severityMarks[alarm.severity]}`}>
          <Mark name={severityMarks[alarm.severity]} />
          {t(alarmSeverityNames[alarm.severity])}
        </span>
        <Age atMs={alarm.raisedMs} />
      </p>
      <h2 id="worst-title">
        <span>{place}</span>
        {typeof temperature?.value === "number" && (
          <b
            className="num"
            data-stale={(held && isUnheard(held.judged)) || undefined}
            {...verdictAttributes(temperature)}
          >
            {number(temperature.value, 1)}
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
      <AlarmActions alarm={alarm} barn={barn} about={`${place} ${name}`} mayHandle={mayHandle} />
    </section>
  );
}

/** Nothing alarms: that is good news only of units whose values are heard and good. */
function Calm({ units }: { units: readonly UnitWithAlarms[] }) {
  const t = useTranslate();
  // Nobody looks after pigs in an empty unit.
  const kept = units.flatMap(({ judged }) => (judged.unit.mode === "normal" ? [judged] : []));
  const away = kept.filter(isUnheard).length;
  const heard = units.flatMap(({ judged }) => (isUnheard(judged) ? [] : [judged]));
  const { attention } = outlookOf(heard);
  if (units.length === 0) return null;
  return (
    <section className={styles.card}>
      {attention > 0 ? (
        <p className={styles.calm}>
          <StateMark state={worstUnitState(heard)}>
            {t("{count} 个单元的数值不好，还没有到告警的时间", { count: attention })}
          </StateMark>
        </p>
      ) : (
        (away === 0 || away < kept.length) && (
          <p className={styles.calm}>
            <span className="state ok">
              <Mark name="ok" />
              {t("现在没有告警")}
            </span>
          </p>
        )
      )}
      {away > 0 && (
        <p className={styles.calm}>
          <span className="state off">
            <Mark name="off" />
            {t("{count} 个单元没有新的数值，不知道里面怎样", { count: away })}
          </span>
        </p>
      )}
    </section>
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
  const houses = kept?.houses ?? [];
  const chosen = houses.some((house) => house.houseId === houseId) ? houseId : "";
  const now = useNow();
  const following = barn.lostAtMs === undefined;
  const units = unitsOf(kept?.units ?? [], kept?.alarms ?? [], { houseId: chosen, nowMs: now, following });
  const shown = new Set(units.map(({ judged }) => judged.unit.id));
  const [worst] = (kept?.alarms ?? [])
    .filter(({ unitId }) => chosen === "" || shown.has(unitId))
    .toSorted(worstFirst(now));
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
            held={units.find(({ judged }) => judged.unit.id === worst.unitId)}
            alarm={worst}
            barn={barn}
            mayHandle={mayHandle}
          />
        )}
        {kept && !worst && <Calm units={units} />}
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
                  <UnitRow key={held.judged.unit.id} of={held} barn={barn} mayHandle={mayHandle} />
                ))}
              </ul>
            )}
          </section>
        )}
      </main>
    </div>
  );
}
