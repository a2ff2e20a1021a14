import { createWriteStream } from "node:fs";
import { finished } from "node:stream/promises";
import { type Alarm, type DeviceKindId, type FarmReport, reportedAnalytics } from "@herdwise/contract";
import { shanghaiClock, shanghaiDay } from "@herdwise/contract/shanghai";
import { deviceKinds, localUnit, shortfallOf } from "@herdwise/device-kinds";
import { beginPaper, paperColors } from "../../pdf-paper.ts";
import { type ReportLanguage, type ReportWord, reportWord } from "./report-words.ts";

const margin = 42;
const { ink, faint, rule } = paperColors;

const clock = (ms: number): string => shanghaiClock(ms).slice(5, 16).replace("T", " ");

/** Decimals by size, as on the screens. */
const figure = (value: number | undefined): string =>
  value === undefined
    ? "--"
    : value.toFixed(Number.isInteger(value) || Math.abs(value) >= 100 ? 0 : Math.abs(value) < 1 ? 2 : 1);

const isLow = (kind: DeviceKindId, id: string, value: number | undefined): boolean =>
  shortfallOf(deviceKinds[kind].analytics.find((analytic) => analytic.id === id) ?? {}, value) !== undefined;

/** Lines and tables of A4 pages, one below the other; what does not fit begins a page. */
class Sheet {
  private readonly document = beginPaper(margin);
  private readonly width = this.document.page.width - 2 * margin;
  private readonly language: ReportLanguage;

  constructor(language: ReportLanguage, title: string) {
    this.language = language;
    this.document.info.Title = title;
    this.document.font("plain").fontSize(9.5).fillColor(ink);
  }

  private room(height: number): void {
    if (this.document.y + height > this.document.page.height - margin - 16) this.document.addPage();
  }

  private line(y: number, color = rule): void {
    this.document
      .moveTo(margin, y)
      .lineTo(margin + this.width, y)
      .lineWidth(0.6)
      .strokeColor(color)
      .stroke();
  }

  title(text: string, about: string): void {
    this.document.font("strong").fontSize(18).text(text, margin, margin, { width: this.width });
    this.document.font("plain").fontSize(9.5).fillColor(faint).text(about, { width: this.width });
    this.document.fillColor(ink).moveDown(0.4);
    this.line(this.document.y, ink);
    this.document.moveDown(0.6);
  }

  heading(text: string): void {
    this.room(48);
    this.document.moveDown(0.7).font("strong").fontSize(11).text(text, margin, undefined, { width: this.width });
    this.document.font("plain").fontSize(9.5).moveDown(0.2);
  }

  text(text: string, color = ink): void {
    const height = this.document.heightOfString(text, { width: this.width });
    this.room(height);
    this.document.fillColor(color).text(text, margin, this.document.y, { width: this.width }).fillColor(ink);
  }

  /** Figures beside each other. */
  tiles(tiles: readonly { name: string; value: string }[]): void {
    this.room(48);
    const y = this.document.y + 4;
    const width = this.width / tiles.length;
    for (const [at, { name, value }] of tiles.entries()) {
      this.document
        .fontSize(8.5)
        .fillColor(faint)
        .text(name, margin + at * width, y, { width: width - 8 });
      this.document
        .font("strong")
        .fontSize(16)
        .fillColor(ink)
        .text(value, margin + at * width, y + 12, { width: width - 8 });
      this.document.font("plain").fontSize(9.5);
    }
    this.document.y = y + 38;
    this.line(this.document.y);
  }

