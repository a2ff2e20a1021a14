import type { Customer, CustomerView } from "@herdwise/contract";
import { Link } from "react-router";
import { parseWireDateTime } from "../../shared/language/format.ts";
import { Translated } from "../../shared/language/translated.tsx";
import { useFormats, useTranslate } from "../../shared/language/use-language.ts";
import { StateTag } from "../../shared/process/state-tag.tsx";
import styles from "./customers.module.css";
import { useRegionNames } from "./use-region-names.ts";
import { authenticationWords, kindWords, ruleDetail, ruleWords, stateWords } from "./words.ts";

/** Why a customer is abnormal, and since when. */
function Findings({ customer }: { customer: Customer }) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  return (
    <span className={styles.found}>
      {customer.findings.map((finding) => (
        <span key={finding.rule}>
          <StateTag plain {...ruleWords[finding.rule]} />{" "}
          <small className="num">
            {[ruleDetail(finding, t), t("{time} 起", { time: dayTime(parseWireDateTime(finding.sinceAt)) })]
              .filter(Boolean)
              .join(" · ")}
          </small>
        </span>
      ))}
    </span>
  );
}

const linkOf = ({ id }: Customer): string => `/customer/detail?id=${id}`;

/** Customers as a table, as cards on a phone. */
export function CustomerTable({ customers, view }: { customers: readonly Customer[]; view: CustomerView }) {
  const t = useTranslate();
  const { dayTime, number } = useFormats();
  const regionOf = useRegionNames(customers.map(({ regionCode }) => regionCode));
  const lastOf = (customer: Customer): string => {
    const at = view === "cancelled" ? customer.endTime : customer.createTime;
    return at === "" ? "--" : dayTime(parseWireDateTime(at));
  };
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl">
          <thead>
            <tr>
              <th scope="col">{t("客户")}</th>
              <th scope="col">{t("认证")}</th>
              <th scope="col">{t(view === "abnormal" ? "为什么异常" : "状态")}</th>
              <th scope="col">{t("联系人与手机")}</th>
              <th scope="col">{t("地区")}</th>
              <th scope="col" className="numeric">
                {t("场区")}
              </th>
              <th scope="col" className="numeric">
                {t("设备")}
              </th>
              <th scope="col">{t(view === "cancelled" ? "注销时间" : "成为客户")}</th>
            </tr>
          </thead>
          <tbody>
            {customers.map((customer) => (
              <tr key={customer.id}>
                <th scope="row">
                  <span className={styles.name}>
                    <Link to={linkOf(customer)}>
                      <Translated text={customer.name} />
                    </Link>
                    <small>
                      {t(kindWords[customer.kind])} · <span className="num">{customer.id}</span>
                      {customer.account !== "" && ` · ${customer.account}`}
                    </small>
                  </span>
                </th>
                <td>
                  <StateTag plain {...authenticationWords[customer.authentication]} />
                </td>
                <td>
                  {view === "abnormal" || (view === "all" && customer.findings.length > 0) ? (
                    <Findings customer={customer} />
                  ) : (
                    <StateTag plain {...stateWords[customer.state]} />
                  )}
                </td>
                <td>
                  {customer.contactName || "--"} <span className="num">{customer.phone}</span>
                </td>
                <td>{regionOf(customer.regionCode) || "--"}</td>
                <td className="numeric">{number(customer.farms)}</td>
                <td className="numeric">{number(customer.devices)}</td>
                <td className="num">{lastOf(customer)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {customers.map((customer) => (
          <li key={customer.id}>
            <Link to={linkOf(customer)}>
              <b>
                <Translated text={customer.name} />
              </b>
              <StateTag plain {...authenticationWords[customer.authentication]} />
              <span className="mut">
                {t(kindWords[customer.kind])} · {customer.contactName} <span className="num">{customer.phone}</span>
              </span>
              <span className="words num">{lastOf(customer)}</span>
              {customer.findings.length > 0 && <Findings customer={customer} />}
            </Link>
          </li>
        ))}
      </ul>
    </>
  );
}
