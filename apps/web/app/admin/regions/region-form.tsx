import { type Region, regionSubmit } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { showToast } from "../../shared/states/toast-store.ts";

/** What is edited, or what a new division is added below; with neither it is a province. */
export interface RegionDraft {
  region: Region | undefined;
  parent: Region | undefined;
}

interface RegionFormProps {
  draft: RegionDraft;
  onSaved: () => void;
  onClose: () => void;
}

/** Adds a division, or changes its name, place among its neighbours and remark. */
export function RegionForm({ draft: { region, parent }, onSaved, onClose }: RegionFormProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const [values, setValues] = useState({
    code: region?.code ?? parent?.code ?? "",
    name: region?.name ?? "",
    sort: String(region?.sort ?? 0),
    remark: region?.remark ?? "",
  });
  const set = (field: keyof typeof values, value: string): void => {
    mend(field);
    setValues((now) => ({ ...now, [field]: value }));
  };
  const sortWrong = !/^\d{1,4}$/.test(values.sort.trim());
  return (
    <FormDialog
      title={region ? t("修改区划") : parent ? t("在“{name}”下新增", { name: nameOf(parent.name) }) : t("新增区划")}
      action={t("保存")}
      ready={/^\d+$/.test(values.code) && values.name.trim() !== "" && !sortWrong}
      of={submission}
      send={() => call(regionSubmit, { body: { ...values, sort: Number(values.sort) }, quiet: true })}
      onDone={() => {
        showToast({ kind: "ok", text: "已保存" });
        onSaved();
      }}
      onClose={onClose}
    >
      <TextField
        id="region-code"
        label={t("区划编号")}
        value={values.code}
        required
        inputMode="numeric"
        autoComplete="off"
        maxLength={12}
        disabled={region !== undefined}
        problem={problems.code ?? problems.parentCode}
        hint={t("上级编号再加 2 位，乡镇和村再加 3 位")}
        onChange={(value) => set("code", value)}
      />
      <TextField
        id="region-name"
        label={t("区划名称")}
        value={values.name}
        required
        autoComplete="off"
        maxLength={60}
        problem={problems.name}
        onChange={(value) => set("name", value)}
      />
      <TextField
        id="region-sort"
        label={t("排序")}
        value={values.sort}
        inputMode="numeric"
        autoComplete="off"
        maxLength={4}
        problem={sortWrong ? t("请填 0 到 9999 的整数") : problems.sort}
        onChange={(value) => set("sort", value)}
      />
      <TextField
        id="region-remark"
        label={t("备注")}
        value={values.remark}
        autoComplete="off"
        maxLength={200}
        problem={problems.remark}
        onChange={(value) => set("remark", value)}
      />
    </FormDialog>
  );
}
