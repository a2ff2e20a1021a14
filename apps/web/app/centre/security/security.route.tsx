import { contactState, profileDetail, sessionList, unfamiliarLogIns } from "@herdwise/contract";
import { useState } from "react";
import { useSearchParams } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import "../../shared/forms/forms.css";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { BankCardsPart } from "./bank-cards.tsx";
import { Cancel } from "./cancel.tsx";
import { Closing } from "./closing.tsx";
import { Grants } from "./grants.tsx";
import { History } from "./history.tsx";
import { MyData } from "./my-data.tsx";
import "./security.css";
import { Sessions } from "./sessions.tsx";
import { Tokens } from "./tokens.tsx";
import { WaysIn } from "./ways-in.tsx";
import { Worthwhile } from "./worthwhile.tsx";

/** Security settings: the ways in, where the account is signed in, which applications it let in, and what happened. */
function Settings() {
  const t = useTranslate();
  const { permissions, user } = useAccess();
  // The group's people have no cards, and leave by an administrator.
  const isCustomer = user.tenant_type !== "group";
  const sessions = useLoad("sessions", (signal) => call(sessionList, { signal, quiet: true }));
  const profile = useLoad("profile", (signal) => call(profileDetail, { signal, quiet: true }));
  const contact = useLoad("contact", (signal) => call(contactState, { signal, quiet: true }));
  const unfamiliar = useLoad("unfamiliar log-ins", (signal) => call(unfamiliarLogIns, { signal, quiet: true }));
  const [, change] = useAddressValues();
  const [changes, setChanges] = useState(0);
  /** Something stands in the history now. */
  const logged = (): void => setChanges((count) => count + 1);
  const reload = (): void => {
    logged();
    sessions.reload();
    profile.reload();
    contact.reload();
    unfamiliar.reload();
  };
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("安全设置")}</h1>
      </div>
      {contact.value && unfamiliar.value && (
        <Worthwhile
          contact={contact.value}
          unfamiliar={unfamiliar.value}
          sessions={sessions.value ?? []}
          onChanged={reload}
          onOpen={(open) => change({ open })}
        />
      )}
      {unfamiliar.error && (
        <LoadingProblem error={unfamiliar.error} onRetry={unfamiliar.reload} what={t("没见过的登录")} />
      )}
      <div className="safe">
        <div>
          <WaysIn profile={profile} contact={contact} onChanged={reload} />
          <History key={changes} />
          <Grants />
          <Tokens onChanged={logged} />
        </div>
        <div>
          <Sessions sessions={sessions} />
          {isCustomer && permissions.has("bank_card_manage") && <BankCardsPart onChanged={logged} />}
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
