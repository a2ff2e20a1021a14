import { randomInt } from "node:crypto";
import { type BodyOf, type bankCardBind, type bankCardDeskPage, plainText, type QueryOf } from "@herdwise/contract";
import {
  type BankCardEvent,
  type BankCardParty,
  type BankCardState,
  cardAmountFen,
  cardBankOf,
  cardDigits,
  cardHoldHours,
  cardHours,
  cardRemittancesPerDay,
  cardsPerTenant,
  cardTries,
  isCardNumber,
  nextBankCardState,
} from "@herdwise/contract/bank-card-rules";
import { refuse } from "../../http/errors.ts";
import { pageOfRows, pageRequest } from "../../http/paging.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { MemberScope, SystemScope, TenantScope } from "../../tenant-scope.ts";
import type { EventCaller, RecordEvent } from "../account-log/index.ts";
import type { AuditRecord, AuditRepository } from "../audit/index.ts";
import { phoneOf, type VerificationService } from "../verification/index.ts";
import type { BankCardRepository, BankCardRow, CardChange } from "./bank-card.repository.ts";

/** Leaves a message about money for somebody. */
type Tell = (accountId: string, title: string, content: string) => Promise<void>;

/** What one transaction of a card works with. */
export interface CardParts {
  cards: BankCardRepository;
  audit: Pick<AuditRepository, "append">;
  tell: Tell;
}

export interface BankCardDependencies {
  cards: BankCardRepository;
  inOne: <T>(work: (parts: CardParts) => Promise<T>) => Promise<T>;
  cipher: PersonalCipher;
  verification: Pick<VerificationService, "send" | "prove">;
  nextId: () => string;
  now: () => number;
  sandbox: boolean;
  record: RecordEvent;
  /** The name of the authentication in force; undefined without one. */
  provenNameOf: (owner: MemberScope) => Promise<string | undefined>;
  /** Everybody of a customer who looks after its cards. */
  keepersOf: (tenant: string) => Promise<readonly string[]>;
  /** An amount was ordered; called after the commit. */
  onOrdered: (cardId: string) => void;
}

const hourMs = 3_600_000;

/** A step as the audit trail has it: never a number. */
const auditOf = (
  row: Pick<BankCardRow, "id" | "lastFour">,
  event: string,
  before: string | null,
  after: string,
): AuditRecord => ({
  resource: "bank_card",
  rowId: row.id,
  rowTitle: row.lastFour,
  action: before === null ? "create" : "update",
  changes: [
    { field: "event", before: null, after: event },
    { field: "state", before, after },
  ],
});

/** @throws {Refusal} unless a card may take this step now */
function stepOf(row: Pick<BankCardRow, "state">, event: BankCardEvent, party: BankCardParty): BankCardState {
  const state = nextBankCardState(row.state, event, party);
  if (state === undefined) throw refuse("bank_card.state");
  return state;
}

/**
 * The one way in which something happens to a card: looks at the table, changes it, writes the audit trail.
 * @throws {Refusal} 400 when it may not happen
 */
export async function act(
  { cards, audit }: CardParts,
  scope: TenantScope | SystemScope,
  row: BankCardRow,
  event: BankCardEvent,
  { party, nextId }: { party: BankCardParty; nextId: () => string },
  change: Omit<CardChange, "state"> = {},
): Promise<BankCardState> {
  const state = stepOf(row, event, party);
  await cards.move(scope, row.id, { state, ...change });
  await audit.append(row.tenantId, scope, [auditOf(row, event, row.state, state)], nextId);
  return state;
}

