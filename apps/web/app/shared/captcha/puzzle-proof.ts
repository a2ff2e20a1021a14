import { blockPuzzle, captchaHeaders } from "@herdwise/contract";
import { encryptEcb } from "./aes.ts";

/** A passed captcha, as a protected call carries it. Good for one call. */
export interface CaptchaProof {
  key: string;
  code: string;
}

/** Headers of a protected call (decisions.md 2). */
export const proofHeaders = (proof: CaptchaProof): Record<string, string> => ({
  [captchaHeaders.key]: proof.key,
  [captchaHeaders.code]: proof.code,
});

/** Place of the piece in picture pixels, out of pixels on the screen. */
export const pictureX = (draggedPx: number, shownWidthPx: number): number =>
  (draggedPx * blockPuzzle.width) / shownWidthPx;

/** The answer to a puzzle: `pointJson` for the check, and what proves it to the protected call (wire.md 4.2). */
export function solve(secretKey: string, token: string, x: number): { pointJson: string; proof: CaptchaProof } {
  const point = JSON.stringify({ x, y: blockPuzzle.y });
  return {
    pointJson: encryptEcb(secretKey, point),
    proof: { key: token, code: encryptEcb(secretKey, `${token}---${point}`) },
  };
}
