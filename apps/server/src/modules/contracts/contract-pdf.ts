import { type ContractLanguage, type ContractPaper, clauseNumber } from "@herdwise/contract";
import { shanghaiClock } from "@herdwise/contract/shanghai";
import encodeQr from "qr";
import { beginKeptPaper, paperColors } from "../../pdf-paper.ts";

/** A signature as it stands on paper. */
export interface PaperSignature {
  side: "group" | "customer";
  party: string;
  signer: string;
  account: string;
  /** Masked. */
  phone: string;
  /** ms since 1970. */
  atMs: number;
}

/** Everything that a contract's file shows. */
export interface PaperInput {
  number: string;
  version: number;
  customer: string;
  group: string;
  papers: readonly { language: ContractLanguage; paper: ContractPaper }[];
  /** With them a page is added that says who signed what. */
  signed?: {
    /** SHA-256 of the document that was signed, hexadecimal. */
    sha256: string;
    signatures: readonly PaperSignature[];
    /** Where anybody verifies it. */
    verifyUrl: string;
  };
}

const margin = 64;
const { ink, faint, rule, accent } = paperColors;

const clock = (ms: number): string => `${shanghaiClock(ms).slice(0, 19).replace("T", " ")} (UTC+8)`;
/** In eights, so that people can compare it. */
const inEights = (hash: string): string => (hash.match(/.{1,8}/g) ?? []).join(" ");

const words = {
  zh: {
    customer: "甲方",
    group: "乙方",
    number: "合同编号",
    version: "第 {version} 版",
    page: "第 {page} 页，共 {pages} 页",
  },
  en: {
    customer: "Party A",
    group: "Party B",
    number: "Contract",
    version: "version {version}",
    page: "Page {page} of {pages}",
  },
} as const;

/** Writes the file of a contract. @returns its bytes and pages */
export async function writeContractPdf(input: PaperInput): Promise<{ bytes: Buffer; pages: number }> {
  const { document, end } = beginKeptPaper(margin);
  const width = document.page.width - 2 * margin;
  const room = (height: number): void => {
    if (document.y + height > document.page.height - margin - 16) document.addPage();
  };
  const { number, version } = input;
  document.info.Title = `${number} ${input.papers[0]?.paper.title ?? ""}`;

  for (const [at, { language, paper }] of input.papers.entries()) {
    if (at > 0) document.addPage();
    const say = words[language];
    document
      .font("strong")
      .fontSize(18)
      .fillColor(ink)
      .text(paper.title, margin, document.y, { width, align: "center" });
    document
      .font("plain")
      .fontSize(9)
      .fillColor(faint)
      .text(`${say.number} ${number}  ${say.version.replace("{version}", String(version))}`, { width, align: "center" })
      .moveDown(1.2);
    if (language === "en")
      document.text("Translation for reference; the Chinese text prevails.", { width, align: "center" }).moveDown(0.8);
    document.fontSize(10.5).fillColor(ink);
    for (const [who, name] of [
      [say.customer, input.customer],
      [say.group, input.group],
    ])
      document.text(`${who}${language === "zh" ? "：" : ": "}${name}`, margin, document.y, { width, lineGap: 4 });
    for (const [index, clause] of paper.clauses.entries()) {
      const heading = `${clauseNumber(index, language)}${language === "en" ? " " : ""}${clause.heading}`;
      room(54);
      document.moveDown(0.7).font("strong").fontSize(11).text(heading, margin, document.y, { width, lineGap: 3 });
      document.font("plain").fontSize(10.5);
      for (const line of clause.body.split("\n").filter((one) => one.trim() !== ""))
        document.text(line.trim(), margin, document.y, { width, lineGap: 5, paragraphGap: 2 });
    }
  }

  if (input.signed) {
    const { sha256, signatures, verifyUrl } = input.signed;
    document.addPage();
    document.font("strong").fontSize(18).fillColor(ink).text("签名页 Signature page", margin, margin, { width });
    document.font("plain").fontSize(9.5).fillColor(faint);
    document
      .text(
        `${number}  ${words.zh.version.replace("{version}", String(version))} / ${words.en.version.replace("{version}", String(version))}`,
        { width },
      )
      .moveDown(1);
    for (const { side, party, signer, account, phone, atMs } of signatures) {
      room(104);
      const top = document.y;
      document.rect(margin, top, width, 92).lineWidth(0.8).strokeColor(rule).stroke();
      document.rect(margin, top, 3, 92).fillColor(accent).fill();
      document.font("strong").fontSize(11).fillColor(ink);
      document.text(`${words.zh[side]} ${words.en[side]}  ${party}`, margin + 16, top + 12, { width: width - 32 });
      document.font("plain").fontSize(9.5).fillColor(faint);
      document.text(`签署人 Signer  ${signer}（${account}${phone === "" ? "" : `，${phone}`}）`, {
        width: width - 32,
        lineGap: 3,
      });
      document.text(`时间 Time  ${clock(atMs)}`, { width: width - 32, lineGap: 3 });
      document.text(
        side === "customer"
          ? "方式 Method  登录密码与短信验证码 password and SMS code"
          : "方式 Method  登录密码 password",
        { width: width - 32 },
      );
      document.x = margin;
      document.y = top + 104;
    }
    room(190);
    document.moveDown(0.6).font("strong").fontSize(11).fillColor(ink);
    document.text("签署的文件 The document that was signed", margin, document.y, { width, lineGap: 4 });
    document.font("plain").fontSize(9.5).fillColor(faint);
    document.text("SHA-256", { width, lineGap: 2 });
    document
      .font("Courier")
      .fontSize(10)
      .fillColor(ink)
      .text(inEights(sha256.slice(0, 32)), { width });
    document.text(inEights(sha256.slice(32)), { width });
    document.moveDown(1);
    const top = document.y;
    const squares = encodeQr(verifyUrl, "raw", { ecc: "medium", border: 2 });
    const size = 104 / squares.length;
    document.fillColor("#000000");
    for (const [row, line] of squares.entries())
      for (const [column, dark] of line.entries())
        if (dark) document.rect(margin + column * size, top + row * size, size + 0.05, size + 0.05);
    document.fill();
    document.font("plain").fontSize(9.5).fillColor(faint);
    const beside = { width: width - 124, lineGap: 3 };
    document.text(
      "扫码，或打开下面的地址并输入上面的哈希（前 16 位即可），任何人都能核验。",
      margin + 124,
      top + 8,
      beside,
    );
    document.text(
      "Scan, or open the address below and enter the hash above (its first 16 digits will do): anybody can verify.",
      beside,
    );
    document.fillColor(accent).text(verifyUrl.split("?", 1)[0] ?? "", { ...beside, link: verifyUrl, underline: true });
  }

  const { start, count } = document.bufferedPageRange();
  for (let page = start; page < start + count; page += 1) {
    document.switchToPage(page);
    const place = { page: String(page + 1), pages: String(count) };
    const fill = (text: string) => text.replace(/\{(\w+)\}/g, (_whole, name: "page" | "pages") => place[name]);
    // Below the margin: the library would begin a page for it otherwise.
    document.page.margins.bottom = 0;
    document
      .font("plain")
      .fontSize(8.5)
      .fillColor(faint)
      .text(`${number}   ${fill(words.zh.page)}   ${fill(words.en.page)}`, margin, document.page.height - 40, {
        width,
        align: "center",
        lineBreak: false,
      });
  }
  return { bytes: await end(), pages: count };
}
