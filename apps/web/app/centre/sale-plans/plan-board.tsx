import { type BoardConflict, type BoardPlan, planBoard } from "@herdwise/contract";
import { eventPath, permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { shanghaiDay } from "@herdwise/contract/shanghai";
import { keepPreviousData, useQuery, useQueryClient } from "@tanstack/react-query";
import { lazy, type ReactNode, Suspense, useRef, useState } from "react";
import { Link } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Picker } from "../../shared/lists/filters.tsx";
import { ChosenBar } from "../../shared/resource/bulk-actions.tsx";
import type { FormValues, Row } from "../../shared/resource/form-values.ts";
import { NothingYet } from "../../shared/resource/list-states.tsx";
import { callDeclared, callResource, keysOf, selectRows } from "../../shared/resource/resource-api.ts";
import screen from "../../shared/resource/resource-screen.module.css";
import { useListState } from "../../shared/resource/use-list-state.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { showToast } from "../../shared/states/toast-store.ts";
import { laterDay, mondayOf, weekNumber } from "../../shared/trade/week.ts";
import styles from "./board.module.css";
import { BoardFigures } from "./board-figures.tsx";
import { BoardTable } from "./board-table.tsx";
import { Conflicts } from "./conflicts.tsx";
import { bulkEvents, isChoosable, usePlanWords } from "./plan-words.ts";
import { plannedIn, plannedKey } from "./planned.ts";

const FormDrawer = lazy(async () => ({ default: (await import("../../shared/resource/form-drawer.tsx")).FormDrawer }));

const none: readonly string[] = [];
const noPlans: readonly BoardPlan[] = [];

/** Why an event did not happen to a plan. */
interface Refused {
  plan: BoardPlan;
  /** In the chosen language. */
  reason: string;
}

