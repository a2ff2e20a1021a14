import {
  type AgreementVersionDetail,
  agreementDetail,
  agreementPage,
  agreementPublish,
  agreementRemove,
  agreementUnschedule,
} from "@herdwise/contract";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button } from "../../shared/kit/button.tsx";
import { ConfirmDialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";
import { known, knownId, useListAddress } from "../../shared/lists/list-address.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import styles from "./agreements.module.css";
import { Consents } from "./consents.tsx";
import { Body, Difference } from "./difference.tsx";
import { VersionEditor } from "./editor.tsx";
import { PublishDialog } from "./publish-dialog.tsx";
import { kindWords, stateWords } from "./words.ts";

const views = ["text", "difference", "consents"] as const;
const viewWords: Readonly<Record<(typeof views)[number], string>> = {
  text: "全文",
  difference: "与上一版比",
  consents: "谁同意了",
};

/** What may be done with a version, as the server has it too. */
function Actions({
  version,
  onEdit,
  onDone,
}: {
  version: AgreementVersionDetail;
  onEdit: () => void;
  onDone: () => void;
}) {
  const t = useTranslate();
  const { permissions } = useAccess();
  const [asked, setAsked] = useState<"publish" | "remove">();
  const named = { id: version.id, rowVersion: version.rowVersion };
  const mayEdit = permissions.has("agreement_edit") && version.state === "draft";
  const mayPublish = permissions.has("agreement_publish");
  if (version.state !== "draft" && version.state !== "scheduled") return null;
  return (
    <div className={styles.bar}>
      {mayEdit && (
        <>
          <Button icon="edit" onPress={onEdit}>
            {t("编辑")}
          </Button>
          <Button kind="danger" onPress={() => setAsked("remove")}>
            {t("删除草稿")}
          </Button>
        </>
      )}
      <span className="spacer" />
      {mayPublish && version.state === "draft" && (
        <Button kind="primary" onPress={() => setAsked("publish")}>
          {t("发布")}
        </Button>
      )}
      {mayPublish && version.state === "scheduled" && (
        <Button
          onPress={() =>
            void call(agreementUnschedule, { body: named }).then(onDone, () => {
              // A refusal shows as a toast; what somebody else did shows, too.
              onDone();
            })
          }
        >
          {t("撤回发布")}
        </Button>
      )}
      {asked === "publish" && (
        <PublishDialog
          place={`agreement_${version.id}`}
          title={t("发布 {kind} {version}", { kind: t(kindWords[version.kind]), version: version.version })}
          now={t("现在发布")}
          later={t("到时发布")}
          onSend={(at) => call(agreementPublish, { body: { ...named, ...(at && { at }) }, quiet: true }).then(onDone)}
          onClose={() => setAsked(undefined)}
        >
          {t(
            version.askAgain
              ? "发布后，每个人下次登录时都要重新同意。发布了就不能再改。"
              : "发布后，同意过上一版的人不再问，新注册的人同意这一版。发布了就不能再改。",
          )}
        </PublishDialog>
      )}
      {asked === "remove" && (
        <ConfirmDialog
          title={t("删除这份草稿？")}
          action={t("删除")}
          onConfirm={() => call(agreementRemove, { body: named }).then(onDone)}
          onClose={() => setAsked(undefined)}
        >
          <p>{t("删除后不能恢复。")}</p>
        </ConfirmDialog>
      )}
    </div>
  );
}

function Version({
  version,
  onEdit,
  onDone,
}: {
  version: AgreementVersionDetail;
  onEdit: () => void;
  onDone: () => void;
}) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const own = useLanguage();
  const [lang, setLang] = useState<"zh" | "en">(own === "en" ? "en" : "zh");
  const [search, change] = useListAddress("version");
  const view = known(search.get("view"), views) ?? "text";
  const text = version[lang];
  return (
    <section className={`card ${styles.version}`} aria-labelledby="version-title">
      <header>
        <h2 id="version-title">
          {t(kindWords[version.kind])} <span className="num">{version.version}</span>
        </h2>
        <StateTag plain {...stateWords[version.state]} />
        <span className="spacer" />
        <fieldset className="seg" aria-label={t("看什么")}>
          {views.map((name) => (
            <button
              key={name}
              type="button"
              aria-pressed={view === name}
              onClick={() => change({ view: name, q: "", page: undefined })}
            >
              {t(viewWords[name])}
            </button>
          ))}
        </fieldset>
      </header>
      <div className={styles.facts}>
        <span>
          {version.publishedAt === ""
            ? t("还没有发布")
            : t(version.state === "scheduled" ? "{time} 发布" : "{time} 起生效", {
                time: dayTime(parseWireDateTime(version.publishedAt)),
              })}
        </span>
        <span>{t(version.askAgain ? "发布后重新请每个人同意" : "同意过上一版的人不再问")}</span>
        <span className="num">{t("{count} 人同意", { count: number(version.consents) })}</span>
        {view !== "consents" && (
          <fieldset className={`seg ${styles.seg}`} aria-label={t("语言")}>
            {(["zh", "en"] as const).map((name) => (
              <button key={name} type="button" aria-pressed={lang === name} onClick={() => setLang(name)}>
                {t(name === "zh" ? "中文" : "英文")}
              </button>
            ))}
          </fieldset>
        )}
      </div>
      {view === "consents" && <Consents versionId={version.id} />}
      {view === "text" && (
        <>
          {text.summary !== "" && (
            <p className={styles.facts} lang={lang === "zh" ? "zh-CN" : "en"}>
              {text.summary}
            </p>
          )}
          <Body text={text.body} lang={lang} />
        </>
      )}
      {view === "difference" &&
        (version.previousId === "" ? (
          <ExceptionView type="empty" title={t("这是第一个版本")} text={t("没有更早的版本可以比。")} />
        ) : (
          <div className={styles.text}>
            <p className="mut">
              {t("与 {version} 比：划线的删去，下划线的新增", { version: version.previousVersion })}
            </p>
            <Difference
              before={(lang === "zh" ? version.previousZh : version.previousEn).body}
              after={text.body}
              lang={lang}
            />
          </div>
        ))}
      {view !== "consents" && <Actions version={version} onEdit={onEdit} onDone={onDone} />}
    </section>
  );
}

