import { type AuditEntry, auditVerify } from "@herdwise/contract";
import { useMutation } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListScreen } from "../../shared/resource/list-screen.tsx";
import { useList } from "../../shared/resource/use-list.ts";
import styles from "./audit.module.css";
import { ChangedFields, ChangesDialog } from "./audit-changes.tsx";
import { auditTrail } from "./audit-words.ts";

/** Computes the chain of hashes anew and says whether the trail is whole. */
function useVerification() {
  return useMutation({ mutationFn: () => call(auditVerify, { quiet: true }) });
}

function Verified({ verification }: { verification: ReturnType<typeof useVerification> }) {
  const t = useTranslate();
  const { number, dayTime } = useFormats();
  const { data, error, isPending } = verification;
  if (!data && !error && !isPending) return null;
  const count = data ? number(data.entries) : "";
  return (
    <p className={styles.verified} role="status">
      {isPending && t("正在核对…")}
      {!isPending && error && (
        <span className="state major">
          <Mark name="major" />
          {t("没有核对成：{reason}", { reason: tellIn(t, asApiError(error)) })}
        </span>
      )}
      {!isPending && data && data.brokenId === undefined && (
        <span className="state ok">
          <Mark name="ok" />
          {t("核对过 {count} 条，都完整，没有改动或缺失。", { count })}
        </span>
      )}
      {!isPending && data?.brokenId !== undefined && (
        <span className="state critical">
          <Mark name="critical" />
          {t("从 {time} 的一条（编号 {id}）起对不上：它或它之前的一条被改动或删除过。对得上的有 {count} 条。", {
            time: data.brokenAt ? dayTime(parseWireDateTime(data.brokenAt)) : "--",
            id: data.brokenId,
            count,
          })}
        </span>
      )}
    </p>
  );
}

const cells: Cells = {
  rowTitle: ({ row, value }) =>
    value === "" ? <span className="num">{String(row.rowId)}</span> : <Translated text={String(value)} />,
  changes: ({ row }) => <ChangedFields entry={row as unknown as AuditEntry} />,
};

/** Who changed what, and whether the trail itself is whole. */
export default function Audit() {
  const t = useTranslate();
  const verification = useVerification();
  const [opened, setOpened] = useState<AuditEntry>();
  return (
    <>
      <ListScreen
        list={useList(auditTrail)}
        cells={cells}
        onOpen={(row) => setOpened(row as unknown as AuditEntry)}
        nothing="有人新增、修改、删除或授权后，会记在这里。"
        head={
          <Button icon="shield" isDisabled={verification.isPending} onPress={() => verification.mutate()}>
            {t("核对完整性")}
          </Button>
        }
      >
        <Verified verification={verification} />
      </ListScreen>
      {opened && <ChangesDialog entry={opened} onClose={() => setOpened(undefined)} />}
    </>
  );
}
