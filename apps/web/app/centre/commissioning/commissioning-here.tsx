import { commissioningBegin, commissioningOfUnit, type UnitCommissioning } from "@herdwise/contract";
import { useId, useState } from "react";
import { Link, useNavigate } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./commissioning.module.css";
import { againWords, commissioningPath, unitLooks } from "./words.ts";

function Standing({ of }: { of: UnitCommissioning }) {
  const t = useTranslate();
  const nameOf = useNames();
  const { dayTime } = useFormats();
  const { word, mark, tone } = unitLooks[of.state];
  return (
    <>
      <p>
        <span className={`state ${tone}`}>
          <Mark name={mark} />
          {t(word)}
        </span>
      </p>
      {of.signedId !== "" && (
        <p>
          {t("{time} 由 {name} 调试签字", {
            time: dayTime(parseWireDateTime(of.signTime)),
            name: nameOf(of.signedBy),
          })}
          {of.failed > 0 && ` · ${t("{count} 项没通过", { count: of.failed })}`}
        </p>
      )}
      {of.again.length > 0 && (
        <ul className={styles.again}>
          {of.again.map(({ deviceId, deviceName, why }) => (
            <li key={deviceId}>
              {t("要再调试：")}
              <Translated text={deviceName} /> <span className="mut">{t(againWords[why])}</span>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}

/** Whether a unit is commissioned, and the way to its list. @param fresh a device was bound just now */
export function CommissioningHere({ unitId, fresh = false }: { unitId: string; fresh?: boolean }) {
  const t = useTranslate();
  const id = useId();
  const navigate = useNavigate();
  const { permissions } = useAccess();
  const mayView = permissions.has("commissioning_view");
  const mayEdit = permissions.has("commissioning_edit");
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const { value, error, reload } = useLoad(mayView ? `commissioning of unit ${unitId}` : undefined, (signal) =>
    call(commissioningOfUnit, { query: { unitId }, signal, quiet: true }),
  );
  const begin = async (): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      const { id: list } = await call(commissioningBegin, { body: { unitId }, quiet: true });
      await navigate(`${commissioningPath}?id=${list}`);
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
      setBusy(false);
    }
  };
  if (!mayView) return null;
  return (
    <section className="card" aria-labelledby={id}>
      <header>
        <h2 id={id}>{t("单元调试")}</h2>
      </header>
      <div className={styles.here}>
        {error && <LoadingProblem error={error} onRetry={reload} what={t("调试")} kept={value !== undefined} />}
        {!value && !error && <TableSkeleton rows={2} />}
        {value && <Standing of={value} />}
        {fresh && value?.state !== "signed" && (
          <p className="mut">{t("装好了先调试：探头接没接反、风机转不转、告警到不到手机。")}</p>
        )}
        <Refusal text={refused} />
        {value && (
          <p className={styles.hereActs}>
            {value.openId !== "" && (
              <Link className="btn primary" to={`${commissioningPath}?id=${value.openId}`}>
                {t("接着调试")}
              </Link>
            )}
            {value.openId === "" && mayEdit && value.devices > 0 && (
              <Button
                kind={value.state === "signed" ? "plain" : "primary"}
                isDisabled={busy}
                onPress={() => void begin()}
              >
                {t(value.signedId === "" ? "开始调试" : "再调试一次")}
              </Button>
            )}
            {value.signedId !== "" && (
              <Link className="btn" to={`${commissioningPath}?id=${value.signedId}`}>
                {t("看签过的调试单")}
              </Link>
            )}
          </p>
        )}
      </div>
    </section>
  );
}
