import { macroRegions, type PriceBreed, priceBreeds, pricedProvinces } from "@herdwise/contract";
import { type ClipboardEvent, type KeyboardEvent, useRef, useState } from "react";
import { Mark } from "../../shared/icons/mark.tsx";
import { pastedCells } from "../../shared/imports/pasted-sheet.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useTranslated } from "../../shared/language/use-translated.ts";
import { Change } from "../../shared/prices/change.tsx";
import { signedPercent, yuan } from "../../shared/prices/price-words.ts";
import { useAreaName } from "../../shared/prices/use-area-name.ts";
import styles from "./desk.module.css";
import { regionMean } from "./region-mean.ts";
import type { DeskCell } from "./use-price-desk.ts";

interface GridProps {
  /** The words of the day and of the one before it. */
  days: readonly [before: string, day: string];
  cells: ReadonlyMap<string, DeskCell>;
  /** On a phone one breed is shown at a time. */
  breed: PriceBreed;
  enabled: boolean;
  onType: (key: string, text: string | undefined) => void;
  onCorrect: (cell: DeskCell) => void;
}

const order = pricedProvinces.map(({ code }) => code);

/** How a cell stands against the price before. */
function Difference({ cell }: { cell: DeskCell }) {
  const t = useTranslate();
  const { typed, shownFen, beforeFen, state, changed, outlier } = cell;
  const { text: returnReason } = useTranslated(cell.returnReason);
  if (typed?.kind === "wrong")
    return (
      <span className="state critical">
        <Mark name="critical" />
        {t("超范围")}
      </span>
    );
  if (shownFen === undefined) return <span className="mut">{t("未录")}</span>;
  const waits = changed ? outlier : state === "waiting";
  if (waits)
    return (
      <span className="state minor">
        <Mark name="minor" />
        {beforeFen === undefined ? t("待复核") : signedPercent(shownFen, beforeFen, 1)}
      </span>
    );
  if (state === "returned" && !changed)
    return (
      <span className="state critical" title={returnReason}>
        <Mark name="critical" />
        {t("退回")}
      </span>
    );
  if (cell.confirmedBy !== "" && beforeFen !== undefined)
    return (
      <span className="state ok">
        <Mark name="ok" />
        {signedPercent(shownFen, beforeFen, 1)}
      </span>
    );
  return <Change now={shownFen} before={beforeFen} />;
}

function Entry({
  cell,
  enabled,
  label,
  onType,
  onCorrect,
}: {
  cell: DeskCell;
  enabled: boolean;
  label: string;
  onType: GridProps["onType"];
  onCorrect: GridProps["onCorrect"];
}) {
  const t = useTranslate();
  const { key, state, text, fen, typed, changed, outlier } = cell;
  const tone =
    typed?.kind === "wrong" || (state === "returned" && !changed)
      ? styles.wrong
      : (changed ? outlier : state === "waiting")
        ? styles.waits
        : changed
          ? styles.changed
          : "";
  if (state === "published")
    return (
      <td className={`${styles.entry} ${styles.published}`} data-of={cell.breed}>
        <button
          type="button"
          className="plain"
          disabled={!enabled}
          aria-label={t("更正 {cell}", { cell: label })}
          onClick={() => onCorrect(cell)}
        >
          {fen === undefined ? "—" : yuan(fen)}
        </button>
      </td>
    );
  return (
    <td className={`${styles.entry} ${tone}`} data-of={cell.breed}>
      <input
        inputMode="decimal"
        autoComplete="off"
        placeholder=" "
        aria-label={label}
        aria-invalid={typed?.kind === "wrong"}
        data-cell={key}
        disabled={!enabled}
        value={text ?? (fen === undefined ? "" : yuan(fen))}
        onFocus={({ target }) => target.select()}
        onChange={({ target }) => onType(key, target.value)}
        onBlur={() => {
          // What reads as a price is written as one; what equals the saved one is no change.
          if (typed?.kind === "price") onType(key, typed.fen === fen ? undefined : yuan(typed.fen));
          else if (typed?.kind === "empty" && fen === undefined) onType(key, undefined);
        }}
      />
    </td>
  );
}

