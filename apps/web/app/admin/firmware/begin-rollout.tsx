import { type FirmwarePackage, firmwareRollout } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { showToast } from "../../shared/states/toast-store.ts";

const mostStages = 10;

/** Shares as typed: ascending integers from 1 to 100; undefined when they are none. */
function stagesOf(text: string): number[] | undefined {
  const shares = text
    .split(/[\s,，、%]+/)
    .filter((part) => part !== "")
    .map(Number);
  const ascending = shares.every((share, at) => at === 0 || share > (shares[at - 1] ?? 0));
  const known = shares.every((share) => Number.isInteger(share) && share >= 1 && share <= 100);
  return shares.length > 0 && shares.length <= mostStages && ascending && known ? shares : undefined;
}

/** Stages and the limit of a roll-out, before it begins. */
export function BeginRollout({
  of,
  onDone,
  onClose,
}: {
  of: FirmwarePackage;
  onDone: () => void;
  onClose: () => void;
}) {
  const t = useTranslate();
  const [stages, setStages] = useState("1, 10, 50, 100");
  const [limit, setLimit] = useState("");
  const submission = useSubmission();
  const shares = stagesOf(stages);
  const failures = Number(limit);
  const limitOk = limit.trim() === "" || (Number.isInteger(failures) && failures >= 1 && failures <= 100_000);
  return (
    <FormDialog
      title={t("开始升级到 {name}", { name: `${of.title} ${of.version}` })}
      action={t("开始第一级")}
      ready={shares !== undefined && limitOk}
      of={submission}
      send={() => {
        const body = {
          packageId: of.id,
          stages: shares ?? [],
          ...(limit.trim() === "" ? {} : { maxFailures: failures }),
        };
        return call(firmwareRollout, { body, quiet: true });
      }}
      onDone={() => {
        showToast({ kind: "ok", text: "升级已开始" });
        onDone();
      }}
      onClose={onClose}
    >
      <p>{t("所有客户的这类设备都会列入，按比例分级，先后是随机的。第一级现在开始，后面的由您逐级放开。")}</p>
      <TextField
        id="rollout-stages"
        label={t("各级比例（%）")}
        required
        autoComplete="off"
        maxLength={60}
        value={stages}
        hint={t("从小到大，用逗号隔开；最后总会到 100。")}
        problem={shares ? undefined : t("请填写 1 到 100 之间、从小到大的整数，最多 10 级")}
        onChange={setStages}
      />
      <TextField
        id="rollout-limit"
        label={t("失败几台自己暂停")}
        inputMode="numeric"
        autoComplete="off"
        maxLength={6}
        value={limit}
        hint={t("不填是全部设备的二十分之一。")}
        problem={limitOk ? undefined : t("请填写 1 到 100000 之间的整数")}
        onChange={setLimit}
      />
    </FormDialog>
  );
}
