import { type DemoAccount, demoAccounts } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { call } from "../shared/api/call.ts";
import { useTranslate } from "../shared/language/use-language.ts";

interface DemoAccountsProps {
  /** Login name of the account that a visitor comes with: it is chosen at once. */
  wanted: string | null;
  onChoose: (account: DemoAccount) => void;
}

/** Accounts to look around with; the list is empty outside demo mode. */
export function DemoAccounts({ wanted, onChoose }: DemoAccountsProps) {
  const t = useTranslate();
  const [accounts, setAccounts] = useState<DemoAccount[]>([]);
  // What the page came with decides once; a later rendering must not log in again.
  useEffect(() => {
    call(demoAccounts, { quiet: true }).then(
      (found) => {
        setAccounts(found);
        const visited = found.find(({ account }) => account === wanted);
        if (visited) onChoose(visited);
      },
      () => undefined,
    );
  }, []);
  if (accounts.length === 0) return null;
  return (
    <section className="demo" aria-labelledby="demo-title">
      <h3 id="demo-title">
        {t("演示账号")}
        <span>{t("点一下即登录")}</span>
      </h3>
      <ul>
        {accounts.map((account) => (
          <li key={account.account}>
            <button type="button" onClick={() => onChoose(account)}>
              <b>{t(account.name)}</b>
              <small>{t(account.description)}</small>
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
