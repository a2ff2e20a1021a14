import { process, statesOf } from "./process/index.ts";
import type { StateFace } from "./resource/process-face.ts";

/**
 * Rules for bank cards that both the forms and the server run: plain functions without schemas, which keeps the browser's code
 * small.
 */

/**
 * States and events of a card.
 * - `ordered`: the verification amount is to be handed to the bank; `sent`: the bank has the order; `arrived`: the customer is
 *   asked for the amount; `verified`: the card may be paid to.
 * - `failed`: see its failure; `expired`: the amount never arrived, or was not entered in time; `unbound`: its number was
 *   erased.
 */
export const bankCardProcess = process({
  name: "bank_card",
  parties: ["owner", "bank", "clock"],
  receivers: ["keepers"],
  start: "ordered",
  states: {
    ordered: "open",
    sent: "open",
    arrived: "open",
    verified: "open",
    failed: "open",
    expired: "open",
    unbound: "over",
  },
  events: {
    send: { by: "bank", from: "ordered", to: "sent" },
    // An order may be handed over twice after a fault, so the amount may have arrived already.
    arrive: {
      by: "bank",
      from: ["ordered", "sent"],
      to: "arrived",
      tells: { keepers: ["小额汇款到账了", "请查看银行的到账短信或流水，72 小时内在安全设置里填收到的金额。"] },
    },
    fail: { by: "bank", from: ["ordered", "sent"], to: "failed", tells: { keepers: "银行卡没有通过验证" } },
    expire: {
      by: "clock",
      from: ["ordered", "sent", "arrived"],
      to: "expired",
      tells: { keepers: ["银行卡的验证过期了", "72 小时内没有填收到的金额。在安全设置里可以重新汇一次。"] },
    },
    confirm: { by: "owner", from: "arrived", to: "verified", tells: { keepers: "银行卡验证通过" } },
    mistype: { by: "owner", from: "arrived", to: "same" },
    spend_tries: { by: "owner", from: "arrived", to: "failed" },
    remit_again: { by: "owner", from: ["failed", "expired"], to: "ordered" },
    make_default: { by: "owner", from: "verified", to: "same", tells: { keepers: "默认收款卡已设好" } },
    keep_default: { by: "owner", from: "verified", to: "same", tells: { keepers: "默认收款卡不更换了" } },
    apply_default: { by: "clock", from: "verified", to: "same", tells: { keepers: "默认收款卡已更换" } },
    unbind: {
      by: "owner",
      from: ["ordered", "sent", "arrived", "verified", "failed", "expired"],
      to: "unbound",
      tells: { keepers: "解绑了一张银行卡" },
    },
  },
});

export const bankCardStates = statesOf(bankCardProcess);
export type BankCardState = (typeof bankCardStates)[number];
export const bankCardWords: Readonly<Record<BankCardState, StateFace>> = {
  ordered: { word: "正在汇小额", mark: "notice" },
  sent: { word: "等银行到账", mark: "notice" },
  arrived: { word: "等填到账金额", mark: "minor" },
  verified: { word: "已验证", mark: "ok" },
  failed: { word: "没有通过", mark: "major" },
  expired: { word: "过期了", mark: "minor" },
  unbound: { word: "已解绑", mark: "off" },
};
export type BankCardEvent = keyof typeof bankCardProcess.events;

/** Most cards that a customer has at one time. */
export const cardsPerTenant = 5;
/** Most cards that a customer binds, and most verification amounts sent for it, within 24 hours. */
export const cardRemittancesPerDay = 3;
/** Wrong amounts after which a card fails. */
export const cardTries = 3;
/** Hours within which the amount must arrive, and then hours within which it must be entered. */
export const cardHours = 72;
/** Hours until a newly chosen default card replaces the old one. */
export const cardHoldHours = 24;
/** Range of the random verification amount, in fen; only somebody who can read the account knows it. */
export const cardAmountFen = { min: 1, max: 99 } as const;

/** Digits of a card number as people type it, which may have spaces, hyphens or full-width digits. */
export const cardDigits = (text: string): string => text.normalize("NFKC").replace(/[\s-]/g, "");

/** Whether a number has the length and the check digit of a card number (ISO/IEC 7812). */
export function isCardNumber(text: string): boolean {
  const digits = cardDigits(text);
  if (!/^[1-9]\d{15,18}$/.test(digits)) return false;
  let sum = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = Number(digits[digits.length - 1 - index]);
    const twice = index % 2 === 1 ? digit * 2 : digit;
    sum += twice > 9 ? twice - 9 : twice;
  }
  return sum % 10 === 0;
}

/**
 * First digits of debit cards by bank, as printed on cards; the longest match counts, and the customer is asked for the bank
 * where none matches.
 */
