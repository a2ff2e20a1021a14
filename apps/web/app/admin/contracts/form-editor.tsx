import {
  type ContractClause,
  type ContractField,
  type ContractForm,
  clauseNumber,
  contractFieldTypes,
} from "@herdwise/contract/contract-text";
import { useId, useState } from "react";
import { contractStyles as styles } from "../../shared/contracts/contract-parts.tsx";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";

const typeWords: Readonly<Record<ContractField["type"], string>> = {
  text: "文字",
  money: "金额",
  date: "日期",
  party: "当事人",
  number: "数字",
  choice: "选项",
};
const roleWords = { "": "没有", amount: "合同金额", from: "开始日期", until: "结束日期" } as const;
const mostClauses = 60;
const mostFields = 40;

const replaced = <Item,>(list: readonly Item[], index: number, item: Item): Item[] =>
  list.map((held, at) => (at === index ? item : held));
const moved = <Item,>(list: readonly Item[], index: number, by: number): Item[] => {
  const next = [...list];
  const [item] = next.splice(index, 1);
  if (item !== undefined) next.splice(index + by, 0, item);
  return next;
};
const without = <Item,>(list: readonly Item[], index: number): Item[] => list.filter((_, at) => at !== index);

/** Several lines with their label. */
function Lines({
  label,
  value,
  onChange,
  max,
}: {
  label: string;
  value: string;
  onChange: (value: string) => void;
  max: number;
}) {
  const id = useId();
  return (
    <div className="form-field">
      <Label id={id} label={label} />
      <textarea
        id={id}
        className="input"
        rows={3}
        maxLength={max}
        value={value}
        onChange={(event) => onChange(event.target.value)}
      />
    </div>
  );
}

function ClauseEditor({
  clause,
  index,
  count,
  onChange,
  onMove,
  onRemove,
}: {
  clause: ContractClause;
  index: number;
  count: number;
  onChange: (clause: ContractClause) => void;
  onMove: (by: number) => void;
  onRemove: () => void;
}) {
  const t = useTranslate();
  const set = (part: Partial<ContractClause>): void => onChange({ ...clause, ...part });
  const language = useLanguage();
  const number = language === "en" ? index + 1 : clauseNumber(index, "zh").replace("、", "");
  // Most clauses are left as they are; a new one has no words yet.
  const [open, setOpen] = useState(index === 0 || clause.heading === "");
  const inEnglish = language === "en" && clause.headingEn !== "";
  const [heading, body] = inEnglish ? [clause.headingEn, clause.bodyEn] : [clause.heading, clause.body];
  const written = inEnglish || heading === "" ? {} : { lang: "zh" };
  return (
    <fieldset className={styles.block}>
      <legend>{t("第{number}条", { number })}</legend>
      <div className={styles.blockBar}>
        <IconButton small icon="up" label={t("往上移")} isDisabled={index === 0} onPress={() => onMove(-1)} />
        <IconButton small icon="down" label={t("往下移")} isDisabled={index === count - 1} onPress={() => onMove(1)} />
        <IconButton small icon="trash" label={t("删去这一条")} isDisabled={count === 1} onPress={onRemove} />
      </div>
      <button type="button" className={styles.folded} aria-expanded={open} onClick={() => setOpen(!open)}>
        <Icon name={open ? "up" : "down"} small />
        <b {...written}>{heading || t("第{number}条", { number })}</b>
        {!open && <span {...written}>{body}</span>}
      </button>
      {open && (
        <>
          <div className={styles.columns}>
            <TextField
              id={`clause-${index}-heading`}
              label={t("标题")}
              required
              autoComplete="off"
              maxLength={60}
              value={clause.heading}
              onChange={(heading) => set({ heading })}
            />
            <TextField
              id={`clause-${index}-heading-en`}
              label={t("英文标题")}
              autoComplete="off"
              maxLength={120}
              value={clause.headingEn}
              onChange={(headingEn) => set({ headingEn })}
            />
          </div>
          <div className={styles.columns}>
            <Lines label={t("正文，一行一段")} max={4000} value={clause.body} onChange={(body) => set({ body })} />
            <Lines label={t("英文正文")} max={8000} value={clause.bodyEn} onChange={(bodyEn) => set({ bodyEn })} />
          </div>
        </>
      )}
    </fieldset>
  );
}