/** The agreements of the group: versions, what changed between them, who agreed. */
export function Agreements() {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const mayEdit = useAccess().permissions.has("agreement_edit");
  const [search, change] = useListAddress("version");
  const [editing, setEditing] = useState<"new" | "draft">();
  const list = useQuery({
    queryKey: ["agreements", "page"],
    queryFn: ({ signal }) => call(agreementPage, { query: { size: 100 }, signal, quiet: true }),
  });
  const id = knownId(search.get("version")) ?? list.data?.records[0]?.id;
  const detail = useQuery({
    queryKey: ["agreements", "detail", id],
    queryFn: ({ signal }) => call(agreementDetail, { query: { id: id ?? "" }, signal, quiet: true }),
    enabled: id !== undefined,
  });
  // A new version begins with the words of the open one, and its draft is kept under that one's name.
  const isBaseAwaited = list.data === undefined || (id !== undefined && detail.data === undefined);
  const again = (): void => {
    void list.refetch();
    void detail.refetch();
  };
  const open = (version: string | undefined): void => {
    setEditing(undefined);
    change({ version, view: undefined, q: undefined, page: undefined });
  };
  const error = list.error ?? detail.error;
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t("协议")}</h1>
        <span className="spacer" />
        {mayEdit && (
          <Button
            kind="primary"
            icon="plus"
            isDisabled={editing === "new" || isBaseAwaited}
            onPress={() => setEditing("new")}
          >
            {t("新版本")}
          </Button>
        )}
      </div>
      {error && (
        <LoadingProblem error={asApiError(error)} onRetry={again} what={t("协议")} kept={list.data !== undefined} />
      )}
      <div className={styles.page}>
        <section className={`card ${styles.list}`} aria-label={t("版本")}>
          {!list.data && !list.error && <TableSkeleton rows={3} />}
          <ul>
            {list.data?.records.map((one) => (
              <li key={one.id}>
                <button type="button" aria-current={one.id === id || undefined} onClick={() => open(one.id)}>
                  <b>
                    {t(kindWords[one.kind])} <span className="num">{one.version}</span>
                  </b>
                  <StateTag plain {...stateWords[one.state]} />
                  <small className="num">
                    {one.publishedAt === "" ? t("还没有发布") : dayTime(parseWireDateTime(one.publishedAt))}
                  </small>
                  <small className={`num ${styles.end}`}>{t("{count} 人同意", { count: number(one.consents) })}</small>
                </button>
              </li>
            ))}
          </ul>
        </section>
        {editing !== undefined ? (
          <section className="card" aria-labelledby="edit-title">
            <header>
              <h2 id="edit-title">{t(editing === "new" ? "新版本" : "编辑草稿")}</h2>
            </header>
            <VersionEditor
              key={`${editing} ${id}`}
              version={editing === "draft" ? detail.data : undefined}
              basedOn={detail.data}
              onSaved={(saved) => {
                open(saved);
                again();
              }}
              onCancel={() => setEditing(undefined)}
            />
          </section>
        ) : detail.data ? (
          <Version
            key={detail.data.id}
            version={detail.data}
            onEdit={() => setEditing("draft")}
            onDone={() => {
              again();
              if (detail.data?.state === "draft") open(undefined);
            }}
          />
        ) : (
          <section className="card">
            {list.data?.records.length === 0 ? (
              <ExceptionView
                type="empty"
                title={t("还没有协议")}
                text={t("写好第一个版本，发布后注册和登录时会请人同意。")}
              />
            ) : (
              <TableSkeleton rows={8} />
            )}
          </section>
        )}
      </div>
    </>
  );
}
