import type { CommissioningUnit } from "@herdwise/contract";
import { commissioningUnitList } from "@herdwise/contract/lists";
import { useQueries } from "@tanstack/react-query";
import { Link } from "react-router";
import { Mark } from "../../shared/icons/mark.tsx";
import { TranslatedPlace } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { Row } from "../../shared/resource/form-values.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { countOf } from "../../shared/resource/resource-api.ts";
import { type UsedList, useList } from "../../shared/resource/use-list.ts";
import styles from "./commissioning.module.css";
import { commissioningPath, unitLooks } from "./words.ts";

const unitOf = (row: Row): CommissioningUnit => row as unknown as CommissioningUnit;

/** What can be done with a unit, by how it stands. */
const ways = { never: "去调试", open: "继续", again: "再调试", signed: "看调试单" } as const;

const cells: Cells = {
  unitName: ({ row }) => (
    <span>
      <TranslatedPlace names={[unitOf(row).houseName, unitOf(row).unitName]} />
    </span>
  ),
  state: function State({ row }) {
    const t = useTranslate();
    const { state, failed } = unitOf(row);
    const { word, mark, tone } = unitLooks[state];
    return (
      <span className={`state ${tone}`}>
        <Mark name={mark} />
        {t(word)}
        {state === "signed" && failed > 0 && ` · ${t("{count} 项没通过", { count: failed })}`}
      </span>
    );
  },
  acts: function Next({ row }) {
    const t = useTranslate();
    return (
      <Link className="btn small" to={addressOf(row)} onClick={(event) => event.stopPropagation()}>
        {t(ways[unitOf(row).state])}
      </Link>
    );
  },
};

/** Where a row leads: to the open list, the signed one, or the unit itself. */
function addressOf(row: Row): string {
  const { id, state, openId, signedId } = unitOf(row);
  const list = state === "open" ? openId : state === "signed" ? signedId : "";
  return list === "" ? `${commissioningPath}?unit=${id}` : `${commissioningPath}?id=${list}`;
}

/** How many of all units are commissioned. */
function Progress({ list }: { list: UsedList }) {
  const t = useTranslate();
  const { number } = useFormats();
  const [all, signed] = useQueries({
    queries: [{}, { state: "signed" }].map((where) => countOf(commissioningUnitList, { keyword: "", where })),
  });
  if (list.items === undefined || !all?.data || signed?.data === undefined) return null;
  const part = signed.data / all.data;
  return (
    <div className={styles.commissioned}>
      <p className="num">
        {t("调试好 {done} 个，共 {all} 个单元", { done: number(signed.data), all: number(all.data) })}
      </p>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect width="100" height="8" />
        <rect width={100 * part} height="8" />
      </svg>
    </div>
  );
}

/** Units with devices, those that are not commissioned first. */
export function UnitList() {
  const list = useList(commissioningUnitList);
  return (
    <ListScreen list={list} cells={cells} linkOf={addressOf} nothing="单元里绑定了设备，就会出现在这里。">
      <Progress list={list} />
    </ListScreen>
  );
}
