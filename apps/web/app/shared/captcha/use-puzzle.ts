import { type BlockPuzzle, blockPuzzle, captchaCheck, captchaGet } from "@herdwise/contract";
import { useCallback, useEffect, useRef, useState } from "react";
import { call } from "../api/call.ts";
import { type CaptchaProof, solve } from "./puzzle-proof.ts";

export type PuzzleStep = "asleep" | "loading" | "open" | "checking" | "passed" | "over" | "broken";

interface PuzzleState {
  step: PuzzleStep;
  puzzle?: BlockPuzzle;
  /** What happened, as a key of the translations. */
  word?: string;
}

const codes = { ok: "0000", expired: "6110", wrong: "6111" } as const;
/** Codes of too many requests or failures. */
const tooMany: readonly string[] = ["6201", "6202", "6204", "6205"];
const tooManyWord = "尝试太频繁，请稍等几分钟，或改用字符验证码";
const networkWord = "没有取到拼图，请检查网络后重试";

/** Of this page, for the limits of wire.md 4.2. */
let clientUid = "";
function pageUid(): string {
  clientUid ||= `slider-${Array.from(crypto.getRandomValues(new Uint8Array(16)), (byte) => byte.toString(16).padStart(2, "0")).join("")}`;
  return clientUid;
}

const isPuzzle = (data: unknown): data is BlockPuzzle =>
  typeof data === "object" && data !== null && "token" in data && "originalImageBase64" in data;

export interface Puzzle {
  state: PuzzleState;
  /** Fetches a puzzle; `word` says why there is another one. */
  load: (word?: string) => void;
  /** Hands the place in. @param x in picture pixels */
  check: (x: number) => void;
}

/** Fetches puzzles and hands places in. A wrong place brings a new puzzle; an old one says so and waits to be asked. */
export function usePuzzle(onProof: (proof: CaptchaProof | undefined) => void): Puzzle {
  const [state, setState] = useState<PuzzleState>({ step: "asleep" });
  const report = useRef(onProof);
  report.current = onProof;
  const round = useRef(0);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);

  const expireAfter = useCallback((seconds: number, word: string) => {
    clearTimeout(timer.current);
    timer.current = setTimeout(() => {
      report.current(undefined);
      setState({ step: "over", word });
    }, seconds * 1000);
  }, []);

  const load = useCallback(
    (word?: string) => {
      const mine = ++round.current;
      clearTimeout(timer.current);
      report.current(undefined);
      setState({ step: "loading", ...(word ? { word } : {}) });
      const body = { captchaType: "blockPuzzle", clientUid: pageUid(), ts: Date.now() };
      call(captchaGet, { body, quiet: true }).then(
        ({ repCode, repData }) => {
          if (mine !== round.current) return;
          if (repCode !== codes.ok || !isPuzzle(repData)) {
            setState({ step: "broken", word: tooMany.includes(repCode) ? tooManyWord : networkWord });
            return;
          }
          setState({ step: "open", puzzle: repData, ...(word ? { word } : {}) });
          expireAfter(blockPuzzle.lifetimeS, "拼图已过期，请换一张");
        },
        () => mine === round.current && setState({ step: "broken", word: networkWord }),
      );
    },
    [expireAfter],
  );

  const check = useCallback(
    (x: number) => {
      const { puzzle } = state;
      if (state.step !== "open" || !puzzle) return;
      const mine = ++round.current;
      clearTimeout(timer.current);
      setState({ step: "checking", puzzle });
      const { pointJson, proof } = solve(puzzle.secretKey, puzzle.token, x);
      call(captchaCheck, { body: { captchaType: "blockPuzzle", pointJson, token: puzzle.token }, quiet: true }).then(
        ({ repCode }) => {
          if (mine !== round.current) return;
          if (repCode === codes.ok) {
            setState({ step: "passed", puzzle });
            report.current(proof);
            expireAfter(blockPuzzle.solvedLifetimeS, "验证已过期，请再拖一次");
          } else if (repCode === codes.wrong) load("没有对上缺口，已换一张，请再拖一次");
          else if (repCode === codes.expired) load("拼图已过期，已换一张");
          else setState({ step: "broken", word: tooMany.includes(repCode) ? tooManyWord : networkWord });
        },
        () => mine === round.current && setState({ step: "broken", word: networkWord }),
      );
    },
    [state, load, expireAfter],
  );

  useEffect(
    () => () => {
      round.current += 1;
      clearTimeout(timer.current);
    },
    [],
  );
  return { state, load, check };
}
