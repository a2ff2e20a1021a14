import { invoices, orders, payments, settlements, transits, weighings } from "@herdwise/contract";
import { permissionOf, type ResourceDeclaration } from "@herdwise/contract/resource";
import type { Row } from "../resource/form-values.ts";
import { useAccess } from "../session/access-context.ts";

const nextField = orders.fields.next;
/** Words of what comes next for an order. */
const nextWords = new Map(nextField?.kind === "choice" ? nextField.options : []);
/** What comes next is the customer's. */
const ofCustomer = new Set(["pay", "vehicle", "papers", "rest", "complete", "invoice", "reinvoice"]);

/** The same to staff, who wait for it. */
const awaitedWords: Readonly<Record<string, string>> = {
  pay: "等买方付预付款",
  vehicle: "等买方登记车辆",
  papers: "等买方办证件",
  rest: "等买方付尾款",
  complete: "等买方确认完成",
  invoice: "买方可以申请开票",
  reinvoice: "等买方再申请开票",
};

interface Way {
  of: ResourceDeclaration;
  word: string;
  /** Opens the form of a new row instead of the order's rows. */
  begins?: true;
}
/** Where somebody goes for what comes next, by who does it. */
const customerWays: Readonly<Record<string, Way>> = {
  pay: { of: payments, word: "看付款方式" },
  vehicle: { of: transits, word: "登记车辆", begins: true },
  papers: { of: transits, word: "看车辆证件" },
  rest: { of: payments, word: "看付款方式" },
  invoice: { of: invoices, word: "申请开票", begins: true },
  reinvoice: { of: invoices, word: "再申请", begins: true },
};
const deskWays: Readonly<Record<string, Way>> = {
  check: { of: payments, word: "去复核" },
  vehicle: { of: transits, word: "登记车辆", begins: true },
  papers: { of: transits, word: "看车辆证件" },
  weigh: { of: weighings, word: "登记过磅", begins: true },
  recheck: { of: weighings, word: "去复核" },
  settle: { of: settlements, word: "去结算", begins: true },
  review: { of: settlements, word: "去复核" },
  refund: { of: payments, word: "去退款" },
};

/** What comes next for an order, whether it is the reader's, and the way to do it where there is one. */
export function useNextWay(row: Row): {
  word?: string | undefined;
  isOwn: boolean;
  way?: { to: string; word: string };
} {
  const { user, permissions } = useAccess();
  const next = String(row.next ?? "");
  const isStaff = user.tenant_type === "group";
  const way = (isStaff ? deskWays : customerWays)[next];
  const menu = isStaff ? way?.of.menu : way?.of.customerMenu;
  const shown = way && menu && permissions.has(permissionOf(way.of, way.begins ? "edit" : "view"));
  return {
    word: (isStaff ? awaitedWords[next] : undefined) ?? nextWords.get(next),
    isOwn: ofCustomer.has(next) !== isStaff,
    ...(shown && {
      way: {
        word: way.word,
        to: way.begins ? `${menu.path}?row=new&order=${row.id}` : `${menu.path}?f.order=${row.id}`,
      },
    }),
  };
}
