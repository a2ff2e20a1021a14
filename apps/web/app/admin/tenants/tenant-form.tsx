import { type Tenant, tenantPackagePreview, tenantSubmit } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { ConfirmLeave } from "../../shared/forms/confirm-leave.tsx";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { DayInput } from "../../shared/kit/day-input.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Drawer } from "../../shared/lists/drawer.tsx";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { useUnsaved } from "../../shared/session/use-unsaved.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { EffectView } from "./menu-effect.tsx";
import styles from "./tenants.module.css";
import { expiryWords, stateOf, typeWords } from "./words.ts";

const unlimited = -1;

interface TenantFormProps {
  tenant: Tenant;
  /** Id and name of the packages; undefined for who may not see them. */
  packages: readonly (readonly [string, string])[] | undefined;
  readOnly: boolean;
  onSaved: () => void;
  onClose: () => void;
}

const valuesOf = ({ accountNumber, expireTime, packageId }: Tenant) => ({
  accountNumber: accountNumber === unlimited ? "" : String(accountNumber),
  expireTime: expireTime.slice(0, 10),
  packageId,
});
type Values = ReturnType<typeof valuesOf>;

/** How many accounts a tenant may have, until when, and with which package; says whom another package concerns. */
export function TenantForm({ tenant, packages, readOnly, onSaved, onClose }: TenantFormProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const { permissions } = useAccess();
  const submission = useSubmission();
  const { problems, mend } = submission;
  const stored = valuesOf(tenant);
  const [values, setValues] = useState(stored);
  const [leaving, setLeaving] = useState(false);
  const isGroup = tenant.type === "group";
  const change = Object.fromEntries(
    Object.entries(values).filter(([field, value]) => value !== stored[field as keyof Values]),
  ) as Partial<Values>;
  const changed = Object.keys(change).length;
  useUnsaved(changed > 0);
  const set = (field: keyof Values, value: string): void => {
    mend(field);
    setValues((now) => ({ ...now, [field]: value }));
  };
  const effect = useQuery({
    queryKey: ["package effect", tenant.tenantId, tenant.packageId, values.packageId],
    queryFn: ({ signal }) =>
      call(tenantPackagePreview, {
        body: { id: values.packageId, tenantIds: [tenant.tenantId] },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    enabled: change.packageId !== undefined,
  });
  const { accountNumber, ...others } = change;
  const send = async (): Promise<void> => {
    const saved = await submission.submit(() =>
      call(tenantSubmit, {
        body: {
          id: tenant.id,
          ...others,
          ...(accountNumber !== undefined && {
            accountNumber: accountNumber.trim() === "" ? unlimited : Number(accountNumber),
          }),
        },
        quiet: true,
      }),
    );
    if (!saved) return;
    showToast({ kind: "ok", text: "已保存" });
    onSaved();
    onClose();
  };
  const close = (): void => (changed > 0 ? setLeaving(true) : onClose());
  const numberWrong = !/^\d{0,7}$/.test(values.accountNumber.trim());
  const face = expiryWords[tenant.expiry];
  return (
    <>
      <Drawer
        title={nameOf(tenant.tenantName)}
        mark={<StateTag plain {...stateOf(tenant)} />}
        onClose={close}
        footer={
          <>
            <Refusal text={submission.refused} />
            <span className="spacer" />
            <Button onPress={close}>{t("取消")}</Button>
            {!readOnly && !isGroup && (
              <Button
                kind="primary"
                isDisabled={changed === 0 || numberWrong || submission.busy}
                onPress={() => void send()}
              >
                {changed === 0 ? t("保存") : t("保存 {count} 处", { count: number(changed) })}
              </Button>
            )}
          </>
        }
      >
        <dl className="facts">
          <div>
            <dt>{t("租户编号")}</dt>
            <dd className="num">{tenant.tenantId}</dd>
          </div>
          <div>
            <dt>{t("类型")}</dt>
            <dd>{t(typeWords[tenant.type] ?? tenant.type)}</dd>
          </div>
          <div>
            <dt>{t("已有账号")}</dt>
            <dd className="num">
              {number(tenant.accountCount)} {tenant.isFull && <StateTag plain word="已满" mark="minor" />}
            </dd>
          </div>
          {!isGroup && permissions.has("customer_view") && (
            <div>
              <dt>{t("客户")}</dt>
              <dd>
                <Link className="link" to={`/customer/detail?id=${tenant.tenantId}`}>
                  {t("客户详情")}
                </Link>
              </dd>
            </div>
          )}
          {face && (
            <div>
              <dt>{t("到期")}</dt>
              <dd>
                <StateTag plain {...face} />
              </dd>
            </div>
          )}
        </dl>
        {isGroup ? (
          <p className="mut">{t("集团自己的租户没有额度、期限和套餐。")}</p>
        ) : (
          <SubmitForm form={submission.form} className={styles.form} send={send}>
            <TextField
              id="tenant-accounts"
              label={t("账号额度")}
              value={values.accountNumber}
              inputMode="numeric"
              autoComplete="off"
              maxLength={7}
              disabled={readOnly}
              problem={numberWrong ? t("请填整数，不限就空着") : problems.accountNumber}
              hint={t("最多几个账号，不限就空着。已超出的账号照常能用，只是不能再加。")}
              onChange={(value) => set("accountNumber", value)}
            />
            <div className="form-field">
              <Label id="tenant-expiry" label={t("到期日")} />
              <DayInput
                id="tenant-expiry"
                value={values.expireTime}
                problem={problems.expireTime}
                locked={readOnly ? "" : undefined}
                describedBy="tenant-expiry-problem tenant-expiry-hint"
                onChange={(value) => set("expireTime", value)}
              />
              <p className="f-hint" id="tenant-expiry-hint">
                {t("这天结束后成员不能登录，长期就空着。")}
              </p>
              <Problem id="tenant-expiry-problem" text={problems.expireTime} />
            </div>
            {packages && (
              <SelectField
                id="tenant-package"
                label={t("套餐")}
                value={values.packageId}
                options={[["", t("全部功能")], ...packages]}
                disabled={readOnly}
                problem={problems.packageId}
                hint={t("成员能用的，是角色授予的与套餐里有的都包含的那些。")}
                onChange={(value) => set("packageId", value)}
              />
            )}
            {change.packageId !== undefined && (
              <section className={styles.boxed} aria-label={t("改了什么，关系到谁")}>
                {effect.error && <p className={styles.none}>{tellIn(t, asApiError(effect.error))}</p>}
                {effect.data && <EffectView effect={effect.data} behind={effect.isFetching} />}
              </section>
            )}
          </SubmitForm>
        )}
      </Drawer>
      {leaving && <ConfirmLeave onLeave={onClose} onStay={() => setLeaving(false)} />}
    </>
  );
}
