import { type ResourceDeclaration, shownNumber } from "@herdwise/contract/resource";
import { shanghaiDay, shanghaiMidnight } from "@herdwise/contract/shanghai";
import { useQuery } from "@tanstack/react-query";
import { Mark } from "../../shared/icons/mark.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { countOf } from "../../shared/resource/resource-api.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";

const dayMs = 86_400_000;
const periodCells: Cells = {
  firstDay: function Period({ row, value }) {
    const t = useTranslate();
    const first = String(value).slice(0, 10);
    const days = Number(row.days);
    const last = shanghaiDay(shanghaiMidnight(first) + (days - 1) * dayMs);
    const isOver = last < shanghaiDay(Date.now());
    return (
      <span className={isOver ? "num mut" : "num"}>
        {days > 1 ? t("{from} 至 {to}", { from: first, to: last.slice(5) }) : first}
      </span>
    );
  },
};

/** Month from which the arrangement of the next year is known. */
const toldFrom = "11";

/** Says that the days of the next year are missing, once they are known. */
function NextYear({ of }: { of: ResourceDeclaration }) {
  const t = useTranslate();
  const [year = "", month = ""] = shanghaiDay(Date.now()).split("-");
  const next = String(Number(year) + 1);
  const { data } = useQuery({
    ...countOf(of, { keyword: "", where: { firstDay_ge: `${next}-01-01` } }),
    enabled: month >= toldFrom,
  });
  return data === 0 ? (
    <p className="banner" role="status">
      <span className="state minor">
        <Mark name="minor" />
        {t("{year} 年的放假和调休还没有录入", { year: next })}
      </span>
      <span>{t("没有录入时只按法定节假日算期限。公布后新增，或用表格导入。")}</span>
    </p>
  ) : null;
}

/** Holidays and days worked instead, each with its last day. */
export function CalendarScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={periodCells} above={<NextYear of={of} />} />;
}

/** Hours of a day as people read them. */
function Hours({ value }: { value: unknown }) {
  const t = useTranslate();
  const join = useJoin();
  const hours = String(value ?? "");
  if (hours === "") return <span className="mut">{t("休息")}</span>;
  return <span className="num">{join(hours.split(",").map((range) => range.trim().replace("-", "–")))}</span>;
}
const outletCells: Cells = { weekdayHours: Hours, weekendHours: Hours };

/** Service departments with their hours. */
export function OutletScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={outletCells} />;
}

const serviceCells: Cells = {
  price: function Price({ row, value }) {
    const t = useTranslate();
    const language = useLanguage();
    const { number } = useFormats();
    if (value === null || value === undefined || value === "") return <span className="mut">{t("按约定")}</span>;
    if (Number(value) === 0) return <span>{t("免费")}</span>;
    const unit = String((language === "en" && row.priceUnitEn) || row.priceUnit || "");
    return (
      <span className="num">
        {number(Number(shownNumber(Number(value), 2)), 2)}
        {unit !== "" && <span className="mut"> / {unit}</span>}
      </span>
    );
  },
};

/** Services with what they cost, as the public site says it. */
export function ServiceScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={serviceCells} />;
}
