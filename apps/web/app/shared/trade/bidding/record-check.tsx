import { type BidRecord, bidRecord, bidVerify } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../api/api-error.ts";
import { call } from "../../api/call.ts";
import { Button } from "../../kit/button.tsx";
import { tellIn } from "../../language/tell.ts";
import { StateTag } from "../../process/state-tag.tsx";
import { saveText } from "../../sheets/csv.ts";
import { Waiting } from "../../states/waiting.tsx";
import { awardText, canHash, recomputed } from "./award-file.ts";
import styles from "./room.module.css";
import { useRoomWords } from "./room-words.ts";

/** The record of a closed lot; each look of the group's staff is audited, so that nothing asks twice by itself. */
export const recordQuery = (lot: string) => ({
  queryKey: ["bid_record", lot],
  queryFn: ({ signal }: { signal: AbortSignal }) => call(bidRecord, { query: { lot }, signal, quiet: true }),
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: 0,
  refetchOnReconnect: false,
});

/** Both checks of a record: the server's, and this browser's own. */
const checkOf = async (record: BidRecord) => {
  const server = await call(bidVerify, { query: { lot: record.lot }, quiet: true });
  const own = canHash() ? await recomputed(record, server) : undefined;
  return { server, own };
};

type Checked = Awaited<ReturnType<typeof checkOf>>;

/** What the checks found, in a sentence. */
function Finding({ checked: { server, own } }: { checked: Checked }) {
  const { t } = useRoomWords();
  const altered = server.altered ?? own?.altered;
  if (altered !== undefined)
    return (
      <p className={styles.finding} role="status">
        <StateTag word="记录被改动过" mark="critical" plain />
        <span>
          {server.altered === undefined
            ? t("服务器说记录完整，但在这台电脑上第 {seq} 条对不上，请联系管理员。", { seq: altered })
            : t("第 {seq} 条与写入时不一样，或者缺了，请联系管理员。", { seq: altered })}
        </span>
      </p>
    );
  return (
    <p className={styles.finding} role="status">
      <StateTag word="记录完整" mark="ok" plain />
      <span>
        {own
          ? t("{count} 条记录一条接一条，服务器和这台电脑各算一遍，最后一条的指纹一致。", { count: server.entries })
          : t("{count} 条记录由服务器算过。这台电脑没有用 HTTPS 打开，不能自己再算一遍。", { count: server.entries })}
      </span>
      <code className={styles.hash}>{server.lastHash}</code>
    </p>
  );
}

/** Checks the record of a lot, and hands it out as a file. */
export function RecordCheck({ lot, audited = false }: { lot: string; audited?: boolean }) {
  const { t } = useRoomWords();
  const [wanted, setWanted] = useState(audited);
  const { data, error } = useQuery({ ...recordQuery(lot), enabled: wanted });
  const check = useQuery({
    queryKey: ["bid_verify", lot, data?.entries.length],
    queryFn: () => (data ? checkOf(data) : undefined),
    enabled: data !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
  });
  const checked = check.data;
  const save = async (): Promise<void> => {
    if (!data || !checked) return;
    saveText(`${data.number}.json`, await awardText(data, checked.server), "application/json");
  };
  const problem = error ?? check.error;
  return (
    <section className={`card ${styles.check}`} aria-labelledby="room-check">
      <header>
        <h2 id="room-check">{t("核对记录")}</h2>
      </header>
      <div className={styles.body}>
        {!wanted && <p>{t("每条出价的指纹都连着前一条。可以在这台电脑上重新算一遍，看有没有被改动。")}</p>}
        {problem ? (
          <p className="state critical">{tellIn(t, asApiError(problem))}</p>
        ) : checked ? (
          <Finding checked={checked} />
        ) : (
          wanted && <Waiting />
        )}
        <div className={styles.acts}>
          {!wanted && <Button onPress={() => setWanted(true)}>{t("核对")}</Button>}
          {checked && (
            <>
              <Button isDisabled={check.isFetching} onPress={() => void check.refetch()}>
                {t("再核对一次")}
              </Button>
              {canHash() && (
                <Button icon="download" onPress={() => void save()}>
                  {t("导出记录")}
                </Button>
              )}
            </>
          )}
        </div>
        {checked && (
          <p className={styles.fine}>
            {t("导出的文件没有姓名，可以交给竞买人。不用系统也能核对：node scripts/verify-award.mjs 文件名")}
          </p>
        )}
      </div>
    </section>
  );
}
