import { deviceBind, deviceDemoLabels, deviceLookUp, type LabelledDevice } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ToRealName } from "../../shared/real-name/to-real-name.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { CommissioningHere } from "../commissioning/commissioning-here.tsx";
import { kindPath } from "../kind/kind-view.ts";
import styles from "./bind.module.css";
import { BindList } from "./bind-list.tsx";
import { kindNames } from "./device-words.ts";
import { FirstValue, useFresh } from "./first-value.tsx";
import { FreshDevices } from "./fresh-devices.tsx";
import { LabelScanner } from "./label-scanner.tsx";
import { type LabelText, readLabel } from "./label-text.ts";
import { isHeight, noPlace, PlaceFields, placeBody } from "./place-fields.tsx";

/** Steps with what each takes. */
const steps = [
  ["扫码", "标签在机身上；每台有自己的序列号和验证码。"],
  ["认对是哪台", "看名称和类型，防止拿错标签。"],
  ["放到图上", "选它在哪个场、哪栋、哪个单元，挂多高。"],
  ["等第一条数据", "通电联网后几分钟内会来；没来，这里会说查什么。"],
] as const;
const codeLength = 6;

const noLabel: LabelText = { serialNumber: "", code: "" };

/** Labels to try with; only a demo has any. */
function DemoLabels({ onLabel }: { onLabel: (label: LabelText) => void }) {
  const t = useTranslate();
  const { data = [] } = useQuery({
    queryKey: ["demo labels"],
    queryFn: ({ signal }) => call(deviceDemoLabels, { signal, quiet: true }),
    staleTime: 0,
  });
  if (data.length === 0) return null;
  return (
    <div className={styles.demo}>
      <p>{t("演示：这几台还没有人绑，点一台就填好它的标签。")}</p>
      <ul>
        {data.map(({ name, serialNumber, code }) => (
          <li key={serialNumber}>
            <Button onPress={() => onLabel({ serialNumber, code })}>
              <Translated text={name} />
            </Button>
            <span className="mut num">
              {serialNumber} · {code}
            </span>
          </li>
        ))}
      </ul>
    </div>
  );
}

/** Serial number and code, scanned or typed. */
function LabelStep({
  initial,
  onFound,
}: {
  initial: LabelText;
  onFound: (label: LabelText, device: LabelledDevice) => void;
}) {
  const t = useTranslate();
  const [label, setLabel] = useState(initial);
  const [problem, setProblem] = useState<string>();
  const [unknown, setUnknown] = useState(false);
  const [busy, setBusy] = useState(false);
  const missing = codeLength - label.code.trim().length;
  const ready = label.serialNumber.trim() !== "" && missing === 0;
  const change = (next: Partial<LabelText>): void => {
    setLabel({ ...label, ...next });
    setProblem(undefined);
  };
  const look = async (asked: LabelText): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      onFound(asked, await call(deviceLookUp, { body: asked, quiet: true }));
    } catch (error) {
      const refused = asApiError(error);
      setUnknown(refused.reason === "device.not_authenticated");
      setProblem(tellIn(t, refused));
      setBusy(false);
    }
  };
  return (
    <form
      className={styles.step}
      noValidate
      autoComplete="off"
      onSubmit={(event) => {
        event.preventDefault();
        if (ready) void look(label);
      }}
    >
      <LabelScanner
        onLabel={(read) => {
          setLabel(read);
          if (read.code.length === codeLength) void look(read);
        }}
      />
      <p className="mut">{t("对准机身标签上的方码。扫不了就输入序列号和验证码。")}</p>
      <DemoLabels onLabel={change} />
      <TextField
        id="label-serial"
        label={t("序列号")}
        required
        autoComplete="off"
        maxLength={200}
        value={label.serialNumber}
        onChange={(serialNumber) => change({ serialNumber })}
      />
      <TextField
        id="label-code"
        label={t("6 位验证码")}
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={codeLength}
        value={label.code}
        problem={
          problem ??
          (label.code !== "" && missing > 0
            ? t("少 {count} 位。验证码印在标签上，序列号的下面", { count: missing })
            : undefined)
        }
        onChange={(code) => change({ code: code.replace(/\D/g, "") })}
      />
      {unknown && (
        <p className={styles.checks}>
          <ToRealName />
        </p>
      )}
      <Button kind="primary" type="submit" isDisabled={!ready || busy}>
        {t(busy ? "正在查找" : "下一步")}
      </Button>
    </form>
  );
}

