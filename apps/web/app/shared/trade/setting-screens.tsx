import {
  type BandPreviewReply,
  bandPreview,
  type ModelPreviewReply,
  modelPreview,
  previewedSales,
  salesModels,
  weightBands,
} from "@herdwise/contract";
import { yuanText } from "@herdwise/contract/money";
import { checkField, type Field, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Mark } from "../icons/mark.tsx";
import { Button } from "../kit/button.tsx";
import { Facts } from "../kit/facts.tsx";
import { ScrollTable } from "../kit/scroll-table.tsx";
import { TableSkeleton } from "../kit/table-skeleton.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { type FormValues, fromForm } from "../resource/form-values.ts";
import type { PreviewProps } from "../resource/input-props.ts";
import { ResourceScreen } from "../resource/resource-screen.tsx";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { BandLadders, ModelTable, SlotWeek, useBoardChoice } from "./setting-boards.tsx";
import styles from "./setting-screens.module.css";

/** Fen with a sign, as a difference. */
const signedYuan = (fen: number): string => `${fen > 0 ? "+" : ""}${yuanText(fen)}`;

/** Values of a form by name as the wire has them; undefined while one of them is missing or wrong. */
function wholeValues(
  of: ResourceDeclaration,
  values: FormValues,
  names: readonly string[],
): Record<string, unknown> | undefined {
  const read = names.map((name) => {
    const field = of.fields[name] as Field;
    const value = fromForm(field, values[name] ?? "");
    return { name, value, wrong: checkField(name, field, value) !== undefined };
  });
  if (read.some(({ wrong }) => wrong)) return undefined;
  return Object.fromEntries(read.map(({ name, value }) => [name, value]));
}

interface PanelProps<Reply> {
  /** What is sent; undefined while the form is not whole. */
  body: Record<string, unknown> | undefined;
  load: (body: Record<string, unknown>) => Promise<Reply>;
  show: (reply: Reply) => ReactNode;
}

/** Asks what the typed values would have meant, when it is pressed. */
function PreviewPanel<Reply>({ body, load, show }: PanelProps<Reply>) {
  const t = useTranslate();
  const asked = useMutation({ mutationFn: load });
  return (
    <section className={styles.panel} aria-labelledby="preview-title">
      <h3 id="preview-title">{t("对以前的销售会怎样")}</h3>
      <p className="mut">
        {t(body ? "按上面填的，算最近 {count} 笔；不保存。" : "先把上面的填完整，就能看对以前的销售会怎样。", {
          count: previewedSales.usual,
        })}
      </p>
      <Button
        icon="chart"
        isDisabled={body === undefined || asked.isPending}
        onPress={() => body && asked.mutate(body)}
      >
        {t(asked.isPending ? "正在计算" : "算一算")}
      </Button>
      {asked.error && (
        <LoadingProblem
          error={asApiError(asked.error)}
          onRetry={() => body && asked.mutate(body)}
          what={t("对以前的销售会怎样")}
        />
      )}
      {asked.isPending && <TableSkeleton rows={4} />}
      {asked.data && !asked.isPending && (
        <>
          {JSON.stringify(body) !== JSON.stringify(asked.variables) && (
            <p className="state minor">
              <Mark name="minor" />
              {t("填的改过了，请再算一次")}
            </p>
          )}
          {show(asked.data)}
        </>
      )}
    </section>
  );
}

