import { contractHistory } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { Happenings } from "../../shared/contracts/contract-parts.tsx";
import { contractPaths } from "../../shared/contracts/words.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { knownId } from "../../shared/lists/list-address.ts";
import { QueueScreen, useQueue } from "../../shared/process/queue-screen.tsx";
import { contractKey } from "./contract-key.ts";

/** Who did what with the customer's contracts, and when; or with one of them. */
export function ContractRecord() {
  const t = useTranslate();
  const queue = useQueue({
    key: [...contractKey, "history"],
    read: (search) => ({ id: knownId(search.get("id")) }),
    load: (query, signal) => call(contractHistory, { query, signal, quiet: true }),
  });
  const { id } = queue.values;
  const first = queue.loaded.data?.records[0];
  return (
    <QueueScreen
      queue={queue}
      title={t("合同记录")}
      head={
        <>
          {id && first && <span className="mut num">{first.number}</span>}
          <span className="spacer" />
          {id && <Button onPress={() => queue.change({ id: undefined })}>{t("看全部合同的记录")}</Button>}
        </>
      }
      empty={[t("还没有记录"), t("发出、打开、签署、退回，谁在什么时候做的，都记在这里。")]}
    >
      {(happenings) => (
        <Happenings happenings={happenings} linkOf={({ contractId }) => `${contractPaths.detail}?id=${contractId}`} />
      )}
    </QueueScreen>
  );
}
