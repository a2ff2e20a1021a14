import { deposits } from "@herdwise/contract";
import { operationOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useState } from "react";
import { Link } from "react-router";
import { type ApiError, asApiError } from "../../api/api-error.ts";
import { Refusal } from "../../forms/refusal.tsx";
import { Button } from "../../kit/button.tsx";
import { tellIn } from "../../language/tell.ts";
import { StateTag } from "../../process/state-tag.tsx";
import { ToRealName } from "../../real-name/to-real-name.tsx";
import { callDeclared } from "../../resource/resource-api.ts";
import styles from "./room.module.css";
import { depositText } from "./room-board.tsx";
import { depositFace, useRoomWords } from "./room-words.ts";
import type { Shown } from "./standing.ts";

/** Begins a deposit, and says what its state waits for. */
export function DepositPart({ view, short = false }: { view: Shown; short?: boolean }) {
  const words = useRoomWords();
  const { t, money } = words;
  const { room } = view;
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<ApiError>();
  const { deposit } = room.own;
  const face = depositFace(deposit);
  const begin = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    await callDeclared(operationOf(deposits as ResourceDeclaration, "submit"), {
      body: { lot: room.lot },
      quiet: true,
    }).catch((reason: unknown) => setRefused(asApiError(reason)));
    await view.reload();
    setBusy(false);
  };
  const said: Readonly<Record<string, string>> = {
    "": t("先缴保证金 {money} 元，到账复核后就能出价。没有中标会原路退回。", { money: money(room.depositFen) }),
    awaited: t("请把 {money} 元转到集团账户，附言写保证金编号。销售登记、复核后这里就能出价。", {
      money: money(room.depositFen),
    }),
    recorded: t("转账已登记，等第二个人复核，一般几分钟。"),
  };
  const isMissing = deposit === "" || deposit === "void";
  return (
    <div className={short ? styles.depositShort : styles.deposit}>
      {!short && (
        <>
          {face && !isMissing ? <StateTag {...face} plain /> : <StateTag word="还没有缴保证金" mark="minor" plain />}
          <p>{said[isMissing ? "" : deposit] ?? depositText(room, words)}</p>
        </>
      )}
      {isMissing ? (
        <Button kind="primary" isDisabled={busy || view.lost} onPress={() => void begin()}>
          {t("缴保证金 {money} 元", { money: money(room.depositFen) })}
        </Button>
      ) : (
        <Link className="btn" to={`${deposits.customerMenu?.path}?f.lot=${room.lot}`}>
          {short && face ? `${t("保证金")}：${t(face.word)}` : t("看保证金")}
        </Link>
      )}
      {refused && (
        <p>
          <Refusal text={tellIn(t, refused)} /> {refused.reason.endsWith(".not_authenticated") && <ToRealName />}
        </p>
      )}
    </div>
  );
}
