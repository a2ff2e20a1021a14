import { type RealNameReview, realNamePicture } from "@herdwise/contract";
import { useEffect, useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { call } from "../../shared/api/call.ts";
import { Button, IconButton } from "../../shared/kit/button.tsx";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { labelOf } from "../../shared/real-name/words.ts";
import { ExceptionView } from "../../shared/states/exception-view.tsx";
import styles from "./review.module.css";

const zooms = [100, 150, 200, 300] as const;

/** The pictures of an application, one at a time: zoomed, turned. Each is fetched by a ticket for this browser. */
export function Documents({ review }: { review: RealNameReview }) {
  const t = useTranslate();
  const pictures = review.items.filter(({ pictureId }) => pictureId !== "");
  const [shown, setShown] = useState(0);
  const [zoom, setZoom] = useState(0);
  const [turn, setTurn] = useState(0);
  const [round, setRound] = useState(0);
  const [address, setAddress] = useState("");
  const [problem, setProblem] = useState<string>();
  const current = pictures[Math.min(shown, pictures.length - 1)];
  const field = current?.field;
  const pictureId = current?.pictureId ?? "";
  useEffect(() => {
    setAddress("");
    setProblem(undefined);
    if (field === undefined) return;
    const cancel = new AbortController();
    call(realNamePicture, { body: { id: review.id, field }, signal: cancel.signal, quiet: true }).then(
      ({ url }) => {
        const { pathname, search } = new URL(url, location.href);
        if (!cancel.signal.aborted) setAddress(pathname + search);
      },
      (error) => !cancel.signal.aborted && setProblem(tellIn(t, asApiError(error))),
    );
    return () => cancel.abort();
  }, [review.id, field, pictureId, round]);
  if (current === undefined)
    return (
      <div className={styles.canvas}>
        <ExceptionView
          type="empty"
          title={t("没有图片")}
          text={t(
            review.kind === "personal" ? "个人认证不传图片，核对右边的两项。" : "客户没有传图片，或图片已被删除。",
          )}
        />
      </div>
    );
  const percent = zooms[zoom] ?? 100;
  return (
    <>
      <div className={styles.tools}>
        <b>{t(labelOf(review.kind, current.field))}</b>
        <span className="num mut">
          {shown + 1} / {pictures.length}
        </span>
        <span className={styles.space} />
        {pictures.length > 1 && (
          <>
            <IconButton
              icon="left"
              label={t("上一张")}
              isDisabled={shown === 0}
              onPress={() => setShown(Math.max(0, shown - 1))}
            />
            <IconButton
              icon="right"
              label={t("下一张")}
              isDisabled={shown >= pictures.length - 1}
              onPress={() => setShown(Math.min(pictures.length - 1, shown + 1))}
            />
          </>
        )}
        <Button small isDisabled={zoom === 0} onPress={() => setZoom(zoom - 1)}>
          {t("缩小")}
        </Button>
        <span className="num">{percent}%</span>
        <Button small isDisabled={zoom === zooms.length - 1} onPress={() => setZoom(zoom + 1)}>
          {t("放大")}
        </Button>
        <IconButton icon="reload" label={t("转 90 度")} onPress={() => setTurn((turn + 90) % 360)} />
      </div>
      <div className={styles.canvas}>
        {problem ? (
          <ExceptionView type="500" title={t("没有取到图片")} text={problem}>
            <Button onPress={() => setRound(round + 1)}>{t("重试")}</Button>
          </ExceptionView>
        ) : (
          address !== "" && (
            <img
              src={address}
              alt={t("{label}，客户上传的图片", { label: t(labelOf(review.kind, current.field)) })}
              style={{ width: `${percent}%`, rotate: `${turn}deg` }}
              onError={() => setProblem(t("图片打不开，可能已被删除"))}
            />
          )
        )}
      </div>
    </>
  );
}
