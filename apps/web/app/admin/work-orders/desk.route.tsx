import {
  type DeskFigures,
  type DeskPerson,
  deskFigures,
  deskOrderPage,
  type WorkOrder,
  type WorkOrderQueue,
  workOrderQueues,
  workOrderTypes,
} from "@herdwise/contract";
import { choice, list, text } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { useMemo } from "react";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { type Fact, Facts } from "../../shared/kit/facts.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import processStyles from "../../shared/process/process.module.css";
import { ListHead } from "../../shared/resource/list.tsx";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import { OrderList } from "../../shared/work-orders/order-list.tsx";
import { typeWords } from "../../shared/work-orders/words.ts";
import styles from "../../shared/work-orders/work-orders.module.css";
import { deskKey, deskListName } from "./desk-key.ts";

const openFirst: WorkOrderQueue = "open";
const queueWords: Readonly<Record<WorkOrderQueue, string>> = {
  mine: "我的",
  unassigned: "没人接手",
  overdue: "超时",
  waiting: "等客户",
  open: "没办完",
  all: "全部",
};
const ageWords = ["不到 1 天", "1 到 3 天", "3 到 7 天", "7 天以上"] as const;
/** Others take and answer: the queues follow, ms. */
const renewMs = 15_000;

function Figures({ figures }: { figures: DeskFigures | undefined }) {
  const t = useTranslate();
  const { number } = useFormats();
  const duration = (minutes: number | undefined): string => {
    if (minutes === undefined) return "--";
    return minutes < 60 ? t("{count} 分钟", { count: minutes }) : t("{count} 工时", { count: number(minutes / 60, 1) });
  };
  const share = (part: number | undefined): string =>
    part === undefined ? t("近 30 天还没有") : t("近 30 天办完的 {share}% 按时", { share: number(part * 100) });
  // How many stand in each queue is told by the tabs.
  const facts: readonly Fact[] = [
    { name: t("首次答复，一半在"), value: duration(figures?.firstAnswerMinutes), note: share(figures?.firstInTime) },
    { name: t("解决，一半在"), value: duration(figures?.solutionMinutes), note: share(figures?.solvedInTime) },
    {
      name: t("评价"),
      value: figures?.rating === undefined ? "--" : number(figures.rating, 1),
      note: t("满分 5 星，近 30 天"),
    },
  ];
  return <Facts label={t("服务质量")} facts={facts} />;
}

function Load({
  figures,
  assignee,
  onChoose,
}: {
  figures: DeskFigures;
  assignee: string | undefined;
  onChoose: (id: string) => void;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const { number } = useFormats();
  const most = Math.max(1, ...figures.ages);
  return (
    <aside aria-label={t("服务台的负荷")}>
      <section className={`card ${processStyles.side}`} aria-labelledby="ages-title">
        <h2 id="ages-title">{t("没办完的放了多久")}</h2>
        <div className={styles.ages}>
          {ageWords.map((word, index) => (
            <div key={word}>
              <span>{t(word)}</span>
              <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
                <rect width={((figures.ages[index] ?? 0) / most) * 100} height="8" />
              </svg>
              <b className="num">{number(figures.ages[index] ?? 0)}</b>
            </div>
          ))}
        </div>
      </section>
      <section className={`card ${processStyles.side}`} aria-labelledby="people-title">
        <h2 id="people-title">{t("谁手上有多少")}</h2>
        <ul className={`${styles.links} ${styles.people}`}>
          {figures.people.map(({ id, name, open, overdue, completed, rating }) => (
            <li key={id}>
              <Button kind="link" aria-pressed={assignee === id} onPress={() => onChoose(assignee === id ? "" : id)}>
                {nameOf(name)}
              </Button>
              <b className="num">{t("{count} 张", { count: open })}</b>
              <small className="mut">
                {t("30 天办完 {count} 张", { count: completed })}
                {rating !== undefined && ` · ★ ${number(rating, 1)}`}
              </small>
              {overdue > 0 && (
                <small className="state major">
                  <Mark name="major" />
                  {t("{count} 张超时", { count: overdue })}
                </small>
              )}
            </li>
          ))}
        </ul>
      </section>
    </aside>
  );
}

/** The desk's orders; each of its people is a choice. */
const listOf = (people: readonly DeskPerson[]) =>
  list({
    name: deskListName,
    path: "/api/muyuan-work-order/desk",
    page: deskOrderPage.path,
    bounded: true,
    renewMs,
    given: { queue: openFirst },
    words: { one: "工单", many: "工单服务台" },
    title: "title",
    // The one that opens first stands first, so that it is in sight on a phone.
    views: [openFirst, ...workOrderQueues.filter((queue) => queue !== openFirst)].map((queue) => ({
      id: queue,
      name: queueWords[queue],
      where: { queue },
    })),
    fields: {
      number: text("单号", { max: 20, search: true }),
      title: text("标题", { max: 60, search: true }),
      customer: text("客户", { max: 60, search: true }),
      type: choice("类型", {
        options: workOrderTypes.map((type) => [type, typeWords[type]]),
        filter: true,
        single: true,
      }),
      assignee: choice("处理人", { options: people.map(({ id, name }) => [id, name]), filter: true, single: true }),
    },
  });
const nobody: readonly DeskPerson[] = [];

/** The group's desk: its queues, how old they are, and who has how much. */
export default function Desk() {
  const { data: figures } = useQuery({
    queryKey: [...deskKey, "figures"],
    queryFn: ({ signal }) => call(deskFigures, { signal, quiet: true }),
    refetchInterval: renewMs,
  });
  const people = figures?.people ?? nobody;
  const orders = useList(useMemo(() => listOf(people), [people]));
  const { where } = orders.state;
  return (
    <>
      <Crumbs />
      <ListHead list={orders} plain />
      <Figures figures={figures} />
      <div className={processStyles.queue}>
        <ListPart
          list={orders}
          counts={{
            mine: figures?.mine,
            unassigned: figures?.unassigned,
            overdue: figures?.overdue,
            waiting: figures?.waiting,
            open: figures?.open,
          }}
          rows={(rows) => (
            <OrderList
              orders={rows as readonly unknown[] as readonly WorkOrder[]}
              ofCustomer={false}
              linkOf={({ id }) => `/customer/workOrder/detail?id=${id}`}
            />
          )}
        />
        {figures && (
          <Load
            figures={figures}
            assignee={where.assignee}
            onChoose={(assignee) => orders.change(({ where }) => ({ where: { ...where, assignee } }))}
          />
        )}
      </div>
    </>
  );
}
