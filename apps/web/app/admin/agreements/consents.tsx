import { agreementConsentExport } from "@herdwise/contract";
import { consentList } from "@herdwise/contract/lists";
import { useMemo } from "react";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { useNames } from "../../shared/language/use-names.ts";
import type { Cells } from "../../shared/resource/cells.ts";
import { ListPart } from "../../shared/resource/list-screen.tsx";
import { whereOf } from "../../shared/resource/list-state.ts";
import { useList } from "../../shared/resource/use-list.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { tellJobBegun } from "../../shared/session/job-begun.ts";
import { showToast } from "../../shared/states/toast-store.ts";

const cells: Cells = {
  contactName: ({ value }) => <b>{String(value)}</b>,
  tenants: function Tenants({ value }) {
    const nameOf = useNames();
    return String(value).split(",").map(nameOf).join("、");
  },
};

/** Who agreed to a version, or to any, and when. */
export function Consents({ versionId }: { versionId: string }) {
  const t = useTranslate();
  const language = useLanguage();
  const mayExport = useAccess().permissions.has("agreement_export");
  const list = useList(useMemo(() => ({ ...consentList, given: { versionId } }), [versionId]));
  return (
    <ListPart
      list={list}
      cells={cells}
      nothing="发布以后，每个人登录时会请他同意，记在这里。"
      tools={
        mayExport &&
        list.total > 0 && (
          <Button
            small
            icon="download"
            onPress={() =>
              void call(agreementConsentExport, { body: { ...whereOf(list.state), versionId, language } }).then(
                () => {
                  tellJobBegun();
                  showToast({ kind: "ok", text: "导出已开始，完成后在顶栏和消息里下载" });
                },
                // A refusal shows as a toast.
                () => undefined,
              )
            }
          >
            {t("导出")}
          </Button>
        )
      }
    />
  );
}
