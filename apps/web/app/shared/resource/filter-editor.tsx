import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useId, useState } from "react";
import { Button } from "../kit/button.tsx";
import { CheckBox } from "../kit/check-box.tsx";
import { SearchInput } from "../kit/search-input.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { type Condition, clearing, valuesOf, type Where, wireNamesOf } from "./conditions.ts";
import styles from "./filter-bar.module.css";
import { type Choosable, selectRows, useOptions, useSelectedNames } from "./resource-api.ts";

const RegionEditor = lazy(async () => ({ default: (await import("./region-editor.tsx")).RegionEditor }));
const DayRange = lazy(async () => ({ default: (await import("../kit/day-range.tsx")).DayRange }));

interface EditorProps {
  condition: Condition;
  where: Where;
  /** Called with changed conditions; "" clears one. */
  onChange: (change: Where) => void;
  /** Closes the surrounding popover; undefined on the page of conditions. */
  close?: () => void;
}

const searchFrom = 9;

function Ticks({
  options,
  chosen,
  onChange,
}: {
  options: readonly Choosable[];
  chosen: readonly string[];
  onChange: (values: string[]) => void;
}) {
  return (
    <ul className={styles.ticks}>
      {options.map(({ value, name, path }) => (
        <li key={value}>
          <label>
            <CheckBox
              checked={chosen.includes(value)}
              onChange={(event) =>
                onChange(event.target.checked ? [...chosen, value] : chosen.filter((held) => held !== value))
              }
            />
            <span>
              <Translated text={name} />
              {path && (
                <small>
                  <Translated text={path} />
                </small>
              )}
            </span>
          </label>
        </li>
      ))}
    </ul>
  );
}

function OptionsEditor({ condition, where, onChange }: EditorProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const [word, setWord] = useState("");
  const listed = useOptions(condition.field);
  const options =
    condition.kind === "switch"
      ? [
          { value: "true", name: "是" },
          { value: "false", name: "否" },
        ]
      : listed;
  const found = options.filter(({ name }) => `${name} ${nameOf(name)}`.toLowerCase().includes(word.toLowerCase()));
  const chosen = valuesOf(where[condition.name]);
  return (
    <>
      {options.length >= searchFrom && <SearchInput label={t("查找")} value={word} onChange={setWord} />}
      <Ticks
        options={found}
        chosen={chosen}
        onChange={(values) => {
          // Choosing both on and off is the same as no condition.
          const single = condition.kind === "switch" || (condition.field?.kind === "choice" && condition.field.single);
          const kept = single ? values.slice(-1) : values;
          onChange({ [condition.name]: kept.join(",") });
        }}
      />
    </>
  );
}

function ReferenceEditor({ condition, where, onChange }: EditorProps) {
  const t = useTranslate();
  const [word, setWord] = useState("");
  const to = condition.field?.kind === "reference" ? condition.field.to : "";
  const chosen = valuesOf(where[condition.name]);
  const held = useSelectedNames(to, chosen);
  const { data = [], isFetching } = useQuery({
    queryKey: ["resource", to, "select", word],
    queryFn: ({ signal }) => selectRows(to, word === "" ? {} : { keyword: word }, signal),
    placeholderData: keepPreviousData,
  });
  const first = chosen.flatMap((value) => held.get(value) ?? []);
  const options = [...first, ...data.filter(({ value }) => !chosen.includes(value))];
  return (
    <>
      <SearchInput label={t("查找{label}", { label: t(condition.label) })} value={word} onChange={setWord} />
      <Ticks
        options={options}
        chosen={chosen}
        onChange={(values) => onChange({ [condition.name]: values.join(",") })}
      />
      {options.length === 0 && !isFetching && <p className={styles.note}>{t("没有找到")}</p>}
    </>
  );
}

/** Typed input takes effect when it is submitted; on the page of conditions, which is closed as a whole, on blur. */
function TypedEditor({
  children,
  problem,
  apply,
  close,
}: {
  children: ReactNode;
  /** In the chosen language. */
  problem?: string | undefined;
  apply: () => void;
  close: (() => void) | undefined;
}) {
  const t = useTranslate();
  return (
    <form
      className={styles.range}
      onBlur={close || problem ? undefined : apply}
      onSubmit={(event) => {
        event.preventDefault();
        if (problem) return;
        apply();
        close?.();
      }}
    >
      {children}
      {problem && (
        <p className="prob" role="alert">
          {problem}
        </p>
      )}
      {close && (
        <Button kind="primary" small type="submit" isDisabled={problem !== undefined}>
          {t("确定")}
        </Button>
      )}
    </form>
  );
}

