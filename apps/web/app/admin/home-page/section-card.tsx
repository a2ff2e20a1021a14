import {
  articleCovers,
  type HomeSection,
  type HomeWord,
  hasHomeLink,
  homeSectionNames,
  homeTextField,
  homeWords,
  isHomeFeature,
} from "@herdwise/contract";
import { useState } from "react";
import { MomentField } from "../../shared/forms/date-fields.tsx";
import { SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { IconButton } from "../../shared/kit/button.tsx";
import { Switch } from "../../shared/kit/check-box.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { MachineWords } from "../publishing/machine-words.tsx";
import type { LinkProblems } from "../rich-text/link-problems.ts";
import { HomeBody } from "./home-body.tsx";
import styles from "./home-page.module.css";
import { type WordLanguage, withWord, wordIn } from "./home-sections-text.ts";

interface SectionCardProps {
  section: HomeSection;
  problems: Readonly<Record<string, string>>;
  linkProblems: LinkProblems;
  readOnly: boolean;
  /** While something is done with the page. */
  busy: boolean;
  /** Of a field by its name, as `news.titleEn`: has it translated by a machine, or takes what a machine wrote as it is. */
  onPropose: (field: string) => void;
  onAccept: (field: string) => void;
  isFirst: boolean;
  mayGoUp: boolean;
  mayGoDown: boolean;
  onChange: (section: HomeSection) => void;
  onMove: (by: -1 | 1) => void;
}

/** A section of the home page: whether, when and where it is shown, and its texts in both languages side by side. */
export function SectionCard({
  section,
  problems,
  linkProblems,
  readOnly,
  busy,
  onPropose,
  onAccept,
  isFirst,
  mayGoUp,
  mayGoDown,
  onChange,
  onMove,
}: SectionCardProps) {
  const t = useTranslate();
  const { id } = section;
  const name = t(homeSectionNames[id]);
  const words: readonly HomeWord[] = homeWords[id];
  const problemAt = (field: string): string | undefined => problems[`${id}.${field}`];
  const isUnread = (field: string, language: WordLanguage): boolean =>
    section.words.some((one) => one.name === field && one.unreviewed === language);
  const isWrong = Object.keys(problems).some((field) => field.startsWith(`${id}.`));
  const [isOpen, setIsOpen] = useState(false);
  const word = (
    { name: field, label, lines, max, maxEn, hint, rich, ...standard }: HomeWord,
    language: WordLanguage,
  ) => {
    const key = language === "zh" ? field : `${field}En`;
    const fieldId = `home-${id}-${key}`;
    const other = language === "zh" ? "en" : "zh";
    const attributes = {
      className: "input",
      id: fieldId,
      lang: language === "zh" ? "zh-CN" : "en",
      value: wordIn(section, field, language),
      placeholder: standard[language],
      maxLength: language === "zh" ? max : maxEn,
      readOnly,
      "aria-invalid": problemAt(key) !== undefined,
      "aria-describedby": `${fieldId}-problem`,
      onChange: ({ target }: { target: { value: string } }) =>
        onChange(withWord(section, field, language, target.value)),
    };
    return (
      <div className="form-field" key={key}>
        <label htmlFor={fieldId}>
          {t(label)} <span className="mut">{language === "zh" ? "中文" : "English"}</span>
        </label>
        {rich ? (
          <HomeBody
            id={fieldId}
            label={`${name} ${t(label)} ${language === "zh" ? "中文" : "English"}`}
            lang={language === "zh" ? "zh-CN" : "en"}
            value={attributes.value}
            readOnly={readOnly}
            problem={problemAt(key)}
            linkProblems={linkProblems}
            onChange={(html) => onChange(withWord(section, field, language, html))}
          />
        ) : lines > 1 ? (
          <textarea {...attributes} rows={lines} />
        ) : (
          <input {...attributes} autoComplete="off" />
        )}
        <Problem id={`${fieldId}-problem`} text={problemAt(key)} />
        {!readOnly && (
          <MachineWords
            language={language}
            name={`${name} ${t(label)}`}
            unread={isUnread(field, language)}
            offered={
              wordIn(section, field, language) === "" &&
              wordIn(section, field, other).trim() !== "" &&
              !isUnread(field, other)
            }
            isDisabled={busy}
            onPropose={() => onPropose(homeTextField(id, field, language))}
            onAccept={() => onAccept(homeTextField(id, field, language))}
          />
        )}
        {hint && language === "zh" && <p className="f-hint">{t(hint)}</p>}
      </div>
    );
  };
  const time = (field: "from" | "until", label: string) => (
    <MomentField
      id={`home-${id}-${field}`}
      label={label}
      value={section[field].slice(0, 16)}
      problem={problemAt(field)}
      clearable
      readOnly={readOnly}
      onChange={(value) => onChange({ ...section, [field]: value === "" ? "" : `${value}:00` })}
    />
  );
  return (
    <li className={`card ${styles.section}`} data-hidden={!section.shown || undefined}>
      <header>
        <h2>{name}</h2>
        {(isFirst || readOnly) && (
          <span className={`state ${section.shown ? "ok" : "off"}`}>
            <Mark name={section.shown ? "ok" : "off"} />
            {t(section.shown ? "显示" : "隐藏")}
          </span>
        )}
        <span className="spacer" />
        {!isFirst && !readOnly && (
          <>
            <IconButton
              icon="up"
              small
              label={t("上移：{name}", { name })}
              isDisabled={!mayGoUp}
              onPress={() => onMove(-1)}
            />
            <IconButton
              icon="down"
              small
              label={t("下移：{name}", { name })}
              isDisabled={!mayGoDown}
              onPress={() => onMove(1)}
            />
            <label className="tap">
              <Switch
                checked={section.shown}
                aria-label={t("显示：{name}", { name })}
                onChange={({ target }) => onChange({ ...section, shown: target.checked })}
              />
            </label>
          </>
        )}
      </header>
      {(words.length > 0 || !isFirst) && (
        <details
          className="fold"
          open={isWrong || undefined}
          onToggle={({ currentTarget }) => setIsOpen(currentTarget.open)}
        >
          <summary>
            {section.words.length > 0
              ? t("写了 {count} 处文字", { count: section.words.length })
              : t(isHomeFeature(id) ? "还没有写" : "用标准文字")}
            {section.words.some(({ unreviewed }) => unreviewed !== undefined) && (
              <span className="state minor">
                <Mark name="minor" />
                {t("机器翻译，还没人看过")}
              </span>
            )}
            {(section.from !== "" || section.until !== "") && <span className="mut">{t("按时间显示")}</span>}
          </summary>
          <div className={styles.words}>
            {words
              // Editors of bodies are made when somebody opens their section.
              .filter(({ rich }) => !rich || isOpen)
              .map((one) => (
                <div key={one.name} className={styles.pair}>
                  {word(one, "zh")}
                  {word(one, "en")}
                </div>
              ))}
            {(hasHomeLink(id) || isHomeFeature(id)) && (
              <div className={styles.pair}>
                <TextField
                  id={`home-${id}-link`}
                  label={t("按钮的链接")}
                  autoComplete="off"
                  maxLength={300}
                  disabled={readOnly}
                  value={section.link}
                  problem={problemAt("link")}
                  onChange={(link) => onChange({ ...section, link })}
                />
                {isHomeFeature(id) && (
                  <SelectField
                    id={`home-${id}-cover`}
                    label={t("配图")}
                    value={section.cover}
                    disabled={readOnly}
                    problem={problemAt("cover")}
                    options={[["", "（无）"], ...articleCovers]}
                    onChange={(cover) => onChange({ ...section, cover: cover as HomeSection["cover"] })}
                  />
                )}
              </div>
            )}
            {!isFirst && (
              <div className={styles.pair}>
                {time("from", t("从这时起显示（北京时间，留空为一直）"))}
                {time("until", t("到这时为止（北京时间，留空为一直）"))}
              </div>
            )}
          </div>
        </details>
      )}
    </li>
  );
}