/** The device that the label stands for. */
function ConfirmStep({ device, onYes, onNo }: { device: LabelledDevice; onYes: () => void; onNo: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <div className={styles.step}>
      <div className={styles.device} aria-hidden="true">
        <Icon name="devices" />
      </div>
      <dl className={styles.facts}>
        <div>
          <dt>{t("设备名称")}</dt>
          <dd>{device.name}</dd>
        </div>
        <div>
          <dt>{t("设备类型")}</dt>
          <dd>{t(kindNames[device.kind])}</dd>
        </div>
        <div>
          <dt>{t("序列号")}</dt>
          <dd className="num">{device.serialNumber}</dd>
        </div>
        <div>
          <dt>{t("登记时间")}</dt>
          <dd className="num">{dayTime(parseWireDateTime(device.createTime))}</dd>
        </div>
        <div>
          <dt>{t("现在")}</dt>
          <dd>
            <span className="state ok">
              <Mark name="ok" />
              {t("没有人绑定")}
            </span>
          </dd>
        </div>
      </dl>
      <Button onPress={onNo}>{t("不是这台")}</Button>
      <Button kind="primary" onPress={onYes}>
        {t("就是这台")}
      </Button>
    </div>
  );
}

/** Where the device hangs. */
function PlaceStep({ label, onBound }: { label: LabelText; onBound: (deviceId: string) => void }) {
  const t = useTranslate();
  const [place, setPlace] = useState(noPlace);
  const [problem, setProblem] = useState<string>();
  const [busy, setBusy] = useState(false);
  const bind = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      const { deviceId } = await call(deviceBind, { body: { ...label, ...placeBody(place) }, quiet: true });
      onBound(deviceId);
    } catch (error) {
      setProblem(tellIn(t, asApiError(error)));
      setBusy(false);
    }
  };
  return (
    <div className={styles.step}>
      <PlaceFields value={place} onChange={setPlace} problem={problem} />
      <Button
        kind="primary"
        isDisabled={busy || place.farmId === "" || !isHeight(place.height)}
        onPress={() => void bind()}
      >
        {t(busy ? "正在绑定" : "绑定")}
      </Button>
    </div>
  );
}

/** The device comes, and sends its first value. */
function WaitStep({ deviceId, onAgain }: { deviceId: string; onAgain: () => void }) {
  const t = useTranslate();
  const { data, error, refetch } = useFresh(deviceId);
  const device = data?.[0];
  const isHere = device?.reportedAtMs !== undefined;
  return (
    <div className={styles.step}>
      {error && (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("设备")} kept={!!data} />
      )}
      {device && <FirstValue device={device} />}
      <progress
        className={styles.progress}
        max={3}
        value={device ? 1 + Number(device.connected || isHere) + Number(isHere) : 0}
        aria-label={t("绑定进度")}
      />
      <p className="mut">{t("离开这一页，绑定也已经生效。")}</p>
      {device && kindPath(device.kind, "device") !== "" && (
        <Link className="btn" to={kindPath(device.kind, "device", device.deviceId)}>
          {t("打开设备")}
        </Link>
      )}
      <Button kind={isHere ? "primary" : "plain"} onPress={onAgain}>
        {t("再绑一台")}
      </Button>
      {device && device.unitId !== "" && <CommissioningHere unitId={device.unitId} fresh />}
    </div>
  );
}

/** Four steps from a device's label to its first value. */
export default function BindDevice() {
  const t = useTranslate();
  const [step, setStep] = useState(0);
  const [label, setLabel] = useState<LabelText>(noLabel);
  const [device, setDevice] = useState<LabelledDevice>();
  const [deviceId, setDeviceId] = useState("");
  const [round, setRound] = useState(0);
  // A label's address was opened by the phone's own camera; what it holds goes out of the address line.
  useEffect(() => {
    const read = readLabel(location.hash);
    if (!read) return;
    setLabel(read);
    setRound((now) => now + 1);
    history.replaceState(history.state, "", location.pathname + location.search);
  }, []);
  const again = (): void => {
    setLabel(noLabel);
    setDevice(undefined);
    setDeviceId("");
    setRound(round + 1);
    setStep(0);
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("绑定设备")}</h1>
      </div>
      <div className={styles.bind}>
        <ol className={styles.steps}>
          {steps.map(([name], at) => (
            <li key={name} aria-current={at === step ? "step" : undefined} data-done={at < step || undefined}>
              <span aria-hidden="true">{at + 1}</span>
              {t(name)}
            </li>
          ))}
        </ol>
        <p className={styles.note}>{t(steps[step]?.[1] ?? "")}</p>
        <div className={styles.desk}>
          <section className="card" aria-label={t(steps[step]?.[0] ?? "")}>
            {step === 0 && (
              <LabelStep
                key={round}
                initial={label}
                onFound={(read, found) => {
                  setLabel(read);
                  setDevice(found);
                  setStep(1);
                }}
              />
            )}
            {step === 1 && device && <ConfirmStep device={device} onYes={() => setStep(2)} onNo={again} />}
            {step === 2 && (
              <PlaceStep
                label={label}
                onBound={(id) => {
                  setDeviceId(id);
                  setStep(3);
                }}
              />
            )}
            {step === 3 && <WaitStep deviceId={deviceId} onAgain={again} />}
          </section>
          {step === 0 && (
            <div>
              <BindList />
              <FreshDevices />
            </div>
          )}
        </div>
      </div>
    </>
  );
}
