import { accessRequest } from "@herdwise/contract";
import type { ListDeclaration } from "@herdwise/contract/resource";
import { useQueries } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { type ApiError, asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { tellIn } from "../language/tell.ts";
import { useJoin } from "../language/use-join.ts";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useOne } from "../language/use-one.ts";
import { RequestNumber } from "../states/request-number.tsx";
import { emptyHouseArt } from "../states/state-art.tsx";
import { type Condition, setConditions, withoutCondition, withoutConditions } from "./conditions.ts";
import type { ListState as ShownState } from "./list-state.ts";
import styles from "./list-states.module.css";
import { countOf } from "./resource-api.ts";
import type { ChangeList } from "./use-list-state.ts";

interface StateProps {
  art?: boolean;
  title: ReactNode;
  children?: ReactNode;
  actions?: ReactNode;
}

/** Explanation in place of rows, with the next step. */
function ListState({ art = false, title, children, actions }: StateProps) {
  return (
    <div className={styles.state}>
      {art && emptyHouseArt("empty")}
      <h2>{title}</h2>
      {children}
      {actions && <div className={styles.actions}>{actions}</div>}
    </div>
  );
}

/** Shown when there are no rows at all. */
export function NothingYet({
  of,
  onAdd,
  addWord,
  onImport,
  text,
  inQueue = false,
}: {
  of: ListDeclaration;
  onAdd?: (() => void) | undefined;
  /** What adding is called, in the chosen language. */
  addWord?: string | undefined;
  onImport?: (() => void) | undefined;
  /** Chinese text that tells how rows get there. */
  text?: string | undefined;
  /** Other queues may have rows. */
  inQueue?: boolean;
}) {
  const t = useTranslate();
  const one = useOne(of.words);
  return (
    <ListState
      art
      title={inQueue ? t("这个队列空了") : t("还没有{one}", { one })}
      actions={
        onAdd && (
          <>
            <Button kind="primary" icon="plus" onPress={onAdd}>
              {addWord ?? t("新增{one}", { one })}
            </Button>
            {onImport && (
              <Button icon="upload" onPress={onImport}>
                {t("导入")}
              </Button>
            )}
          </>
        )
      }
    >
      <p>
        {t(
          text ??
            of.words.nothing ??
            (!onAdd
              ? "有权限的同事新增后，会显示在这里。"
              : onImport
                ? "可以一条条建，也可以用表格一次导入。"
                : "新增后会显示在这里。"),
        )}
      </p>
    </ListState>
  );
}

interface NoMatchProps {
  of: ListDeclaration;
  conditions: readonly Condition[];
  state: ShownState;
  change: ChangeList;
}

/** Shown when no row meets the conditions; it offers to remove each condition with the resulting number of rows. */
export function NoMatch({ of, conditions, state, change }: NoMatchProps) {
  const t = useTranslate();
  const { number } = useFormats();
  const one = useOne(of.words);
  const set = setConditions(conditions, state.where);
  const ways = [
    ...set.map((condition) => ({
      key: condition.name,
      label: t(condition.label),
      without: { keyword: state.keyword, where: withoutCondition(state.where, condition) },
    })),
    ...(state.keyword === ""
      ? []
      : [{ key: "", label: t("查找“{word}”", { word: state.keyword }), without: { keyword: "", where: state.where } }]),
  ];
  const totals = useQueries({
    queries: ways.map(({ without }) => ({ ...countOf(of, without), enabled: ways.length > 1 })),
  });
  return (
    <ListState
      title={t("{count} 个筛选下没有{one}", { count: ways.length, one })}
      actions={
        <Button onPress={() => change({ where: withoutConditions(state.where, conditions), keyword: "" })}>
          {t("清除全部")}
        </Button>
      }
    >
      {ways.length > 1 && (
        <>
          <p>{t("去掉一个试试：")}</p>
          <ul>
            {ways.map(({ key, label, without }, index) => (
              <li key={key}>
                <Button kind="link" onPress={() => change(without)}>
                  {t("去掉 {label}", { label })}
                </Button>
                <span className="num">{totals[index]?.data === undefined ? "…" : number(totals[index].data)}</span>
              </li>
            ))}
          </ul>
        </>
      )}
    </ListState>
  );
}

interface NeedsConditionProps {
  of: ListDeclaration;
  /** Conditions of which one must be set. */
  needed: readonly Condition[];
  /** Opens the editor of a condition. */
  onPick: (condition: Condition) => void;
  /** Restores the last conditions; undefined where there are none. */
  onLast: (() => void) | undefined;
}

/** Shown for a list that requires a condition because it has too many rows. */
export function NeedsCondition({ of, needed, onPick, onLast }: NeedsConditionProps) {
  const t = useTranslate();
  const join = useJoin();
  return (
    <ListState
      title={t("先选{labels}", { labels: join(needed.map(({ label }) => t(label))) })}
      actions={
        <>
          {needed.map((condition) => (
            <Button key={condition.name} icon="filter" onPress={() => onPick(condition)}>
              {t("选{label}", { label: t(condition.label) })}
            </Button>
          ))}
          {onLast && (
            <Button icon="history" onPress={onLast}>
              {t("上次的条件")}
            </Button>
          )}
        </>
      }
    >
      <p>{t("{many}很多，先缩小范围再列出。", { many: t(of.words.many) })}</p>
    </ListState>
  );
}

interface FailedProps {
  error: ApiError;
  onRetry: () => void;
  /** Time and number of the rows that were loaded earlier. */
  last: { atMs: number; count: number } | undefined;
  onShowLast: () => void;
}

/** Shown when loading failed: the reason, the earlier rows, and a retry. */
export function Failed({ error, onRetry, last, onShowLast }: FailedProps) {
  const t = useTranslate();
  const { time } = useFormats();
  return (
    <ListState
      title={
        <span className="state critical">
          <Mark name="critical" />
          {t("没有取到列表")}
        </span>
      }
      actions={
        <>
          <Button kind="primary" icon="reload" onPress={onRetry}>
            {t("再试")}
          </Button>
          {last && <Button onPress={onShowLast}>{t("看 {time} 的", { time: time(last.atMs) })}</Button>}
        </>
      }
    >
      <p>
        {tellIn(t, error)}
        {t("。筛选和选择都还在。")}
        {last && t("{time} 取到的 {count} 条可以先看。", { time: time(last.atMs), count: last.count })}
      </p>
      <RequestNumber of={error} />
    </ListState>
  );
}

/** Shown without the permission for these rows: who can grant it, and a way to ask. */
export function NotAllowed({ of }: { of: ListDeclaration }) {
  const t = useTranslate();
  const join = useJoin();
  const [told, setTold] = useState<{ ok: boolean; text: string }>();
  const ask = async (): Promise<void> => {
    try {
      const { roles } = await call(accessRequest, { body: { menuCode: of.name }, quiet: true });
      setTold({
        ok: true,
        text: t("已经发消息给{roles}，请等待开通。", { roles: join(roles.map((role) => t(role))) }),
      });
    } catch (error) {
      setTold({ ok: false, text: tellIn(t, asApiError(error)) });
    }
  };
  return (
    <ListState
      title={t("您的角色看不到{many}", { many: t(of.words.many) })}
      actions={
        <Button kind="primary" icon="key" isDisabled={told?.ok === true} onPress={() => void ask()}>
          {t("申请查看")}
        </Button>
      }
    >
      <p>{t("缺少“{many} · 查看”。可由管理员或企业主授予。", { many: t(of.words.many) })}</p>
      <p role="status">{told && <span className={told.ok ? "state ok" : "state critical"}>{told.text}</span>}</p>
    </ListState>
  );
}
