import {
  type BodyOf,
  type PriceBreed,
  type PriceCorrection,
  priceBreeds,
  priceConfirm,
  priceCorrect,
  priceCorrectionDecide,
  priceExport,
  pricePublish,
  priceReturn,
  priceSchedule,
  priceSubmit,
} from "@herdwise/contract";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { useState } from "react";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { yuan } from "../../shared/prices/price-words.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { useNow } from "../../shared/states/use-now.ts";
import styles from "./desk.module.css";
import { AskReason, CorrectPrice, PriceHistory, SchedulePrices, UploadPrices } from "./desk-dialogs.tsx";
import { Corrections, Preview, Review, useCellName } from "./desk-side.tsx";
import { PriceGrid } from "./price-grid.tsx";
import { type DeskCell, usePriceDesk } from "./use-price-desk.ts";

const dayMs = 86_400_000;
const later = (day: string, days: number): string =>
  new Date(Date.parse(`${day}T00:00:00Z`) + days * dayMs).toISOString().slice(0, 10);
const isDay = /^\d{4}-\d{2}-\d{2}$/;

type Open =
  | { kind: "schedule" | "upload" | "history" | "publish" }
  | { kind: "correct" | "return"; cell: DeskCell }
  | { kind: "returnCorrection"; correction: PriceCorrection };

type Keyed = Pick<BodyOf<typeof priceReturn>, "regionCode" | "breed">;
const keyed = ({ regionCode, breed }: { regionCode: string; breed: PriceBreed }) => ({ regionCode, breed }) as Keyed;

/** How long until the day is published. */
function Countdown({ publishAt, publishedAt }: { publishAt: string; publishedAt: string }) {
  const t = useTranslate();
  const now = useNow();
  const { dayTime } = useFormats();
  const published = parseWireDateTime(publishedAt);
  if (published !== undefined)
    return (
      <div className={styles.countdown}>
        <p>{t("已发布")}</p>
        <p className="state ok">
          <Mark name="ok" />
          {dayTime(published)}
        </p>
      </div>
    );
  const at = parseWireDateTime(publishAt) ?? 0;
  // The clock of a publication is Beijing's for everybody.
  const clock = publishAt.slice(11, 16);
  const left = Math.floor((at - now) / 1000);
  const two = (value: number): string => String(value).padStart(2, "0");
  return (
    <div className={styles.countdown}>
      <p>{t(left > 0 ? "北京时间 {time} 发布，还有" : "发布时间 {time} 已过", { time: clock })}</p>
      <b>
        {left <= 0
          ? t("等待录入")
          : left >= 86_400
            ? t("{count} 天", { count: Math.floor(left / 86_400) })
            : `${left >= 3600 ? `${Math.floor(left / 3600)}:` : ""}${two(Math.floor((left % 3600) / 60))}:${two(left % 60)}`}
      </b>
    </div>
  );
}

/** How many prices stand where. */
function Progress({ cells }: { cells: readonly DeskCell[] }) {
  const t = useTranslate();
  const count = (...states: readonly DeskCell["state"][]): number =>
    cells.filter(({ state }) => states.includes(state)).length;
  const [ready, waiting, returned, empty] = [
    count("ready", "published"),
    count("waiting"),
    count("returned"),
    count("empty"),
  ];
  return (
    <div className={styles.progress}>
      <p className={styles.counts}>
        <b>{t("{ready} / {all} 可发布", { ready, all: cells.length })}</b>
        <span className="state minor">
          <Mark name="minor" />
          {t("待复核 {count}", { count: waiting })}
        </span>
        {returned > 0 && (
          <span className="state critical">
            <Mark name="critical" />
            {t("退回 {count}", { count: returned })}
          </span>
        )}
        <span className="state off">
          <Mark name="off" />
          {t("未录 {count}", { count: empty })}
        </span>
      </p>
      <div className={styles.bar} aria-hidden="true">
        <i style={{ flex: ready }} />
        <i data-of="waiting" style={{ flex: waiting }} />
        <i data-of="returned" style={{ flex: returned }} />
        <span style={{ flex: empty }} />
      </div>
      <p className="mut">{t("到点只发布可发布的，其余沿用以前的价，并标“今日未更新”。")}</p>
    </div>
  );
}