/** The prices of a day as a sheet: a row for each province, for each breed the price before, today's and the change. */
export function PriceGrid({ days: [before, day], cells, breed, enabled, onType, onCorrect }: GridProps) {
  const t = useTranslate();
  const nameOf = useAreaName();
  const personOf = useNames();
  const table = useRef<HTMLTableElement>(null);
  const [focused, setFocused] = useState<string>();
  const focus = (key: string): void =>
    table.current?.querySelector<HTMLInputElement>(`input[data-cell="${key}"]`)?.focus();

  /** The next cell of the same breed that can be typed into. */
  const step = (key: string, by: 1 | -1): void => {
    const [code = "", of = ""] = key.split(".");
    for (let at = order.indexOf(code) + by; at >= 0 && at < order.length; at += by) {
      const next = `${order[at]}.${of}`;
      if (cells.get(next)?.state !== "published") {
        focus(next);
        return;
      }
    }
  };
  const onKeyDown = (event: KeyboardEvent<HTMLTableElement>): void => {
    const key = event.target instanceof HTMLInputElement ? event.target.dataset.cell : undefined;
    if (key === undefined) return;
    if (event.key === "Enter" || event.key === "ArrowDown" || event.key === "ArrowUp") {
      event.preventDefault();
      step(key, event.key === "ArrowUp" || (event.key === "Enter" && event.shiftKey) ? -1 : 1);
    }
  };
  /** A block that was copied out of a sheet goes over the cells from here on, right and down. */
  const onPaste = (event: ClipboardEvent<HTMLTableElement>): void => {
    const key = event.target instanceof HTMLInputElement ? event.target.dataset.cell : undefined;
    const rows = pastedCells(event.clipboardData.getData("text/plain"));
    if (key === undefined || (rows.length <= 1 && (rows[0]?.length ?? 0) <= 1)) return;
    event.preventDefault();
    const [code = "", of = ""] = key.split(".");
    const firstBreed = priceBreeds.findIndex(([known]) => known === of);
    for (const [down, row] of rows.entries())
      for (const [right, text] of row.entries()) {
        const target = `${order[order.indexOf(code) + down]}.${priceBreeds[firstBreed + right]?.[0]}`;
        const cell = cells.get(target);
        if (cell && cell.state !== "published" && text.trim() !== "") onType(target, text.trim());
      }
  };
  const held = focused === undefined ? undefined : cells.get(focused);
  const neighbours =
    held === undefined
      ? []
      : pricedProvinces
          .filter(
            ({ code, macro }) =>
              code !== held.regionCode && macro === pricedProvinces.find((one) => one.code === held.regionCode)?.macro,
          )
          .flatMap(({ code }) => {
            const cell = cells.get(`${code}.${held.breed}`);
            return cell?.shownFen !== undefined && cell.beforeFen !== undefined
              ? [{ code, change: signedPercent(cell.shownFen, cell.beforeFen, 1) }]
              : [];
          })
          .slice(0, 2);
  return (
    <>
      <p className={styles.facts}>
        {held === undefined ? (
          <span>{t("选一格开始录入")}</span>
        ) : (
          <>
            <b>
              {nameOf(held.regionCode)} {t(priceBreeds.find(([known]) => known === held.breed)?.[1] ?? "")}
            </b>
            {held.beforeFen !== undefined && <span>{t("上一个价 {price}", { price: yuan(held.beforeFen) })}</span>}
            {neighbours.map(({ code, change }) => (
              <span key={code}>{t("邻省{area} {change}", { area: nameOf(code), change })}</span>
            ))}
            {held.enteredBy !== "" && <span>{t("{name}录入", { name: personOf(held.enteredBy) })}</span>}
            {held.returnReason !== "" && (
              <span>
                {t("退回：")}
                <Translated text={held.returnReason} />
              </span>
            )}
          </>
        )}
      </p>
      {/* Keys and pastes of the inputs inside are handled in one place. */}
      <table
        ref={table}
        className={styles.grid}
        data-breed={breed}
        onKeyDown={onKeyDown}
        onPaste={onPaste}
        onFocus={({ target }) => setFocused((target as HTMLElement).dataset.cell ?? focused)}
      >
        <thead>
          <tr className={styles.groups}>
            <th scope="col">
              <span className="visually-hidden">{t("省份")}</span>
            </th>
            {priceBreeds.map(([one, name]) => (
              <th key={one} colSpan={3} scope="colgroup" data-of={one}>
                {t(name)} <small>{t("元/kg")}</small>
              </th>
            ))}
          </tr>
          <tr>
            <th scope="col">{t("省")}</th>
            {priceBreeds.map(([one]) => [
              <th key={`${one} before`} scope="col" data-of={one}>
                {before}
              </th>,
              <th key={`${one} now`} scope="col" data-of={one}>
                {day}
              </th>,
              <th key={`${one} change`} scope="col" data-of={one}>
                {t("涨跌")}
              </th>,
            ])}
          </tr>
        </thead>
        {macroRegions.map(([macro]) => {
          const codes = pricedProvinces.filter((province) => province.macro === macro).map(({ code }) => code);
          return (
            <tbody key={macro}>
              <tr className={styles.region}>
                <th scope="row">{nameOf(macro)}</th>
                {priceBreeds.map(([one]) => {
                  const { before, now, change } = regionMean(
                    codes.flatMap((code) => cells.get(`${code}.${one}`) ?? []),
                  );
                  return [
                    <td key={`${one} before`} data-of={one}>
                      {before === undefined ? "—" : yuan(before)}
                    </td>,
                    <td key={`${one} now`} data-of={one}>
                      {now === undefined ? "—" : yuan(now)}
                    </td>,
                    <td key={`${one} change`} data-of={one}>
                      <Change now={change} before={0} />
                    </td>,
                  ];
                })}
              </tr>
              {codes.map((code) => (
                <tr key={code}>
                  <th scope="row">{nameOf(code)}</th>
                  {priceBreeds.map(([one, name]) => {
                    const cell = cells.get(`${code}.${one}`);
                    if (cell === undefined) return null;
                    return [
                      <td key={`${one} before`} className={styles.before} data-of={one}>
                        {cell.beforeFen === undefined ? "—" : yuan(cell.beforeFen)}
                      </td>,
                      <Entry
                        key={`${one} now`}
                        cell={cell}
                        enabled={enabled}
                        label={`${nameOf(code)} ${t(name)}`}
                        onType={onType}
                        onCorrect={onCorrect}
                      />,
                      <td key={`${one} change`} className={styles.difference} data-of={one}>
                        <Difference cell={cell} />
                      </td>,
                    ];
                  })}
                </tr>
              ))}
            </tbody>
          );
        })}
      </table>
      <p className={styles.keys}>
        <span>
          <kbd>Enter</kbd> {t("下一省")}
        </span>
        <span>
          <kbd>Tab</kbd> {t("下一猪种")}
        </span>
        <span>
          <kbd>=</kbd> {t("同昨日")}
        </span>
        <span>
          <kbd>+</kbd> <kbd>-</kbd> {t("接数字，按昨日加减")}
        </span>
        <span>
          <kbd>Ctrl V</kbd> {t("整块粘贴")}
        </span>
      </p>
    </>
  );
}
