import {
  afterSalesSubmit,
  complaintSubmit,
  type DeviceKindId,
  deviceInspect,
  devicePage,
  mostWorkOrderPhotos,
  type RepairMode,
  repairModes,
  suggestionSubmit,
  uploadRules,
  type WorkOrderCategory,
  workOrderCategories,
} from "@herdwise/contract";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { useQuery, useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { useNavigate } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { SubmitForm } from "../../shared/forms/submit-form.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Translated, TranslatedPlace } from "../../shared/language/translated.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { knownId } from "../../shared/lists/list-address.ts";
import { NextSteps } from "../../shared/process/next-steps.tsx";
import processStyles from "../../shared/process/process.module.css";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { PhotosInput } from "../../shared/work-orders/photos.tsx";
import { categoryWords, repairWords, typePaths } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { orderKey, useOrderType } from "./order-type.ts";

const headings = { after_sales: "提交售后工单", complaint: "提交投诉", suggestion: "提建议" } as const;
/** What happens after it is sent. */
const nextSteps = {
  after_sales: [
    ["服务台答复", "2 个服务工时内有人答复您。服务时间：工作日 8:30 到 12:00、14:00 到 18:00。"],
    ["工程师处理", "先看设备传来的读数，需要时打电话、寄配件或返厂；8 个服务工时内解决，或给出下一步。"],
    ["您来确认", "办完后您评价；没修好，15 天内可以重新打开。"],
  ],
  complaint: [
    ["服务台答复", "4 个服务工时内有人答复您。服务时间：工作日 8:30 到 12:00、14:00 到 18:00。"],
    ["查清并处理", "3 个工作日内给出结果；要您补充时，会发消息问您。"],
    ["您来确认", "办完后您评价；不满意，15 天内可以重新打开。"],
  ],
  suggestion: [
    ["服务台看过", "有不清楚的地方，会写消息问您。"],
    ["给出答复", "10 个工作日内告诉您采不采纳，为什么。"],
    ["采纳的会做", "写明从什么时候起有；可能公开，不会出现您的名字。"],
  ],
} as const;
const titleHints = {
  after_sales: "哪个部件、怎么了，例如“2 号风机电流高，声音发闷”",
  complaint: "一句话说清楚是什么事",
  suggestion: "一句话说清楚想要什么",
} as const;
const repairNotes: Readonly<Record<RepairMode, string>> = {
  remote: "工程师看数据、打电话，需要时寄配件",
  return_factory: "把设备或部件寄回工厂修",
};
/** Value of the choice that no device of the list is meant. */
const unlisted = "none";
const megabytes = (bytes: number): string => `${bytes / 2 ** 20} MB`;
/** Devices that the form offers. */
const mostDevices = 200;

interface Values {
  title: string;
  description: string;
  category: WorkOrderCategory | "";
  repairMode: RepairMode;
  /** It is about no device of the list. */
  unlisted: boolean;
  productId: string;
  orderNumber: string;
  photos: readonly string[];
}
const empty: Values = {
  title: "",
  description: "",
  category: "",
  repairMode: "remote",
  unlisted: false,
  productId: "",
  orderNumber: "",
  photos: [],
};

/** What is sent along from the device, before it is sent. */
function Attached({ deviceId }: { deviceId: string }) {
  const t = useTranslate();
  const { data: device } = useQuery({
    queryKey: ["work-order-device", deviceId],
    queryFn: ({ signal }) => call(deviceInspect, { query: { id: deviceId }, signal, quiet: true }),
  });
  if (!device) return null;
  return (
    <p className={styles.attached} role="note">
      <b>
        <Translated text={device.name} /> <span className="num mut">{device.serialNumber}</span>
      </b>
      <span>
        <TranslatedPlace names={[device.farmName, device.houseName, device.unitName]} />
      </span>
      <span>
        <Icon name="check" small /> {t("会带上近 24 小时读数、告警、固件和单元模式，提交时封存，两边看到的一样。")}
      </span>
    </p>
  );
}

/** Brings something to the group's desk: an after-sales order, a complaint, a suggestion. */
export default function AddOrder() {
  const t = useTranslate();
  const nameOf = useNames();
  const language = useLanguage();
  const type = useOrderType();
  const navigate = useNavigate();
  const client = useQueryClient();
  const { user } = useAccess();
  const [search, changeAddress] = useAddressValues();
  const deviceId = knownId(search.get("device")) ?? "";
  const [values, set, forget] = useDraft(`${user.user_id}_work-order_${type}`, empty);
  // The same form sent twice, by a shaky line or a second click, is one order.
  const [requestKey] = useState(() => crypto.randomUUID());
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const [own, setOwn] = useState<Readonly<Record<string, string>>>({});
  const { data: devices } = useQuery({
    queryKey: ["work-order-devices"],
    queryFn: ({ signal }) => call(devicePage, { query: { current: 1, size: mostDevices }, signal, quiet: true }),
    enabled: type === "after_sales",
  });
  const change = (next: Partial<Values>): void => {
    for (const field of Object.keys(next)) mend(field);
    setOwn({});
    set(next);
  };
  const choose = (id: string): void => {
    changeAddress({ device: id === unlisted ? "" : id });
    change({ unlisted: id === unlisted });
  };
  const problem = (field: string): string | undefined => own[field] ?? problems[field];
  const send = async (): Promise<void> => {
    const missing: Record<string, string> = {};
    if (type === "after_sales" && deviceId === "" && !values.unlisted) missing.device = t("请选择");
    if (values.title.trim().length < 2) missing.title = t("标题至少 2 个字");
    if (values.description.trim() === "") missing.description = t("请写明情况");
    if (type !== "after_sales" && values.category === "") missing.category = t("请选择类型");
    setOwn(missing);
    if (Object.keys(missing).length > 0) {
      form.current?.querySelector<HTMLElement>(`#order-${Object.keys(missing)[0]}`)?.focus();
      return;
    }
    const { title, description, orderNumber, photos } = values;
    const shared = { title, description, requestKey, photos: [...photos] };
    const category = values.category || "other";
    let made: { id: string; number: string } | undefined;
    const sent = await submit(async () => {
      made =
        type === "after_sales"
          ? await call(afterSalesSubmit, {
              body: {
                ...shared,
                repairMode: values.repairMode,
                ...(orderNumber && { orderNumber }),
                ...(deviceId
                  ? { deviceId }
                  : values.productId !== "" && { productId: values.productId as DeviceKindId }),
              },
              quiet: true,
            })
          : type === "complaint"
            ? await call(complaintSubmit, {
                body: { ...shared, category, ...(orderNumber && { orderNumber }) },
                quiet: true,
              })
            : await call(suggestionSubmit, { body: { ...shared, category }, quiet: true });
    });
    if (!sent || !made) return;
    forget();
    void client.invalidateQueries({ queryKey: orderKey });
    showToast({ kind: "ok", text: "已提交，进展会发消息" });
    void navigate(`${typePaths[type].list}/detail?id=${made.id}`, { replace: true });
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(headings[type])}</h1>
      </div>
      <div className={processStyles.page}>
        <SubmitForm form={form} className={`card ${styles.form}`} send={send}>
          {type === "after_sales" && (
            <>
              <SelectField
                id="order-device"
                label={t("哪台设备")}
                value={deviceId || (values.unlisted ? unlisted : "")}
                required
                problem={problem("device")}
                options={[
                  ["", t("请选择")],
                  [unlisted, t("不在列表里，或不是设备的问题")],
                  ...(devices?.records ?? []).map(
                    ({ id, name, serialNumber }) => [id, `${nameOf(name)} ${serialNumber}`] as const,
                  ),
                ]}
                onChange={choose}
              />
              {deviceId !== "" && <Attached deviceId={deviceId} />}
              {deviceId === "" && values.unlisted && (
                <SelectField
                  id="order-productId"
                  label={t("哪类产品")}
                  value={values.productId}
                  options={[["", t("说不清")], ...kindList.map(({ kind, name }) => [kind, name[language]] as const)]}
                  onChange={(productId) => change({ productId })}
                />
              )}
            </>
          )}
          {type !== "after_sales" && (
            <SelectField
              id="order-category"
              label={t("类型")}
              required
              value={values.category}
              problem={problem("category")}
              options={[
                ["", t("请选择")],
                ...workOrderCategories.map((category) => [category, t(categoryWords[category])] as const),
              ]}
              onChange={(category) => change({ category: category as WorkOrderCategory })}
            />
          )}
          <TextField
            id="order-title"
            label={t("标题")}
            required
            maxLength={60}
            autoComplete="off"
            value={values.title}
            hint={t(titleHints[type])}
            problem={problem("title")}
            onChange={(title) => change({ title })}
          />
          <div className="form-field">
            <Label id="order-description" label={t(type === "after_sales" ? "故障情况" : "内容")} required />
            <textarea
              className="input"
              id="order-description"
              rows={5}
              maxLength={2000}
              value={values.description}
              aria-required
              aria-invalid={problem("description") !== undefined}
              aria-describedby="order-description-problem"
              onChange={(event) => change({ description: event.target.value })}
            />
            <Problem id="order-description-problem" text={problem("description")} />
          </div>
          {type === "after_sales" && (
            <fieldset className={styles.choices}>
              <legend>{t("维修方式")}</legend>
              {repairModes.map((mode) => (
                <label key={mode}>
                  <input
                    type="radio"
                    name="repairMode"
                    checked={values.repairMode === mode}
                    onChange={() => change({ repairMode: mode })}
                  />
                  <b>{t(repairWords[mode])}</b>
                  <small>{t(repairNotes[mode])}</small>
                </label>
              ))}
            </fieldset>
          )}
          {type !== "suggestion" && (
            <TextField
              id="order-orderNumber"
              label={t("订单号（没有可以不填）")}
              maxLength={40}
              autoComplete="off"
              value={values.orderNumber}
              problem={problem("orderNumber")}
              onChange={(orderNumber) => change({ orderNumber })}
            />
          )}
          <div className="form-field">
            <p className="mut">
              {t("照片 jpg、bmp、png 最大 {photo}，视频 mp4、mov 最大 {video}，一共最多 {count} 个", {
                photo: megabytes(uploadRules.picture.maxBytes),
                video: megabytes(uploadRules.video.maxBytes),
                count: mostWorkOrderPhotos,
              })}
            </p>
            <PhotosInput value={values.photos} onChange={(photos) => change({ photos })} disabled={busy} />
          </div>
          <p className={styles.writeLine}>
            <Button kind="primary" type="submit" isDisabled={busy}>
              {t(busy ? "正在提交" : "提交")}
            </Button>
            <Button onPress={() => void navigate(typePaths[type].list)}>{t("取消")}</Button>
            <Refusal text={refused} />
          </p>
        </SubmitForm>
        <aside aria-label={t("提交以后")}>
          <NextSteps title={t("提交以后")} steps={nextSteps[type].map(([what, note]) => [t(what), t(note)] as const)} />
        </aside>
      </div>
    </>
  );
}
