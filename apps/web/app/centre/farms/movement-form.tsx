import {
  inventorySubmit,
  type MovementKind,
  maxBackdatingDays,
  maxMovementHeads,
  movementKinds,
  type PigCategory,
  pigCategoryNames,
  type UnitInventory,
} from "@herdwise/contract";
import { reference } from "@herdwise/contract/resource";
import { shanghaiClock, shanghaiMoment } from "@herdwise/contract/shanghai";
import { useQueryClient } from "@tanstack/react-query";
import { type FormEvent, useRef, useState } from "react";
import { type ApiError, asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Select } from "../../shared/forms/select.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { ReferenceInput } from "../../shared/resource/reference-input.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./farms.module.css";
import { movementNames } from "./inventory-words.ts";
import { inventoryKey, useInventory } from "./use-inventory.ts";
import { structureKey } from "./use-structure.ts";

/** A moment as an input of date and time holds it, in Shanghai. */
const inputOf = (ms: number): string => shanghaiClock(ms).slice(0, 16);

const targetField = reference("转到", { to: "unit", required: true });

const headsOf = (text: string): number | undefined => {
  const heads = Number(text.replace(/[,\s，]/g, ""));
  return text.trim() !== "" && Number.isInteger(heads) && heads >= 0 && heads <= maxMovementHeads ? heads : undefined;
};

interface FormState {
  kind: MovementKind;
  category: PigCategory;
  heads: string;
  /** Unit that a transfer goes to, "" while none is chosen. */
  targetId: string;
  /** "" for now. */
  at: string;
  reason: string;
}

