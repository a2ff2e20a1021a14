import type { Contract, ContractDetail, ContractHappening } from "@herdwise/contract";
import { waitingContractStates } from "@herdwise/contract/contract-states";
import { yuanText } from "@herdwise/contract/contract-text";
import type { ReactNode } from "react";
import { Link } from "react-router";
import { Icon } from "../icons/icon.tsx";
import { Mark } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useLanguage, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import { HistoryLines } from "../process/history-lines.tsx";
import processStyles from "../process/process.module.css";
import { StateTag } from "../process/state-tag.tsx";
import { useNow } from "../states/use-now.ts";
import styles from "./contracts.module.css";
import { happeningWords, kindWords, stateWords } from "./words.ts";

const dayMs = 86_400_000;

/** What a contract is called in the chosen language. */
export function useTitle(): (of: { title: string; titleEn: string }) => string {
  const language = useLanguage();
  return ({ title, titleEn }) => (language === "en" && titleEn !== "" ? titleEn : title);
}

/** Whether the customer has it and has not answered. */
export const isWaiting = ({ state }: Pick<Contract, "state">): boolean =>
  waitingContractStates.some((waiting) => waiting === state);

/** Where a contract stands, in a shape and a word. @param ofCustomer the reader is the customer who is waited for */
export function ContractState({
  contract,
  ofCustomer,
}: {
  contract: Pick<Contract, "state" | "urgent">;
  ofCustomer: boolean;
}) {
  const waits = isWaiting(contract);
  if (ofCustomer && waits) return <StateTag mark={contract.urgent ? "major" : "minor"} word="等您签" />;
  return <StateTag {...stateWords[contract.state]} />;
}

/** Until when something holds, and how far that is. */
function useUntil(): (contract: Pick<Contract, "state" | "signBy" | "startDay" | "endDay">) => string {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return ({ state, signBy, startDay, endDay }) => {
    if (isWaiting({ state })) return t("{time} 前签", { time: dayTime(parseWireDateTime(signBy)) });
    return endDay === "" ? "" : t("{from} 至 {until}", { from: startDay === "" ? "--" : startDay, until: endDay });
  };
}

/** Until when it is signed or holds, with the days that are left to sign; marked where it is urgent. */
export function Until({
  contract,
}: {
  contract: Pick<Contract, "state" | "signBy" | "startDay" | "endDay" | "urgent">;
}) {
  const t = useTranslate();
  const until = useUntil();
  const now = useNow();
  const waits = isWaiting(contract);
  const daysLeft = waits ? Math.floor(((parseWireDateTime(contract.signBy) ?? now) - now) / dayMs) : -1;
  return (
    <span className={waits && contract.urgent ? "num state major" : "num"}>
      {until(contract)}
      {daysLeft > 0 && ` · ${t("还有 {count} 天", { count: daysLeft }).replaceAll(" ", "\u00a0")}`}
    </span>
  );
}

export const amountText = (fen: number | undefined): string => (fen === undefined ? "" : `¥ ${yuanText(fen)}`);

interface ContractListProps {
  contracts: readonly Contract[];
  linkOf: (contract: Contract) => string;
  ofCustomer: boolean;
}

