import {
  type Announcement,
  type AnnouncementAudience,
  announcementAudiences,
  announcementFarms,
  announcementReach,
  announcementSubmit,
  announcementTextLength,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./announcements.module.css";
import { audienceWords, roleWords } from "./words.ts";

/** Some of many, each with its box. */
function Boxes({
  id,
  label,
  problem,
  choices,
  chosen,
  onChange,
}: {
  id: string;
  label: string;
  problem: string | undefined;
  choices: readonly (readonly [string, string])[];
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
}) {
  return (
    <fieldset className="form-field" aria-describedby={`${id}-problem`}>
      <legend>{label}</legend>
      <div className={styles.boxes}>
        {choices.map(([value, name]) => (
          <label key={value} className={styles.check}>
            <CheckBox
              checked={chosen.includes(value)}
              onChange={({ target }) =>
                onChange(target.checked ? [...chosen, value] : chosen.filter((one) => one !== value))
              }
            />{" "}
            {name}
          </label>
        ))}
      </div>
      <Problem id={`${id}-problem`} text={problem} />
    </fieldset>
  );
}

/** A draft: what is said, in Chinese and if wanted in English, and to whom. */
export function AnnouncementForm({
  announcement,
  onClose,
  onSaved,
}: {
  announcement: Announcement | undefined;
  onClose: () => void;
  onSaved: () => void;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLDivElement>();
  const { user } = useAccess();
  const [held] = useState(() => ({
    title: announcement?.title ?? "",
    content: announcement?.content ?? "",
    titleEn: announcement?.titleEn ?? "",
    contentEn: announcement?.contentEn ?? "",
    link: announcement?.link ?? "",
    audience: announcement?.audience ?? ("customers" as AnnouncementAudience),
    farmIds: announcement?.farms.map(({ id }) => id) ?? [],
    roleAliases: announcement?.roleAliases ?? [],
  }));
  const place = `${user.user_id}_announcement_${announcement ? `${announcement.id}_${announcement.version}` : "new"}`;
  const [draft, change, forget] = useDraft(place, held);
  const set = (next: Partial<typeof draft>): void => {
    for (const field of Object.keys(next)) mend(field);
    change(next);
  };
  const farms = useQuery({
    queryKey: ["announcements", "farms"],
    queryFn: ({ signal }) => call(announcementFarms, { signal, quiet: true }),
    enabled: draft.audience === "farms",
  });
  const { audience, farmIds, roleAliases } = draft;
  const target = { audience, farmIds, roleAliases };
  const isNamed = audience === "farms" ? farmIds.length > 0 : audience !== "roles" || roleAliases.length > 0;
  const reach = useQuery({
    queryKey: ["announcements", "reach", target],
    queryFn: ({ signal }) => call(announcementReach, { body: target, signal, quiet: true }),
    enabled: isNamed,
  });
  const save = async (): Promise<void> => {
    const body = { ...draft, ...(announcement && { id: announcement.id, version: announcement.version }) };
    if (!(await submit(() => call(announcementSubmit, { body, quiet: true })))) return;
    forget();
    onSaved();
    onClose();
  };
  const field = (name: "title" | "titleEn" | "link", label: string, max: number, required = false) => (
    <TextField
      id={`announcement-${name}`}
      label={label}
      value={draft[name]}
      problem={problems[name]}
      autoComplete="off"
      maxLength={max}
      required={required}
      onChange={(value) => set({ [name]: value })}
    />
  );
  const area = (name: "content" | "contentEn", label: string, max: number) => (
    <div className="form-field">
      <Label id={`announcement-${name}`} label={label} />
      <textarea
        id={`announcement-${name}`}
        className="input"
        maxLength={max}
        value={draft[name]}
        aria-invalid={problems[name] !== undefined}
        aria-describedby={`announcement-${name}-problem`}
        onChange={({ target: area }) => set({ [name]: area.value })}
      />
      <Problem id={`announcement-${name}-problem`} text={problems[name]} />
    </div>
  );
  const { title, content, link } = announcementTextLength;
  return (
    <Dialog
      title={t(announcement ? "编辑公告" : "写公告")}
      size="wide"
      onClose={onClose}
      footer={
        <>
          <Button
            onPress={() => {
              forget();
              onClose();
            }}
          >
            {t("取消")}
          </Button>
          <Button kind="primary" isDisabled={busy} onPress={() => void save()}>
            {t("保存草稿")}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles.form}>
        {field("title", t("标题"), title, true)}
        {area("content", t("内容"), content)}
        {field("titleEn", t("英文标题，空着就由机器翻译"), title * 2)}
        {area("contentEn", t("英文内容"), content * 2)}
        {field("link", t("点开去哪里，平台内的路径，可以空着"), link)}
        <SelectField
          id="announcement-audience"
          label={t("发给谁")}
          value={draft.audience}
          options={announcementAudiences.map((name) => [name, t(audienceWords[name])])}
          hint={
            reach.data && isNamed ? t("现在有 {count} 人会收到", { count: number(reach.data.receivers) }) : undefined
          }
          onChange={(value) => set({ audience: value as AnnouncementAudience })}
        />
        {audience === "farms" && (
          <Boxes
            id="announcement-farms"
            label={t("场区")}
            problem={problems.farmIds}
            choices={(farms.data ?? []).map(({ id, name, customer }) => [id, `${nameOf(name)} · ${nameOf(customer)}`])}
            chosen={farmIds}
            onChange={(next) => set({ farmIds: next })}
          />
        )}
        {audience === "roles" && (
          <Boxes
            id="announcement-roles"
            label={t("角色")}
            problem={problems.roleAliases}
            choices={Object.entries(roleWords).map(([alias, name]) => [alias, t(name)])}
            chosen={roleAliases}
            onChange={(next) => set({ roleAliases: next })}
          />
        )}
        <Refusal text={refused} />
      </div>
    </Dialog>
  );
}
