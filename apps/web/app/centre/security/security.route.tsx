import { contactState, profileDetail, sessionList } from "@herdwise/contract";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import "../../shared/forms/forms.css";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { Grants } from "./grants.tsx";
import { History } from "./history.tsx";
import "./security.css";
import { Sessions } from "./sessions.tsx";
import { WaysIn } from "./ways-in.tsx";

/** Security settings: the ways in, where the account is signed in, which applications it let in, and what happened. */
export default function Security() {
  const t = useTranslate();
  const sessions = useLoad("sessions", (signal) => call(sessionList, { signal, quiet: true }));
  const profile = useLoad("profile", (signal) => call(profileDetail, { signal, quiet: true }));
  const contact = useLoad("contact", (signal) => call(contactState, { signal, quiet: true }));
  const [changes, setChanges] = useState(0);
  const reload = (): void => {
    setChanges((count) => count + 1);
    sessions.reload();
    profile.reload();
    contact.reload();
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("安全设置")}</h1>
      </div>
      <div className="safe">
        <div>
          <WaysIn profile={profile} contact={contact} onChanged={reload} />
          <History key={changes} />
        </div>
        <div>
          <Sessions sessions={sessions} />
          <Grants />
        </div>
      </div>
    </>
  );
}
