import type { ContractDetail, ContractFile, ContractWords } from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";
import { asApiError } from "../api/api-error.ts";
import { Select } from "../forms/select.tsx";
import { openFile } from "../imports/import-api.ts";
import { Button } from "../kit/button.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { tellIn } from "../language/tell.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { useNames } from "../language/use-names.ts";
import processStyles from "../process/process.module.css";
import { ProcessHead } from "../process/process-page.tsx";
import { showToast } from "../states/toast-store.ts";
import {
  ContractState,
  Damaged,
  HashText,
  Signatures,
  contractStyles as styles,
  Until,
  useTitle,
} from "./contract-parts.tsx";
import { ContractDocument } from "./document.tsx";

interface ContractViewProps {
  contract: ContractDetail;
  ofCustomer: boolean;
  /** Begins the keys of what is read of this contract. */
  queryKey: readonly string[];
  loadVersion: (version: number, signal: AbortSignal) => Promise<ContractWords>;
  makeFile: () => Promise<ContractFile>;
  actions?: ReactNode;
  aside: ReactNode;
  children?: ReactNode;
  onRead?: () => void;
}

/** A contract as both sides see it: its paper, its versions with what changed, who signed. */
export function ContractView(props: ContractViewProps) {
  const { contract, ofCustomer, queryKey, loadVersion, makeFile, actions, aside, children, onRead } = props;
  const t = useTranslate();
  const nameOf = useNames();
  const titleOf = useTitle();
  const { dayTime } = useFormats();
  const [making, setMaking] = useState(false);
  const earlier = contract.versions.filter(({ version }) => version !== contract.words.version);
  const [against, setAgainst] = useState<number | undefined>(earlier.at(-1)?.version);
  const [opened, setOpened] = useState<number>();
  const versionOf = (version: number | undefined) => ({
    queryKey: [...queryKey, "version", contract.id, version],
    queryFn: ({ signal }: { signal: AbortSignal }) => loadVersion(version ?? 0, signal),
    enabled: version !== undefined,
  });
  const { data: before } = useQuery(versionOf(against));
  const { data: other } = useQuery(versionOf(opened));
  const shown = opened !== undefined && other ? other : contract.words;
  const download = async (): Promise<void> => {
    setMaking(true);
    try {
      await openFile((await makeFile()).attachmentId);
    } catch (error) {
      showToast({ kind: "error", text: tellIn(t, asApiError(error)) });
    } finally {
      setMaking(false);
    }
  };
  return (
    <>
      <ProcessHead
        title={titleOf(contract)}
        meta={
          <>
            <ContractState contract={contract} ofCustomer={ofCustomer} />
            <span className="num">{contract.number}</span>
            <span>{t("第 {version} 版", { version: contract.version })}</span>
            <Until contract={contract} />
            {!ofCustomer && <Translated text={contract.customer} />}
          </>
        }
        actions={
          <>
            {contract.words.sha256 !== "" && (
              <Button icon="download" isDisabled={making || contract.damaged} onPress={() => void download()}>
                {t(making ? "正在准备" : "下载 PDF")}
              </Button>
            )}
            {actions}
          </>
        }
      />
      {contract.damaged && <Damaged />}
      {contract.reason !== "" && (
        <p className={styles.note}>
          {t("原因：")}
          <Translated text={contract.reason} />
        </p>
      )}
      <div className={ofCustomer ? processStyles.page : `${processStyles.page} ${styles.atDesk}`}>
        <ContractDocument
          key={`${contract.id} ${shown.version}`}
          words={shown}
          customer={contract.customer}
          group={contract.group}
          number={contract.number}
          before={opened === undefined && earlier.length > 0 ? before : undefined}
          chooser={
            <Select
              aria-label={t("与哪一版比较")}
              value={against ?? 0}
              options={earlier.map(({ version }) => [version, t("与第 {version} 版比", { version })] as const)}
              onChange={setAgainst}
            />
          }
          {...(onRead && opened === undefined && { onRead })}
        >
          {opened === undefined && <Signatures contract={contract} />}
        </ContractDocument>
        <aside aria-label={t("签署与版本")}>
          {aside}
          <section className={`card ${processStyles.side}`} aria-labelledby="versions-title">
            <h2 id="versions-title">{t("各版")}</h2>
            <ol className={styles.versions}>
              {contract.versions.toReversed().map(({ version, writtenBy, createTime, sentTime, reason }) => {
                const isShown = version === shown.version;
                return (
                  <li key={version} aria-current={isShown || undefined}>
                    <b className="num">{version}</b>
                    <span>
                      {dayTime(parseWireDateTime(sentTime === "" ? createTime : sentTime))} {nameOf(writtenBy)}
                      {reason !== "" && (
                        <small>
                          {t("退回：")}
                          <Translated text={reason} />
                        </small>
                      )}
                    </span>
                    {isShown ? (
                      <span className="tag">{t("正在看")}</span>
                    ) : (
                      <Button
                        kind="link"
                        onPress={() => setOpened(version === contract.words.version ? undefined : version)}
                      >
                        {t("打开")}
                      </Button>
                    )}
                  </li>
                );
              })}
            </ol>
          </section>
          {contract.signedSha256 !== "" && (
            <section className={`card ${processStyles.side}`} aria-labelledby="hash-title">
              <h2 id="hash-title">{t("核验")}</h2>
              <p className={styles.hint}>{t("签署后的文件，SHA-256：")}</p>
              <HashText hash={contract.signedSha256} />
              <a className="link" href={`/contract/verify?hash=${contract.signedSha256}`}>
                {t("打开公开核验页")}
              </a>
            </section>
          )}
          {children}
        </aside>
      </div>
    </>
  );
}
