import { blockPuzzle, pictureCaptcha } from "@herdwise/contract";
import { type KeyboardEvent, type PointerEvent, useEffect, useId, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { Problem } from "../forms/problem.tsx";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import "./captcha.css";
import { type CaptchaProof, pictureX } from "./puzzle-proof.ts";
import { type PuzzleStep, usePuzzle } from "./use-puzzle.ts";

interface CaptchaProps {
  onProof: (proof: CaptchaProof | undefined) => void;
  /** False: the puzzle is fetched when somebody touches it. A page view alone costs the server no picture. */
  awake?: boolean;
  /** What the form has to say about it. */
  problem?: string | undefined;
}

const mostX = blockPuzzle.width - blockPuzzle.pieceWidth;
const within = (x: number): number => Math.min(mostX, Math.max(0, x));
/** A press without a drag is no answer. */
const leastDrag = 3;
const steps = { one: 1, ten: 10 } as const;
const pictureLength = 5;

const says: Readonly<Record<PuzzleStep, string>> = {
  asleep: "把拼图拖进缺口",
  loading: "正在取拼图",
  open: "把拼图拖进缺口",
  checking: "正在验证",
  passed: "验证通过",
  over: "换一张后再拖",
  broken: "换一张后再拖",
};

/** Where a key moves the piece; undefined for keys that move nothing. */
function movedBy(key: string, shift: boolean, x: number): number | undefined {
  const step = shift ? steps.ten : steps.one;
  const places: Readonly<Record<string, number>> = {
    ArrowRight: x + step,
    ArrowLeft: x - step,
    ArrowUp: x + steps.ten,
    ArrowDown: x - steps.ten,
    PageUp: x + steps.ten,
    PageDown: x - steps.ten,
    Home: 0,
    End: mostX,
  };
  const place = places[key];
  return place === undefined ? undefined : within(Math.round(place));
}

function Slider({
  onProof,
  awake,
  describedBy,
}: {
  onProof: CaptchaProps["onProof"];
  awake: boolean;
  describedBy: string;
}) {
  const t = useTranslate();
  const { state, load, check } = usePuzzle(onProof);
  const { step, puzzle, word } = state;
  const [x, setX] = useState(0);
  const picture = useRef<HTMLDivElement>(null);
  const drag = useRef<{ fromClientX: number; fromX: number }>(undefined);

  useEffect(() => {
    if (awake && step === "asleep") load();
  }, [awake, step, load]);
  // Another puzzle begins at the left edge.
  useEffect(() => {
    if (step === "loading") setX(0);
  }, [step]);

  const begin = (event: PointerEvent<HTMLElement>): void => {
    if (event.button !== 0) return;
    if (step === "asleep") load();
    if (step !== "open") return;
    event.currentTarget.setPointerCapture(event.pointerId);
    drag.current = { fromClientX: event.clientX, fromX: x };
  };
  const move = (event: PointerEvent<HTMLElement>): void => {
    const width = picture.current?.clientWidth ?? 0;
    if (!drag.current || width === 0) return;
    setX(within(drag.current.fromX + pictureX(event.clientX - drag.current.fromClientX, width)));
  };
  const end = (): void => {
    if (!drag.current) return;
    drag.current = undefined;
    if (x >= leastDrag) check(x);
  };
  const cancel = (): void => {
    drag.current = undefined;
  };
  const onKey = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.key === "Enter" || event.key === " ") {
      // Enter belongs to the puzzle here, not to the form around it.
      event.preventDefault();
      if (step === "open" && x >= leastDrag) check(x);
      else if (step === "asleep" || step === "over" || step === "broken") load();
      return;
    }
    const moved = movedBy(event.key, event.shiftKey, x);
    if (moved === undefined) return;
    event.preventDefault();
    if (step === "open") setX(moved);
  };
  const grip = { onPointerDown: begin, onPointerMove: move, onPointerUp: end, onPointerCancel: cancel };
  const left = `${(x / blockPuzzle.width) * 100}%`;
  const waits = step === "asleep" || step === "loading" || step === "over" || step === "broken";
  return (
    <div className="cap" data-step={step}>
      <div className="cap-pic" ref={picture}>
        {puzzle && (
          <>
            <img src={`data:image/png;base64,${puzzle.originalImageBase64}`} alt="" draggable={false} />
            <img
              className="cap-piece"
              src={`data:image/png;base64,${puzzle.jigsawImageBase64}`}
              alt=""
              draggable={false}
              style={{ left }}
              {...grip}
            />
          </>
        )}
        {waits && (
          <button type="button" className="cap-wait" onClick={() => load()} disabled={step === "loading"}>
            <Icon name={step === "asleep" || step === "loading" ? "shield" : "reload"} />
            {t(step === "asleep" ? "点这里取拼图" : step === "loading" ? "正在取拼图" : (word ?? "换一张"))}
          </button>
        )}
        {step === "passed" && (
          <p className="cap-done">
            <Icon name="check" small />
            {t("验证通过")}
          </p>
        )}
        {(step === "open" || step === "checking") && (
          <button
            type="button"
            className="cap-new"
            aria-label={t("换一张")}
            title={t("换一张")}
            disabled={step === "checking"}
            onClick={() => load()}
          >
            <Icon name="reload" small />
          </button>
        )}
      </div>
      <div className="cap-track">
        <span className="cap-fill" style={{ width: left }} />
        {/* The grip would cover it once it has left its edge. */}
        <span className="cap-say" aria-hidden="true" hidden={x > 0}>
          {t(step === "open" && word ? word : says[step])}
        </span>
        <span
          className="cap-grip"
          role="slider"
          tabIndex={0}
          aria-label={t("拼图验证：左右方向键移动，按住 Shift 移动得快，回车确认")}
          aria-valuemin={0}
          aria-valuemax={mostX}
          aria-valuenow={Math.round(x)}
          aria-valuetext={t("{count} 像素", { count: Math.round(x) })}
          aria-describedby={describedBy}
          aria-disabled={step !== "open"}
          style={{ left }}
          onKeyDown={onKey}
          {...grip}
        >
          <Icon name={step === "passed" ? "check" : "arrow"} />
        </span>
      </div>
      <span className="visually-hidden" role="status">
        {t(word ?? (step === "passed" ? says.passed : ""))}
      </span>
    </div>
  );
}