function FieldEditor({
  field,
  index,
  onChange,
  onRemove,
}: {
  field: ContractField;
  index: number;
  onChange: (field: ContractField) => void;
  onRemove: () => void;
}) {
  const t = useTranslate();
  const language = useLanguage();
  const set = (part: Partial<ContractField>): void => onChange({ ...field, ...part });
  const roles =
    field.type === "money"
      ? (["", "amount"] as const)
      : field.type === "date"
        ? (["", "from", "until"] as const)
        : ([""] as const);
  const id = (part: string): string => `field-${index}-${part}`;
  const problem = /^[a-z][a-z0-9_]*$/.test(field.key) ? undefined : t("小写字母开头，只有小写字母、数字和下划线");
  return (
    <fieldset className={styles.block}>
      <legend>{(language === "en" && field.nameEn) || field.name || field.key}</legend>
      <div className={styles.blockBar}>
        <IconButton small icon="trash" label={t("删去这个字段")} onPress={onRemove} />
      </div>
      <div className={styles.columns}>
        <TextField
          id={id("name")}
          label={t("名称")}
          required
          autoComplete="off"
          maxLength={40}
          value={field.name}
          onChange={(name) => set({ name })}
        />
        <TextField
          id={id("name-en")}
          label={t("英文名称")}
          autoComplete="off"
          maxLength={80}
          value={field.nameEn}
          onChange={(nameEn) => set({ nameEn })}
        />
      </div>
      <div className={styles.fieldParts}>
        <div className="form-field">
          <Label id={id("key")} label={t("代号")} required />
          <input
            id={id("key")}
            className={`input ${styles.key}`}
            aria-required
            aria-invalid={problem !== undefined}
            aria-describedby={id("problem")}
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            maxLength={30}
            value={field.key}
            onChange={(event) => set({ key: event.target.value })}
          />
        </div>
        <SelectField
          id={id("type")}
          label={t("类型")}
          value={field.type}
          options={contractFieldTypes.map((type) => [type, t(typeWords[type])] as const)}
          onChange={(type) => set({ type: type as ContractField["type"], role: "" })}
        />
        {roles.length > 1 && (
          <SelectField
            id={id("role")}
            label={t("用途")}
            value={field.role}
            options={roles.map((role) => [role, t(roleWords[role])] as const)}
            onChange={(role) => set({ role: role as ContractField["role"] })}
          />
        )}
        <label className={styles.tick}>
          <CheckBox checked={field.required} onChange={(event) => set({ required: event.target.checked })} />
          {t("必填")}
        </label>
      </div>
      <Problem id={id("problem")} text={problem} />
      {field.type === "choice" && (
        <Lines
          label={t("选项，一行一个：中文 | 英文")}
          max={4000}
          value={field.options.map(({ zh, en }) => (en === "" ? zh : `${zh} | ${en}`)).join("\n")}
          onChange={(text) =>
            set({
              options: text
                .split("\n")
                .slice(0, 20)
                .map((line) => {
                  const [zh = "", en = ""] = line.split("|");
                  return { zh: zh.trimStart(), en: en.trim() };
                }),
            })
          }
        />
      )}
    </fieldset>
  );
}

/** What may stand in the words, and what takes its place. */
function Places({ fields }: { fields: readonly ContractField[] }) {
  const t = useTranslate();
  const language = useLanguage();
  const places: readonly (readonly [key: string, name: string])[] = [
    ["customer", t("客户的名称")],
    ["group", t("集团的名称")],
    ...fields.map(({ key, name, nameEn }) => [key, (language === "en" && nameEn) || name] as const),
  ];
  return (
    <div className={styles.note}>
      <p>{t("正文里的代号，起草时换成：")}</p>
      <dl className={styles.places}>
        {places.map(([key, name], index) => (
          // A key is typed, so that two may be alike for a while.
          <div key={`${index} ${key}`}>
            <dt>{`{{${key}}}`}</dt>
            <dd>{name}</dd>
          </div>
        ))}
      </dl>
    </div>
  );
}

/** The first free key of a new field. */
const freeKey = (fields: readonly ContractField[]): string => {
  for (let at = 1; ; at += 1) if (!fields.some(({ key }) => key === `field_${at}`)) return `field_${at}`;
};

/** The words of a template or of a contract: title, fields, numbered clauses. @param wordsOnly leaves the fields as they are */
export function FormEditor({
  form,
  onChange,
  wordsOnly = false,
}: {
  form: ContractForm;
  onChange: (form: ContractForm) => void;
  wordsOnly?: boolean;
}) {
  const t = useTranslate();
  const { fields, clauses } = form;
  return (
    <>
      <div className={styles.columns}>
        <TextField
          id="form-title"
          label={t("合同名称")}
          required
          autoComplete="off"
          maxLength={60}
          value={form.title}
          onChange={(title) => onChange({ ...form, title })}
        />
        <TextField
          id="form-title-en"
          label={t("英文名称")}
          autoComplete="off"
          maxLength={120}
          value={form.titleEn}
          onChange={(titleEn) => onChange({ ...form, titleEn })}
        />
      </div>
      <h2>{t("条款")}</h2>
      <Places fields={fields} />
      {clauses.map((clause, index) => (
        <ClauseEditor
          // Clauses are numbered by their place.
          key={`clause-${index}`}
          clause={clause}
          index={index}
          count={clauses.length}
          onChange={(next) => onChange({ ...form, clauses: replaced(clauses, index, next) })}
          onMove={(by) => onChange({ ...form, clauses: moved(clauses, index, by) })}
          onRemove={() => onChange({ ...form, clauses: without(clauses, index) })}
        />
      ))}
      <Button
        icon="plus"
        isDisabled={clauses.length >= mostClauses}
        onPress={() =>
          onChange({ ...form, clauses: [...clauses, { heading: "", headingEn: "", body: "", bodyEn: "" }] })
        }
      >
        {t("加一条")}
      </Button>
      {!wordsOnly && (
        <>
          <h2>{t("要填的内容")}</h2>
          <p className={styles.hint}>{t("正文里双花括号中的代号，起草时换成这里的值。")}</p>
          {fields.map((field, index) => (
            <FieldEditor
              // A field's place is all that stays while its key is typed.
              key={`field-${index}`}
              field={field}
              index={index}
              onChange={(next) => onChange({ ...form, fields: replaced(fields, index, next) })}
              onRemove={() => onChange({ ...form, fields: without(fields, index) })}
            />
          ))}
          <Button
            icon="plus"
            isDisabled={fields.length >= mostFields}
            onPress={() =>
              onChange({
                ...form,
                fields: [
                  ...fields,
                  { key: freeKey(fields), type: "text", role: "", required: true, name: "", nameEn: "", options: [] },
                ],
              })
            }
          >
            {t("加一个字段")}
          </Button>
        </>
      )}
    </>
  );
}