function RangeEditor({ condition, where, onChange, close }: EditorProps) {
  const t = useTranslate();
  const id = useId();
  const [from = "", to = ""] = wireNamesOf(condition);
  const field = condition.field?.kind === "number" ? condition.field : undefined;
  const scale = 10 ** (field?.decimals ?? 0);
  const shown = (text: string | undefined): string => (text ? String(Number(text) / scale) : "");
  const [ends, setEnds] = useState({ from: shown(where[from]), to: shown(where[to]) });
  const stored = (text: string): string => (text.trim() === "" ? "" : String(Math.round(Number(text) * scale)));
  const wrong = [ends.from, ends.to].some((text) => Number.isNaN(Number(text)))
    ? t("请输入数字")
    : ends.from.trim() !== "" && ends.to.trim() !== "" && Number(ends.from) > Number(ends.to)
      ? t("不少于的要比不多于的小")
      : undefined;
  return (
    <TypedEditor
      close={close}
      problem={wrong}
      apply={() => onChange({ [from]: stored(ends.from), [to]: stored(ends.to) })}
    >
      {(["from", "to"] as const).map((end) => (
        <label key={end} htmlFor={`${id}-${end}`}>
          {t(end === "from" ? "不少于" : "不多于")}
          <input
            id={`${id}-${end}`}
            className="input"
            inputMode="decimal"
            aria-invalid={wrong !== undefined}
            value={ends[end]}
            onChange={(event) => setEnds((now) => ({ ...now, [end]: event.target.value }))}
          />
        </label>
      ))}
      {field?.unit && <span className={styles.note}>{t(field.unit)}</span>}
    </TypedEditor>
  );
}

function WordEditor({ condition, where, onChange, close }: EditorProps) {
  const t = useTranslate();
  const id = useId();
  const [word, setWord] = useState(where[condition.name] ?? "");
  return (
    <TypedEditor close={close} apply={() => onChange({ [condition.name]: word.trim() })}>
      <label htmlFor={id}>
        {t("包含")}
        <input
          id={id}
          className="input"
          maxLength={64}
          value={word}
          onChange={(event) => setWord(event.target.value)}
        />
      </label>
    </TypedEditor>
  );
}

function RegionsEditor({ condition, where, onChange }: EditorProps) {
  return (
    <Suspense>
      <RegionEditor
        chosen={valuesOf(where[condition.name])}
        onChange={(codes) => onChange({ [condition.name]: codes.join(",") })}
      />
    </Suspense>
  );
}

function DaysEditor({ condition, where, onChange, close }: EditorProps) {
  const [from = "", to = ""] = wireNamesOf(condition);
  const timed = condition.field === undefined;
  return (
    <Suspense>
      <DayRange
        from={(where[from] ?? "").slice(0, 10)}
        to={(where[to] ?? "").slice(0, 10)}
        onChange={(begin, end) => {
          onChange({
            [from]: begin && (timed ? `${begin} 00:00:00` : begin),
            [to]: end && (timed ? `${end} 23:59:59` : end),
          });
          close?.();
        }}
      />
    </Suspense>
  );
}

const editors = {
  options: OptionsEditor,
  switch: OptionsEditor,
  reference: ReferenceEditor,
  range: RangeEditor,
  word: WordEditor,
  region: RegionsEditor,
  days: DaysEditor,
} as const;

const typed: ReadonlySet<Condition["kind"]> = new Set(["word", "range"]);

/** Editor of a condition; choices take effect at once, typed input when it is submitted. */
export function FilterEditor(props: EditorProps) {
  const t = useTranslate();
  const { condition, where, onChange, close } = props;
  const Editor = editors[condition.kind];
  const isSet = wireNamesOf(condition).some((name) => where[name]);
  return (
    <div className={styles.editor}>
      <h3>{t(condition.label)}</h3>
      {/* The key resets typed input when the condition is cleared elsewhere. */}
      <Editor
        key={
          typed.has(condition.kind)
            ? wireNamesOf(condition)
                .map((name) => where[name])
                .join()
            : ""
        }
        {...props}
      />
      {isSet && (
        <Button
          kind="link"
          onPress={() => {
            onChange(clearing(condition));
            close?.();
          }}
        >
          {t("清除")}
        </Button>
      )}
    </div>
  );
}