/** Contracts, each with where it stands, until when, and what is paid. */
export function ContractList({ contracts, linkOf, ofCustomer }: ContractListProps) {
  const t = useTranslate();
  const titleOf = useTitle();
  const { number } = useFormats();
  return (
    <ul className={`${processStyles.rows} ${styles.contracts}`}>
      {contracts.map((contract) => {
        const title = titleOf(contract);
        const kind = t(kindWords[contract.kind] ?? "");
        const waits = isWaiting(contract);
        return (
          <li key={contract.id}>
            <Link className={styles.entry} to={linkOf(contract)}>
              <span>
                <b>{title}</b>
                <span className={processStyles.line}>
                  <span className="num">{contract.number}</span>
                  {!ofCustomer && (
                    <span>
                      <Translated text={contract.customer} />
                    </span>
                  )}
                  {!title.toLowerCase().includes(kind.toLowerCase()) && <span>{kind}</span>}
                  {contract.version > 1 && <span>{t("第 {version} 版", { version: contract.version })}</span>}
                  {contract.terms && (
                    <span className="num">
                      {t("合同价还剩 {left} 头，共 {count} 头", {
                        left: number(contract.terms.leftHeads),
                        count: number(contract.terms.heads),
                      })}
                    </span>
                  )}
                </span>
              </span>
              <span className={styles.stands}>
                <ContractState contract={contract} ofCustomer={ofCustomer} />
                <Until contract={contract} />
              </span>
              <span className={styles.amount}>{amountText(contract.amountFen)}</span>
              {ofCustomer && (
                <span className={styles.act}>{waits && <span className="btn small">{t("去签")}</span>}</span>
              )}
            </Link>
          </li>
        );
      })}
    </ul>
  );
}

/** What happened, newest first. @param named each names its contract */
export function Happenings({
  happenings,
  linkOf,
}: {
  happenings: readonly ContractHappening[];
  linkOf?: (happening: ContractHappening) => string;
}) {
  const t = useTranslate();
  const nameOf = useNames();
  const titleOf = useTitle();
  return (
    <HistoryLines
      lines={happenings.map((one) => ({
        ...one,
        text: t(happeningWords[one.what], { name: nameOf(one.name) }),
        note: <span className={styles.whole}>{t("第 {version} 版", { version: one.version })}</span>,
        beside: linkOf && (
          <Link className="link" to={linkOf(one)}>
            {titleOf(one)} <span className="num">{one.number}</span>
          </Link>
        ),
      }))}
    />
  );
}

const inEights = (hash: string): readonly string[] => hash.match(/.{1,8}/g) ?? [];
/** A hash in eights, so that people can compare it. */
export const HashText = ({ hash }: { hash: string }) => {
  let at = 0;
  return (
    <code className={styles.hash}>
      {inEights(hash).map((part) => {
        at += 1;
        return <span key={at}>{part}</span>;
      })}
    </code>
  );
};

/** Who signed, with the hash of what was signed. */
export function Signatures({ contract }: { contract: Pick<ContractDetail, "signatures" | "customer" | "state"> }) {
  const t = useTranslate();
  const nameOf = useNames();
  const sides = [
    ["customer", "甲方"],
    ["group", "乙方"],
  ] as const;
  return (
    <div className={styles.signatures}>
      {sides.map(([side, word]) => {
        const signed = contract.signatures.find((one) => one.side === side);
        return (
          <div key={side} data-signed={signed !== undefined || undefined}>
            <b>
              {t(word)} {t(signed ? "已签署" : "还没签")}
            </b>
            <span>
              <Translated text={signed?.party ?? (side === "customer" ? contract.customer : "")} />
            </span>
            {signed && (
              <>
                <small>
                  {nameOf(signed.signer)} {signed.signerPhone}
                </small>
                <small className="num">{signed.signedTime}</small>
                <small className="num">{signed.sha256.slice(0, 16)} …</small>
              </>
            )}
          </div>
        );
      })}
    </div>
  );
}

/** What is stored is not what was signed. */
export function Damaged() {
  const t = useTranslate();
  return (
    <p className={styles.warning} role="alert">
      <Mark name="critical" />
      {t("保存的文件与签署时的不一样，不能用了。请联系客服，用您下载的那一份核验。")}
    </p>
  );
}

/** A step that a signature needs, and whether it is there. */
export const Need = ({ met, children }: { met: boolean; children: ReactNode }) => (
  <li className={met ? undefined : styles.unmet}>
    <span className={met ? "state ok" : "state off"}>
      <Icon name={met ? "check" : "close"} small />
    </span>
    <span>{children}</span>
  </li>
);

export { styles as contractStyles };
