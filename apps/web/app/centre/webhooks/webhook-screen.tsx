import {
  type WebhookDelivery,
  webhookDeliveryPage,
  webhookResend,
  webhookSecret,
  webhooks,
  webhookTry,
} from "@herdwise/contract";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { call } from "../../shared/api/call.ts";
import { useLoad } from "../../shared/api/use-load.ts";
import { CopyButton } from "../../shared/forms/copy-button.tsx";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import type { MarkName } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { TableSkeleton } from "../../shared/kit/table-skeleton.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import type { Row } from "../../shared/resource/form-values.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { useAccess } from "../../shared/session/access-context.ts";
import { LoadingProblem } from "../../shared/states/loading-problem.tsx";
import { NewerOlder } from "../kind/newer-older.tsx";
import styles from "./webhook-screen.module.css";

const rows = 5;
const eventWords: Readonly<Record<string, string>> = {
  ...Object.fromEntries(webhooks.fields.events.options),
  test: "测试",
};
const stateMarks = {
  on: "ok",
  no_secret: "minor",
  failing: "major",
  stopped: "major",
  off: "off",
} as const satisfies Record<string, MarkName>;
const stateWords: Readonly<Record<string, string>> = Object.fromEntries(webhooks.fields.state.options);
const deliveryStates = {
  waiting: { word: "等待重试", mark: "minor" },
  delivered: { word: "已送达", mark: "ok" },
  failed: { word: "没有送达", mark: "major" },
} as const satisfies Record<WebhookDelivery["state"], { word: string; mark: MarkName }>;

const faultWords: Readonly<Record<WebhookDelivery["fault"], string>> = {
  "": "没有回答",
  unreadable: "接收地址看不懂",
  unknown: "接收地址的域名查不到",
  inside: "接收地址不在互联网上，平台不访问内网",
  plain: "接收地址要用 https 和常用端口",
  unreachable: "10 秒内没有回答，或连不上",
  refused: "回答看不懂",
};

/** Makes a new secret and shows it, which nobody can see again. */
function SecretDialog({ id, onClose }: { id: string; onClose: () => void }) {
  const t = useTranslate();
  const client = useQueryClient();
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  const [secret, setSecret] = useState<string>();
  const make = () =>
    submit(async () => {
      const made = await call(webhookSecret, { body: { id }, quiet: true });
      setSecret(made.secret);
      void client.invalidateQueries({ queryKey: keysOf(webhooks) });
    });
  return (
    <Dialog
      title={t(secret === undefined ? "生成新密钥？" : "新密钥")}
      onClose={onClose}
      footer={
        secret === undefined ? (
          <>
            <Refusal text={refused} />
            <Button onPress={onClose}>{t("取消")}</Button>
            <Button kind="primary" isDisabled={busy} onPress={() => void make()}>
              {t("生成密钥")}
            </Button>
          </>
        ) : (
          <Button kind="primary" onPress={onClose}>
            {t("我已记下")}
          </Button>
        )
      }
    >
      {secret === undefined ? (
        <p>{t("您的系统用密钥核对消息是本平台发的。旧密钥马上失效，新密钥只显示一次。")}</p>
      ) : (
        <>
          <p>{t("密钥只在这里显示一次，请存进接收系统的密钥库。")}</p>
          <p className={styles.secret}>
            <code>{secret}</code>
            <CopyButton text={secret} label={t("密钥")} />
          </p>
        </>
      )}
    </Dialog>
  );
}