/** Where sales enters a day's prices, others confirm what is far off, and what was published is corrected. */
export default function PriceDeskScreen() {
  const t = useTranslate();
  const language = useLanguage();
  const cellName = useCellName();
  const { permissions } = useAccess();
  const [search, change] = useAddressValues({ isStep: true });
  const asked = search.get("day") ?? "";
  const { loaded, desk, cells, all, changed, wrong, entries, type, fill, take, clear } = usePriceDesk(
    isDay.test(asked) ? asked : undefined,
  );
  const [breed, setBreed] = useState<PriceBreed>("outer");
  const [open, setOpen] = useState<Open>();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  useUnsaved(changed.length > 0);
  const mayEdit = permissions.has("price_edit");
  const mayConfirm = permissions.has("price_confirm");
  const mayPublish = permissions.has("price_publish");
  const close = (): void => setOpen(undefined);
  const day = desk?.day ?? "";

  const save = (): Promise<boolean> =>
    submit(async () => {
      take(await call(priceSubmit, { body: { day, entries }, quiet: true }));
      clear();
    });
  const confirm = (of: readonly DeskCell[]): Promise<boolean> =>
    submit(async () => {
      const looked = of.map((cell) => ({ ...keyed(cell), fen: cell.fen ?? 0 }));
      take(await call(priceConfirm, { body: { day, cells: looked }, quiet: true }));
    });
  const decide = (correction: PriceCorrection, confirmed: boolean, reason = ""): Promise<boolean> =>
    submit(async () => {
      const body = { day: correction.day, id: correction.id, confirmed, reason };
      const answer = await call(priceCorrectionDecide, { body, quiet: true });
      if (answer.day === day) take(answer);
      else await loaded.refetch();
    });
  const exportSheet = async (): Promise<void> => {
    // A refusal shows as a toast.
    await call(priceExport, { body: { day } }).then(
      () => {
        tellJobBegun();
        showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
      },
      () => undefined,
    );
  };
  const go = (to: string): void => {
    clear();
    change({ day: to });
  };
  const dayName =
    day === ""
      ? ""
      : new Intl.DateTimeFormat(language === "zh" ? "zh-CN" : "en-GB", {
          timeZone: "UTC",
          month: "short",
          day: "numeric",
          weekday: "short",
        }).format(Date.parse(`${day}T00:00:00Z`));
  return (
    <div ref={form}>
      <Crumbs />
      <div className="page-head">
        <h1>{t("每日与区域价格")}</h1>
        {desk && (
          <div className={styles.week}>
            <IconButton
              icon="left"
              label={t("前一天")}
              isDisabled={changed.length > 0}
              onPress={() => go(later(day, -1))}
            />
            <span>
              {dayName}
              {day === desk.today && ` · ${t("今天")}`}
            </span>
            <IconButton
              icon="right"
              label={t("后一天")}
              isDisabled={changed.length > 0}
              onPress={() => go(later(day, 1))}
            />
          </div>
        )}
        <span className="spacer" />
        {desk && (
          <div className={styles.actions}>
            <Button icon="history" onPress={() => setOpen({ kind: "history" })}>
              {t("记录")}
            </Button>
            {mayEdit && desk.publishedAt === "" && (
              <Button icon="upload" onPress={() => setOpen({ kind: "upload" })}>
                {t("上传表格")}
              </Button>
            )}
            <Button icon="download" onPress={() => void exportSheet()}>
              {t("导出")}
            </Button>
          </div>
        )}
      </div>
      {!desk && !loaded.error && <TableSkeleton rows={12} />}
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("每日价格")}
          kept={desk !== undefined}
        />
      )}
      {desk && (
        <>
          <section className={`card ${styles.publish}`} aria-label={t("发布")}>
            <Countdown publishAt={desk.publishAt} publishedAt={desk.publishedAt} />
            <Progress cells={all} />
            <div className={styles.actions}>
              <Refusal text={refused} />
              {mayPublish && desk.publishedAt === "" && (
                <Button onPress={() => setOpen({ kind: "schedule" })}>{t("改时间")}</Button>
              )}
              {mayPublish && desk.day <= desk.today && all.some(({ state }) => state === "ready") && (
                <Button isDisabled={busy || changed.length > 0} onPress={() => setOpen({ kind: "publish" })}>
                  {t("立即发布")}
                </Button>
              )}
              {mayEdit && changed.length > 0 && <Button onPress={clear}>{t("放弃改动")}</Button>}
              {mayEdit && (
                <Button
                  kind="primary"
                  isDisabled={busy || changed.length === 0 || wrong.length > 0}
                  onPress={() => void save()}
                >
                  {changed.length === 0 ? t("已全部保存") : t("保存 {count} 格", { count: changed.length })}
                </Button>
              )}
            </div>
          </section>
          <div className={styles.two}>
            <section className={`card ${styles.sheet}`} aria-label={t("价格表")}>
              <div className={styles.breeds}>
                <fieldset className="seg" aria-label={t("品种")}>
                  {priceBreeds.map(([one, name]) => (
                    <button key={one} type="button" aria-pressed={one === breed} onClick={() => setBreed(one)}>
                      {t(name)}
                    </button>
                  ))}
                </fieldset>
              </div>
              <PriceGrid
                days={
                  day === shanghaiDay(Date.now()) ? [t("昨日价"), t("今日")] : [later(day, -1).slice(5), day.slice(5)]
                }
                cells={cells}
                breed={breed}
                enabled={mayEdit}
                onType={type}
                onCorrect={(cell) => setOpen({ kind: "correct", cell })}
              />
            </section>
            <div className={styles.side}>
              <Review
                cells={all.filter(({ state }) => state === "waiting")}
                busy={busy}
                mayConfirm={mayConfirm}
                onConfirm={(of) => void confirm(of)}
                onReturn={(cell) => setOpen({ kind: "return", cell })}
              />
              <Preview desk={desk} cells={cells} />
              <Corrections
                corrections={desk.corrections}
                busy={busy}
                mayConfirm={mayConfirm}
                onDecide={(correction, confirmed) =>
                  confirmed || correction.own
                    ? void decide(correction, confirmed)
                    : setOpen({ kind: "returnCorrection", correction })
                }
              />
            </div>
          </div>
        </>
      )}
      {open?.kind === "publish" && (
        <ConfirmDialog
          title={t("立即发布 {day} 的价格？", { day })}
          action={t("立即发布")}
          kind="primary"
          onConfirm={async () => {
            take(await call(pricePublish, { body: { day } }));
          }}
          onClose={close}
        >
          <p>{t("可发布的价格马上对外可见，之后只能更正。等待复核的和没有录的不发布。")}</p>
        </ConfirmDialog>
      )}
      {open?.kind === "schedule" && desk && (
        <SchedulePrices
          desk={desk}
          onSend={async (at) => take(await call(priceSchedule, { body: { day, at }, quiet: true }))}
          onClose={close}
        />
      )}
      {open?.kind === "upload" && <UploadPrices onFill={fill} onClose={close} />}
      {open?.kind === "history" && <PriceHistory day={day} onClose={close} />}
      {open?.kind === "correct" && (
        <CorrectPrice
          cell={open.cell}
          onSend={async (newFen, reason) => {
            const { fen } = open.cell;
            const body = {
              day,
              ...keyed(open.cell),
              reason,
              ...(fen !== undefined && { oldFen: fen }),
              ...(newFen !== undefined && { newFen }),
            };
            take(await call(priceCorrect, { body, quiet: true }));
          }}
          onClose={close}
        />
      )}
      {open?.kind === "return" && (
        <AskReason
          title={t("退回 {cell}", { cell: cellName(open.cell) })}
          action={t("退回")}
          lead={t("{price} 元/kg 退给 {name} 重录。", {
            price: open.cell.fen === undefined ? "—" : yuan(open.cell.fen),
            name: open.cell.enteredBy,
          })}
          onSend={async (reason) => {
            const body = { day, ...keyed(open.cell), fen: open.cell.fen ?? 0, reason };
            take(await call(priceReturn, { body, quiet: true }));
          }}
          onClose={close}
        />
      )}
      {open?.kind === "returnCorrection" && (
        <AskReason
          title={t("退回更正")}
          action={t("退回")}
          lead={t("{cell} 的更正退给 {name}，公布的价格不变。", {
            cell: cellName(open.correction),
            name: open.correction.enteredBy,
          })}
          onSend={async (reason) => {
            if (!(await decide(open.correction, false, reason))) throw new Error("not taken");
          }}
          onClose={close}
        />
      )}
    </div>
  );
}
