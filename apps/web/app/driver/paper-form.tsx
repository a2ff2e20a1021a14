import type { DriverTrip } from "@herdwise/contract";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";
import { useTranslate } from "../shared/language/use-language.ts";
import { Camera } from "./camera.tsx";
import styles from "./driver.module.css";
import type { Done } from "./use-driver.ts";

interface Props {
  of: "disinfect" | "quarantine";
  trip: DriverTrip;
  shrink: (file: Blob) => Promise<Blob | undefined>;
  onSave: (said: Omit<Done, "act" | "position">) => Promise<void>;
  onClose: () => void;
}

function Field({
  label,
  problem,
  children,
}: {
  label: string;
  problem: string | undefined;
  children: (id: string) => ReactNode;
}) {
  const id = useId();
  return (
    <div className={styles.field}>
      <label htmlFor={id}>{label}</label>
      {children(id)}
      {problem && <p className={styles.fault}>{problem}</p>}
    </div>
  );
}

/** The photo, which is scaled down before it is kept. */
function Photo({
  photo,
  problem,
  onPhoto,
}: {
  photo: Blob | undefined;
  problem: string | undefined;
  onPhoto: (file: Blob) => void;
}) {
  const t = useTranslate();
  const [address, setAddress] = useState("");
  useEffect(() => {
    if (!photo) return;
    const made = URL.createObjectURL(photo);
    setAddress(made);
    return () => URL.revokeObjectURL(made);
  }, [photo]);
  return (
    <div className={styles.field}>
      <label className={styles.camera}>
        {photo && address !== "" ? (
          <img src={address} alt={t("证件照片")} />
        ) : (
          <span>
            <Camera />
            {t("拍证件，四角都要拍到")}
          </span>
        )}
        {photo && <span className={styles.again}>{t("重拍")}</span>}
        <input
          type="file"
          accept="image/*"
          capture="environment"
          className="visually-hidden"
          aria-label={t("拍证件，四角都要拍到")}
          onChange={({ target }) => {
            const [file] = target.files ?? [];
            if (file) onPhoto(file);
            target.value = "";
          }}
        />
      </label>
      {problem && <p className={styles.fault}>{problem}</p>}
    </div>
  );
}

/** What a browser's field for a moment holds, as the server reads it. */
const momentOf = (text: string): string => text.replace("T", " ").slice(0, 16);

/** A certificate with its photo: kept on the phone first, sent with the next network. */
export function PaperForm({ of, trip, shrink, onSave, onClose }: Props) {
  const t = useTranslate();
  const washed = of === "disinfect";
  const [photo, setPhoto] = useState<Blob>();
  const [unread, setUnread] = useState(false);
  const [number, setNumber] = useState("");
  const [washedAt, setWashedAt] = useState("");
  const [validUntil, setValidUntil] = useState("");
  const [dried, setDried] = useState(true);
  const [heads, setHeads] = useState(String(trip.heads));
  const [untilDay, setUntilDay] = useState("");
  const [tried, setTried] = useState(false);
  const [busy, setBusy] = useState(false);
  const head = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    head.current?.focus();
    scrollTo(0, 0);
  }, []);
  const now = shanghaiClock(Date.now()).slice(0, 16);
  const faults: Readonly<Record<string, string | undefined>> = {
    photo: unread ? t("这个文件不是照片，请重拍") : photo ? undefined : t("请先拍证件照片"),
    number: number.trim() === "" ? t("请填证件上的编号") : undefined,
    washedAt: washedAt === "" ? t("请填洗消时间") : washedAt > now ? t("洗消时间还没有到") : undefined,
    validUntil: validUntil === "" ? t("请填有效期") : validUntil <= washedAt ? t("有效期要晚于洗消时间") : undefined,
    heads: /^\d{1,4}$/.test(heads) && Number(heads) >= 1 && Number(heads) <= 1000 ? undefined : t("请填证上的头数"),
    untilDay: untilDay === "" ? t("请填有效期") : undefined,
  };
  const asked = ["photo", "number", ...(washed ? ["washedAt", "validUntil"] : ["heads", "untilDay"])];
  const faultOf = (name: string): string | undefined => (tried ? faults[name] : undefined);
  const save = async (): Promise<void> => {
    setTried(true);
    if (asked.some((name) => faults[name]) || !photo) return;
    setBusy(true);
    await onSave({
      photo,
      number: number.trim(),
      ...(washed
        ? { washedAt: momentOf(washedAt), validUntil: momentOf(validUntil), dried }
        : { heads: Number(heads), untilDay }),
    });
  };
  return (
    <form
      className={styles.form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2 ref={head} tabIndex={-1}>
        {t(washed ? "洗消证" : "检疫证")}
      </h2>
      <Photo
        photo={photo}
        problem={unread ? faults.photo : faultOf("photo")}
        onPhoto={(file) =>
          void shrink(file).then((small) => {
            setUnread(small === undefined);
            setPhoto(small);
          })
        }
      />
      <Field label={t(washed ? "洗消证号" : "检疫证号")} problem={faultOf("number")}>
        {(id) => (
          <input
            id={id}
            className="input"
            maxLength={40}
            value={number}
            onChange={({ target }) => setNumber(target.value)}
          />
        )}
      </Field>
      {washed ? (
        <>
          <Field label={t("洗消时间")} problem={faultOf("washedAt")}>
            {(id) => (
              <input
                id={id}
                type="datetime-local"
                className="input"
                max={now}
                value={washedAt}
                onChange={({ target }) => setWashedAt(target.value)}
              />
            )}
          </Field>
          <Field label={t("洗消证有效到")} problem={faultOf("validUntil")}>
            {(id) => (
              <input
                id={id}
                type="datetime-local"
                className="input"
                value={validUntil}
                onChange={({ target }) => setValidUntil(target.value)}
              />
            )}
          </Field>
          <label className={styles.check}>
            <input type="checkbox" checked={dried} onChange={({ target }) => setDried(target.checked)} />
            {t("已烘干")}
          </label>
        </>
      ) : (
        <>
          <Field label={t("检疫头数")} problem={faultOf("heads")}>
            {(id) => (
              <input
                id={id}
                className="input"
                inputMode="numeric"
                maxLength={4}
                value={heads}
                onChange={({ target }) => setHeads(target.value)}
              />
            )}
          </Field>
          <Field label={t("检疫证有效到")} problem={faultOf("untilDay")}>
            {(id) => (
              <input
                id={id}
                type="date"
                className="input"
                value={untilDay}
                onChange={({ target }) => setUntilDay(target.value)}
              />
            )}
          </Field>
        </>
      )}
      <div className={styles.pair}>
        <button type="button" className="btn" onClick={onClose}>
          {t("取消")}
        </button>
        <button type="submit" className="btn primary" disabled={busy}>
          {t("存下并发送")}
        </button>
      </div>
    </form>
  );
}
