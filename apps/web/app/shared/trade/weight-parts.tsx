import {
  arrivalWeighings,
  type OrderView,
  putFileAttach,
  scaleTickets,
  transits,
  type UploadedFile,
  weighings,
} from "@herdwise/contract";
import { smallPictureOf } from "@herdwise/contract/picture-widths";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { toleratedShare } from "@herdwise/contract/weight-difference";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../api/api-error.ts";
import { addressOf } from "../api/send.ts";
import { uploadFile } from "../api/upload-file.ts";
import { Refusal } from "../forms/refusal.tsx";
import { Mark } from "../icons/mark.tsx";
import { FileButton } from "../kit/file-button.tsx";
import { tellIn } from "../language/tell.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { StateTag } from "../process/state-tag.tsx";
import { FieldValue } from "../resource/cell.tsx";
import type { Cells } from "../resource/cells.ts";
import inputs from "../resource/field-input.module.css";
import { FieldInput } from "../resource/field-input.tsx";
import type { Row } from "../resource/form-values.ts";
import type { InputProps } from "../resource/input-props.ts";
import { callPage, keysOf } from "../resource/resource-api.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import styles from "./order-detail.module.css";
import { standing } from "./state-line.tsx";
import cellStyles from "./trade-cells.module.css";
import { arrivalCells, weighingCells } from "./trade-cells.tsx";
import { kg } from "./trade-figures.ts";
import { useGivenOrder } from "./use-given-order.ts";
import { useOrderView } from "./use-order-view.ts";

type Arrival = OrderView["arrivals"][number];

/** Tickets that weights were taken from, as the weighbridge sent them. */
function Tickets({ tickets }: Pick<Arrival, "tickets">) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  if (tickets.length === 0) return null;
  return (
    <ul className={styles.tickets} aria-label={t("地磅磅单")}>
      {tickets.map(({ ticket, use, weightGrams, stable, weighedMs, device }) => (
        <li key={ticket}>
          <b>{t(use === "tare" ? "皮重" : "毛重")}</b>
          <span className="num">{kg(weightGrams)} kg</span>
          <span className={`state ${stable ? "ok" : "major"}`}>
            <Mark name={stable ? "ok" : "major"} />
            {t(stable ? "稳定" : "未稳定")}
          </span>
          <small className="num">
            {[t("磅单 {ticket}", { ticket }), dayTime(weighedMs)].join(" · ")}
            {device !== "" && (
              <>
                {" · "}
                <Translated text={device} />
              </>
            )}
          </small>
        </li>
      ))}
    </ul>
  );
}

/** The tickets of an order's weighings, by vehicle. */
export function WeighingTickets({ rows }: { rows: OrderView["weighings"] }) {
  return rows
    .filter(({ tickets }) => tickets.length > 0)
    .map(({ id, plate, tickets }) => (
      <section key={id} className={styles.flags} aria-label={plate}>
        <b lang="zh-CN">{plate}</b>
        <Tickets tickets={tickets} />
      </section>
    ));
}

/** How far the weight at arrival is from the one at loading. */
const shareOf = ({ netGrams, loadingGrams }: Pick<Arrival, "netGrams" | "loadingGrams">): number =>
  (netGrams - loadingGrams) / loadingGrams;

/** Weights at arrival beside those at loading. */
export function Arrivals({ rows }: { rows: readonly Arrival[] }) {
  const t = useTranslate();
  const { number } = useFormats();
  if (rows.length === 0) return null;
  const { states } = arrivalWeighings.process;
  return (
    <div className={styles.part}>
      <h3>{t("到货重量")}</h3>
      {rows.map((row) => {
        const face = states[row.state as keyof typeof states];
        return (
          <section key={row.id} className={styles.flags} aria-label={row.plate}>
            <dl className={styles.sums}>
              <div>
                <dt>
                  <span lang="zh-CN">{row.plate}</span> {face && <StateTag {...face} plain />}
                </dt>
                <dd className="num">
                  {kg(row.netGrams)} kg
                  <small>
                    {t("装车 {loading} kg，相差 {share} %", {
                      loading: kg(row.loadingGrams),
                      share: number(shareOf(row) * 100, 2),
                    })}
                  </small>
                </dd>
              </div>
            </dl>
            <Tickets tickets={row.tickets} />
            {row.photo !== "" && (
              <a href={`/files/${row.photo}`} target="_blank" rel="noreferrer">
                <img className={styles.photo} src={`/files/${smallPictureOf(row.photo)}`} alt={t("磅单照片")} />
              </a>
            )}
          </section>
        );
      })}
    </div>
  );
}

function WeighingDetail({ row }: { row: Row }) {
  const { data } = useOrderView(weighings, String(row.order));
  const found = data?.weighings.filter(({ id }) => id === row.id) ?? [];
  return (
    <div className={styles.detail}>
      <WeighingTickets rows={found} />
    </div>
  );
}

