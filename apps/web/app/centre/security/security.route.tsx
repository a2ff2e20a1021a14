import { contactState, profileDetail, sessionList } from "@herdwise/contract";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import "../../shared/forms/forms.css";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { BankCardsPart } from "./bank-cards.tsx";
import { Cancel } from "./cancel.tsx";
import { Closing } from "./closing.tsx";
import { Grants } from "./grants.tsx";
import { History } from "./history.tsx";
import { MyData } from "./my-data.tsx";
import "./security.css";
import { Sessions } from "./sessions.tsx";
import { WaysIn } from "./ways-in.tsx";

/** Security settings: the ways in, where the account is signed in, which applications it let in, and what happened. */
function Settings() {
  const t = useTranslate();
  const { permissions, user } = useAccess();
  // The group's people have no cards, and leave by an administrator.
  const isCustomer = user.tenant_type !== "group";
  const sessions = useLoad("sessions", (signal) => call(sessionList, { signal, quiet: true }));
  const profile = useLoad("profile", (signal) => call(profileDetail, { signal, quiet: true }));
  const contact = useLoad("contact", (signal) => call(contactState, { signal, quiet: true }));
  const [changes, setChanges] = useState(0);
  /** Something stands in the history now. */
  const logged = (): void => setChanges((count) => count + 1);
  const reload = (): void => {
    logged();
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
          {isCustomer && permissions.has("bank_card_manage") && <BankCardsPart onChanged={logged} />}
          <Grants />
          <MyData onChanged={logged} />
          {isCustomer && <Closing />}
        </div>
      </div>
    </>
  );
}

/** Security settings, and below them the way out. One file, for what they share. */
export default function Security() {
  const [search] = useSearchParams();
  return search.get("view") === "cancel" ? <Cancel /> : <Settings />;
}