/** Cards that a customer is paid to. */
export function createBankCardService(dependencies: BankCardDependencies) {
  const { cards, inOne, cipher, nextId, now, record, keepersOf } = dependencies;
  const open = (encrypted: string) => (encrypted === "" ? "" : cipher.decrypt(encrypted));
  const owner = { party: "owner" as const, nextId };

  const view = (row: BankCardRow) => ({
    id: row.id,
    state: row.state,
    bankName: row.bankName,
    holder: open(row.holderEncrypted),
    lastFour: row.lastFour,
    phone: open(row.phoneEncrypted),
    failure: row.state === "failed" ? row.failure : "",
    sandbox: row.sandbox,
    sandboxFen: row.sandbox && row.state === "arrived" ? row.amountFen : 0,
    triesLeft: Math.max(0, cardTries - row.tries),
    isDefault: row.isDefault,
    defaultTime: row.defaultAt,
    createTime: row.createdAt,
    expireTime: row.expiresAt,
  });
  const shown = async (scope: TenantScope, id: string, from = cards) => {
    const row = await from.find(scope, id);
    if (row === undefined) throw refuse("bank_card.not_found");
    return view(row);
  };
  const found = async (parts: CardParts, scope: TenantScope, id: string): Promise<BankCardRow> => {
    const row = await parts.cards.find(scope, id, true);
    // A card that is unbound is told of to nobody.
    if (row === undefined || row.state === "unbound") throw refuse("bank_card.not_found");
    return row;
  };
  /** @throws {Refusal} when the small amounts of a day are spent */
  const order = async (parts: CardParts, scope: TenantScope, cardId: string): Promise<void> => {
    if ((await parts.cards.ordersOfDay(scope)) >= cardRemittancesPerDay) throw refuse("bank_card.sends_spent");
    await parts.cards.order(scope, {
      id: nextId(),
      cardId,
      amountFen: randomInt(cardAmountFen.min, cardAmountFen.max + 1),
      sandbox: dependencies.sandbox,
      expiresAt: new Date(now() + cardHours * hourMs),
    });
  };
  const tellKeepers = async (parts: CardParts, tenantId: string, title: string, content: string): Promise<void> => {
    for (const accountId of await keepersOf(tenantId)) await parts.tell(accountId, title, content);
  };

  return {
    async list(scope: TenantScope) {
      const [rows, orders, holder] = await Promise.all([
        cards.list(scope),
        cards.ordersOfDay(scope),
        dependencies.provenNameOf(scope),
      ]);
      return { holder: holder ?? "", cards: rows.map(view), sendsLeft: Math.max(0, cardRemittancesPerDay - orders) };
    },

    sendCode: (phone: string, remoteAddress: string) =>
      dependencies.verification.send(phone, ["bank-card"], remoteAddress),

    async bind(scope: TenantScope, given: BodyOf<typeof bankCardBind>, caller: EventCaller) {
      const holder = await dependencies.provenNameOf(scope);
      if (holder === undefined) throw refuse("bank_card.no_name");
      const number = cardDigits(given.number);
      if (!isCardNumber(number)) throw refuse("bank_card.number", { field: "number" });
      const { bank, credit } = cardBankOf(number);
      if (credit) throw refuse("bank_card.credit", { field: "number" });
      const bankName = bank || plainText((given.bankName ?? "").normalize("NFKC"));
      if ([...bankName].length < 2) throw refuse("bank_card.bank", { field: "bankName" });
      const phone = phoneOf(given.phone);
      const code = await dependencies.verification.prove({ phone, id: given.codeId, code: given.code }, "bank-card");
      const id = nextId();
      const lastFour = number.slice(-4);
      try {
        await inOne(async (parts) => {
          await parts.cards.lockTenant(scope);
          if ((await parts.cards.list(scope)).length >= cardsPerTenant)
            throw refuse("bank_card.too_many", { values: { count: cardsPerTenant } });
          if (await parts.cards.isBound(scope, cipher.indexes(number)))
            throw refuse("bank_card.bound", { field: "number" });
          await parts.cards.insert(scope, {
            id,
            bankName,
            numberEncrypted: cipher.encrypt(number),
            numberIndex: cipher.index(number),
            holderEncrypted: cipher.encrypt(holder),
            phoneEncrypted: cipher.encrypt(phone),
            lastFour,
          });
          await order(parts, scope, id);
          await tellKeepers(parts, scope.tenantId, "绑了一张银行卡", `${bankName} · ${lastFour}`);
          await parts.audit.append(scope.tenantId, scope, [auditOf({ id, lastFour }, "bind", null, "ordered")], nextId);
        });
      } catch (error) {
        await code.giveBack();
        throw error;
      }
      await record(scope.accountId, "card_bound", { detail: lastFour, caller });
      dependencies.onOrdered(id);
      return shown(scope, id);
    },

    async confirm(scope: TenantScope, id: string, amountFen: number, caller: EventCaller) {
      const left = await inOne(async (parts) => {
        const row = await found(parts, scope, id);
        if (row.expiresAt.getTime() <= now()) throw refuse("bank_card.state");
        if (amountFen === row.amountFen) {
          await act(parts, scope, row, "confirm", owner);
          await tellKeepers(parts, scope.tenantId, "银行卡验证通过", `${row.bankName} · ${row.lastFour}`);
          return undefined;
        }
        const tries = row.tries + 1;
        const over = tries >= cardTries;
        await act(parts, scope, row, over ? "spend_tries" : "mistype", owner);
        await parts.cards.tried(scope, row.remittanceId, tries);
        if (over) await parts.cards.failed(scope, row.remittanceId, "tries");
        // Counted whatever is answered: a refusal in here would take the try back.
        return cardTries - tries;
      });
      if (left === 0) throw refuse("bank_card.tries_spent");
      if (left !== undefined) throw refuse("bank_card.amount", { field: "amountFen", values: { left } });
      await record(scope.accountId, "card_verified", { caller });
      return shown(scope, id);
    },

    async remitAgain(scope: TenantScope, id: string) {
      await inOne(async (parts) => {
        await parts.cards.lockTenant(scope);
        const row = await found(parts, scope, id);
        await act(parts, scope, row, "remit_again", owner);
        await order(parts, scope, id);
      });
      dependencies.onOrdered(id);
      return shown(scope, id);
    },

    async makeDefault(scope: TenantScope, id: string, caller: EventCaller) {
      const row = await inOne(async (parts) => {
        await parts.cards.lockTenant(scope);
        const card = await found(parts, scope, id);
        stepOf(card, "make_default", "owner");
        if (card.isDefault || card.defaultAt !== null) throw refuse("bank_card.is_default");
        // Without a default for less than the hold nobody had the time to notice: the next one waits all the same.
        const waits = await parts.cards.hadDefault(scope, scope.tenantId, cardHoldHours);
        // Only one waits: the newest wish counts.
        await parts.cards.clearWaiting(scope, scope.tenantId);
        const defaultAt = new Date(now() + cardHoldHours * hourMs);
        await act(parts, scope, card, "make_default", owner, waits ? { defaultAt } : { isDefault: true });
        await tellKeepers(
          parts,
          scope.tenantId,
          waits ? "有人要更换默认收款卡" : "默认收款卡已设好",
          waits
            ? "24 小时后生效。如果不是您或同事的操作，请在安全设置里停止更换，并修改密码。"
            : `${card.bankName} · ${card.lastFour}`,
        );
        return card;
      });
      await record(scope.accountId, "card_default", { detail: row.lastFour, caller });
      return shown(scope, id);
    },

    async keepDefault(scope: TenantScope, id: string) {
      await inOne(async (parts) => {
        await parts.cards.lockTenant(scope);
        const row = await found(parts, scope, id);
        stepOf(row, "keep_default", "owner");
        if (row.defaultAt === null) throw refuse("bank_card.nothing_waits");
        await act(parts, scope, row, "keep_default", owner, { defaultAt: null });
        await tellKeepers(parts, scope.tenantId, "默认收款卡不更换了", `${row.bankName} · ${row.lastFour}`);
      });
      return shown(scope, id);
    },

    async unbind(scope: TenantScope, id: string, caller: EventCaller) {
      const lastFour = await inOne(async (parts) => {
        await parts.cards.lockTenant(scope);
        const row = await found(parts, scope, id);
        if (row.isDefault && (await parts.cards.hasWaiting(scope, scope.tenantId)))
          throw refuse("bank_card.successor_waits");
        await act(parts, scope, row, "unbind", owner);
        await tellKeepers(parts, scope.tenantId, "解绑了一张银行卡", `${row.bankName} · ${row.lastFour}`);
        return row.lastFour;
      });
      await record(scope.accountId, "card_unbound", { detail: lastFour, caller });
      return shown(scope, id);
    },

    async page(scope: TenantScope, query: QueryOf<typeof bankCardDeskPage>) {
      const request = pageRequest(query, []);
      const { rows, total } = await cards.page(scope, query, request);
      return pageOfRows(
        rows.map((row) => ({ ...view(row), tenantId: row.tenantId, customer: row.customer, arrivals: row.arrivals })),
        total,
        request,
      );
    },

    /** A number in full; the trail says who looked, and why, and whoever bound the card sees it. */
    async reveal(scope: TenantScope, id: string, reason: string) {
      const held = await inOne(async (parts) => {
        const row = await parts.cards.find(scope, id);
        if (row === undefined || row.numberEncrypted === "") throw refuse("bank_card.not_found");
        await parts.audit.append(
          row.tenantId,
          scope,
          [
            {
              resource: "bank_card",
              rowId: id,
              rowTitle: row.lastFour,
              action: "view",
              changes: [
                { field: "number", before: null, after: "shown" },
                { field: "reason", before: null, after: reason },
              ],
            },
          ],
          nextId,
        );
        return row;
      });
      if (held.createdBy !== null) await record(held.createdBy, "data_shown", { detail: "bankCard" });
      return { value: cipher.decrypt(held.numberEncrypted) };
    },
  };
}
