import type { ContractRow, EventRow } from "./contract.repository.ts";

/** A row of a list. */
export const contractOf = (row: ContractRow) => ({
  id: row.id,
  number: row.number,
  title: row.title,
  titleEn: row.titleEn,
  kind: row.kind,
  state: row.state,
  version: row.version,
  customer: row.customer,
  ...(row.amountFen !== null && { amountFen: Number(row.amountFen) }),
  startDay: row.startDay,
  endDay: row.endDay,
  signBy: row.signBy,
  sentTime: row.sentTime,
  signedTime: row.signedTime,
  updateTime: row.updateTime,
  ...(row.termHeads !== null && { terms: { heads: row.termHeads, leftHeads: row.termLeft ?? 0 } }),
  urgent: row.urgent,
});

export const happeningOf = (row: EventRow) => ({
  id: row.id,
  contractId: row.contractId,
  number: row.number,
  title: row.title,
  titleEn: row.titleEn,
  what: row.what,
  side: row.side,
  name: row.name,
  version: row.version,
  body: row.body,
  createTime: row.createTime,
});

/** Endings that tell what kind of company it is and nothing of its name. */
const endings = /(有限责任公司|股份有限公司|有限公司|集团|合作社|家庭农场|农场|饲料厂|养殖场|公司|厂)$/;

/** A party as strangers read it: `内乡****有限公司`. */
export function maskedParty(name: string): string {
  const ending = endings.exec(name)?.[0] ?? "";
  const characters = [...name.slice(0, name.length - ending.length)];
  return `${characters.slice(0, characters.length > 3 ? 2 : 1).join("")}****${ending}`;
}
