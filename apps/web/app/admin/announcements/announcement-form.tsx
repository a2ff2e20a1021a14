import {
  type Announcement,
  type AnnouncementAudience,
  announcementAudiences,
  announcementFarms,
  announcementReach,
  announcementSubmit,
  announcementTenants,
  announcementTextLength,
  tenantTypes,
} from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { MomentField } from "../../shared/forms/date-fields.tsx";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { Chips } from "../../shared/kit/chips.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { SearchChips } from "../../shared/kit/search-chips.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { RegionChoice } from "../../shared/resource/region-input.tsx";
import { useRegionNames } from "../../shared/resource/regions.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./announcements.module.css";
import { audienceWords, kindWords, roleWords } from "./words.ts";

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

interface Named {
  id: string;
  name: string;
}

/** Farms or tenants, found on the server by a part of their name. */
function NamedRows({
  id,
  label,
  of,
  chosen,
  problem,
  onChange,
}: {
  id: string;
  label: string;
  of: typeof announcementFarms | typeof announcementTenants;
  chosen: readonly Named[];
  problem: string | undefined;
  onChange: (chosen: Named[]) => void;
}) {
  const nameOf = useNames();
  const [word, setWord] = useState("");
  const found = useQuery({
    queryKey: ["announcements", of.path, word],
    queryFn: ({ signal }): Promise<(Named & { customer?: string })[]> =>
      call(of, { query: word === "" ? {} : { keyword: word }, signal, quiet: true }),
    placeholderData: keepPreviousData,
  });
  const rows = found.data ?? [];
  return (
    <SearchChips
      id={id}
      label={label}
      problem={problem}
      value={chosen.map((one) => one.id)}
      nameOf={(value) => nameOf(chosen.find((one) => one.id === value)?.name ?? "")}
      options={rows.map((row) => ({
        value: row.id,
        name: nameOf(row.name),
        path: row.customer && nameOf(row.customer),
      }))}
      searching={found.isFetching}
      onWord={setWord}
      onChange={(ids) =>
        onChange(
          ids.flatMap((one) => {
            const row = [...chosen, ...rows].find((known) => known.id === one);
            return row ? [{ id: row.id, name: row.name }] : [];
          }),
        )
      }
    />
  );
}

/** Provinces and prefectures, chosen one after the other. */
function Regions({
  chosen,
  problem,
  onChange,
}: {
  chosen: readonly string[];
  problem: string | undefined;
  onChange: (chosen: string[]) => void;
}) {
  const t = useTranslate();
  const regionName = useRegionNames();
  const [code, setCode] = useState("");
  const label = t("地区：场区或地址在那里");
  return (
    <div className="form-field">
      <Label id="announcement-regions" label={label} />
      <span id="announcement-regions-label" hidden>
        {label}
      </span>
      <Chips
        labelledBy="announcement-regions-label"
        chips={chosen.map((value) => ({ value, name: regionName(value) }))}
        onRemove={(gone) => onChange(chosen.filter((one) => one !== gone))}
      />
      <div className={styles.region}>
        <RegionChoice
          id="announcement-regions"
          label={label}
          code={code}
          depth={2}
          problem={problem}
          describedBy="announcement-regions-problem"
          onChange={setCode}
          onBlur={() => undefined}
        />
        <Button
          isDisabled={code === "" || chosen.includes(code)}
          onPress={() => {
            onChange([...chosen, code]);
            setCode("");
          }}
        >
          {t("添加")}
        </Button>
      </div>
      <Problem id="announcement-regions-problem" text={problem} />
    </div>
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
    endTime: announcement?.endTime.slice(0, 16) ?? "",
    tenantKinds: announcement?.tenantKinds ?? [],
    regionCodes: announcement?.regionCodes ?? [],
    farms: announcement?.farms ?? [],
    tenants: announcement?.tenants ?? [],
    roleAliases: announcement?.roleAliases ?? [],
  }));
  const place = `${user.user_id}_announcement_${announcement ? `${announcement.id}_${announcement.version}` : "new"}`;
  const [draft, change, forget] = useDraft(place, held);
  const set = (next: Partial<typeof draft>): void => {
    for (const field of Object.keys(next)) mend(field);
    change(next);
  };
  const { audience, farms, tenants, endTime, tenantKinds, regionCodes, roleAliases, ...texts } = draft;
  const target = {
    audience,
    tenantKinds,
    regionCodes,
    roleAliases,
    farmIds: farms.map(({ id }) => id),
    tenantIds: tenants.map(({ id }) => id),
  };
  const isNamed =
    audience !== "chosen" || [tenantKinds, regionCodes, roleAliases, farms, tenants].some((list) => list.length > 0);
  const reach = useQuery({
    queryKey: ["announcements", "reach", target],
    queryFn: ({ signal }) => call(announcementReach, { body: target, signal, quiet: true }),
    placeholderData: keepPreviousData,
    enabled: isNamed,
  });
  const save = async (): Promise<void> => {
    const body = {
      ...texts,
      ...target,
      endTime,
      ...(announcement && { id: announcement.id, version: announcement.version }),
    };
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
        <MomentField
          id="announcement-endTime"
          label={t("结束时间，北京时间；空着就一直在")}
          value={endTime}
          problem={problems.endTime}
          clearable
          onChange={(value) => set({ endTime: value })}
        />
        <SelectField
          id="announcement-audience"
          label={t("发给谁")}
          value={audience}
          problem={problems.audience}
          options={announcementAudiences.map((name) => [name, t(audienceWords[name])])}
          hint={
            !isNamed
              ? t("选了几个条件，就要同时符合；不选的不限")
              : reach.data &&
                t("现在有 {count} 人会收到，来自 {tenants} 个组织", {
                  count: number(reach.data.receivers),
                  tenants: number(reach.data.tenants),
                })
          }
          onChange={(value) => set({ audience: value as AnnouncementAudience })}
        />
        {audience === "chosen" && (
          <>
            <Boxes
              id="announcement-kinds"
              label={t("类型")}
              problem={problems.tenantKinds}
              choices={tenantTypes.map((kind) => [kind, t(kindWords[kind])])}
              chosen={tenantKinds}
              onChange={(next) => set({ tenantKinds: next as typeof tenantKinds })}
            />
            <Regions
              chosen={regionCodes}
              problem={problems.regionCodes}
              onChange={(next) => set({ regionCodes: next })}
            />
            <NamedRows
              id="announcement-farms"
              label={t("场区：有其中之一的客户")}
              of={announcementFarms}
              chosen={farms}
              problem={problems.farmIds}
              onChange={(next) => set({ farms: next })}
            />
            <NamedRows
              id="announcement-tenants"
              label={t("组织")}
              of={announcementTenants}
              chosen={tenants}
              problem={problems.tenantIds}
              onChange={(next) => set({ tenants: next })}
            />
            <Boxes
              id="announcement-roles"
              label={t("角色")}
              problem={problems.roleAliases}
              choices={Object.entries(roleWords).map(([alias, name]) => [alias, t(name)])}
              chosen={roleAliases}
              onChange={(next) => set({ roleAliases: next })}
            />
          </>
        )}
        <Refusal text={refused} />
      </div>
    </Dialog>
  );
}