const debitBins: readonly (readonly [bank: string, bins: string])[] = [
  [
    "中国工商银行",
    "620058 620502 620503 621225 621226 621227 621281 621288 621558 621559 621722 621723 622200 622202 622203 622208 623062 955880",
  ],
  [
    "中国农业银行",
    "620059 621282 621336 621619 622821 622822 622840 622841 622843 622844 622845 622846 622847 622848 622849 623018 623206 95595 95596 95597 95598 95599",
  ],
  [
    "中国银行",
    "456351 601382 620061 621256 621283 621330 621331 621568 621569 621620 621660 621661 621663 621665 621666 621667 621668 621669 621672 621725 621756 621757 621758 621759 621785 621786 621787 621788 621789 621790 622760 623208",
  ],
  [
    "中国建设银行",
    "436742 436745 524094 526410 620060 621080 621082 621284 621466 621467 621488 621499 621598 621621 621700 622280 622700 622966 622988 623094 623211 623668",
  ],
  ["交通银行", "405512 601428 620021 620521 621002 621069 621335 621436 622258 622259 622260 622261 622262 623261"],
  [
    "中国邮政储蓄银行",
    "620062 620529 621095 621096 621098 621285 621599 621622 621674 621797 621798 621799 622150 622151 622181 622188 623218 623219 955100",
  ],
  [
    "招商银行",
    "402658 410062 468203 512425 524011 621286 621299 621483 621485 621486 622580 622588 622598 622609 690755 95555",
  ],
  [
    "中信银行",
    "433670 433671 433680 442729 442730 620082 621767 621768 621770 621771 621772 621773 622690 622691 622692 622696 622698 622998 622999 968807 968808 968809",
  ],
  [
    "中国光大银行",
    "303 620085 620518 621489 621490 621491 621492 622660 622661 622662 622663 622664 622665 622666 622667 622668 622669 622670 622671 622672 622673 623155 90030",
  ],
  [
    "中国民生银行",
    "415599 421393 421865 427570 427571 472067 472068 621691 622615 622616 622617 622618 622619 622620 622622 623255",
  ],
  ["兴业银行", "438588 438589 451289 622908 622909 90592 966666"],
  [
    "上海浦东发展银行",
    "621351 621352 621390 621791 621792 621793 621795 621796 622516 622517 622518 622521 622522 622523 623250 84301 84336 84361 84373 84380 84385 84390 87000 87010 87030 87040 984301 984303",
  ],
  [
    "平安银行",
    "412962 412963 415752 415753 621626 622155 622156 622298 622535 622536 622538 622539 622983 623058 623269 627066 627067 627068 627069 998800 998801 998802",
  ],
  ["广发银行", "621462 622568 6858000 6858001 6858009 9111 958009"],
  ["华夏银行", "621222 623020 623021 623022 623023 622630 622631 622632 622633 999999"],
];
/** First digits of credit cards, which can't be paid to. */
const creditBins =
  "356833 356835 370246 370247 370248 370249 409665 409666 409668 427010 427018 427019 427020 427028 427029 427030 427038 427039 427062 427064 436738 436742 438088 451461 451804 451810 451811 458060 458071 489734 489735 489736 513685 514957 514958 518212 518377 518378 518379 518476 520082 521302 524031 524047 524070 524090 524091 524374 525498 526855 528856 528931 530970 530990 543159 544210 548943 558730 558868 622157 622210 622211 622212 622213 622214 622215 622220 622223 622225 622229 622230 622231 622232 622233 622234 622235 622236 622237 622238 622239 622240 622245 622252 622253 622575 622576 622577 622578 622579 622581 622582 622600 622601 622602 622603 622650 622655 622658 622680 622685 622687 622688 622689 622750 622751 622752 622753 622754 622755 622756 622757 622758 622759 622801 622836 622837 622838 622901 622902 625330 625331 625332 625333 628258 628288 628388".split(
    " ",
  );
const bankOfBin: ReadonlyMap<string, string> = new Map(
  debitBins.flatMap(([bank, bins]) => bins.split(" ").map((bin) => [bin, bank] as const)),
);

export interface CardBank {
  /** "" where the table does not contain the digits. */
  bank: string;
  credit: boolean;
}

/**
 * Bank of a card by its first digits.
 * @param text at least 6 digits
 */
export function cardBankOf(text: string): CardBank {
  const digits = cardDigits(text);
  for (let length = 7; length >= 3; length -= 1) {
    const bank = digits.length >= length ? bankOfBin.get(digits.slice(0, length)) : undefined;
    if (bank !== undefined) return { bank, credit: false };
  }
  return { bank: "", credit: creditBins.includes(digits.slice(0, 6)) };
}