  /** A table whose first column takes what the others leave. @param wide share of the first column */
  table(header: readonly string[], rows: readonly (readonly string[])[], wide = 0.3): void {
    const others = header.length - 1;
    const first = this.width * wide;
    const other = others === 0 ? 0 : (this.width - first) / others;
    const put = (cells: readonly string[], color: string): void => {
      const height = Math.max(
        ...cells.map((cell, at) =>
          this.document.heightOfString(cell || " ", { width: (at === 0 ? first : other) - 6 }),
        ),
      );
      this.room(height + 7);
      const y = this.document.y + 3;
      for (const [at, cell] of cells.entries()) {
        this.document.fillColor(color).text(cell, at === 0 ? margin : margin + first + (at - 1) * other, y, {
          width: (at === 0 ? first : other) - 6,
          align: at === 0 ? "left" : "right",
        });
      }
      this.document.fillColor(ink);
      this.document.y = y + height + 3;
      this.line(this.document.y);
    };
    this.document.fontSize(8.5);
    put(header, faint);
    for (const row of rows) put(row, ink);
    this.document.fontSize(9.5);
    this.document.x = margin;
  }

  /** Numbers the pages and writes the file. */
  async write(path: string): Promise<void> {
    const { start, count } = this.document.bufferedPageRange();
    for (let page = start; page < start + count; page += 1) {
      this.document.switchToPage(page);
      const words = `${reportWord(this.language, "page")} ${page + 1} / ${count}`;
      // Below the margin: the library would begin a page for it otherwise.
      const { bottom } = this.document.page.margins;
      this.document.page.margins.bottom = 0;
      this.document
        .fontSize(8)
        .fillColor(faint)
        .text(words, margin, this.document.page.height - margin + 8, { width: this.width, align: "right" });
      this.document.page.margins.bottom = bottom;
    }
    const file = createWriteStream(path, { mode: 0o600 });
    this.document.pipe(file);
    this.document.end();
    await finished(file);
  }
}

