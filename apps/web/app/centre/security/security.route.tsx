import { sessionList } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import "../../shared/forms/forms.css";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { ChangePassword } from "./change-password.tsx";
import { Grants } from "./grants.tsx";
import "./security.css";
import { Sessions } from "./sessions.tsx";

/** Security settings: password, where the account is signed in, and which applications it let in. */
export default function Security() {
  const t = useTranslate();
  const sessions = useLoad("sessions", (signal) => call(sessionList, { signal, quiet: true }));
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("安全设置")}</h1>
      </div>
      <div className="safe">
        <ChangePassword onChanged={sessions.reload} />
        <div>
          <Sessions sessions={sessions} />
          <Grants />
        </div>
      </div>
    </>
  );
}
