import { type AccessRow, accessReasons, accessRows, type GrantNode, grantTree, userPage } from "@herdwise/contract";
import { keepPreviousData, useQuery } from "@tanstack/react-query";
import { useId, useMemo, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { call } from "../api/call.ts";
import { Button } from "../kit/button.tsx";
import { Dialog } from "../kit/dialog.tsx";
import { SearchChoice } from "../kit/search-choice.tsx";
import { useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { Picker } from "../lists/filters.tsx";
import { useAccess } from "../session/access-context.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import styles from "./access-reasons.module.css";
import { AccessSteps, type AskedPerson } from "./access-steps.tsx";

const mostShown = 50;
const button = 2;
/** Rows of the screen itself. */
const ofScreen = "screen";

/** Rows that can be asked about whatever the screen is, by their kind. */
const rowKinds = [
  ["farm", "场区"],
  ["device", "设备"],
  ["alarm", "告警"],
  ["member", "成员"],
  ["order", "订单"],
] as const;

interface Asked {
  code: string;
  /** In the chosen language. */
  title: string;
}

/** Menus and buttons with where they stand, parents first. */
function placed(
  nodes: readonly GrantNode[],
  t: (text: string) => string,
  above = "",
): { code: string; title: string; path: string; isButton: boolean }[] {
  return nodes.flatMap((node) => {
    const title = t(node.title);
    const own = { code: node.code, title, path: above, isButton: node.category === button };
    return [own, ...placed(node.children ?? [], t, above === "" ? title : `${above} · ${title}`)];
  });
}

interface AccessReasonsDialogProps {
  /** Whom it is asked of at first. */
  person?: AskedPerson;
  /** The menu that is asked about at first. */
  menu?: Asked;
  onClose: () => void;
}

/** Why a person sees a screen, a button or a row, or does not. */
export function AccessReasonsDialog({ person: given, menu, onClose }: AccessReasonsDialogProps) {
  const t = useTranslate();
  const nameOf = useNames();
  const id = useId();
  const { permissions } = useAccess();
  const [person, setPerson] = useState(given);
  const [personWord, setPersonWord] = useState("");
  const [asked, setAsked] = useState(menu);
  const [codeWord, setCodeWord] = useState("");
  const [kind, setKind] = useState("");
  const [row, setRow] = useState<AccessRow>();
  const [rowWord, setRowWord] = useState("");
  const people = useQuery({
    queryKey: ["access reasons", "people", personWord],
    queryFn: ({ signal }) =>
      call(userPage, { query: { current: 1, size: 20, keyword: personWord }, signal, quiet: true }),
    placeholderData: keepPreviousData,
    enabled: permissions.has("user_view"),
  });
  const tree = useQuery({
    queryKey: ["access reasons", "menus"],
    queryFn: ({ signal }) => call(grantTree, { signal, quiet: true }),
  });
  const entries = useMemo(() => placed(tree.data?.menu ?? [], t), [tree.data, t]);
  const wanted = codeWord.trim().toLowerCase();
  const fitting = entries.filter(({ title, path, code }) => `${path} ${title} ${code}`.toLowerCase().includes(wanted));
  const own = useQuery({
    queryKey: ["access reasons", "rows of", asked?.code],
    queryFn: ({ signal }) => call(accessRows, { query: { code: asked?.code ?? "" }, signal, quiet: true }),
    enabled: asked !== undefined,
  });
  const ownKind = own.data?.rowKind ?? "";
  const kinds = [
    ...(ownKind !== "" && !rowKinds.some(([name]) => name === ownKind) ? [[ofScreen, "这个页面的数据"] as const] : []),
    ...rowKinds,
  ];
  const rowKind = kind === ofScreen ? "" : kind;
  const rows = useQuery({
    queryKey: ["access reasons", "rows", asked?.code, rowKind, person?.tenantId, rowWord],
    queryFn: ({ signal }) =>
      call(accessRows, {
        query: { code: asked?.code ?? "", rowKind, tenantId: person?.tenantId ?? "", keyword: rowWord },
        signal,
        quiet: true,
      }),
    placeholderData: keepPreviousData,
    enabled: asked !== undefined && person !== undefined && kind !== "",
  });
  const answer = useQuery({
    queryKey: ["access reasons", person?.accountId, person?.tenantId, asked?.code, kind, row?.id],
    queryFn: ({ signal }) =>
      call(accessReasons, {
        query: {
          accountId: person?.accountId ?? "",
          tenantId: person?.tenantId ?? "",
          code: asked?.code ?? "",
          ...(row && { rowId: row.id, rowKind }),
        },
        signal,
        quiet: true,
      }),
    staleTime: 0,
    enabled: person !== undefined && asked !== undefined,
  });
  const { data, error } = answer;
  const blocked = data?.steps.filter(({ ok }) => !ok).length ?? 0;
  return (
    <Dialog
      title={t("为什么看不到")}
      size="medium"
      onClose={onClose}
      footer={<Button onPress={onClose}>{t("关闭")}</Button>}
    >
      <div className={styles.fields}>
        <div className={styles.field}>
          <span id={`${id}-person-label`}>{t("谁")}</span>
          <SearchChoice
            id={`${id}-person`}
            labelledBy={`${id}-person-label`}
            value={person ? `${person.accountId}@${person.tenantId}` : ""}
            title={person?.name ?? ""}
            readOnly={!permissions.has("user_view")}
            options={(people.data?.records ?? []).map((user) => ({
              value: `${user.id}@${user.tenantId}`,
              name: `${nameOf(user.realName || user.account)} ${user.account}`,
              path: nameOf(user.tenantName),
            }))}
            searching={people.isFetching}
            onWord={setPersonWord}
            onChoose={(option) => {
              const [accountId = "", tenantId = ""] = option?.value.split("@") ?? [];
              setPerson(option && { accountId, tenantId, name: option.name });
              setRow(undefined);
            }}
            clearable={false}
            placeholder={t("输入姓名或登录名查找")}
          />
        </div>
        <div className={styles.field}>
          <span id={`${id}-code-label`}>{t("看不到什么页面，或没有哪个按钮")}</span>
          <SearchChoice
            id={`${id}-code`}
            labelledBy={`${id}-code-label`}
            value={asked?.code ?? ""}
            title={asked?.title ?? ""}
            options={fitting.slice(0, mostShown).map(({ code, title, path, isButton }) => ({
              value: code,
              name: title,
              path: `${t(isButton ? "按钮" : "页面")}${path === "" ? "" : ` · ${path}`}`,
            }))}
            searching={tree.isFetching}
            onWord={setCodeWord}
            onChoose={(option) => {
              setAsked(option && { code: option.value, title: option.name });
              setKind("");
              setRow(undefined);
            }}
            clearable={false}
            placeholder={t("输入名称查找")}
          />
        </div>
        {asked && person && (
          <div className={styles.field}>
            <span id={`${id}-row-label`}>{t("哪一条数据（可不选）")}</span>
            <Picker
              label={t("不问具体数据")}
              value={kind}
              options={kinds}
              onChange={(next) => {
                setKind(next);
                setRow(undefined);
              }}
            />
            {kind !== "" && (
              <SearchChoice
                id={`${id}-row`}
                labelledBy={`${id}-row-label`}
                value={row?.id ?? ""}
                title={nameOf(row?.title ?? "")}
                options={(rows.data?.rows ?? []).map((found) => ({
                  value: found.id,
                  name: nameOf(found.title),
                  path: nameOf(found.tenantName),
                }))}
                searching={rows.isFetching}
                onWord={setRowWord}
                onChoose={(option) => setRow(rows.data?.rows.find((found) => found.id === option?.value))}
                clearable
                placeholder={t("只列出您自己看得到的，输入名称查找")}
              />
            )}
          </div>
        )}
      </div>
      <div className={styles.answer} aria-live="polite" aria-busy={answer.isFetching}>
        {!(person && asked) && <p className="mut">{t("选好人和页面或按钮，就会逐步说明。")}</p>}
        {error && <LoadingProblem error={asApiError(error)} onRetry={() => void answer.refetch()} what={t("原因")} />}
        {data && person && (
          <>
            <p className={styles.verdict}>
              {data.allowed
                ? t("{name} 看得到。", { name: person.name })
                : t("{name} 看不到，有 {count} 步挡住。", { name: person.name, count: blocked })}
            </p>
            <AccessSteps steps={data.steps} person={person} onLeave={onClose} />
          </>
        )}
      </div>
    </Dialog>
  );
}
