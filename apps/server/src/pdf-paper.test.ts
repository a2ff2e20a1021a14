import { PDFiumLibrary } from "@hyzyla/pdfium";
import { expect, test } from "vitest";
import { charactersOf, drawnText, paperFonts, undrawable } from "./pdf-characters.ts";
import { beginKeptPaper } from "./pdf-paper.ts";

async function readBack(draw: (document: ReturnType<typeof beginKeptPaper>["document"]) => void): Promise<string> {
  const { document, end } = beginKeptPaper(40);
  document.font("plain").fontSize(12);
  draw(document);
  const library = await PDFiumLibrary.init();
  const read = await library.loadDocument(await end());
  const text = [...read.pages()].map((page) => page.getText()).join("\n");
  library.destroy();
  return text;
}

test("what a paper can't draw is named, and nothing that it can draw", () => {
  expect(undrawable("甲 NH₃ CO₂ 10⁶ m³ ℃\n第二行\t❶")).toEqual([]);
  expect(undrawable("𠮷祥😀农场😀")).toEqual(["𠮷", "😀"]);
  // An accent as a character of its own, a zero-width space, a choice of looks, a space that the font has not.
  expect(undrawable("e\u0301\u200b☆\ufe0f\u202f")).toEqual([]);
});

test("plain and strong words are of the same characters", () => {
  const [plain, strong] = (Object.keys(paperFonts) as (keyof typeof paperFonts)[]).map(charactersOf);
  expect(strong).toEqual(plain);
});

test("a paper names what it can't draw by its number", () => {
  expect(drawnText("𠮷祥农场 10⁶")).toBe("〔U+20BB7〕祥农场 10⁶");
  expect(undrawable(drawnText("𠮷祥农场😀"))).toEqual([]);
});

test("raised and lowered figures are drawn, and read as what they are", async () => {
  const words = "氨气 NH₃，CO₂，10⁶ 拷贝/mL，体积 3 m³";
  const text = await readBack((document) => {
    document.text(words, 40, 40, { width: 300 });
    document.text("居中 10⁶", { width: 300, align: "center" });
    document.text("𠮷祥", { width: 300 });
  });
  expect(text.replace(/\s+/g, " ")).toBe(`${words} 居中 10⁶ 〔U+20BB7〕祥`);
});

test("raised figures take their own width", () => {
  const { document } = beginKeptPaper(40);
  document.font("plain").fontSize(12);
  expect(document.widthOfString("10⁶")).toBeLessThan(document.widthOfString("106"));
  expect(document.widthOfString("10⁶")).toBeGreaterThan(document.widthOfString("10"));
});
