import { type Field, isBlank, referenceNameOf, shownNumber } from "@herdwise/contract/resource";
import { Fragment } from "react";
import { Mark } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated, TranslatedLine } from "../language/translated.tsx";
import { useJoin } from "../language/use-join.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import type { Column } from "./columns.ts";
import type { Row } from "./form-values.ts";
import { useRegionNames } from "./regions.ts";
import { useOptions } from "./resource-api.ts";

/** The mark of a value that there is not; where it stands alone, a card leaves its line out. */
export const Nothing = () => (
  <span className="mut" data-nothing="">
    --
  </span>
);

/** Names of chosen values, in the chosen language. */
function OptionNames({ field, values }: { field: Field; values: readonly string[] }) {
  const t = useTranslate();
  const join = useJoin();
  const options = useOptions(field);
  const nameOf = (value: string): string => t(options.find((option) => option.value === value)?.name ?? value);
  return join(values.map(nameOf));
}

/** Names of a province, city and county. */
function RegionName({ code }: { code: string }) {
  const name = useRegionNames()(code);
  return <span title={name}>{name}</span>;
}

/** Readable value of a field. */
export function FieldValue({ field, value, name }: { field: Field; value: unknown; name?: string | undefined }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  if (field.kind === "switch")
    return value === true || value === 1 ? (
      <span className="state ok">
        <Mark name="ok" />
        {t("是")}
      </span>
    ) : (
      <span className="mut">{t("否")}</span>
    );
  if (isBlank(value) || (field.kind === "reference" && value === "0")) return <Nothing />;
  switch (field.kind) {
    case "number": {
      const decimals = field.decimals ?? 0;
      const amount = Number(shownNumber(Number(value), decimals));
      // Scales step by half a kilogram, and most rates are whole; noughts behind them say nothing.
      const told =
        field.unit === "kg" && decimals === 3 && Number.isInteger(amount * 10)
          ? 1
          : field.unit === "%" && Number.isInteger(amount)
            ? 0
            : decimals;
      const figure = number(amount, told);
      return (
        <span className="num">
          {figure}
          {field.unit && ` ${t(field.unit, { count: figure })}`}
        </span>
      );
    }
    case "choice":
      return <OptionNames field={field} values={[String(value)]} />;
    case "choices":
      return <OptionNames field={field} values={Array.isArray(value) ? value.map(String) : []} />;
    case "reference":
      if (!name) return <span className="num">{String(value)}</span>;
      // A name alone may break between its words.
      return / [·/] /.test(name) ? <TranslatedLine text={name} /> : <Translated text={name} />;
    case "date":
      return <span className="num">{String(value).slice(0, 10)}</span>;
    case "moment":
      return <span className="num">{dayTime(parseWireDateTime(String(value)))}</span>;
    default:
      if (name) return <Translated text={name} />;
      if (field.rule === "region") return <RegionName code={String(value)} />;
      // An address breaks after a slash.
      if (field.rule === "link" || field.rule === "path")
        return (
          <span className="num">
            {String(value)
              .split(/(?<=\/)/)
              .map((part, index) => (
                <Fragment key={`${index} ${part}`}>
                  {index > 0 && <wbr />}
                  {part}
                </Fragment>
              ))}
          </span>
        );
      if (field.verbatim) return <span lang="zh">{String(value)}</span>;
      // Names of persons are marked with their language for screen readers; codes are not.
      return (field.rule && field.rule !== "person-name") || field.stored ? (
        <span className="num">{String(value)}</span>
      ) : (
        <Translated text={String(value)} />
      );
  }
}

const textOf = (value: unknown): string => (typeof value === "string" ? value : "");

/** Content of a cell. */
export function Cell({ column, row }: { column: Column; row: Row }) {
  const { dayTime } = useFormats();
  const { id, field } = column;
  // The status has a shape beside the word, so that colour is not the only sign.
  if (id === "status" && field?.kind === "choice") {
    const mark = row.status === "1" || row.status === 1 ? "ok" : "off";
    return (
      <span className={`state ${mark}`}>
        <Mark name={mark} />
        <FieldValue field={field} value={row.status} />
      </span>
    );
  }
  if (field)
    return (
      <FieldValue
        field={field}
        value={row[id]}
        name={textOf(row[field.kind === "reference" ? referenceNameOf(id) : `${id}Name`])}
      />
    );
  const text = textOf(row[id]);
  if (text === "") return <Nothing />;
  if (id.endsWith("Time")) return <span className="num mut">{dayTime(parseWireDateTime(text))}</span>;
  return <Translated text={text} />;
}
