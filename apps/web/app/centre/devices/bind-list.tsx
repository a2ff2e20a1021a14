import { deviceBind } from "@herdwise/contract";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import styles from "./bind.module.css";
import { isHeight, noPlace, PlaceFields, placeBody } from "./place-fields.tsx";

/** Devices of one list: more tries in ten minutes are refused by the server. */
const mostLines = 20;

/** What a list says: a serial number and the code of its label in each line, however they are parted. */
function linesOf(text: string): { serialNumber: string; code: string }[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const [serialNumber = "", code = ""] = line.trim().split(/[\s,;，；]+/);
    return serialNumber === "" ? [] : [{ serialNumber, code }];
  });
}

/** Binds several devices to one place by their labels; each tells how it went. */
export function BindList() {
  const t = useTranslate();
  const client = useQueryClient();
  const [text, setText] = useState("");
  const [place, setPlace] = useState(noPlace);
  const [busy, setBusy] = useState(false);
  const [outcomes, setOutcomes] = useState<readonly { serialNumber: string; problem: string | undefined }[]>([]);
  const lines = linesOf(text);
  const isTooLong = lines.length > mostLines;
  const bind = async (): Promise<void> => {
    setBusy(true);
    setOutcomes([]);
    const left: string[] = [];
    for (const label of lines) {
      const problem = await call(deviceBind, { body: { ...label, ...placeBody(place) }, quiet: true }).then(
        () => undefined,
        (error: unknown) => tellIn(t, asApiError(error)),
      );
      if (problem !== undefined) left.push(`${label.serialNumber} ${label.code}`);
      setOutcomes((now) => [...now, { serialNumber: label.serialNumber, problem }]);
    }
    // What was not bound stays to be put right.
    setText(left.join("\n"));
    setBusy(false);
    await client.invalidateQueries({ queryKey: ["fresh devices"] });
  };
  return (
    <details className={`card fold ${styles.list}`}>
      <summary>{t("多台一起绑")}</summary>
      <div className={styles.step}>
        <label className={styles.text}>
          <span>{t("每行一台：序列号和验证码")}</span>
          <textarea
            className="input"
            rows={5}
            spellCheck={false}
            autoComplete="off"
            value={text}
            onChange={(event) => setText(event.target.value)}
          />
        </label>
        {isTooLong && <p className="state minor">{t("一次最多 {most} 台", { most: mostLines })}</p>}
        <PlaceFields value={place} onChange={setPlace} problem={undefined} />
        <Button
          kind="primary"
          isDisabled={
            busy ||
            lines.length === 0 ||
            isTooLong ||
            lines.some(({ code }) => code === "") ||
            place.farmId === "" ||
            !isHeight(place.height)
          }
          onPress={() => void bind()}
        >
          {busy ? t("正在绑定") : t("绑定 {count} 台", { count: lines.length })}
        </Button>
        <ul role="status">
          {outcomes.map(({ serialNumber, problem }) => (
            <li key={serialNumber}>
              <span className={`state ${problem === undefined ? "ok" : "major"}`}>
                <Mark name={problem === undefined ? "ok" : "major"} />
                <span className="num">{serialNumber}</span> {problem ?? t("已绑定，第一条数据看下面")}
              </span>
            </li>
          ))}
        </ul>
      </div>
    </details>
  );
}
