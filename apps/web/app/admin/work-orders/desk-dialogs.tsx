import {
  type DeskOrderDetail,
  deskArrive,
  deskAssign,
  deskComplete,
  deskFigures,
  deskMerge,
  deskRedirect,
  deskRemote,
  deskShip,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { call } from "../../shared/api/call.ts";
import { Label, SelectField, TextField } from "../../shared/forms/fields.tsx";
import { Problem } from "../../shared/forms/problem.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import { repairWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { deskKey } from "./desk-key.ts";

/** What the desk does with an order in a form of its own. */
export type DeskAction = "assign" | "ship" | "remote" | "arrive" | "redirect" | "complete" | "merge";

interface Values {
  accountId: string;
  items: string;
  carrier: string;
  tracking: string;
  minutes: string;
  intoNumber: string;
  body: string;
}
const empty: Values = { accountId: "", items: "", carrier: "", tracking: "", minutes: "", intoNumber: "", body: "" };

const titles: Readonly<Record<DeskAction, string>> = {
  assign: "转给同事",
  ship: "登记寄出",
  remote: "登记远程指导",
  arrive: "登记工厂收到设备",
  redirect: "改维修方式",
  complete: "处理完成",
  merge: "并入另一张",
};
const bodyWords: Readonly<Record<DeskAction, string>> = {
  assign: "给同事的话（客户看不到）",
  ship: "给客户的话（可以不写）",
  remote: "做了什么，结果怎样",
  arrive: "给客户的话（可以不写）",
  redirect: "给客户的话（可以不写）",
  complete: "怎么解决的（客户会看到）",
  merge: "",
};
const needsBody: ReadonlySet<DeskAction> = new Set(["remote", "complete"]);

interface ActionDialogProps {
  action: DeskAction;
  order: DeskOrderDetail;
  onDone: () => void;
  onClose: () => void;
}

/** One of the desk's actions: its form, and what is wrong with it. */
export function ActionDialog({ action, order, onDone, onClose }: ActionDialogProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const { user } = useAccess();
  const [values, change, forget] = useDraft(`${user.user_id}_desk_${action}_${order.id}`, empty);
  const { form, busy, refused, problems, mend, submit } = useSubmission<HTMLDivElement>();
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskFigures, { signal, quiet: true }),
    enabled: action === "assign",
  });
  const { id, version } = order;
  const { body } = values;
  const other = order.repairMode === "remote" ? "return_factory" : "remote";
  const said = body.trim() === "" ? {} : { body };
  const work = (): Promise<unknown> => {
    switch (action) {
      case "assign":
        return call(deskAssign, { body: { id, version, accountId: values.accountId, ...said }, quiet: true });
      case "ship": {
        const { items, carrier, tracking } = values;
        return call(deskShip, { body: { id, version, items, carrier, tracking, ...said }, quiet: true });
      }
      case "remote":
        return call(deskRemote, { body: { id, version, minutes: Number(values.minutes), body }, quiet: true });
      case "arrive":
        return call(deskArrive, { body: { id, version, ...said }, quiet: true });
      case "redirect":
        return call(deskRedirect, { body: { id, version, repairMode: other, ...said }, quiet: true });
      case "complete":
        return call(deskComplete, { body: { id, version, body }, quiet: true });
      case "merge":
        return call(deskMerge, { body: { id, version, intoNumber: values.intoNumber.trim() }, quiet: true });
    }
  };
  const minutes = Number(values.minutes);
  const ready =
    (!needsBody.has(action) || body.trim() !== "") &&
    (action !== "assign" || values.accountId !== "") &&
    (action !== "ship" || (values.items.trim() !== "" && values.carrier.trim() !== "")) &&
    (action !== "remote" || (Number.isInteger(minutes) && minutes >= 1 && minutes <= 600)) &&
    (action !== "merge" || values.intoNumber.trim().length >= 5);
  const set = (next: Partial<Values>): void => {
    for (const field of Object.keys(next)) mend(field);
    change(next);
  };
  const text = (field: keyof Values, label: string, maxLength: number, required = true): ReactNode => (
    <TextField
      id={`desk-${field}`}
      label={label}
      required={required}
      maxLength={maxLength}
      autoComplete="off"
      value={values[field]}
      problem={problems[field]}
      onChange={(value) => set({ [field]: value })}
    />
  );
  const send = async (): Promise<void> => {
    if (!(await submit(work))) return onDone();
    forget();
    showToast({ kind: "ok", text: "已登记" });
    onDone();
    onClose();
  };
  return (
    <Dialog
      title={t(titles[action])}
      onClose={onClose}
      footer={
        <>
          <Refusal text={refused} />
          <Button onPress={onClose}>{t("取消")}</Button>
          <Button kind="primary" isDisabled={busy || !ready} onPress={() => void send()}>
            {t("确定")}
          </Button>
        </>
      }
    >
      <div ref={form} className={styles.stack}>
        {action === "assign" && (
          <SelectField
            id="desk-accountId"
            label={t("转给谁")}
            required
            value={values.accountId}
            problem={problems.accountId}
            options={[
              ["", t("请选择")],
              ...(figures?.people ?? [])
                .filter((person) => person.id !== order.assigneeId)
                .map(
                  (person) =>
                    [person.id, `${nameOf(person.name)} · ${t("手上 {count} 张", { count: person.open })}`] as const,
                ),
            ]}
            onChange={(accountId) => set({ accountId })}
          />
        )}
        {action === "ship" && (
          <>
            {text("items", t("寄了什么"), 200)}
            {text("carrier", t("快递公司"), 40)}
            {text("tracking", t("快递单号"), 40, false)}
          </>
        )}
        {action === "remote" && (
          <TextField
            id="desk-minutes"
            label={t("用了几分钟")}
            required
            inputMode="numeric"
            maxLength={3}
            autoComplete="off"
            value={values.minutes}
            problem={problems.minutes}
            onChange={(value) => set({ minutes: value })}
          />
        )}
        {action === "redirect" && <p>{t("改为{mode}", { mode: t(repairWords[other]) })}</p>}
        {action === "merge" && (
          <>
            <p className="mut">{t("同一客户、同一类、没有办完的单子。并入后这张不再处理，客户会收到消息。")}</p>
            {text("intoNumber", t("并入哪张的单号"), 20)}
          </>
        )}
        {bodyWords[action] !== "" && (
          <div className="form-field">
            <Label id="desk-body" label={t(bodyWords[action])} required={needsBody.has(action)} />
            <textarea
              className="input"
              id="desk-body"
              rows={4}
              style={{ height: "auto" }}
              maxLength={needsBody.has(action) ? 2000 : 500}
              value={body}
              aria-invalid={problems.body !== undefined}
              onChange={(event) => set({ body: event.target.value })}
            />
            <Problem id="desk-body-problem" text={problems.body} />
          </div>
        )}
      </div>
    </Dialog>
  );
}
