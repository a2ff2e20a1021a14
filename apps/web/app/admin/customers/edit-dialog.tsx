import { addressLength, type CustomerDetail, customerSubmit, customerTextLength } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { Label, TextField } from "../../shared/forms/fields.tsx";
import { FormDialog } from "../../shared/forms/form-dialog.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { RegionChoice } from "../../shared/resource/region-input.tsx";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";

type Values = Pick<CustomerDetail, "name" | "contactName" | "regionCode" | "remark"> & { address: string };

/** What the group may change of a customer, who is told of it. What is typed stays through refusals. */
export function EditDialog({
  customer,
  onClose,
  onSaved,
}: {
  customer: CustomerDetail;
  onClose: () => void;
  onSaved: () => void;
}) {
  const t = useTranslate();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const { user } = useAccess();
  // The contact is shown shortened, so that an empty field means: as it is.
  const held: Values = {
    name: customer.name,
    contactName: "",
    regionCode: customer.regionCode,
    // Shown only for a reason, so that it begins empty as well.
    address: "",
    remark: customer.remark,
  };
  // A contact is personal, so that it ends with the tab.
  const place = `${user.user_id}_customer_${customer.id}_${customer.version}`;
  const [values, put, forget] = useDraft(place, held, sessionStorage);
  const set = (field: keyof Values, value: string): void => {
    mend(field);
    put({ [field]: value });
  };
  const change = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== held[field as keyof Values]),
  );
  const changed = Object.keys(change).length;
  const told = Object.keys(change).filter((field) => field !== "remark").length;
  return (
    <FormDialog
      title={t("修改客户资料")}
      action={changed === 0 ? t("没有改动") : t("保存 {count} 处", { count: changed })}
      ready={changed > 0}
      of={submission}
      send={() =>
        call(customerSubmit, { body: { id: customer.id, version: customer.version, ...change }, quiet: true })
      }
      onDone={() => {
        forget();
        showToast({ kind: "ok", text: told > 0 ? "已保存，并发消息告诉了客户" : "已保存" });
        onSaved();
      }}
      onCancel={() => {
        forget();
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        id="customer-name"
        label={t("名称")}
        value={values.name}
        problem={problems.name}
        autoComplete="off"
        maxLength={customerTextLength.name}
        disabled={customer.nameProven}
        hint={customer.nameProven ? t("名称已随执照认证，改名请客户重新认证") : undefined}
        onChange={(value) => set("name", value)}
      />
      <TextField
        id="customer-contact"
        label={t("联系人")}
        value={values.contactName}
        problem={problems.contactName}
        autoComplete="off"
        maxLength={40}
        disabled={customer.contactProven}
        hint={
          customer.contactProven
            ? t("联系人已随身份证认证，改名请客户重新认证")
            : customer.contactName === ""
              ? t("现在没有")
              : t("现在是 {name}，不改就空着", { name: customer.contactName })
        }
        onChange={(value) => set("contactName", value)}
      />
      <div className="form-field">
        <Label id="customer-region" label={t("所在地区")} />
        <RegionChoice
          id="customer-region"
          label={t("所在地区")}
          code={values.regionCode}
          describedBy="customer-region-problem"
          problem={problems.regionCode}
          onChange={(value) => set("regionCode", value)}
        />
        <Problem id="customer-region-problem" text={problems.regionCode} />
      </div>
      <TextField
        id="customer-address"
        label={t("地址")}
        value={values.address}
        problem={problems.address}
        autoComplete="off"
        maxLength={addressLength}
        hint={customer.hasAddress ? t("已有地址，不改就空着") : t("现在没有")}
        onChange={(value) => set("address", value)}
      />
      <div className="form-field">
        <Label id="customer-remark" label={t("备注，客户看不到")} />
        <textarea
          id="customer-remark"
          className="input"
          maxLength={customerTextLength.remark}
          value={values.remark}
          aria-invalid={problems.remark !== undefined}
          aria-describedby="customer-remark-problem"
          onChange={({ target }) => set("remark", target.value)}
        />
        <Problem id="customer-remark-problem" text={problems.remark} />
      </div>
      {told > 0 && <p className="mut">{t("保存后客户会收到消息，写明改了哪几项、由谁改的。")}</p>}
    </FormDialog>
  );
}
