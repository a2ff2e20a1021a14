import { type DeskOrderDetail, deskAnswer, deskDecide, deskNote } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { Refusal } from "../../shared/forms/refusal.tsx";
import { useSubmission } from "../../shared/forms/use-submission.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { CheckBox } from "../../shared/kit/check-box.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { useDraft } from "../../shared/resource/use-draft.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { PhotosInput } from "../../shared/work-orders/photos.tsx";
import styles from "../../shared/work-orders/work-orders.module.css";

/** Words that the desk says often. */
const usual = [
  "收到，我先看一下数据，尽快答复您。",
  "请拍一张故障部位的近照发上来。",
  "请断电一分钟再送电，看是否还告警。",
  "配件今天寄出，到货后按说明更换，需要时打服务电话。",
] as const;

const nothing: { body: string; internal: boolean; ask: boolean; published: boolean; photos: readonly string[] } = {
  body: "",
  internal: false,
  ask: false,
  published: true,
  photos: [],
};

/** What the desk writes: to the customer, or for itself; a suggestion is answered with a decision. */
export function DeskWrite({ order, onDone }: { order: DeskOrderDetail; onDone: () => void }) {
  const t = useTranslate();
  const answers = order.may.includes("answer");
  const decides = order.may.includes("adopt");
  const { user } = useAccess();
  // For whom it is stays with the words: a note must not become an answer by a reload.
  const [{ body, internal, ask, published, photos }, set] = useDraft(`${user.user_id}_desk_${order.id}`, nothing);
  const { form, busy, refused, problems, mend, submit } = useSubmission();
  const notes = internal || !(answers || decides);
  if (!answers && !decides && !order.may.includes("note")) return null;
  const { id, version } = order;
  const send = async (work: () => Promise<unknown>): Promise<void> => {
    const sent = await submit(work);
    if (sent) {
      // What was written while it was sent stays.
      set((now) => ({
        body: now.body === body ? "" : now.body,
        photos: now.photos === photos ? nothing.photos : now.photos,
        ask: false,
      }));
    }
    onDone();
  };
  const say = () =>
    send(() =>
      notes
        ? call(deskNote, { body: { id, version, body, photos: [...photos] }, quiet: true })
        : call(deskAnswer, { body: { id, version, body, photos: [...photos], ask }, quiet: true }),
    );
  const decide = (adopted: boolean) =>
    send(() => call(deskDecide, { body: { id, version, adopted, body, published }, quiet: true }));
  const label = notes ? t("写给同事，客户看不到") : t("写给客户");
  const empty = body.trim() === "";
  return (
    <form
      ref={form}
      className={styles.write}
      onSubmit={(event) => {
        event.preventDefault();
        if (notes || answers) void say();
      }}
    >
      <div className={styles.writeLine}>
        {(answers || decides) && (
          <fieldset className="seg" aria-label={t("写给谁")}>
            <button type="button" aria-pressed={!internal} onClick={() => set({ internal: false })}>
              {t("回复客户")}
            </button>
            <button type="button" aria-pressed={internal} onClick={() => set({ internal: true })}>
              {t("内部备注")}
            </button>
          </fieldset>
        )}
        {!notes && answers && (
          <select
            className="chip"
            aria-label={t("常用回复")}
            value=""
            onChange={(event) => event.target.value && set({ body: event.target.value })}
          >
            <option value="">{t("常用回复")}</option>
            {usual.map((words) => (
              <option key={words} value={words}>
                {t(words)}
              </option>
            ))}
          </select>
        )}
      </div>
      <textarea
        className="input"
        aria-label={label}
        placeholder={label}
        rows={3}
        maxLength={2000}
        value={body}
        aria-invalid={problems.body !== undefined}
        onChange={(event) => {
          mend("body");
          set({ body: event.target.value });
        }}
      />
      <div className={styles.writeLine}>
        {!decides && <PhotosInput value={photos} onChange={(names) => set({ photos: names })} disabled={busy} />}
        {!notes && answers && order.may.includes("ask") && (
          <label className={styles.tick}>
            <CheckBox checked={ask} onChange={(event) => set({ ask: event.target.checked })} />
            {t("回复后等客户，停表")}
          </label>
        )}
        {!notes && decides && (
          <label className={styles.tick}>
            <CheckBox checked={published} onChange={(event) => set({ published: event.target.checked })} />
            {t("采纳时在网站公开，不写谁提的")}
          </label>
        )}
        <span className={styles.gap} />
        {!notes && decides ? (
          <>
            <Button isDisabled={busy || empty} onPress={() => void decide(false)}>
              {t("不采纳")}
            </Button>
            <Button kind="primary" isDisabled={busy || empty} onPress={() => void decide(true)}>
              {t("采纳")}
            </Button>
          </>
        ) : (
          <Button kind="primary" type="submit" isDisabled={busy || empty}>
            <Icon name={notes ? "lock" : "send"} small />
            {t(notes ? "存备注" : "发送")}
          </Button>
        )}
      </div>
      <Refusal text={refused} />
    </form>
  );
}
