import type { DriverTrip } from "@herdwise/contract";
import { driverStep } from "@herdwise/contract/driver-step";
import { useEffect, useState } from "react";
import { Brand } from "../shared/icons/brand.tsx";
import { Icon } from "../shared/icons/icon.tsx";
import { Mark } from "../shared/icons/mark.tsx";
import { tellIn } from "../shared/language/tell.ts";
import { Translated } from "../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../shared/language/use-language.ts";
import { keepPage } from "../shared/offline/keep-page.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { ExceptionView } from "../shared/states/exception-view.tsx";
import { PageTitle } from "../shared/states/page-title.tsx";
import { Camera } from "./camera.tsx";
import styles from "./driver.module.css";
import { PaperForm } from "./paper-form.tsx";
import { Blocked, Outcomes, type Paper, Papers, Place, Steps, Way } from "./trip-parts.tsx";
import { type Driver, useDriver } from "./use-driver.ts";
import { usePosition } from "./use-position.ts";

/** While the vehicle is on its way, its place is kept so often, ms. */
const positionEveryMs = 180_000;

/** Above the page: whose it is, until when the link works, and the other language. */
function Top({ trip }: { trip: DriverTrip | undefined }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const { language, setLanguage } = usePreferences();
  return (
    <header className={styles.top}>
      <span className="brand">
        <Brand />
      </span>
      {trip && (
        <span className="state ok">
          <Mark name="ok" />
          {t("链接有效，至 {until}", { until: dayTime(trip.linkUntilMs) })}
        </span>
      )}
      <button
        type="button"
        className={styles.language}
        lang={language === "zh" ? "en" : "zh-CN"}
        onClick={() => void setLanguage(language === "zh" ? "en" : "zh")}
      >
        {language === "zh" ? "English" : "中文"}
      </button>
    </header>
  );
}

/** The one next step, and what waits for the network. */
function Bottom({
  driver,
  trip,
  onTake,
  onAct,
}: {
  driver: Driver;
  trip: DriverTrip;
  onTake: (of: Paper) => void;
  onAct: (act: "depart" | "arrive") => void;
}) {
  const t = useTranslate();
  const acts = driver.waiting.filter(({ act }) => act !== "position");
  const step = driverStep(
    trip,
    acts.map(({ act }) => act),
  );
  const words = {
    disinfect: "拍洗消证",
    quarantine: "拍检疫证",
    depart: "已出发",
    arrive: "已到达",
    clear: "证件齐了，等场里放行",
    load: "已放行，等装车",
    done: "这一趟完成了，谢谢",
    off: "这一趟取消了",
  } as const;
  const isPaper = step === "disinfect" || step === "quarantine";
  const isMove = step === "depart" || step === "arrive";
  return (
    <footer className={styles.bottom}>
      <div>
        <div role="status">
          {driver.lostAtMs !== undefined && (
            <p className="state off">
              <Mark name="off" />
              {t("没有网络，照样可以拍")}
            </p>
          )}
          {acts.length > 0 && (
            <p className="state notice">
              <Mark name="notice" />
              {t("{count} 条已存在手机里，有网就发", { count: acts.length })}
            </p>
          )}
        </div>
        {step === "depart" && trip.held && <p>{tellIn(t, trip.held)}</p>}
        {isPaper || isMove ? (
          <button
            type="button"
            className="btn primary"
            disabled={step === "depart" && trip.held !== undefined && driver.lostAtMs === undefined}
            onClick={() => (isPaper ? onTake(step) : onAct(step))}
          >
            {isPaper ? <Camera /> : <Icon name="arrow" />}
            {t(words[step])}
          </button>
        ) : (
          <p className={styles.waits}>{t(words[step])}</p>
        )}
      </div>
    </footer>
  );
}

/** The secret behind the `#`; it is read again where the driver opens another link in the same tab. */
function useLink(): string | undefined {
  const [link, setLink] = useState<string>();
  useEffect(() => {
    const read = (): void => setLink(location.hash.slice(1));
    read();
    window.addEventListener("hashchange", read);
    return () => window.removeEventListener("hashchange", read);
  }, []);
  return link;
}