/** Five characters in a picture: the alternative for those to whom a puzzle is harder. */
function Characters({ onProof, describedBy }: { onProof: CaptchaProps["onProof"]; describedBy: string }) {
  const t = useTranslate();
  const id = useId();
  const [text, setText] = useState("");
  const { value, error, loading, reload } = useLoad("picture-captcha", (signal) =>
    call(pictureCaptcha, { signal, quiet: true }),
  );
  const change = (typed: string): void => {
    const next = typed.replace(/\s/g, "").slice(0, pictureLength);
    setText(next);
    onProof(value && next.length === pictureLength ? { key: value.key, code: next } : undefined);
  };
  const another = (): void => {
    setText("");
    onProof(undefined);
    reload();
  };
  return (
    <div className="chars">
      <label htmlFor={id}>{t("图中的 5 个字符")}</label>
      <div className="chars-row">
        <input
          className="input"
          id={id}
          value={text}
          autoComplete="off"
          autoCapitalize="none"
          spellCheck={false}
          aria-describedby={describedBy}
          onChange={(event) => change(event.target.value)}
        />
        <span className="chars-pic">
          {value ? <img src={value.image} alt={t("验证码图片")} /> : t(error ? "没有取到" : "正在加载")}
        </span>
        <button
          type="button"
          className="btn icon-only"
          aria-label={t("换一张")}
          title={t("换一张")}
          disabled={loading}
          onClick={another}
        >
          <Icon name="reload" />
        </button>
      </div>
    </div>
  );
}

type Kind = "puzzle" | "characters";
/** Whoever chose the other kind gets it for the next captcha too, until the page is left. */
let chosenKind: Kind = "puzzle";

/** Asks for a proof that a person is there: a sliding puzzle by mouse, finger or keys, or characters in a picture. */
export function Captcha({ onProof, awake = true, problem }: CaptchaProps) {
  const t = useTranslate();
  const problemId = useId();
  const [kind, setKind] = useState<Kind>(chosenKind);
  const change = (next: Kind): void => {
    chosenKind = next;
    onProof(undefined);
    setKind(next);
  };
  return (
    <fieldset className="captcha">
      <legend className="visually-hidden">{t("安全验证")}</legend>
      {kind === "puzzle" ? (
        <Slider onProof={onProof} awake={awake} describedBy={problemId} />
      ) : (
        <Characters onProof={onProof} describedBy={problemId} />
      )}
      <Problem id={problemId} text={problem} />
      <button
        type="button"
        className="captcha-other"
        onClick={() => change(kind === "puzzle" ? "characters" : "puzzle")}
      >
        {t(kind === "puzzle" ? "拖不动？改用字符验证码" : "改用拼图验证")}
      </button>
    </fieldset>
  );
}