/** Sales of a preview with figures of each. */
function SaleTable({
  rows,
  heads,
}: {
  rows: readonly { id: string; number: string; day: string; heads: number; cells: readonly ReactNode[] }[];
  heads: readonly string[];
}) {
  const t = useTranslate();
  if (rows.length === 0) return <p className="mut">{t("没有以前的销售")}</p>;
  return (
    <ScrollTable label={t("对以前的销售会怎样")} className={styles.table}>
      <thead>
        <tr>
          <th>{t("编号")}</th>
          <th>{t("装车日")}</th>
          <th>{t("头数")}</th>
          {heads.map((head) => (
            <th key={head}>{t(head)}</th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ id, number, day, heads: count, cells }) => (
          <tr key={id}>
            <td className="num">{number}</td>
            <td className="num">{day}</td>
            <td className="num">{count}</td>
            {cells.map((cell, at) => (
              // Cells have no identity but their place.
              <td key={`${id}-${heads[at]}`} className="num">
                {cell}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </ScrollTable>
  );
}

const verdictWords = { accepted: "接受", too_few: "头数太少", too_many: "头数太多" } as const;

function ModelResult({ reply }: { reply: ModelPreviewReply }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <>
      <Facts
        label={t("对以前的销售会怎样")}
        facts={[
          {
            name: t("接受"),
            value: number(reply.accepted),
            note: t("{count} 笔不接受", { count: number(reply.refused) }),
            bad: reply.refused > 0,
          },
          {
            name: t("保证金合计"),
            value: yuanText(reply.wouldBeFen),
            note: t("原来 {amount} 元", { amount: yuanText(reply.depositFen) }),
          },
        ]}
      />
      <SaleTable
        heads={["结果", "原保证金", "新保证金"]}
        rows={reply.rows.map((row) => ({
          ...row,
          cells: [
            <span key="verdict" className={row.verdict === "accepted" ? "state ok" : "state minor"}>
              <Mark name={row.verdict === "accepted" ? "ok" : "minor"} />
              {t(verdictWords[row.verdict])}
            </span>,
            yuanText(row.depositFen),
            yuanText(row.wouldBeFen),
          ],
        }))}
      />
    </>
  );
}

function BandResult({ reply }: { reply: BandPreviewReply }) {
  const t = useTranslate();
  const { number } = useFormats();
  return (
    <>
      <Facts
        label={t("对以前的销售会怎样")}
        facts={[
          {
            name: t("货款合计差额"),
            value: signedYuan(reply.differenceFen),
            note: t("从 {before} 到 {after} 元", {
              before: yuanText(reply.goodsFen),
              after: yuanText(reply.wouldBeFen),
            }),
          },
          {
            name: t("算不出的订单"),
            value: number(reply.unsettled),
            note: t("有车的均重没有唯一的体重段"),
            bad: reply.unsettled > 0,
          },
        ]}
      />
      <SaleTable
        heads={["原货款", "新货款", "差额"]}
        rows={reply.rows.map((row) => ({
          ...row,
          cells: [
            yuanText(row.goodsFen),
            row.wouldBeFen === undefined ? (
              <span key="none" className="state minor">
                <Mark name="minor" />
                {t("{count} 车没有体重段", { count: row.unsettled })}
              </span>
            ) : (
              yuanText(row.wouldBeFen)
            ),
            row.differenceFen === undefined ? "" : signedYuan(row.differenceFen),
          ],
        }))}
      />
    </>
  );
}

/** A preview of the form's own fields for those who may edit it. */
function bodyOf(of: ResourceDeclaration, { id, values }: PreviewProps, names: readonly string[]) {
  const whole = wholeValues(of, values, ["saleRegion", "category", "validFrom", "status", ...names]);
  return (
    whole && {
      ...whole,
      ...(id !== undefined && { id }),
      saleRegion: whole.saleRegion ?? "",
      last: previewedSales.usual,
    }
  );
}

function ModelPreview(props: PreviewProps) {
  return (
    <PreviewPanel
      body={bodyOf(salesModels, props, ["mode", "leastHeads", "mostHeads", "depositFen"])}
      load={(body) => call(modelPreview, { body: body as never, quiet: true })}
      show={(reply) => <ModelResult reply={reply} />}
    />
  );
}

function BandPreview(props: PreviewProps) {
  return (
    <PreviewPanel
      body={bodyOf(weightBands, props, ["fromGrams", "toGrams", "adjustmentFen"])}
      load={(body) => call(bandPreview, { body: body as never, quiet: true })}
      show={(reply) => <BandResult reply={reply} />}
    />
  );
}

/** Sales models as a table of categories by modes, each with what it would have meant for past sales. */
export function SalesModelScreen({ of }: { of: ResourceDeclaration }) {
  const { permissions } = useAccess();
  const { asList, choice } = useBoardChoice("按类别");
  return (
    <ResourceScreen
      of={of}
      above={choice}
      {...(!asList && { board: <ModelTable /> })}
      {...(permissions.has("sales_model_edit") && { preview: ModelPreview })}
    />
  );
}

/** Weight bands as ladders, each with what its version would have meant for past orders. */
export function WeightBandScreen({ of }: { of: ResourceDeclaration }) {
  const { permissions } = useAccess();
  const { asList, choice } = useBoardChoice("按类别");
  return (
    <ResourceScreen
      of={of}
      above={choice}
      {...(!asList && { board: <BandLadders /> })}
      {...(permissions.has("weight_band_edit") && { preview: BandPreview })}
    />
  );
}

/** Loading slots as a week of each farm. */
export function LoadingSlotScreen({ of }: { of: ResourceDeclaration }) {
  const { asList, choice } = useBoardChoice("一周");
  return <ResourceScreen of={of} above={choice} {...(!asList && { board: <SlotWeek /> })} />;
}