/** A driver's one trip: without a log-in, on any phone, with or without a network. */
export default function DriverPage() {
  const t = useTranslate();
  const link = useLink();
  const driver = useDriver(link ?? "");
  const position = usePosition();
  const { leave, locate } = position;
  const [taking, setTaking] = useState<Paper>();
  useEffect(() => void keepPage("/driver"), []);
  const { trip, act, ended } = driver;
  const waits = (what: string): boolean => driver.waiting.some((one) => one.act === what);
  const onWay =
    trip !== undefined &&
    driverStep(
      trip,
      driver.waiting.map((one) => one.act),
    ) === "arrive";
  useEffect(() => {
    if (!onWay || leave !== "granted") return;
    const tell = (): void => {
      if (document.visibilityState !== "visible") return;
      void locate().then((found) => found && act({ act: "position", position: found }));
    };
    const timer = setInterval(tell, positionEveryMs);
    return () => clearInterval(timer);
  }, [onWay, leave, locate, act]);
  /** Where it is, where that is allowed already: no step waits for a question. */
  const here = async (): Promise<{ position?: NonNullable<Awaited<ReturnType<typeof locate>>> }> => {
    const found = leave === "granted" ? await locate() : undefined;
    return found ? { position: found } : {};
  };
  const gone = ended !== undefined || link === "";
  return (
    <div className={styles.driver}>
      <PageTitle title={t("司机转运")} />
      <button type="button" className="skip" onClick={() => document.getElementById("main")?.focus()}>
        {t("跳到正文")}
      </button>
      <Top trip={gone ? undefined : trip} />
      <main id="main" tabIndex={-1}>
        {gone ? (
          <ExceptionView
            type="empty"
            wholePage
            title={t(ended === "other_phone" ? "链接在另一部手机上" : "这个链接不能用了")}
            text={t(
              ended === "other_phone"
                ? "这个链接已经在另一部手机上打开了。换手机请要一条新链接"
                : "这个链接不能用了：可能过期、被收回，或没有复制完整。请向发链接的人要一条新的",
            )}
          >
            {driver.waiting.length > 0 && (
              <p>{t("手机里还有 {count} 条没有发出，请告诉现场的人", { count: driver.waiting.length })}</p>
            )}
          </ExceptionView>
        ) : trip === undefined ? (
          <>
            <h1 className="visually-hidden">{t("司机转运")}</h1>
            <p className={styles.calm} role="status">
              {driver.lostAtMs === undefined
                ? t("正在加载")
                : t("没有网络，这台手机上也还没有打开过这个链接。连上网络再打开一次。")}
            </p>
          </>
        ) : (
          <>
            <h1 lang="zh-CN">{trip.plate}</h1>
            <p className={`${styles.sub} num`}>
              {t("装 {count} 头", { count: trip.heads })} · <Translated text={trip.field} />
            </p>
            {driver.problem && (
              <p className={styles.problem} role="alert">
                {t(driver.problem)}
              </p>
            )}
            {driver.lasting === false && (
              <p className={styles.problem} role="status">
                {t("这个浏览器不能存东西：没有网络时请不要关掉这一页。")}
              </p>
            )}
            {taking ? (
              <PaperForm
                key={taking}
                of={taking}
                trip={trip}
                shrink={driver.shrink}
                onClose={() => setTaking(undefined)}
                onSave={async (said) => {
                  await act({ act: taking, ...said, ...(await here()) });
                  setTaking(undefined);
                }}
              />
            ) : (
              <>
                {!waits("disinfect") && <Blocked trip={trip} />}
                <Steps trip={trip} waits={waits} />
                <Outcomes driver={driver} />
                <Papers trip={trip} waits={waits} onTake={setTaking} />
                <Way trip={trip} />
                <Place of={position} />
                <p className={styles.note}>{t("这个链接只管这一趟，只在这部手机上有效。")}</p>
              </>
            )}
          </>
        )}
      </main>
      {!gone && trip && !taking && (
        <Bottom
          driver={driver}
          trip={trip}
          onTake={setTaking}
          onAct={(what) => void here().then((place) => act({ act: what, ...place }))}
        />
      )}
    </div>
  );
}