/** Writes down what happened to the heads of a unit, and shows before what will be. */
export function MovementForm({ unit }: { unit: UnitInventory }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const client = useQueryClient();
  const begin: FormState = {
    kind: "transfer",
    category: unit.categories[0]?.category ?? "fattener",
    heads: "",
    targetId: "",
    at: "",
    reason: "",
  };
  const [form, setForm] = useState(begin);
  const [error, setError] = useState<ApiError>();
  const [accepted, setAccepted] = useState(false);
  const [busy, setBusy] = useState(false);
  /** The same for a submit that is sent again because its answer got lost. */
  const key = useRef("");
  const change = (next: Partial<FormState>): void => {
    setForm({ ...form, ...next });
    setError(undefined);
    setAccepted(false);
    key.current = "";
  };

  const { kind, category, targetId } = form;
  const chosen = useInventory(kind === "transfer" && targetId !== "" ? targetId : undefined);
  const target = kind === "transfer" ? chosen.data : undefined;
  const held = unit.categories.find((one) => one.category === category)?.heads ?? 0;
  const typed = headsOf(form.heads);
  const moved = typed === undefined ? 0 : kind === "correction" ? typed - held : kind === "arrival" ? typed : -typed;
  const over = (of: UnitInventory, more: number): number =>
    more > 0 && of.capacity > 0 ? Math.max(0, of.headCount + more - of.capacity) : 0;
  const tooMany = [
    { of: unit, over: over(unit, moved) },
    ...(target ? [{ of: target, over: over(target, -moved) }] : []),
  ].filter((one) => one.over > 0);
  const short = held + moved < 0;

  const submit = async (event: FormEvent): Promise<void> => {
    event.preventDefault();
    if (tooMany.length > 0 && !accepted) {
      setAccepted(true);
      return;
    }
    setBusy(true);
    setError(undefined);
    key.current ||= crypto.randomUUID();
    try {
      await call(inventorySubmit, {
        body: {
          unitId: unit.unitId,
          kind,
          category,
          ...(kind === "correction"
            ? { ...(typed !== undefined && { countedHeads: typed }) }
            : { ...(typed !== undefined && typed > 0 && { heads: typed }) }),
          ...(kind === "transfer" && targetId !== "" && { toUnitId: targetId }),
          ...(form.at !== "" && kind !== "correction" && { happenedAt: shanghaiMoment(form.at) }),
          ...(form.reason.trim() !== "" && { reason: form.reason.trim() }),
          ...(tooMany.length > 0 && { acceptOverCapacity: true }),
        },
        headers: { "Idempotency-Key": key.current },
        quiet: true,
      });
      showToast({ kind: "ok", text: "已登记" });
      key.current = "";
      setForm({ ...begin, kind, category });
      setAccepted(false);
      await Promise.all(
        [inventoryKey, structureKey, ["resource", "unit"]].map((queryKey) => client.invalidateQueries({ queryKey })),
      );
    } catch (reason) {
      setError(asApiError(reason));
    } finally {
      setBusy(false);
    }
  };

  const options = pigCategoryNames.map(([value, name]) => {
    const heads = unit.categories.find((one) => one.category === value)?.heads ?? 0;
    return { value, text: heads > 0 ? t("{name}，{count} 头", { name: t(name), count: number(heads) }) : t(name) };
  });
  const isCount = kind === "correction";
  const line = (name: string, before: number, after: number) => (
    <div key={name}>
      <dt>{name}</dt>
      <dd className="num">
        {number(before)} <span aria-hidden="true">→</span>
        <span className="visually-hidden">{t("变为")}</span> <b>{number(after)}</b>
      </dd>
    </div>
  );
  return (
    <section className={`card ${styles.movement}`} aria-labelledby="movement-title">
      <header>
        <h3 id="movement-title">{t("登记变动")}</h3>
      </header>
      <form onSubmit={(event) => void submit(event)} noValidate>
        <fieldset className={styles.kinds}>
          <legend>{t("是什么")}</legend>
          {movementKinds.map((one) => (
            <label key={one}>
              <input
                className="visually-hidden"
                type="radio"
                name="kind"
                checked={kind === one}
                onChange={() => change({ kind: one })}
              />
              <span>{t(movementNames[one])}</span>
            </label>
          ))}
        </fieldset>
        <div className={styles.two}>
          <div>
            <label htmlFor="movement-category">{t("类别")}</label>
            <Select
              id="movement-category"
              value={category}
              options={options.map((one) => [one.value, one.text] as const)}
              onChange={(chosen) => change({ category: chosen })}
            />
          </div>
          <div>
            <label htmlFor="movement-heads">
              {t(isCount ? "盘点到多少头" : "多少头")}
              <i className="must" aria-hidden="true">
                *
              </i>
            </label>
            <input
              id="movement-heads"
              className="input num"
              inputMode="numeric"
              autoComplete="off"
              aria-required
              aria-describedby="movement-result"
              value={form.heads}
              onChange={(event) => change({ heads: event.target.value })}
            />
          </div>
        </div>
        {kind === "transfer" && (
          <div>
            <label htmlFor="movement-target" id="movement-target-label">
              {t("转到")}
              <i className="must" aria-hidden="true">
                *
              </i>
            </label>
            <ReferenceInput
              id="movement-target"
              name="toUnitId"
              field={targetField}
              value={targetId}
              onChange={(value) => change({ targetId: String(value) })}
              describedBy="movement-result"
              row={undefined}
            />
          </div>
        )}
        {!isCount && (
          <div>
            <label htmlFor="movement-at">{t("何时")}</label>
            <input
              id="movement-at"
              className="input num"
              type="datetime-local"
              value={form.at || inputOf(Date.now())}
              min={inputOf(Date.now() - maxBackdatingDays * 86_400_000)}
              max={inputOf(Date.now())}
              aria-describedby="movement-at-hint"
              onChange={(event) => change({ at: event.target.value })}
            />
            <p className={styles.hint} id="movement-at-hint">
              {t("可以补记 {days} 天内的；晚于它的行会重算", { days: maxBackdatingDays })}
            </p>
          </div>
        )}
        <div>
          <label htmlFor="movement-reason">
            {t("为什么")}
            {isCount && (
              <i className="must" aria-hidden="true">
                *
              </i>
            )}
          </label>
          <input
            id="movement-reason"
            className="input"
            maxLength={100}
            autoComplete="off"
            aria-required={isCount}
            placeholder={t("例如 合栏，均重相近")}
            value={form.reason}
            onChange={(event) => change({ reason: event.target.value })}
          />
        </div>
        <div className={styles.result} id="movement-result" role="status">
          <p>{t("登记后会是")}</p>
          <dl>
            {line(nameOf(unit.unitName), unit.headCount, Math.max(0, unit.headCount + moved))}
            {target && line(nameOf(target.unitName), target.headCount, target.headCount - moved)}
          </dl>
          {short && (
            <p className="state critical">
              <Mark name="critical" />
              {t("这一类现在只有 {count} 头，记不了 {asked} 头", { count: number(held), asked: number(-moved) })}
            </p>
          )}
          {tooMany.map((one) => (
            <p key={one.of.unitId} className="state minor">
              <Mark name="minor" />
              {t("{name}设计存栏 {capacity} 头，会多 {over} 头。再按一次就登记。", {
                name: nameOf(one.of.unitName),
                capacity: number(one.of.capacity),
                over: number(one.over),
              })}
            </p>
          ))}
        </div>
        {error && (
          <p className="prob" role="alert">
            {tellIn(t, error)}
          </p>
        )}
        <footer>
          <Button type="button" onPress={() => change(begin)} isDisabled={busy}>
            {t("清空")}
          </Button>
          <Button kind="primary" type="submit" isDisabled={busy || short}>
            {tooMany.length > 0 && accepted ? t("仍然登记") : t("登记{kind}", { kind: t(movementNames[kind]) })}
          </Button>
        </footer>
      </form>
    </section>
  );
}