/** One message: what was sent, and how that went. */
function Delivery({ delivery, onResend }: { delivery: WebhookDelivery; onResend: (() => void) | undefined }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const { event, state, attempts, status, tookMs, answer, body, id } = delivery;
  const time = (text: string) => dayTime(parseWireDateTime(text));
  return (
    <li>
      <details>
        <summary>
          <b>{t(eventWords[event] ?? event)}</b>
          <StateTag plain {...deliveryStates[state]} />
          <small className="num">{time(delivery.triedTime || delivery.createTime)}</small>
        </summary>
        <dl>
          <div>
            <dt>{t("消息编号")}</dt>
            <dd>
              <code>{id}</code>
            </dd>
          </div>
          <div>
            <dt>{t("发送次数")}</dt>
            <dd className="num">
              {t("{count} 次", { count: attempts })}
              {delivery.nextTime !== "" && ` · ${t("{time} 再试", { time: time(delivery.nextTime) })}`}
            </dd>
          </div>
          {attempts > 0 && (
            <div>
              <dt>{t("回答")}</dt>
              <dd className="num">
                {status === 0 ? t(faultWords[delivery.fault]) : status} · {t("{ms} 毫秒", { ms: number(tookMs) })}
                {answer !== "" && <pre>{answer}</pre>}
              </dd>
            </div>
          )}
          <div>
            <dt>{t("内容")}</dt>
            <dd>
              <pre>{body}</pre>
            </dd>
          </div>
        </dl>
        {onResend && (
          <Button icon="reload" onPress={onResend}>
            {t("再发一次")}
          </Button>
        )}
      </details>
    </li>
  );
}

/** Above a webhook's form: its secret, a test, and what was sent. */
function Deliveries({ row }: { row: Row }) {
  const t = useTranslate();
  const client = useQueryClient();
  const mayEdit = useAccess().permissions.has(permissionOf(webhooks, "edit"));
  const { busy, refused, submit } = useSubmission<HTMLElement>();
  const [making, setMaking] = useState(false);
  const [current, setCurrent] = useState(1);
  const { value, error, reload } = useLoad(`deliveries ${row.id} ${current}`, (signal) =>
    call(webhookDeliveryPage, { query: { webhookId: row.id, current, size: rows }, signal, quiet: true }),
  );
  const send = (work: () => Promise<unknown>): void =>
    void submit(work).then(() => {
      reload();
      void client.invalidateQueries({ queryKey: keysOf(webhooks) });
    });
  const hasSecret = row.state !== "no_secret";
  return (
    <section className={styles.part} aria-labelledby="deliveries-title">
      <p className={styles.buttons}>
        <StateTag
          plain
          mark={stateMarks[String(row.state) as keyof typeof stateMarks]}
          word={stateWords[String(row.state)] ?? ""}
        />
        {mayEdit && (
          <>
            <Button kind={hasSecret ? "plain" : "primary"} icon="key" onPress={() => setMaking(true)}>
              {t("生成密钥")}
            </Button>
            <Button
              icon="upload"
              isDisabled={busy || !hasSecret}
              onPress={() => send(() => call(webhookTry, { body: { id: row.id }, quiet: true }))}
            >
              {t("发测试消息")}
            </Button>
          </>
        )}
      </p>
      <Refusal text={refused} />
      <h3 id="deliveries-title">{t("推送记录")}</h3>
      {error && <LoadingProblem error={error} onRetry={reload} what={t("推送记录")} kept={value !== undefined} />}
      {!value && !error && <TableSkeleton rows={3} />}
      {value?.records.length === 0 && <p className={styles.none}>{t("30 天内没有推送过。")}</p>}
      {value && value.records.length > 0 && (
        <ul className={styles.log} aria-busy={busy}>
          {value.records.map((delivery) => (
            <Delivery
              key={delivery.id}
              delivery={delivery}
              onResend={
                mayEdit && hasSecret
                  ? () => send(() => call(webhookResend, { body: { id: delivery.id, webhookId: row.id }, quiet: true }))
                  : undefined
              }
            />
          ))}
        </ul>
      )}
      {value && <NewerOlder current={current} pages={value.pages} onChange={setCurrent} />}
      {making && <SecretDialog id={row.id} onClose={() => setMaking(false)} />}
    </section>
  );
}

/** Addresses to which the events of the tenant are sent. */
export function WebhookScreen({ of }: { of: ResourceDeclaration }) {
  const [made, setMade] = useState<string>();
  return (
    <>
      <ResourceScreen
        of={of}
        detail={Deliveries}
        cells={{
          state: ({ value }) => (
            <StateTag
              plain
              mark={stateMarks[String(value) as keyof typeof stateMarks]}
              word={stateWords[String(value)] ?? ""}
            />
          ),
          address: ({ value }) => <code className={styles.address}>{String(value)}</code>,
        }}
        onAdded={(row) => setMade(row.id)}
      />
      {made !== undefined && <SecretDialog id={made} onClose={() => setMade(undefined)} />}
    </>
  );
}
