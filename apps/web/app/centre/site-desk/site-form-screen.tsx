import { newSiteFormNumber, type SiteFormReveal, siteFormReveal, siteFormTake } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import type { FormValues, Row } from "../../shared/resource/form-values.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { stateCell } from "../../shared/resource/state-cell.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import styles from "./site-desk.module.css";

const resource = { name: "site_form" };

/** The number of a form, and when it came. */
function Numbered({ row, value }: { row: Row; value: unknown }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const came = parseWireDateTime(String(row.createTime ?? ""));
  return (
    <span className={styles.numbered}>
      <span className="num">{String(value)}</span>
      {came !== undefined && <small className="num">{t("{time} 收到", { time: dayTime(came) })}</small>}
    </span>
  );
}

const cells: Cells = {
  formNumber: Numbered,
  state: stateCell({
    new: { word: "新到", mark: "notice" },
    working: { word: "处理中", mark: "notice" },
    done: { word: "已办结", mark: "ok" },
    refused: { word: "已婉拒", mark: "off" },
  }),
};

/** What is done with a form before anything is written: it is taken, and its sender is called. */
function Sender({ row }: { row: Row }) {
  const t = useTranslate();
  const client = useQueryClient();
  const { permissions, user } = useAccess();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  const [shown, setShown] = useState<SiteFormReveal>();
  const open = row.state === "new" || row.state === "working";
  const isMine = row.assigneeName === (user.real_name || user.account);
  const run = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setRefused(undefined);
    try {
      await work();
    } catch (problem) {
      setRefused(tellIn(t, asApiError(problem)));
    } finally {
      setBusy(false);
    }
  };
  const take = () =>
    run(async () => {
      await call(siteFormTake, { body: { id: row.id }, quiet: true });
      await client.invalidateQueries({ queryKey: keysOf(resource) });
    });
  const reveal = () => run(async () => setShown(await call(siteFormReveal, { body: { id: row.id }, quiet: true })));
  const mayTake = open && permissions.has("site_form_edit") && !isMine;
  const mayReveal = shown === undefined && permissions.has("site_form_reveal") && row.contactPhone !== "";
  if (!mayTake && !mayReveal && shown === undefined) return null;
  return (
    <section className={styles.part} aria-label={t("处理")}>
      {shown && (
        <dl className={styles.contact}>
          <div>
            <dt>{t("联系电话")}</dt>
            <dd>
              <a className="link num" href={`tel:${shown.contactPhone}`}>
                {shown.contactPhone}
              </a>
            </dd>
          </div>
          {shown.contactEmail !== "" && (
            <div>
              <dt>{t("邮箱")}</dt>
              <dd>
                <a className="link" href={`mailto:${shown.contactEmail}`}>
                  {shown.contactEmail}
                </a>
              </dd>
            </div>
          )}
        </dl>
      )}
      {(mayTake || mayReveal) && (
        <p className={styles.buttons}>
          {mayTake && (
            <Button small kind="primary" isDisabled={busy} onPress={() => void take()}>
              {t("由我处理")}
            </Button>
          )}
          {mayReveal && (
            <Button small isDisabled={busy} onPress={() => void reveal()}>
              {t("看完整的联系方式")}
            </Button>
          )}
        </p>
      )}
      {mayReveal && <small className="mut">{t("谁、什么时候看的，会写进操作审计。")}</small>}
      <Refusal text={refused} />
    </section>
  );
}

/** A form that staff write down, after a call for example, has a number like those of the site. */
const givenFor = (): FormValues => ({ formNumber: newSiteFormNumber(Date.now()) });

/** Forms that visitors of the site sent, each with what is done first. */
export function SiteFormScreen({ of }: { of: ResourceDeclaration }) {
  return <ResourceScreen of={of} cells={cells} detail={Sender} given={givenFor} />;
}
