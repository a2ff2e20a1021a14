import {
  type DriverLink,
  type DriverLinkDetail,
  driverLinkDetail,
  driverLinkMake,
  driverLinkRevoke,
  driverPhotoTicket,
  transits,
} from "@herdwise/contract";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { CopyButton } from "../forms/copy-button.tsx";
import { Refusal } from "../forms/refusal.tsx";
import { useSubmission } from "../forms/use-submission.ts";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { tellIn } from "../language/tell.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import type { Row } from "../resource/form-values.ts";
import { keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { showToast } from "../states/toast-store.ts";
import styles from "./driver-link.module.css";
import { QrPicture } from "./qr-picture.tsx";
import { RoutePart } from "./route-part.tsx";
import { transitCells } from "./trade-cells.tsx";
import { useGivenOrder } from "./use-given-order.ts";

const actWords: Readonly<Record<string, string>> = {
  disinfect: "洗消证",
  quarantine: "检疫证",
  depart: "出发",
  arrive: "到达",
};

/** The link of a vehicle, as its driver gets it: a picture for a phone beside the screen, and the address. */
function Open({ link, onQr, shown }: { link: DriverLink; shown: boolean; onQr: () => void }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const at = (time: string): string => dayTime(parseWireDateTime(time));
  const facts: [string, string][] = [
    [t("有效到"), at(link.untilTime)],
    [t("司机打开"), link.openedTime === "" ? t("还没有打开") : at(link.openedTime)],
    [t("短信"), link.sentTime === "" ? t("没有发短信") : at(link.sentTime)],
  ];
  return (
    <>
      <dl className={styles.facts}>
        <div>
          <dt>{t("发链接的人")}</dt>
          <dd>
            <Translated text={link.createName} /> <small className="num">{at(link.createTime)}</small>
          </dd>
        </div>
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd className="num">{value}</dd>
          </div>
        ))}
      </dl>
      {link.url !== "" && (
        <div className={styles.address}>
          <code>{link.url}</code>
          <CopyButton text={link.url} label={t("司机链接")} />
          <Button small kind="quiet" icon="qr" aria-expanded={shown} onPress={onQr}>
            {t("二维码")}
          </Button>
        </div>
      )}
      {shown && link.url !== "" && (
        <div className={styles.qr}>
          <QrPicture text={link.url} label={t("司机链接的二维码")} />
        </div>
      )}
    </>
  );
}

/** What drivers entered, each with its photo. */
function Entries({ entries }: { entries: DriverLinkDetail["entries"] }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const [shown, setShown] = useState<{ id: string; address: string }>();
  const show = async (id: string): Promise<void> => {
    const { url } = await call(driverPhotoTicket, { body: { id } });
    const { pathname, search } = new URL(url, location.href);
    setShown({ id, address: pathname + search });
  };
  if (entries.length === 0) return null;
  return (
    <ul className={styles.entries}>
      {entries.map(({ id, act, doneTime, createTime, outcome, text, values, number, photo }) => (
        <li key={id}>
          <span className={`state ${outcome === "done" ? "ok" : "major"}`}>
            <Mark name={outcome === "done" ? "ok" : "major"} />
            {t(actWords[act] ?? act)}
          </span>
          <span>
            {[number, outcome === "done" ? "" : tellIn(t, { text, values })].filter(Boolean).join(" · ")}
            <small className="num">
              {t("手机上 {at}，收到 {came}", {
                at: dayTime(parseWireDateTime(doneTime)),
                came: dayTime(parseWireDateTime(createTime)),
              })}
            </small>
          </span>
          {photo !== "" && (
            <Button
              small
              kind="quiet"
              icon="eye"
              onPress={() => (shown?.id === photo ? setShown(undefined) : void show(photo).catch(() => undefined))}
            >
              {t(shown?.id === photo ? "收起照片" : "看照片")}
            </Button>
          )}
          {shown?.id === photo && photo !== "" && (
            <img src={shown.address} alt={t("司机拍的{what}", { what: t(actWords[act] ?? act) })} />
          )}
        </li>
      ))}
    </ul>
  );
}