/** The way to the tickets that no vehicle has. */
function WaitingTickets() {
  const t = useTranslate();
  const { user, permissions } = useAccess();
  const shown = user.tenant_type === "group" && permissions.has(permissionOf(scaleTickets, "view"));
  const { data: count = 0 } = useQuery({
    queryKey: [...keysOf(scaleTickets), "unmatched"],
    queryFn: ({ signal }) => callPage(scaleTickets, { need: "act", current: 1, size: 1 }, signal),
    select: ({ total }) => total,
    enabled: shown,
  });
  if (!shown || count === 0) return null;
  return (
    <Link className="btn" to={`${scaleTickets.menu.path}?f.need=act`}>
      {t("要处理的磅单 {count}", { count })}
    </Link>
  );
}

/** Weighings, each with the tickets that it was made of. */
export function WeighingScreen({ of }: { of: ResourceDeclaration }) {
  const given = useGivenOrder();
  return (
    <ResourceScreen of={of} cells={weighingCells} detail={WeighingDetail} head={<WaitingTickets />} given={given} />
  );
}

/** Uploads the photo of a ticket at once, and shows it. */
function PhotoInput({ id, value, onChange }: InputProps) {
  const t = useTranslate();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const photo = String(value ?? "");
  const add = async (file: File): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      const { name } = await uploadFile<UploadedFile>(addressOf(putFileAttach, { visibility: "shared" }), file);
      onChange(name);
    } catch (error) {
      setRefused(tellIn(t, asApiError(error)));
    } finally {
      setBusy(false);
    }
  };
  return (
    <div id={id} className={styles.photoInput}>
      {photo !== "" && <img className={styles.photo} src={`/files/${smallPictureOf(photo)}`} alt={t("磅单照片")} />}
      <FileButton
        icon="upload"
        isDisabled={busy}
        label={t("磅单照片")}
        accept=".jpg,.jpeg,.bmp,.png,image/jpeg,image/png,image/bmp"
        onPick={([file]) => void add(file)}
      >
        {t(busy ? "正在上传" : photo === "" ? "上传照片" : "换一张")}
      </FileButton>
      <Refusal text={refused} />
    </div>
  );
}
/** Most vehicles that are offered; those are the newest. */
const mostVehicles = 200;

/** Chooses a vehicle by its plate. @param states in which it may be */
const vehicleInput = (states: string) =>
  function VehicleInput({ id, value, onChange, onBlur, problem }: InputProps) {
    const t = useTranslate();
    const { data } = useQuery({
      queryKey: [...keysOf(transits), "vehicles", states],
      queryFn: ({ signal }) => callPage(transits, { state: states, current: 1, size: mostVehicles }, signal),
      staleTime: 0,
    });
    return (
      <select
        id={id}
        className={inputs.input}
        aria-invalid={problem !== undefined}
        value={String(value ?? "")}
        onChange={(event) => onChange(event.target.value)}
        onBlur={onBlur}
      >
        <option value="">{t("请选择")}</option>
        {data?.records.map((row) => (
          <option key={row.id} value={row.id}>
            {[row.plate, row.number, row.day].map(String).join(" · ")}
          </option>
        ))}
      </select>
    );
  };

const arrivalInputs = { photo: PhotoInput, transit: vehicleInput("departed,arrived,closed") };
const LoadedVehicle = vehicleInput("planned,ready,loading");
const ticketInputs = { transit: (props: InputProps) => <FieldInput {...props} as={LoadedVehicle} /> };

/** What is wrong with a ticket, beside how it stands. */
const why = ({ problem }: Row) => ({
  note: Boolean(problem) && scaleTickets.fields.problem && (
    <small>
      <FieldValue field={scaleTickets.fields.problem} value={problem} />
    </small>
  ),
});
/** A ticket that waits for somebody has its way to the form that matches it. */
const ticketCells = standing(scaleTickets, {
  // Of a lorry that passed by there is no vehicle to match.
  unmatched: (row) => ({ ...why(row), ...(row.need === "act" && { steps: [{ by: "desk", event: "match" }] }) }),
  refused: why,
});
/** The name of a weighbridge on two lines where it is long. */
const weighbridgeCells: Cells = {
  ...ticketCells,
  deviceName: ({ value }) => (
    <span className={cellStyles.twoLines}>
      <Translated text={String(value ?? "")} />
    </span>
  ),
};

/** Tickets of weighbridges, which staff match to vehicles. */
export function ScaleTicketScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={weighbridgeCells} inputs={ticketInputs} />;
}

function ArrivalDetail({ row }: { row: Row }) {
  const { data } = useOrderView(arrivalWeighings, String(row.order));
  const found = data?.arrivals.filter(({ id }) => id === row.id) ?? [];
  return (
    <div className={styles.detail}>
      <Arrivals rows={found} />
    </div>
  );
}

/** Weights at arrival, each with what they were read from. */
export function ArrivalScreen({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  return (
    <ResourceScreen
      of={of}
      cells={arrivalCells}
      detail={ArrivalDetail}
      inputs={arrivalInputs}
      note={t("横条上两条线是允许的相差，±{share} %", { share: toleratedShare * 100 })}
    />
  );
}
