import type { Commissioning, CommissioningItem } from "@herdwise/contract";
import { Link } from "react-router";
import { Mark } from "../../shared/icons/mark.tsx";
import { Button } from "../../shared/kit/button.tsx";
import { Paper, PaperBar, paperStyles } from "../../shared/kit/paper.tsx";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import { ResultMark, useCheckName, useFaultWords } from "./check-card.tsx";
import styles from "./commissioning.module.css";
import { useReadingWords } from "./readings.tsx";
import { commissioningPath } from "./words.ts";

/** Saves what was signed, exactly as it was hashed. */
function download({ id, body }: Pick<Commissioning, "id" | "body">): void {
  const address = URL.createObjectURL(new Blob([body], { type: "application/json" }));
  const link = document.createElement("a");
  link.href = address;
  link.download = `commissioning-${id}.json`;
  link.click();
  URL.revokeObjectURL(address);
}

/** What a check read, in a line. */
function useLine(): (item: CommissioningItem) => string {
  const language = useLanguage();
  const words = useReadingWords();
  const join = useJoin("clauses");
  return ({ readings, check }) =>
    join(
      readings
        .filter(({ before, after }) => before !== undefined || after !== undefined)
        .map((reading) => {
          const isTrial = check === "probe" && reading.before !== undefined;
          const from = isTrial ? `${words(reading, reading.before)} → ` : "";
          return `${reading.name[language]} ${from}${words(reading, reading.after)}`;
        }),
    );
}

/** A list that is over, as a sheet to be printed. */
export function RecordScreen({ list }: { list: Commissioning }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const nameOf = useCheckName();
  const faultOf = useFaultWords();
  const lineOf = useLine();
  const failed = list.items.filter(({ result }) => result === "failed").length;
  const isSigned = list.state === "signed";
  return (
    <>
      <PaperBar disabled={!isSigned}>
        {isSigned && (
          <Button icon="download" onPress={() => download(list)}>
            {t("下载签过的内容")}
          </Button>
        )}
        <Link className="btn" to={`${commissioningPath}?unit=${list.unitId}`}>
          {t("这个单元")}
        </Link>
      </PaperBar>
      {!isSigned && <p className="mut">{t("这张单已经作废，没有签字。")}</p>}
      {isSigned && !list.intact && (
        <p className="state critical" role="alert">
          <Mark name="critical" />
          {t("校验值对不上：签字以后内容被改过，不能作数。")}
        </p>
      )}
      <Paper
        title={t("单元调试单")}
        about={
          <>
            <Translated text={list.farmName} /> / <Translated text={list.houseName} /> /{" "}
            <Translated text={list.unitName} />
          </>
        }
        facts={[
          { name: t("开始"), value: dayTime(parseWireDateTime(list.createTime)) },
          ...(isSigned
            ? [
                { name: t("签字"), value: <Translated text={list.signedBy} /> },
                { name: t("签字时间"), value: dayTime(parseWireDateTime(list.signTime)) },
              ]
            : []),
          { name: t("没通过"), value: failed },
        ]}
      >
        <div className={paperStyles.scroll}>
          <table className={styles.record}>
            <thead>
              <tr>
                <th>{t("检查项")}</th>
                <th>{t("结果")}</th>
                <th>{t("读数和说明")}</th>
                <th>{t("谁答的")}</th>
              </tr>
            </thead>
            <tbody>
              {list.items.map((item) => (
                <tr key={item.id}>
                  <th scope="row">
                    {nameOf(item)}
                    {item.serialNumber !== "" && <small className="num">{item.serialNumber}</small>}
                  </th>
                  <td>
                    <ResultMark item={item} />
                  </td>
                  <td>
                    {[faultOf(item)?.what, lineOf(item), item.note].filter(Boolean).map((line) => (
                      <p key={line}>{line}</p>
                    ))}
                    {item.photo !== "" && (
                      <a className="link" href={`/files/${item.photo}`} target="_blank" rel="noreferrer">
                        {t("照片")}
                      </a>
                    )}
                  </td>
                  <td>
                    <Translated text={item.answeredBy} />
                    <small className="num">{dayTime(parseWireDateTime(item.answerTime))}</small>
                  </td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
        {isSigned && (
          <p className={paperStyles.note}>
            {t("内容的 SHA-256 校验值：")}
            <span className={styles.hash}>{list.hash}</span> {list.intact && t("刚核对过，与签字时一致。")}
          </p>
        )}
      </Paper>
    </>
  );
}