/** Writes a report as a PDF of A4 pages. Its figures are those that it is given: nothing is worked out here. */
export async function writeReportPdf(path: string, report: FarmReport, language: ReportLanguage): Promise<void> {
  const word = (name: ReportWord): string => reportWord(language, name);
  const local = ({ zh, en }: { zh: string; en: string }): string => (language === "zh" ? zh : en);
  const span = (seconds: number | undefined): string => {
    if (seconds === undefined) return "--";
    if (seconds < 90) return `${Math.round(seconds)} ${word("seconds")}`;
    if (seconds < 5400) return `${Math.round(seconds / 60)} ${word("minutes")}`;
    return `${(seconds / 3600).toFixed(1)} ${word("hours")}`;
  };
  const ruleName = ({ kind, ruleId, ruleName: own }: Pick<Alarm, "kind" | "ruleId" | "ruleName">): string => {
    const found = deviceKinds[kind].alarmRules.find(({ id }) => id === ruleId);
    return found ? local(found.name) : own || ruleId;
  };
  const title = `${report.farmName} ${word(report.period)}`;
  const sheet = new Sheet(language, title);
  const days = report.period === "day" ? report.day : `${report.day} – ${shanghaiDay(report.to - 1)}`;
  const until = report.running ? `　${word("until")} ${clock(report.to)}` : "";
  sheet.title(title, `${days}${until}　${report.units} ${word("units")}　${report.headCount} ${word("heads")}`);

  const of = (kind: DeviceKindId, id: string) =>
    report.kinds
      .find((held) => held.kind === kind)
      ?.devices.flatMap(({ results }) => results.filter((result) => result.id === id && result.value !== undefined)) ??
    [];
  const meanOf = (kind: DeviceKindId, id: string): number | undefined => {
    const known = of(kind, id).filter(({ count }) => count > 0);
    const count = known.reduce((all, one) => all + one.count, 0);
    return count === 0 ? undefined : known.reduce((all, one) => all + (one.value ?? 0) * one.count, 0) / count;
  };
  const ratioOf = ({ value, rows = [] }: FarmReport["kinds"][number]["devices"][number]["results"][number]) => {
    const baseline = rows.find(({ label }) => label === "baseline")?.value;
    return value === undefined || !baseline ? undefined : value / baseline;
  };
  const ratios = of("cough", "index_against_baseline").flatMap((result) => ratioOf(result) ?? []);
  const comfort = meanOf("environment", "comfort_time");
  const fever = meanOf("temperature", "fever_curve");
  sheet.tiles([
    { name: word("comfort"), value: comfort === undefined ? "--" : `${comfort.toFixed(0)} %` },
    { name: word("cough"), value: ratios.length === 0 ? "--" : `× ${Math.max(...ratios).toFixed(1)}` },
    { name: word("fever"), value: fever === undefined ? "--" : `${fever.toFixed(1)} %` },
    { name: word("alarms"), value: String(report.alarms.total) },
    { name: word("offline"), value: span(report.offlineS) },
  ]);

  sheet.heading(word("wrong"));
  if (report.wrong.length === 0) sheet.text(word("nothing"), faint);
  for (const alarm of report.wrong) {
    const place = [alarm.houseName, alarm.unitName, alarm.deviceName].filter(Boolean).join(" · ");
    const lasted =
      alarm.endedMs === undefined ? word("holds") : `${word("lasted")} ${span((alarm.endedMs - alarm.sinceMs) / 1000)}`;
    const answered =
      alarm.acknowledgedMs === undefined
        ? word("nobody")
        : `${alarm.acknowledgedBy} ${word("acknowledged")} ${span((alarm.acknowledgedMs - alarm.raisedMs) / 1000)}`;
    sheet.text(`${local(alarm.sentence)}　${place}`);
    sheet.text([`${clock(alarm.sinceMs)} ${word("since")}`, lasted, answered].join(word("comma")), faint);
  }

  for (const { kind, devices } of report.kinds) {
    const ids = [...reportedAnalytics[kind], "report_completeness"].filter((id) => of(kind, id).length > 0);
    const unreliable = devices.filter((device) => device.unreliable !== undefined);
    if (ids.length === 0 && unreliable.length === 0) continue;
    sheet.heading(local(deviceKinds[kind].name));
    for (const { place, deviceName, unreliable: keys = [] } of unreliable) {
      const names = keys.map((key) => {
        const name = deviceKinds[kind].channels.find((channel) => channel.key === key)?.name;
        return name ? local(name) : key;
      });
      sheet.text(`${place || deviceName}　${word("unreliable")} ${names.join(" · ")}`, faint);
    }
    const header = ids.map((id) => {
      const analytic = deviceKinds[kind].analytics.find((one) => one.id === id);
      return analytic ? `${local(analytic.name)} ${local(localUnit(analytic.unit))}`.trim() : id;
    });
    sheet.table(
      [word("where"), ...header, ...(kind === "cough" ? [word("baseline")] : [])],
      devices.map(({ place, deviceName, results }) => {
        const index = results.find(({ id }) => id === "index_against_baseline");
        const ratio = index && ratioOf(index);
        return [
          place || deviceName,
          ...ids.map((id) => {
            const value = results.find((result) => result.id === id)?.value;
            return `${figure(value)}${isLow(kind, id, value) ? " ▼" : ""}`;
          }),
          ...(kind === "cough" ? [ratio === undefined ? "--" : `× ${ratio.toFixed(1)}`] : []),
        ];
      }),
    );
  }

  if (report.alarms.causes.length > 0) {
    sheet.heading(word("causes"));
    sheet.table(
      [word("cause"), word("kind"), word("count"), word("acknowledgeIn"), word("clearIn")],
      report.alarms.causes.map((cause) => [
        ruleName(cause),
        local(deviceKinds[cause.kind].name),
        String(cause.count),
        span(cause.acknowledgeS),
        span(cause.clearS),
      ]),
    );
  }
  if (report.offline.length > 0) {
    sheet.heading(word("offline"));
    sheet.table(
      [word("where"), word("kind"), word("offline")],
      report.offline.map(({ deviceName, kind, seconds }) => [deviceName, local(deviceKinds[kind].name), span(seconds)]),
      0.5,
    );
  }
  sheet.text(" ");
  sheet.text(word("note"), faint);
  await sheet.write(path);
}
