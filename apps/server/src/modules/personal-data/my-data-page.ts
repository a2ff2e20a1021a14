import { myDataText } from "./my-data-words.ts";

/** A part of an export: rows with their columns by name. */
export interface Section {
  /** Name in data.json. */
  name: string;
  title: string;
  columns: Readonly<Record<string, string>>;
  rows: readonly Readonly<Record<string, unknown>>[];
}

const escaped = (text: string): string => text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

const shanghai = new Intl.DateTimeFormat("sv-SE", {
  timeZone: "Asia/Shanghai",
  dateStyle: "short",
  timeStyle: "medium",
});
export const shownTime = (time: Date): string => shanghai.format(time);

function cell(value: unknown): string {
  if (value === null || value === undefined) return "";
  if (value instanceof Date) return shownTime(value);
  return typeof value === "object" ? JSON.stringify(value) : String(value);
}

const style = `body{font:15px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;margin:0 auto;padding:24px;max-width:1100px;color:#16211c;background:#fff}
h1{font-size:26px;margin:0 0 4px}h2{font-size:18px;margin:32px 0 8px}p,nav{color:#4c5a53}nav{columns:3;margin:16px 0}nav a{display:block;color:#1d6b45}
div{overflow-x:auto}table{border-collapse:collapse;width:100%;font-size:13px}th,td{border-bottom:1px solid #dcdfd9;padding:6px 10px;text-align:left;vertical-align:top}
th{background:#f3f3ee;white-space:nowrap}@media(prefers-color-scheme:dark){body{background:#14201b;color:#e6ece8}p,nav{color:#a9b8b0}nav a{color:#7fd0a4}th{background:#1e2c26}th,td{border-color:#31423a}}
@media(max-width:700px){nav{columns:1}}`;

/** The page of an export that people read: no script, nothing from elsewhere. */
export function myDataPage(
  language: "zh" | "en",
  {
    brand,
    account,
    time,
    sections,
    leftOut,
  }: { brand: string; account: string; time: Date; sections: readonly Section[]; leftOut: readonly string[] },
): string {
  const t = (text: string, values?: Readonly<Record<string, string | number>>) =>
    escaped(myDataText(language, text, values));
  const parts = sections.map(({ name, title, columns, rows }) => {
    const heads = Object.values(columns).map((head) => `<th scope="col">${t(head)}</th>`);
    const body = rows.map(
      (row) =>
        `<tr>${Object.keys(columns)
          .map((column) => `<td>${escaped(cell(row[column]))}</td>`)
          .join("")}</tr>`,
    );
    return `<section aria-labelledby="${name}"><h2 id="${name}">${t(title)}</h2>${
      rows.length === 0
        ? `<p>${t("没有记录")}</p>`
        : `<div tabindex="0" role="region" aria-labelledby="${name}"><table><thead><tr>${heads.join("")}</tr></thead><tbody>${body.join("")}</tbody></table></div>`
    }</section>`;
  });
  const links = sections.map(
    ({ name, title, rows }) =>
      `<a href="#${name}">${t(title)} · ${rows.length === 0 ? t("没有记录") : t("{count} 条", { count: rows.length })}</a>`,
  );
  return `<!doctype html><html lang="${language === "en" ? "en" : "zh-CN"}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'"><title>${t("我的数据")}</title><style>${style}</style></head>
<body><main><h1>${t("我的数据")}</h1><p>${t("{brand}保存的关于 {account} 的全部数据，{time} 导出。", { brand, account, time: shownTime(time) })}<br>${t("同样的内容在 data.json 里，给程序读；上传的文件在 files 文件夹里。")}</p>
<nav>${links.join("")}</nav>${parts.join("")}<h2>${t("没有导出的：")}</h2><ul>${leftOut.map((text) => `<li>${escaped(text)}</li>`).join("")}</ul></main></body></html>`;
}
