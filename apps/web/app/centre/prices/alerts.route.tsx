import {
  type BodyOf,
  mostPriceAlerts,
  nationCode,
  type PriceAlert,
  type PriceBreed,
  priceAlertList,
  priceAlertRemove,
  priceAlertSubmit,
  priceBreeds,
  pricedProvinces,
  priceRange,
  quotations,
} from "@herdwise/contract";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { yuan } from "../../shared/prices/price-words.ts";
import { useAreaName } from "../../shared/prices/use-area-name.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./alerts.module.css";

type Submit = BodyOf<typeof priceAlertSubmit>;
const queryKey = ["price-alerts"];
const priceForm = /^\d{1,2}(?:\.\d{1,2})?$/;

function Alert({ alert, busy, onRemove }: { alert: PriceAlert; busy: boolean; onRemove: () => void }) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const { dayTime } = useFormats();
  const { area, breed, direction, thresholdFen, armed, firedFen, nowFen } = alert;
  const values = {
    area: nameOf(area),
    breed: t(priceBreeds.find(([known]) => known === breed)?.[1] ?? ""),
    price: yuan(thresholdFen),
  };
  const words =
    direction === "below" ? t("{area} {breed} 低于 {price}", values) : t("{area} {breed} 高于 {price}", values);
  const fired = parseWireDateTime(alert.firedAt);
  return (
    <li>
      <span>
        <b>{words}</b>
        <br />
        <span className="mut">
          {nowFen === undefined ? t("现在没有报价") : t("现在 {price} 元/kg", { price: yuan(nowFen) })}
          {fired !== undefined && firedFen !== undefined && (
            <>
              {" · "}
              {t("{time} 通知过，当时 {price}", { time: dayTime(fired), price: yuan(firedFen) })}
            </>
          )}
        </span>
      </span>
      <span className={`state ${armed ? "off" : "notice"}`}>
        <Mark name={armed ? "off" : "notice"} />
        {armed ? t("等待") : t("已越过，回去后再等")}
      </span>
      <IconButton icon="close" label={t("删除提醒：{alert}", { alert: words })} isDisabled={busy} onPress={onRemove} />
    </li>
  );
}

/** The own price alerts: a message each time that a published price crosses a threshold. */
export default function PriceAlerts() {
  const t = useTranslate();
  const nameOf = useAreaName();
  const client = useQueryClient();
  const [search] = useSearchParams();
  const loaded = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(priceAlertList, { signal, quiet: true }),
  });
  const askedArea = pricedProvinces.find(({ code }) => code === search.get("area"))?.code;
  const askedBreed = priceBreeds.find(([known]) => known === search.get("breed"))?.[0];
  const [area, setArea] = useState<string>(askedArea ?? nationCode);
  const [breed, setBreed] = useState<PriceBreed>(askedBreed ?? "outer");
  const [direction, setDirection] = useState<"below" | "above">("below");
  const [price, setPrice] = useState("");
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLFormElement>();
  const quoted = useQuery({
    queryKey: ["quotations", breed],
    queryFn: ({ signal }) => call(quotations, { query: { breed }, signal, quiet: true }),
  });
  const here =
    area === nationCode
      ? quoted.data?.nation
      : quoted.data?.regions.flatMap(({ provinces }) => provinces).find(({ code }) => code === area);
  const alerts = loaded.data ?? [];
  const fen = priceForm.test(price) ? Math.round(Number(price) * 100) : Number.NaN;
  const wrong = price !== "" && !(fen >= priceRange.min && fen <= priceRange.max);
  const take = (answer: PriceAlert[]): void => {
    client.setQueryData(queryKey, answer);
  };
  const add = async (): Promise<void> => {
    const body = { area, breed, direction, thresholdFen: fen } as Submit;
    if (await submit(async () => take(await call(priceAlertSubmit, { body, quiet: true })))) setPrice("");
  };
  const remove = (id: string): Promise<boolean> =>
    submit(async () => take(await call(priceAlertRemove, { body: { ids: id }, quiet: true })));
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("价格提醒")}</h1>
        <span className="spacer" />
        <a className="btn" href="/market">
          {t("看行情")}
        </a>
      </div>
      <section className={`card ${styles.add}`} aria-label={t("加一条提醒")}>
        <form
          ref={form}
          className={styles.form}
          onSubmit={(event) => {
            event.preventDefault();
            void add();
          }}
        >
          <SelectField
            id="area"
            label={t("省")}
            value={area}
            options={[
              [nationCode, nameOf(nationCode)],
              ...pricedProvinces.map(({ code }) => [code, nameOf(code)] as const),
            ]}
            onChange={setArea}
          />
          <SelectField
            id="breed"
            label={t("品种")}
            value={breed}
            options={priceBreeds}
            onChange={(next) => setBreed(next as PriceBreed)}
          />
          <SelectField
            id="direction"
            label={t("什么时候")}
            value={direction}
            options={[
              ["below", t("低于")],
              ["above", t("高于")],
            ]}
            onChange={(next) => setDirection(next as "below" | "above")}
          />
          <TextField
            id="thresholdFen"
            label={t("价格，元/kg")}
            value={price}
            required
            autoComplete="off"
            hint={here?.fen === undefined ? "" : t("现在 {price} 元/kg", { price: yuan(here.fen) })}
            problem={problems.thresholdFen ?? (wrong ? t("请填 3 到 60 之间、最多两位小数的价格") : undefined)}
            onChange={(next) => {
              mend("thresholdFen");
              setPrice(next.trim());
            }}
          />
          <div>
            <Button kind="primary" type="submit" isDisabled={busy || price === "" || wrong}>
              {t("保存提醒")}
            </Button>
          </div>
        </form>
        <p className={styles.now}>
          {t("价格发布或更正时比一次；越过这个价发一条站内消息，回到另一边以后再越过才再发。最多 {most} 条。", {
            most: mostPriceAlerts,
          })}{" "}
          <Refusal text={refused} />
        </p>
      </section>
      <section className="card" aria-labelledby="alerts-title">
        <header>
          <h2 id="alerts-title">{t("我的提醒")}</h2>
        </header>
        {!loaded.data && !loaded.error && <TableSkeleton rows={3} />}
        {loaded.error && (
          <LoadingProblem
            error={asApiError(loaded.error)}
            onRetry={() => void loaded.refetch()}
            what={t("价格提醒")}
            kept={loaded.data !== undefined}
          />
        )}
        {loaded.data && alerts.length === 0 && (
          <ExceptionView type="empty" title={t("还没有提醒")} text={t("在上面选地区、品种和价格，保存后就开始等。")} />
        )}
        <ul className={styles.list}>
          {alerts.map((alert) => (
            <Alert key={alert.id} alert={alert} busy={busy} onRemove={() => void remove(alert.id)} />
          ))}
        </ul>
      </section>
    </>
  );
}
