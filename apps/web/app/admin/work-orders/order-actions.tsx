import {
  type DeskOrderDetail,
  deskArrive,
  deskAssign,
  deskClaim,
  deskComplete,
  deskFigures,
  deskMerge,
  deskPublish,
  deskRedirect,
  deskRemote,
  deskShip,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { call } from "../../shared/api/call.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { ActionBar } from "../../shared/process/action-bar.tsx";
import { asks, EventDialog, type EventPlace } from "../../shared/process/event-dialog.tsx";
import { repairWords } from "../../shared/work-orders/words.ts";
import { deskKey } from "./desk-key.ts";

/** Hands an order to a colleague, who is chosen by how much each has. */
function Assign({ order, ...place }: EventPlace & { order: DeskOrderDetail }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskFigures, { signal, quiet: true }),
  });
  const people = (figures?.people ?? []).filter(({ id }) => id !== order.assigneeId);
  return (
    <EventDialog
      {...place}
      fields={{
        accountId: {
          label: t("转给谁"),
          options: people.map(({ id, name, open }) => [
            id,
            `${nameOf(name)} · ${t("手上 {count} 张", { count: open })}`,
          ]),
        },
        body: { label: t("给同事的话（客户看不到）"), rows: 4, optional: true },
      }}
      send={(typed) => call(deskAssign, { body: { id: order.id, version: order.version, ...typed }, quiet: true })}
    />
  );
}

/** What the desk may do with an order now. */
export function OrderActions({ order, reload }: { order: DeskOrderDetail; reload: () => void }) {
  const t = useTranslate();
  const { id, version, published } = order;
  const repairMode = order.repairMode === "remote" ? "return_factory" : "remote";
  const toCustomer = { label: t("给客户的话（可以不写）"), rows: 4, optional: true } as const;
  return (
    <ActionBar
      row={order}
      prefix="desk"
      reload={reload}
      actions={[
        {
          event: "claim",
          word: "接手",
          kind: "primary",
          icon: "person",
          act: () => call(deskClaim, { body: { id, version } }),
          done: "已接手",
        },
        {
          event: "assign",
          word: "转给同事",
          icon: "people",
          ask: (place) => <Assign {...place} order={order} />,
        },
        {
          event: "ship",
          word: "登记寄出",
          icon: "box",
          more: true,
          ask: asks({
            fields: {
              items: { label: t("寄了什么"), maxLength: 200 },
              carrier: { label: t("快递公司"), maxLength: 40 },
              tracking: { label: t("快递单号"), maxLength: 40, optional: true },
              body: toCustomer,
            },
            send: (typed) => call(deskShip, { body: { id, version, ...typed }, quiet: true }),
          }),
        },
        {
          event: "remote",
          word: "登记远程指导",
          icon: "phone",
          more: true,
          ask: asks({
            fields: {
              minutes: {
                label: t("用了几分钟"),
                maxLength: 3,
                isValid: (text) => /^\d+$/.test(text) && Number(text) >= 1 && Number(text) <= 600,
              },
              body: { label: t("做了什么，结果怎样"), rows: 4, maxLength: 2000 },
            },
            send: ({ minutes, body }) =>
              call(deskRemote, { body: { id, version, minutes: Number(minutes), body }, quiet: true }),
          }),
        },
        {
          event: "arrive",
          word: "登记工厂收到设备",
          icon: "factory",
          more: true,
          ask: asks({
            fields: { body: toCustomer },
            send: (typed) => call(deskArrive, { body: { id, version, ...typed }, quiet: true }),
          }),
        },
        {
          event: "redirect",
          word: "改维修方式",
          icon: "swap",
          more: true,
          ask: asks({
            fields: { body: toCustomer },
            send: (typed) => call(deskRedirect, { body: { id, version, repairMode, ...typed }, quiet: true }),
            children: <p>{t("改为{mode}", { mode: t(repairWords[repairMode]) })}</p>,
          }),
        },
        {
          event: "merge",
          word: "并入另一张",
          icon: "tree",
          more: true,
          ask: asks({
            fields: { intoNumber: { label: t("并入哪张的单号"), minLength: 5, maxLength: 20 } },
            send: (typed) => call(deskMerge, { body: { id, version, ...typed }, quiet: true }),
            children: (
              <p className="mut">{t("同一客户、同一类、没有办完的单子。并入后这张不再处理，客户会收到消息。")}</p>
            ),
          }),
        },
        {
          event: "publish",
          word: published ? "从网站撤下" : "在网站公开",
          icon: published ? "eye-off" : "eye",
          act: () => call(deskPublish, { body: { id, version, published: !published } }),
        },
        {
          event: "complete",
          word: "完成",
          title: "处理完成",
          kind: order.may.includes("claim") ? "plain" : "primary",
          icon: "check",
          ask: asks({
            fields: { body: { label: t("怎么解决的（客户会看到）"), rows: 4, maxLength: 2000 } },
            send: (typed) => call(deskComplete, { body: { id, version, ...typed }, quiet: true }),
          }),
        },
      ]}
    />
  );
}
