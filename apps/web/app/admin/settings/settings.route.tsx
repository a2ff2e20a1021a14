import { type SettingState, settingStates, settingSubmit } from "@herdwise/contract";
import {
  contrastIn,
  leastContrast,
  nearestReadable,
  type SettingDeclaration,
  type SettingKey,
  type SettingSection,
  settingList,
  settingSections,
  settingSectionWords,
  triedServices,
} from "@herdwise/contract/setting-declarations";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useEffect, useState } from "react";
import { useBlocker } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { PasswordField, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { LogoFields } from "./logo-fields.tsx";
import styles from "./settings.module.css";
import { TryDialog } from "./try-dialog.tsx";

const queryKey = ["installation settings"];
const isTried = (section: SettingSection): section is (typeof triedServices)[number] =>
  (triedServices as readonly string[]).includes(section);

interface FieldProps {
  of: SettingDeclaration & { key: SettingKey };
  state: SettingState;
  /** What is typed; undefined while it is as it was. */
  typed: string | undefined;
  problem: string | undefined;
  readOnly: boolean;
  onChange: (value: string | undefined) => void;
}

/** A colour beside its text, with the contrast that it has. */
function ColourField({
  of,
  value,
  onChange,
  ...field
}: Omit<FieldProps, "state" | "typed" | "readOnly" | "onChange"> & {
  value: string;
  disabled: boolean;
  hint: string | undefined;
  label: string;
  onChange: (value: string) => void;
}) {
  const t = useTranslate();
  const { number } = useFormats();
  const isColour = /^#[0-9a-f]{6}$/i.test(value);
  const contrast = isColour && of.theme !== undefined ? contrastIn(of.theme, value.toLowerCase()) : undefined;
  const nearest =
    contrast !== undefined && contrast < leastContrast && of.theme !== undefined
      ? nearestReadable(of.theme, value.toLowerCase())
      : undefined;
  const measured =
    contrast === undefined
      ? undefined
      : contrast < leastContrast
        ? t("对比度 {contrast}，看不清", { contrast: number(Math.floor(contrast * 10) / 10, 1) })
        : t("对比度 {contrast}", { contrast: number(Math.floor(contrast * 10) / 10, 1) });
  return (
    <TextField
      {...field}
      id={of.key}
      value={value}
      autoComplete="off"
      maxLength={7}
      aside={
        measured && (
          <span className="mut num">
            {measured}
            {nearest !== undefined && !field.disabled && (
              <Button kind="link" small onPress={() => onChange(nearest)}>
                {t("改用 {colour}", { colour: nearest })}
              </Button>
            )}
          </span>
        )
      }
      onChange={onChange}
      button={
        <input
          type="color"
          className={styles.swatch}
          aria-label={t("选择颜色：{name}", { name: field.label })}
          disabled={field.disabled}
          value={isColour ? value : of.fallback}
          onChange={({ target }) => onChange(target.value)}
        />
      }
    />
  );
}

/** One setting, as its declaration has it; a locked one says what holds instead. */
function SettingField({ of, state, typed, problem, readOnly, onChange }: FieldProps) {
  const t = useTranslate();
  const language = useLanguage();
  const { dayTime } = useFormats();
  const disabled = readOnly || state.lockedBy !== "";
  const hint =
    state.lockedBy === ""
      ? of.hint?.[language]
      : of.fixed
        ? [of.hint?.[language], t("由环境变量 {variable} 设定，改后要重启", { variable: state.lockedBy })]
            .filter(Boolean)
            .join(language === "zh" ? "；" : ". ")
        : t("由环境变量 {variable} 设定，这里改不了", { variable: state.lockedBy });
  const value = typed ?? state.value;
  const common = {
    id: of.key,
    label: of.words[language],
    value,
    problem,
    disabled,
    hint,
    autoComplete: "off" as const,
  };
  if (of.secret) {
    const isRemoved = typed === "";
    const since =
      state.updateTime === ""
        ? t("已设置")
        : t("{time} 设置，读不出来；不改就空着", { time: dayTime(parseWireDateTime(state.updateTime)) });
    const told = isRemoved ? t("保存后清除") : state.isSet ? since : t("还没有设置");
    if (disabled)
      return (
        <TextField
          {...common}
          value={state.isSet ? "••••••••" : ""}
          hint={state.lockedBy ? hint : told}
          onChange={() => undefined}
        />
      );
    return (
      <PasswordField
        {...common}
        value={typed ?? ""}
        autoComplete="new-password"
        hint={[told, of.hint?.[language]].filter(Boolean).join(" · ")}
        aside={
          state.isSet && (
            <Button kind="link" small onPress={() => onChange(isRemoved ? undefined : "")}>
              {isRemoved ? t("不清除") : t("清除")}
            </Button>
          )
        }
        onChange={(text) => onChange(text === "" ? undefined : text)}
      />
    );
  }
  const change = (text: string): void => onChange(text === state.value ? undefined : text);
  if (of.kind === "choice")
    return (
      <SelectField
        {...common}
        options={(of.choices ?? []).map(([choice, words]) => [choice, words[language]] as const)}
        onChange={change}
      />
    );
  if (of.kind === "colour") return <ColourField {...common} of={of} hint={hint} onChange={change} />;
  return (
    <TextField
      {...common}
      maxLength={of.max ?? 200}
      inputMode={of.kind === "number" ? "numeric" : of.kind === "phone" ? "tel" : "text"}
      required={of.required ?? false}
      onChange={change}
    />
  );
}

/** The section that is read: the last one whose top has passed the upper third of the window. */
function useSectionOnScreen(): SettingSection | undefined {
  const [onScreen, setOnScreen] = useState<SettingSection>();
  useEffect(() => {
    const passed = new Set<string>();
    const observer = new IntersectionObserver(
      (entries) => {
        for (const { target, isIntersecting } of entries)
          if (isIntersecting) passed.add(target.id);
          else passed.delete(target.id);
        setOnScreen(settingSections.findLast((section) => passed.has(`setting-${section}`)));
      },
      { rootMargin: "0px 0px -66% 0px" },
    );
    for (const section of settingSections) {
      const card = document.getElementById(`setting-${section}`);
      if (card) observer.observe(card);
    }
    return () => observer.disconnect();
  }, []);
  return onScreen;
}

function Editing({ states, onSaved }: { states: readonly SettingState[]; onSaved: (states: SettingState[]) => void }) {
  const t = useTranslate();
  const language = useLanguage();
  const { permissions } = useAccess();
  const readOnly = !permissions.has("setting_edit");
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const [typed, setTyped] = useState<Readonly<Record<string, string | undefined>>>({});
  const [trying, setTrying] = useState<(typeof triedServices)[number]>();
  const onScreen = useSectionOnScreen();
  const byKey = new Map(states.map((state) => [state.key, state]));
  const changes = Object.entries(typed).flatMap(([key, value]) =>
    value === undefined ? [] : [{ key, value, version: byKey.get(key)?.version ?? 0 }],
  );
  const dirty = changes.length > 0;
  const changedIn = (section: SettingSection): boolean =>
    settingList.some(({ key, section: of }) => of === section && typed[key] !== undefined);
  useUnsaved(dirty);
  const blocker = useBlocker(
    ({ currentLocation, nextLocation }) => dirty && currentLocation.pathname !== nextLocation.pathname,
  );
  const save = async (): Promise<void> => {
    if (!dirty || busy) return;
    let saved: SettingState[] = [];
    const taken = await submit(async () => {
      saved = (await call(settingSubmit, { body: { changes }, quiet: true })).settings;
    });
    if (!taken) return;
    setTyped({});
    onSaved(saved);
    showToast({ kind: "ok", text: "已保存，马上生效" });
  };
  return (
    <SubmitForm form={form} autoComplete="off" send={save}>
      <div className={styles.columns}>
        <nav className={`card ${styles.sections}`} aria-label={t("设置分区")}>
          {settingSections.map((section) => (
            <a key={section} href={`#setting-${section}`} aria-current={section === onScreen ? "location" : undefined}>
              {settingSectionWords[section][language]}
              {changedIn(section) && <span className={styles.dot} aria-label={t("有改动")} role="img" />}
            </a>
          ))}
        </nav>
        <div className={styles.cards}>
          {settingSections.map((section) => (
            <section
              key={section}
              id={`setting-${section}`}
              className={`card ${styles.section}`}
              aria-labelledby={`setting-${section}-title`}
            >
              <header>
                <h2 id={`setting-${section}-title`}>{settingSectionWords[section][language]}</h2>
                <span className="spacer" />
                {isTried(section) && !readOnly && (
                  <Button small icon="send" onPress={() => setTrying(section)}>
                    {t("试一试")}
                  </Button>
                )}
              </header>
              <div className={styles.fields}>
                {section === "brand" && <LogoFields readOnly={readOnly} />}
                {settingList
                  .filter((of) => of.section === section)
                  .map((of) => {
                    const state = byKey.get(of.key);
                    return (
                      state && (
                        <SettingField
                          key={of.key}
                          of={of}
                          state={state}
                          typed={typed[of.key]}
                          problem={problems[of.key]}
                          readOnly={readOnly}
                          onChange={(value) => {
                            mend(of.key);
                            setTyped((now) => ({ ...now, [of.key]: value }));
                          }}
                        />
                      )
                    );
                  })}
              </div>
            </section>
          ))}
        </div>
      </div>
      {!readOnly && dirty && (
        <div className={styles.bar}>
          <Refusal text={refused} />
          <span className={`mut ${styles.state}`}>{t("改动 {count} 处，还没有保存", { count: changes.length })}</span>
          <Button isDisabled={busy} onPress={() => setTyped({})}>
            {t("放弃改动")}
          </Button>
          <Button kind="primary" type="submit" isDisabled={busy}>
            {t("保存")}
          </Button>
        </div>
      )}
      {trying && <TryDialog service={trying} unsaved={changedIn(trying)} onClose={() => setTrying(undefined)} />}
      {blocker.state === "blocked" && <ConfirmLeave onLeave={() => blocker.proceed()} onStay={() => blocker.reset()} />}
    </SubmitForm>
  );
}

/** The settings of the installation in sections; a change holds on every server at once. */
export default function Settings() {
  const t = useTranslate();
  const client = useQueryClient();
  const { data, error, refetch } = useQuery({
    queryKey,
    queryFn: ({ signal }) => call(settingStates, { signal, quiet: true }),
    refetchOnWindowFocus: false,
  });
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("平台设置")}</h1>
        <span className="mut">{t("改动保存后，在所有服务器上马上生效，并留在操作记录里。")}</span>
      </div>
      {data ? (
        <Editing states={data.settings} onSaved={(settings) => client.setQueryData(queryKey, { settings })} />
      ) : error ? (
        <LoadingProblem error={asApiError(error)} onRetry={() => void refetch()} what={t("平台设置")} />
      ) : (
        <TableSkeleton rows={8} />
      )}
    </>
  );
}
