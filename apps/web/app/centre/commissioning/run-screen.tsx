import { type Commissioning, commissioningDiscard, commissioningSign } from "@herdwise/contract";
import { useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { calledOf } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { CheckCard, ResultMark, useCheckName } from "./check-card.tsx";
import styles from "./commissioning.module.css";
import type { OpenList } from "./use-commissioning.ts";
import { commissioningPath, isOpen } from "./words.ts";

/** The checks in their order, by device. */
function CheckList({ list, at, onChoose }: { list: Commissioning; at: number; onChoose: (at: number) => void }) {
  const t = useTranslate();
  const nameOf = useCheckName();
  return (
    <nav className={styles.list} aria-label={t("所有检查项")}>
      <ol>
        {list.items.map((item, index) => (
          <li key={item.id}>
            {item.deviceId !== list.items[index - 1]?.deviceId && (
              <h3>{item.deviceId === "" ? t("整个单元") : <Translated text={item.deviceName} />}</h3>
            )}
            <button type="button" aria-current={index === at ? "step" : undefined} onClick={() => onChoose(index)}>
              <span>{nameOf(item)}</span>
              <ResultMark item={item} />
            </button>
          </li>
        ))}
      </ol>
    </nav>
  );
}

function SignPart({ list, open }: { list: Commissioning; open: OpenList }) {
  const t = useTranslate();
  const { user } = useAccess();
  const [asking, setAsking] = useState<"sign" | "discard">();
  const [refused, setRefused] = useState<string>();
  const { id, version } = list;
  const left = list.items.filter(isOpen).length;
  const failed = list.items.filter(({ result }) => result === "failed").length;
  const work = async (what: () => Promise<unknown>): Promise<void> => {
    setAsking(undefined);
    setRefused(undefined);
    try {
      await what();
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
    }
    open.reload();
  };
  return (
    <section className={`card ${styles.sign}`} aria-labelledby="sign-title">
      <h2 id="sign-title">{t("签字")}</h2>
      <p>
        {left > 0
          ? t("还有 {count} 项没有结果，答完才能签字。", { count: left })
          : failed > 0
            ? t("都有结果了，{count} 项没通过，会写在调试单上。", { count: failed })
            : t("都通过了，可以签字。")}
      </p>
      <p className={styles.acts}>
        <Button
          kind="primary"
          isDisabled={left > 0 || open.waiting.length > 0 || open.lostAtMs !== undefined}
          onPress={() => setAsking("sign")}
        >
          {t("签字")}
        </Button>
        <Button kind="link" isDisabled={open.lostAtMs !== undefined} onPress={() => setAsking("discard")}>
          {t("作废这张单")}
        </Button>
      </p>
      <Refusal text={refused} />
      {asking === "sign" && (
        <ConfirmDialog
          title={t("以 {name} 的名义签字？", { name: calledOf(user) })}
          action={t("签字")}
          kind="primary"
          onConfirm={() =>
            work(async () => open.show(await call(commissioningSign, { body: { id, version }, quiet: true })))
          }
          onClose={() => setAsking(undefined)}
        >
          <p>{t("签了就不能改，姓名、时间和内容的校验值一起保存。设备有变动时，再开一张新的。")}</p>
        </ConfirmDialog>
      )}
      {asking === "discard" && (
        <ConfirmDialog
          title={t("作废这张调试单？")}
          action={t("作废")}
          onConfirm={() => work(() => call(commissioningDiscard, { body: { id, version }, quiet: true }))}
          onClose={() => setAsking(undefined)}
        >
          <p>{t("答过的都不算了，可以重新开一张。")}</p>
        </ConfirmDialog>
      )}
    </section>
  );
}

/** What the network has to do with it. */
function Network({ open }: { open: OpenList }) {
  const t = useTranslate();
  if (open.lostAtMs === undefined && open.waiting.length === 0) return null;
  return (
    <p className={styles.network} role="status">
      <Mark name="off" />
      {open.lostAtMs !== undefined && t("没有网络，答了先存在手机上。")}{" "}
      {open.waiting.length > 0 && t("等网络 {count} 条", { count: open.waiting.length })}
    </p>
  );
}

/** A list under way: one check at a time, the others beside it. */
export function RunScreen({ list, open }: { list: Commissioning; open: OpenList }) {
  const t = useTranslate();
  const mayEdit = useAccess().permissions.has("commissioning_edit");
  const { items } = list;
  const [chosen, setChosen] = useState<number>();
  const first = items.findIndex(isOpen);
  const at = chosen ?? (first < 0 ? 0 : first);
  const item = items[at];
  const done = items.filter((one) => !isOpen(one)).length;
  // The next one that waits, after this or from the beginning.
  const next = [...items.keys()]
    .map((step) => (at + 1 + step) % items.length)
    .find((index) => {
      const one = items[index];
      return index !== at && one !== undefined && one.result === "open";
    });
  return (
    <>
      <div className="page-head">
        <h1>
          <Translated text={list.houseName} /> <Translated text={list.unitName} /> {t("调试")}
        </h1>
        <span className="spacer" />
        <Link className="btn" to={commissioningPath}>
          {t("所有单元")}
        </Link>
      </div>
      <div className={styles.progress}>
        <progress max={items.length} value={done} aria-label={t("调试进度")} />
        <span className="num">
          {done} / {items.length}
        </span>
      </div>
      <Network open={open} />
      {!mayEdit && <p className="mut">{t("您可以看，答题和签字要“调试和签字”的权限。")}</p>}
      <div className={styles.run}>
        <div className={styles.main}>
          {item && (
            <CheckCard
              key={item.id}
              item={item}
              list={list}
              open={open}
              mayEdit={mayEdit}
              onNext={next === undefined ? undefined : () => setChosen(next)}
            />
          )}
          {mayEdit && <SignPart list={list} open={open} />}
        </div>
        <CheckList list={list} at={at} onChoose={setChosen} />
      </div>
    </>
  );
}
