import { accessRequestGrant, accessRequestPage, accessRequestRefuse, accessRequestScreen } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { ProcessQueue } from "../../shared/process/process-queue.tsx";

/** Who asks for which screens. */
export default function AccessRequests() {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <ProcessQueue
      of={accessRequestScreen}
      name="access-request"
      load={(query, signal) => call(accessRequestPage, { query, signal, quiet: true })}
      send={{
        grant: ({ id, version }, { roleId = "" }) => call(accessRequestGrant, { body: { id, version, roleId } }),
        refuse: ({ id, version }, { reason = "" }) => call(accessRequestRefuse, { body: { id, version, reason } }),
      }}
      line={({ asker, menu, askTime, reason }) => (
        <>
          <b>{t("{asker} 申请“{menu}”", { asker, menu: t(menu) })}</b>
          <span className="num">{dayTime(parseWireDateTime(askTime))}</span>
          <Translated text={reason} />
        </>
      )}
    />
  );
}
