import type { ListDeclaration } from "@herdwise/contract/resource";
import { type ReactNode, useId, useState } from "react";
import { Button as AriaButton } from "react-aria-components/Button";
import { Icon } from "../icons/icon.tsx";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { PopoverButton } from "../kit/popover.tsx";
import { SearchInput } from "../kit/search-input.tsx";
import { widthOfText } from "../kit/text-width.ts";
import { useJoin } from "../language/use-join.ts";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import type { Column } from "./columns.ts";
import {
  type Condition,
  clearing,
  setConditions,
  valuesOf,
  type Where,
  wireNamesOf,
  withoutConditions,
} from "./conditions.ts";
import styles from "./filter-bar.module.css";
import { FilterEditor } from "./filter-editor.tsx";
import type { ListState } from "./list-state.ts";
import { useRegionNames } from "./regions.ts";
import { useOptions, useSelectedNames } from "./resource-api.ts";
import type { ChangeList } from "./use-list-state.ts";

const mostNamed = 3;

/** Text of a condition's value in the chosen language. */
function useConditionText(condition: Condition, where: Where): string {
  const t = useTranslate();
  const join = useJoin();
  const nameOf = useNames();
  const [first = "", second = ""] = wireNamesOf(condition);
  const values = condition.kind === "word" ? [where[first] ?? ""] : valuesOf(where[first]);
  const options = useOptions(condition.field);
  const regionName = useRegionNames();
  const names = useSelectedNames(
    condition.field?.kind === "reference" ? condition.field.to : undefined,
    condition.kind === "reference" ? values : [],
  );
  if (condition.kind === "range" || condition.kind === "days") {
    const field = condition.field?.kind === "number" ? condition.field : undefined;
    const shown = (text: string | undefined): string =>
      !text ? "" : field ? String(Number(text) / 10 ** (field.decimals ?? 0)) : text.slice(0, 10);
    const [from, to] = [shown(where[first]), shown(where[second])];
    if (from !== "" && to !== "") return from === to ? from : t("{from} 至 {to}", { from, to });
    return from !== "" ? t("{from} 起", { from }) : t("到 {to}", { to });
  }
  const named = values.map((value) => {
    if (condition.kind === "switch") return t(value === "true" ? "是" : "否");
    if (condition.kind === "region") return regionName(value);
    if (condition.kind === "reference") return nameOf(names.get(value)?.name ?? "…");
    return condition.kind === "options"
      ? nameOf(options.find((option) => option.value === value)?.name ?? value)
      : value;
  });
  const listed = join(named.slice(0, mostNamed));
  return named.length > mostNamed ? t("{names} 等 {count} 项", { names: listed, count: named.length }) : listed;
}

interface ChipProps {
  condition: Condition;
  where: Where;
  onChange: (change: Where) => void;
  isOpen: boolean;
  onOpenChange: (open: boolean) => void;
}

/** A condition as a chip: it opens the editor, and its cross clears the condition. */
function Chip({ condition, where, onChange, isOpen, onOpenChange }: ChipProps) {
  const t = useTranslate();
  const text = useConditionText(condition, where);
  const label = t(condition.label);
  const isSet = wireNamesOf(condition).some((name) => where[name]);
  return (
    <span className={isSet ? styles.chip : styles.offered}>
      {/* One popover for both cases, so that it stays open while values are ticked. */}
      <PopoverButton
        label={label}
        isOpen={isOpen}
        onOpenChange={onOpenChange}
        button={
          <AriaButton>
            <span>{label}</span>
            {isSet ? <b>{text}</b> : <Icon name="down" small />}
          </AriaButton>
        }
      >
        {(close) => <FilterEditor condition={condition} where={where} onChange={onChange} close={close} />}
      </PopoverButton>
      {isSet && (
        <AriaButton aria-label={t("去掉筛选 {label}", { label })} onPress={() => onChange(clearing(condition))}>
          <Icon name="close" small />
        </AriaButton>
      )}
    </span>
  );
}

/** Menu of the other conditions: first the condition, then its editor. */
function MoreConditions({
  conditions,
  where,
  onChange,
}: {
  conditions: readonly Condition[];
  where: Where;
  onChange: (change: Where) => void;
}) {
  const t = useTranslate();
  const [chosen, setChosen] = useState<Condition>();
  if (conditions.length === 0) return null;
  return (
    <span className={styles.offered}>
      <PopoverButton
        label={t("筛选")}
        onOpenChange={() => setChosen(undefined)}
        button={
          <AriaButton>
            {t("筛选")}
            <Icon name="down" small />
          </AriaButton>
        }
      >
        {(close) =>
          chosen ? (
            <FilterEditor condition={chosen} where={where} onChange={onChange} close={close} />
          ) : (
            <ul className={styles.pick}>
              {conditions.map((condition) => (
                <li key={condition.name}>
                  <AriaButton onPress={() => setChosen(condition)}>{t(condition.label)}</AriaButton>
                </li>
              ))}
            </ul>
          )
        }
      </PopoverButton>
    </span>
  );
}

