import { type CommandField, localUnit, type Parameter, type Problem } from "@herdwise/device-kinds";
import { Problem as ProblemLine } from "../../shared/forms/problem.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { ScrollTable } from "../../shared/kit/scroll-table.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useLocalText } from "./kind-view.ts";
import { ColumnInput, useProblemWords, useRangeWords, ValueInput } from "./parameter-input.tsx";
import { sameValue } from "./parameter-values.ts";
import { useParameterText } from "./parameter-words.ts";
import styles from "./parameters.module.css";

type Structure = Extract<Parameter, { type: "structure" }>;
type Row = Readonly<Record<string, unknown>>;

export interface EditorProps<Of extends Parameter = Parameter> {
  parameter: Of;
  value: unknown;
  /** What it was before somebody typed. */
  before: unknown;
  problems: readonly Problem[];
  onChange: (value: unknown) => void;
  disabled: boolean;
}

const rowsOf = (value: unknown): readonly Row[] => (Array.isArray(value) ? (value as Row[]) : []);
const recordOf = (value: unknown): Row => (typeof value === "object" && value !== null ? (value as Row) : {});

/** What a changed value was. */
function Was({
  field,
  before,
  now,
}: {
  field: Pick<CommandField, "unit" | "type" | "choices">;
  before: unknown;
  now: unknown;
}) {
  const t = useTranslate();
  const text = useParameterText();
  return sameValue(before, now) ? null : (
    <span className={styles.was}>{t("原来 {value}", { value: text(field as Parameter, before) })}</span>
  );
}

/** A field with its label, range, what it was and what is wrong with it. */
function LabelledValue({
  id,
  field,
  value,
  before,
  problem,
  onChange,
  disabled,
}: {
  id: string;
  field: CommandField | Exclude<Parameter, Structure>;
  value: unknown;
  before: unknown;
  problem: string | undefined;
  onChange: (value: unknown) => void;
  disabled: boolean;
}) {
  const local = useLocalText();
  const range = useRangeWords();
  const hint = range(field as CommandField);
  return (
    <div className={styles.field} data-changed={!sameValue(before, value) || undefined}>
      <label htmlFor={id}>{local(field.name)}</label>
      <span className={styles.entry}>
        <ValueInput
          id={id}
          field={field}
          value={value}
          onChange={onChange}
          invalid={problem !== undefined}
          describedBy={`${id}-problem ${id}-hint`}
          disabled={disabled}
        />
        {field.unit !== "" && <span className={styles.unit}>{local(localUnit(field.unit))}</span>}
        <Was field={field} before={before} now={value} />
      </span>
      <small id={`${id}-hint`} className={styles.hint}>
        {hint}
        {"sourceNote" in field && field.sourceNote && <span> {local(field.sourceNote)}</span>}
      </small>
      <ProblemLine id={`${id}-problem`} text={problem} />
    </div>
  );
}

/** Next row of a table: it goes on where the last one ends. */
function rowAfter({ key, columns }: Structure, rows: readonly Row[]): Row {
  const last = rows.at(-1);
  const fresh = Object.fromEntries(
    columns.map(({ key: column, type, range, choices }): [string, unknown] => [
      column,
      type === "number" ? (range?.[0] ?? 0) : type === "boolean" ? false : type === "choice" ? choices?.[0]?.value : "",
    ]),
  );
  if (!last) return fresh;
  if (key !== "fan_table")
    return { ...last, ...("on" in last ? { on: last.off, off: "" } : {}), ...("at" in last ? { at: "" } : {}) };
  const up = Number(last.t_up);
  return {
    ...last,
    gear: rows.length + 1,
    t_up: Math.round((up + 0.8) * 10) / 10,
    t_down: Math.round((Number(last.t_down) + 0.8) * 10) / 10,
  };
}

/** A row with a cell entered. The down temperature of a gear keeps its distance from the up temperature. */
function withCell(row: Row, before: Row | undefined, column: string, next: unknown): Row {
  const entered = { ...row, [column]: next };
  if (column !== "t_up" || typeof next !== "number") return entered;
  const held = [row, before].find((one) => typeof one?.t_up === "number" && typeof one.t_down === "number");
  if (!held) return entered;
  return { ...entered, t_down: Math.round((next - Number(held.t_up) + Number(held.t_down)) * 10) / 10 };
}