/** Sale plans of a week by field and day: capacity, conflicts with what fixes them, and steps of several plans at once. */
export function PlanBoardScreen({ of, head }: { of: ResourceDeclaration; head: ReactNode }) {
  const t = useTranslate();
  const { number } = useFormats();
  const words = usePlanWords(of);
  const client = useQueryClient();
  const { permissions } = useAccess();
  const mayEdit = permissions.has(permissionOf(of, "edit"));
  const [search, change] = useAddressValues();
  const [state, changeList] = useListState(none, none, false);
  const thisWeek = mondayOf("", shanghaiDay(Date.now()));
  const from = mondayOf(search.get("week") ?? "", thisWeek);
  const region = search.get("region") ?? "";
  const onlyConflicts = search.get("only") === "conflicts";
  const loaded = useQuery({
    queryKey: [...keysOf(of), "board", from, region],
    queryFn: ({ signal }) =>
      call(planBoard, { query: { from, ...(region !== "" && { region }) }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    staleTime: 0,
  });
  const regions = useQuery({
    queryKey: ["resource", "sale_region", "select"],
    queryFn: ({ signal }) => selectRows("sale_region", {}, signal),
    staleTime: 300_000,
  });
  const board = loaded.data;
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const [refusals, setRefusals] = useState<readonly Refused[]>([]);
  const [given, setGiven] = useState<FormValues>();
  const [ask, setAsk] = useState<string>();
  const { form, busy, refused, submit } = useSubmission<HTMLDivElement>();
  const opener = useRef<HTMLElement | null>(null);

  const plans = board?.fields.flatMap(({ days }) => days.flatMap((day) => day.plans)) ?? noPlans;
  const planOf = (id: string): BoardPlan | undefined => plans.find((plan) => plan.id === id);
  const picked = plans.filter((plan) => chosen.has(plan.id) && isChoosable(plan));
  const inConflict = new Set(board?.conflicts.map(({ field }) => field));
  const shown = board?.fields.filter(({ id }) => !onlyConflicts || inConflict.has(id)) ?? [];

  // Another page may begin a plan: its values stand in the address until the form is closed.
  const begun = state.row === "new" ? plannedIn(search) : undefined;
  const offered = given ?? begun;
  const open = (row: string, more: { given?: FormValues; ask?: string } = {}): void => {
    opener.current = document.activeElement instanceof HTMLElement ? document.activeElement : null;
    setGiven(more.given);
    setAsk(more.ask);
    changeList({ row, tab: "form", parent: "" });
  };
  const close = (): void => {
    changeList({ row: "", tab: "form", parent: "" });
    change({ [plannedKey]: undefined });
    requestAnimationFrame(() => opener.current?.isConnected && opener.current.focus());
  };
  const go = (week: string): void => {
    setChosen(new Set());
    setRefusals([]);
    change({ week: week === thisWeek ? undefined : week, day: undefined });
  };
  const toggle = (id: string): void =>
    setChosen((now) => {
      const next = new Set(now);
      if (!next.delete(id)) next.add(id);
      return next;
    });
  const send = (event: string, { id, version }: BoardPlan, asked: object = {}): Promise<unknown> =>
    callDeclared(
      { method: "POST", path: eventPath(of, event), form: "envelope" },
      { body: { id, version, ...asked }, quiet: true },
    );
  const renew = () => client.invalidateQueries({ queryKey: keysOf(of) });

  /** Sends the chosen plans of a state on, one after the other; those that are refused stay chosen. */
  const sendOn = (from: keyof typeof bulkEvents): Promise<boolean> =>
    submit(async () => {
      const sent = picked.filter((plan) => plan.state === from);
      const held: Refused[] = [];
      for (const plan of sent)
        await send(bulkEvents[from], plan).catch((error) => held.push({ plan, reason: tellIn(t, asApiError(error)) }));
      setRefusals(held);
      const done = new Set(sent.filter((plan) => !held.some((one) => one.plan === plan)).map(({ id }) => id));
      setChosen((now) => new Set([...now].filter((id) => !done.has(id))));
      if (done.size > 0)
        showToast({
          kind: "ok",
          text: from === "draft" ? "已批准 {count} 个计划" : "已发布 {count} 个计划",
          values: { count: done.size },
        });
      await renew();
    });

  /** Moves a draft to another day; what else it says stays. */
  const move = (plan: BoardPlan, day: string): Promise<boolean> =>
    submit(async () => {
      try {
        const row = await callResource<Row>(of, "detail", { query: { id: plan.id }, quiet: true });
        const asked = Object.keys(of.process?.events.revise?.asks ?? {}).map((name) => [name, row[name] ?? null]);
        await send("revise", plan, { ...Object.fromEntries(asked), day });
        showToast({ kind: "ok", text: "已移到 {day}", values: { day: words.day(day) } });
      } finally {
        // After a refusal, too: somebody else may have been quicker.
        await renew();
      }
    });
  const mend = ({ fix }: BoardConflict): void => {
    const plan = planOf(fix.plan);
    if (plan && fix.act === "move" && fix.day !== undefined) void move(plan, fix.day);
    else open(fix.plan, fix.act === "price" ? { ask: "revise" } : {});
  };
  const countOf = (state: BoardPlan["state"]): number => picked.filter((plan) => plan.state === state).length;
  const [drafts, approved] = [countOf("draft"), countOf("approved")];
  const begin = of.process?.begin;
  return (
    <div ref={form}>
      <Crumbs />
      <div className={`${screen.head} ${styles.head}`}>
        <h1>{t(of.words.many)}</h1>
        <div className={styles.week}>
          <IconButton icon="left" label={t("上一周")} onPress={() => go(laterDay(from, -7))} />
          <span>
            {t("第 {week} 周，{from} – {to}", {
              week: weekNumber(from),
              from: words.day(from),
              to: words.day(laterDay(from, 6)),
            })}
          </span>
          <IconButton icon="right" label={t("下一周")} onPress={() => go(laterDay(from, 7))} />
        </div>
        {from !== thisWeek && (
          <span className={styles.back}>
            <Button kind="quiet" onPress={() => go(thisWeek)}>
              {t("回到本周")}
            </Button>
          </span>
        )}
        {head}
        {mayEdit && begin && (
          <Button kind="primary" icon="plus" onPress={() => open("new")}>
            {t(begin.word)}
          </Button>
        )}
      </div>
      {!board && !loaded.error && <TableSkeleton rows={12} />}
      {loaded.error && (
        <LoadingProblem
          error={asApiError(loaded.error)}
          onRetry={() => void loaded.refetch()}
          what={t("销售计划看板")}
          kept={board !== undefined}
        />
      )}
      <div className={screen.kit}>
        {board && (
          <div className={`${styles.main} ${loaded.isPlaceholderData ? "dim" : ""}`}>
            <BoardFigures board={board} />
            <section className={`card ${styles.card}`} aria-label={t("一周看板")}>
              <div className={styles.tools}>
                {(regions.data ?? []).length > 0 && (
                  <Picker
                    label={t("全部大区")}
                    value={region}
                    options={(regions.data ?? []).map(({ value, name }) => [value, name] as const)}
                    onChange={(value) => change({ region: value })}
                  />
                )}
                <button
                  type="button"
                  className={styles.only}
                  aria-pressed={onlyConflicts}
                  onClick={() => change({ only: onlyConflicts ? undefined : "conflicts" })}
                >
                  {t("只看有冲突的场区")} <span className="num">{inConflict.size}</span>
                </button>
                <p className={styles.key}>
                  {(["draft", "approved", "published"] as const).map((one) => (
                    <span key={one}>
                      <i data-state={one} />
                      {t(of.process?.states[one]?.word ?? one)}
                    </span>
                  ))}
                  <span>
                    <i data-state="sold" />
                    {t("售完")}
                  </span>
                  <span>
                    <i data-state="closed" />
                    {t(of.process?.states.closed?.word ?? "closed")}
                  </span>
                </p>
              </div>
              {board.fields.length > 0 && board.totals.capacity === 0 && (
                <p className={styles.note}>
                  {t("这一周没有场区装车，先设装车时段，再排计划。")}{" "}
                  {permissions.has("loading_slot_view") && (
                    <Link className="link" to="/trade/loadingSlot">
                      {t("装车时段管理")}
                    </Link>
                  )}
                </p>
              )}
              {board.fields.length === 0 ? (
                <NothingYet of={of} text="没有在用的场区。场区档案里有了在用的场区，这里就按场区和日期排计划。" />
              ) : shown.length === 0 ? (
                <p className={styles.note}>{t("这一周没有冲突。")}</p>
              ) : (
                <BoardTable
                  board={board}
                  fields={shown}
                  words={words}
                  chosen={chosen}
                  openId={state.row}
                  mayEdit={mayEdit}
                  busy={busy}
                  onToggle={toggle}
                  onOpen={({ id }) => open(id)}
                  onAdd={(field, day) => open("new", { given: { field, day } })}
                  onMend={mend}
                  day={search.get("day") ?? ""}
                  onDay={(day) => change({ day })}
                />
              )}
              {board.fieldsLeft > 0 && (
                <p className={styles.note}>
                  {t("另有 {count} 个场区没有列出，选一个大区看。", { count: number(board.fieldsLeft) })}
                </p>
              )}
              {refusals.length > 0 && (
                <div className={styles.refusals} role="alert">
                  <p>
                    <b>{t("{count} 个计划没有办成", { count: refusals.length })}</b>
                  </p>
                  <ul>
                    {refusals.map(({ plan, reason }) => (
                      <li key={plan.id}>
                        <Mark name="critical" />
                        <span>
                          <span className="num">{plan.number}</span> {words.plan(plan)} <b>{reason}</b>
                        </span>
                      </li>
                    ))}
                  </ul>
                  <IconButton small icon="close" label={t("关闭")} onPress={() => setRefusals([])} />
                </div>
              )}
              {picked.length > 0 && (
                <ChosenBar
                  count={picked.length}
                  onClear={() => setChosen(new Set())}
                  more={<span className="num">{words.heads(picked.reduce((sum, { heads }) => sum + heads, 0))}</span>}
                >
                  {drafts > 0 && (
                    <Button small kind="primary" isDisabled={busy} onPress={() => void sendOn("draft")}>
                      {t("批准 {count} 个", { count: drafts })}
                    </Button>
                  )}
                  {approved > 0 && (
                    <Button small kind="primary" isDisabled={busy} onPress={() => void sendOn("approved")}>
                      {t("发布 {count} 个", { count: approved })}
                    </Button>
                  )}
                </ChosenBar>
              )}
            </section>
            <Conflicts
              board={board}
              words={words}
              mayEdit={mayEdit}
              busy={busy}
              onMend={mend}
              refused={<Refusal text={refused} />}
            />
          </div>
        )}
        {state.row !== "" && (
          <Suspense fallback={null}>
            <FormDrawer
              key={`${state.row} ${ask ?? ""} ${JSON.stringify(offered ?? {})}`}
              of={of}
              state={state}
              change={changeList}
              // Without neighbours: after an event the row stays, as the board shows what became of it.
              rows={[]}
              mayEdit={false}
              inputs={undefined}
              detail={undefined}
              {...(offered && { given: offered })}
              {...(ask !== undefined && { ask })}
              onClose={close}
            />
          </Suspense>
        )}
      </div>
    </div>
  );
}