/** Choice of the order, for views without column headers. */
function SortEditor({ sorts, state, change }: Pick<FilterBarProps, "sorts" | "state" | "change">) {
  const t = useTranslate();
  const id = useId();
  const { sort } = state;
  return (
    <div className={styles.editor}>
      <h3>
        <label htmlFor={id}>{t("排序")}</label>
      </h3>
      <div className={styles.sort}>
        <span className={styles.select}>
          <select
            id={id}
            className="input"
            value={sort?.field ?? ""}
            onChange={({ target }) =>
              change((held) => ({
                sort:
                  target.value === "" ? undefined : { field: target.value, direction: held.sort?.direction ?? "asc" },
              }))
            }
          >
            <option value="">{t("默认顺序")}</option>
            {sorts.map((column) => (
              <option key={column.id} value={column.id}>
                {t(column.label)}
              </option>
            ))}
          </select>
          <Icon name="down" small />
        </span>
        {sort && (
          <Button
            icon={sort.direction === "asc" ? "ascending" : "descending"}
            onPress={() =>
              change((held) => ({
                sort: held.sort && { ...held.sort, direction: held.sort.direction === "asc" ? "desc" : "asc" },
              }))
            }
          >
            {t(sort.direction === "asc" ? "升序" : "降序")}
          </Button>
        )}
      </div>
    </div>
  );
}

/** Page with the order and all conditions, for phones. */
function AllConditions({
  conditions,
  where,
  sorts,
  state,
  change,
  onChange,
  onClose,
}: {
  conditions: readonly Condition[];
  where: Where;
  onChange: (change: Where) => void;
  onClose: () => void;
} & Pick<FilterBarProps, "sorts" | "state" | "change">) {
  const t = useTranslate();
  return (
    <Dialog
      title={t("筛选")}
      onClose={onClose}
      footer={
        <>
          <Button onPress={() => change({ where: withoutConditions(where, conditions) })}>{t("清除全部")}</Button>
          <Button kind="primary" onPress={onClose}>
            {t("完成")}
          </Button>
        </>
      }
    >
      <div className={styles.stack}>
        {sorts.length > 0 && <SortEditor sorts={sorts} state={state} change={change} />}
        {conditions.map((condition) => (
          <FilterEditor key={condition.name} condition={condition} where={where} onChange={onChange} />
        ))}
      </div>
    </Dialog>
  );
}

interface FilterBarProps {
  of: ListDeclaration;
  conditions: readonly Condition[];
  state: ListState;
  change: ChangeList;
  narrow: boolean;
  /** Columns that can be sorted by. */
  sorts: readonly Column[];
  /** Name of the condition whose editor is open; "*" for the page of all conditions. */
  entering: string | undefined;
  onEnter: (name: string | undefined) => void;
  /** Tools for columns and row height. */
  tools: ReactNode;
}

/** Room of the search for the names of what it looks in, px. */
const roomForNames = { phone: 130, wide: 280 } as const;

/** Filter of a list: a keyword, and conditions as chips. */
export function FilterBar(props: FilterBarProps) {
  const { of, conditions, state, change, narrow, sorts, entering, onEnter, tools } = props;
  const t = useTranslate();
  const join = useJoin();
  const { where } = state;
  const onChange = (changed: Where): void => change((held) => ({ where: { ...held.where, ...changed } }));
  const set = setConditions(conditions, where);
  const unset = conditions.filter((condition) => !set.includes(condition));
  /** As many names as have room, so that none is cut in the middle. */
  const namesThatFit = (names: readonly string[], room: number): string => {
    const most = names.findLastIndex((_, at) => widthOfText(join(names.slice(0, at + 1))) <= room) + 1;
    const shown = join(names.slice(0, Math.max(1, most)));
    return most < names.length ? t("{names}等", { names: shown }) : shown;
  };
  const searched = Object.values(of.fields).filter((field) => field.kind === "text" && field.search);
  const label = of.words.search
    ? t(of.words.search)
    : searched.length > 0
      ? namesThatFit(
          searched.map((field) => t(field.label)),
          narrow ? roomForNames.phone : roomForNames.wide,
        )
      : t("查找");
  const chips = conditions.filter(
    (condition) => set.includes(condition) || ((condition.quick || condition.name === entering) && !narrow),
  );
  const chipOf = (condition: Condition) => (
    <Chip
      key={condition.name}
      condition={condition}
      where={where}
      onChange={onChange}
      isOpen={entering === condition.name}
      onOpenChange={(open) => onEnter(open ? condition.name : undefined)}
    />
  );
  const listed = (
    <>
      {(narrow ? chips : chips.slice(0, -1)).map(chipOf)}
      {!narrow && (
        <span className={styles.pair}>
          {chips.slice(-1).map(chipOf)}
          <MoreConditions
            conditions={unset.filter((condition) => !chips.includes(condition))}
            where={where}
            onChange={onChange}
          />
        </span>
      )}
      {(set.length > 0 || state.keyword !== "") && (
        <Button kind="link" onPress={() => change({ where: withoutConditions(where, conditions), keyword: "" })}>
          {t("清除全部")}
        </Button>
      )}
    </>
  );
  return (
    <search className={styles.bar}>
      <div className={styles.row}>
        {(of.words.search !== undefined || searched.length > 0 || !of.page) && (
          <SearchInput
            id="list-search"
            label={label}
            short={of.words.searchShort && t(of.words.searchShort)}
            value={state.keyword}
            onChange={(keyword) => change({ keyword })}
          />
        )}
        {narrow && (conditions.length > 0 || sorts.length > 0) && (
          <Button icon="filter" onPress={() => onEnter("*")}>
            {t("筛选")}
            {set.length > 0 && <span className={styles.count}>{set.length}</span>}
          </Button>
        )}
        {!narrow && listed}
      </div>
      {narrow && (set.length > 0 || state.keyword !== "") && <div className={styles.strip}>{listed}</div>}
      {tools && <div className={styles.tools}>{tools}</div>}
      {entering === "*" && (
        <AllConditions
          conditions={conditions}
          where={where}
          sorts={sorts}
          state={state}
          change={change}
          onChange={onChange}
          onClose={() => onEnter(undefined)}
        />
      )}
    </search>
  );
}