/** A table of rows, each cell with its own fault; gears keep counting from 1. */
function TableEditor({ parameter, value, before, problems, onChange, disabled }: EditorProps<Structure>) {
  const t = useTranslate();
  const local = useLocalText();
  const words = useProblemWords();
  const { key, columns, maxRows = 1 } = parameter;
  const rows = rowsOf(value);
  const was = rowsOf(before);
  const counted = columns[0]?.key === "gear";
  const write = (next: readonly Row[]): void =>
    onChange(counted ? next.map((row, at) => ({ ...row, gear: at + 1 })) : next);
  const whole = problems.filter(({ path }) => path === "");
  const shown = columns.filter((column) => !(counted && column.key === "gear"));
  return (
    <section className="card" aria-labelledby={`${key}-title`}>
      <header>
        <h2 id={`${key}-title`}>{local(parameter.name)}</h2>
        <span className="age">{t("{count} 行，最多 {max}", { count: rows.length, max: maxRows })}</span>
        <span className="spacer" />
        {!disabled && (
          <Button
            icon="plus"
            small
            isDisabled={rows.length >= maxRows}
            onPress={() => write([...rows, rowAfter(parameter, rows)])}
          >
            {counted ? t("加一档") : t("加一行")}
          </Button>
        )}
      </header>
      {whole.map((problem) => (
        <div key={problem.zh} className={styles.whole}>
          <ProblemLine id={`${key}-problem`} text={words(problem)} />
        </div>
      ))}
      {rows.length === 0 ? (
        <p className="calm">{t("还没有内容。")}</p>
      ) : (
        <ScrollTable label={t("{name}，表", { name: local(parameter.name) })} className={styles.rows}>
          <thead>
            <tr>
              <th scope="col">{counted ? t("档") : t("行")}</th>
              {shown.map((column) => (
                <th key={column.key} scope="col">
                  {local(column.name)} <span className="mut">{local(localUnit(column.unit))}</span>
                </th>
              ))}
              {!disabled && (
                <th scope="col">
                  <span className="visually-hidden">{t("操作")}</span>
                </th>
              )}
            </tr>
          </thead>
          <tbody>
            {rows.map((row, at) => {
              const wrong = problems.filter(({ path }) => path.startsWith(`${at}.`));
              const changed = was[at] !== undefined && !sameValue(was[at], row);
              return (
                // A row is where it stands.
                <tr key={at} data-new={was[at] === undefined || undefined}>
                  <th scope="row">{at + 1}</th>
                  {shown.map((column) => {
                    const problem = wrong.find(({ path }) => path === `${at}.${column.key}`);
                    const id = `${key}-${at}-${column.key}`;
                    return (
                      <td key={column.key} data-type={column.type}>
                        <ColumnInput
                          id={id}
                          column={column.key}
                          field={column}
                          label={t("第 {row} 行 {field}", { row: at + 1, field: local(column.name) })}
                          value={row[column.key]}
                          onChange={(next) =>
                            write(
                              rows.map((held, index) =>
                                index === at ? withCell(held, was[at], column.key, next) : held,
                              ),
                            )
                          }
                          invalid={problem !== undefined}
                          describedBy={`${id}-problem`}
                          disabled={disabled}
                        />
                        {changed && <Was field={column} before={was[at]?.[column.key]} now={row[column.key]} />}
                        <ProblemLine id={`${id}-problem`} text={problem && words(problem)} />
                      </td>
                    );
                  })}
                  {!disabled && (
                    <td>
                      <IconButton
                        icon="trash"
                        small
                        label={t("删除第 {row} 行", { row: at + 1 })}
                        onPress={() => write(rows.filter((_, index) => index !== at))}
                      />
                    </td>
                  )}
                </tr>
              );
            })}
          </tbody>
        </ScrollTable>
      )}
    </section>
  );
}

/** A record: its fields below each other. */
function RecordEditor({ parameter, value, before, problems, onChange, disabled }: EditorProps<Structure>) {
  const local = useLocalText();
  const words = useProblemWords();
  const record = recordOf(value);
  const was = recordOf(before);
  return (
    <section className="card" aria-labelledby={`${parameter.key}-title`}>
      <header>
        <h2 id={`${parameter.key}-title`}>{local(parameter.name)}</h2>
      </header>
      <div className={styles.fields}>
        {parameter.columns.map((column) => {
          const problem = problems.find(({ path }) => path === column.key);
          return (
            <LabelledValue
              key={column.key}
              id={`${parameter.key}-${column.key}`}
              field={column}
              value={record[column.key]}
              before={was[column.key]}
              problem={problem && words(problem)}
              onChange={(next) => onChange({ ...record, [column.key]: next })}
              disabled={disabled}
            />
          );
        })}
      </div>
    </section>
  );
}

/** A plain value. */
export function PlainEditor({
  parameter,
  value,
  before,
  problems,
  onChange,
  disabled,
}: EditorProps<Exclude<Parameter, Structure>>) {
  const words = useProblemWords();
  const [problem] = problems;
  return (
    <LabelledValue
      id={parameter.key}
      field={parameter}
      value={value}
      before={before}
      problem={problem && words(problem)}
      onChange={onChange}
      disabled={disabled}
    />
  );
}

/** A table or a record in a card of its own. */
export function StructureEditor(props: EditorProps<Structure>) {
  return props.parameter.maxRows === undefined ? <RecordEditor {...props} /> : <TableEditor {...props} />;
}
