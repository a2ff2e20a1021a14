import { comparisonSubscribe, comparisonSubscriptionList } from "@herdwise/contract";
import { useId, useState } from "react";
import { Link } from "react-router";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { usePreference } from "../../shared/query/use-preference.ts";
import { showToast } from "../../shared/states/toast-store.ts";
import styles from "./compare.module.css";
import { mostSaved, queryOf, readComparison, readSaved, type SavedComparison } from "./comparison.ts";

/** Where an account keeps its comparisons. */
const key = "analysis.saved";

/** The comparisons that a person kept, and a field to keep this one. @param search of the address of this one; "" while nothing is chosen */
export function SavedComparisons({ search }: { search: string }) {
  const t = useTranslate();
  const id = useId();
  const [saved, keep] = usePreference(key, readSaved);
  const [name, setName] = useState("");
  const [problem, setProblem] = useState("");
  const [busy, setBusy] = useState(false);
  const weekly = useLoad("comparison subscriptions", (signal) =>
    call(comparisonSubscriptionList, { signal, quiet: true }),
  );
  const isWeekly = (of: string): boolean => weekly.value?.some((one) => one.name === of) ?? false;
  const send = async (of: SavedComparison, enabled: boolean): Promise<void> => {
    setBusy(true);
    try {
      const query = queryOf(readComparison(new URLSearchParams(of.search)));
      await call(comparisonSubscribe, { body: { name: of.name, ...query, enabled }, quiet: true });
      weekly.reload();
    } catch (reason) {
      showToast({ kind: "error", text: tellIn(t, asApiError(reason)) });
    }
    setBusy(false);
  };
  const current = saved.find((one) => one.search === search);
  const submit = (): void => {
    const word = name.trim();
    if (word === "") {
      setProblem(t("给它起个名字"));
      return;
    }
    const others = saved.filter((one) => one.name !== word);
    if (others.length >= mostSaved) {
      setProblem(t("最多保存 {count} 个，先删去不用的", { count: mostSaved }));
      return;
    }
    keep([{ name: word, search }, ...others]);
    setName("");
    setProblem("");
    showToast({ kind: "ok", text: "已保存" });
  };
  return (
    <section className={`card ${styles.saved}`} aria-labelledby={`${id}-title`}>
      <header>
        <h2 id={`${id}-title`}>{t("保存的分析")}</h2>
        <span className="mut">{t("地址里就有全部选择，可以直接发给别人")}</span>
      </header>
      {saved.length === 0 && <p className={styles.none}>{t("还没有保存的分析。")}</p>}
      <ul>
        {saved.map((one) => (
          <li key={one.name} data-current={one === current || undefined}>
            <Link to={`?${one.search}`} preventScrollReset>
              {one.name}
            </Link>
            <label>
              <input
                type="checkbox"
                checked={isWeekly(one.name)}
                disabled={busy || weekly.value === undefined}
                onChange={({ target }) => void send(one, target.checked)}
              />
              <span>{t("每周一发给我")}</span>
              <span className="visually-hidden">{one.name}</span>
            </label>
            <IconButton
              icon="trash"
              label={t("删去 {name}", { name: one.name })}
              onPress={() => {
                keep(saved.filter(({ name: held }) => held !== one.name));
                if (isWeekly(one.name)) void send(one, false);
              }}
            />
          </li>
        ))}
      </ul>
      {search !== "" && current === undefined && (
        <form
          onSubmit={(event) => {
            event.preventDefault();
            submit();
          }}
        >
          <label htmlFor={`${id}-name`}>{t("存为")}</label>
          <input
            id={`${id}-name`}
            className="input"
            maxLength={40}
            value={name}
            aria-invalid={problem !== "" || undefined}
            aria-describedby={problem === "" ? undefined : `${id}-problem`}
            onChange={({ target }) => {
              setName(target.value);
              setProblem("");
            }}
          />
          <Button type="submit" kind="primary">
            {t("保存")}
          </Button>
          {problem !== "" && (
            <p id={`${id}-problem`} className={styles.problem}>
              <Icon name="close" small /> {problem}
            </p>
          )}
        </form>
      )}
    </section>
  );
}