/** The driver's link of a vehicle, and what came by it. */
function DriverPart({ row }: { row: Row }) {
  const t = useTranslate();
  const client = useQueryClient();
  const { permissions } = useAccess();
  const { busy, refused, submit } = useSubmission<HTMLDivElement>();
  const [shown, setShown] = useState(false);
  const loaded = useQuery({
    queryKey: [...keysOf(transits), "driver", row.id],
    queryFn: ({ signal }) => call(driverLinkDetail, { query: { id: row.id }, signal, quiet: true }),
    staleTime: 0,
    // A driver may be sending right now.
    refetchInterval: 20_000,
  });
  const mayEdit = permissions.has(permissionOf(transits, "edit"));
  const over = ["arrived", "closed", "cancelled"].includes(String(row.state));
  const { data, error } = loaded;
  if (error && !data)
    return <LoadingProblem error={asApiError(error)} onRetry={() => void loaded.refetch()} what={t("司机链接")} />;
  if (!data) return <TableSkeleton rows={2} />;
  const renew = () => client.invalidateQueries({ queryKey: keysOf(transits) });
  const make = (send: boolean) =>
    submit(async () => {
      const { sent, problem } = await call(driverLinkMake, { body: { id: row.id, send }, quiet: true });
      showToast(
        sent
          ? { kind: "ok", text: "链接已发到司机手机" }
          : problem === ""
            ? { kind: "ok", text: "链接做好了" }
            : { kind: "error", text: "链接做好了，短信没有发出，请把二维码给司机扫" },
      );
      setShown(!sent);
      await renew();
    });
  const revoke = () =>
    submit(async () => {
      await call(driverLinkRevoke, { body: { id: row.id }, quiet: true });
      await renew();
    });
  if (over && data.entries.length === 0 && !data.link) return null;
  return (
    <section className={styles.part} aria-labelledby="driver-part">
      <h3 id="driver-part">
        {t("司机链接")}
        <span className={`state ${data.link ? "ok" : "off"}`}>
          <Mark name={data.link ? "ok" : "off"} />
          {t(data.link ? "有效" : "没有")}
        </span>
      </h3>
      {!data.link && !over && (
        <p className={styles.note}>
          {t("司机不用登录，用链接在手机上传洗消证、检疫证，报出发和到达；没有网络时存在手机里，有网就发。")}
        </p>
      )}
      {data.link && <Open link={data.link} shown={shown} onQr={() => setShown(!shown)} />}
      {mayEdit && !over && (
        <div className={styles.actions}>
          <Button small icon="send" isDisabled={busy} onPress={() => void make(true)}>
            {t(data.link ? "再发司机链接" : "发短信给司机")}
          </Button>
          <Button small icon="qr" isDisabled={busy} onPress={() => void make(false)}>
            {t(data.link ? "换一条链接" : "只要二维码")}
          </Button>
          {data.link && (
            <Button small kind="danger" isDisabled={busy} onPress={() => void revoke()}>
              {t("收回链接")}
            </Button>
          )}
        </div>
      )}
      {data.link && mayEdit && !over && <p className={styles.note}>{t("再发或换一条后，原来的链接立即失效。")}</p>}
      <Refusal text={refused} />
      <Entries entries={data.entries} />
    </section>
  );
}

function TransitDetail({ row }: { row: Row }) {
  return (
    <>
      <DriverPart row={row} />
      <RoutePart row={row} />
    </>
  );
}

/** Vehicles of orders, each with the link of its driver and its way. */
export function TransitScreen({ of }: { of: ResourceDeclaration }) {
  const given = useGivenOrder();
  return <ResourceScreen of={of} cells={transitCells} detail={TransitDetail} given={given} />;
}
