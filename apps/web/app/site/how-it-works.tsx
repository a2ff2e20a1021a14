import { Brand } from "../shared/icons/brand.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import type { HomeText } from "./home-text.ts";
import { tied } from "./tied.ts";

const devices = [
  { title: "九类设备", text: "环控、咳嗽、体温、免疫、洗消等" },
  { title: "边缘网关", text: "断网续传，先存后发" },
  { title: "水、电、气", text: "计量与环保参数逐时留存" },
] as const;

const platform = ["对照目标带，算偏差", "每个数值都带时间，旧了就标出来", "一条不少，重发也只记一次"] as const;

const people = [
  { title: "场长，在手机上", text: "哪一栋要去看，一眼就知道" },
  { title: "兽医，在电脑前", text: "一栋舍的曲线与剖面" },
  { title: "集团，在大屏前", text: "所有场区同一口径" },
] as const;

const steps = [
  { title: "设备", text: "每 60 秒一报，断网时存在本地，恢复后按时间补齐。数值旁永远写着它的年龄。" },
  { title: "平台", text: "按猪舍类型与日龄给出目标带，把每一个数值放在带子里看。空栏与冲洗时自动屏蔽告警。" },
  { title: "人", text: "最差的排在最前。点进去是那一栋的剖面、曲线和风机，决定由人来做。" },
] as const;

/** Three lines that meet; drawn once, turned round for the other side. */
function Lines({ mirrored = false }: { mirrored?: boolean }) {
  return (
    <svg
      className={`drawing how-lines${mirrored ? " mirrored" : ""}`}
      viewBox="0 0 170 212"
      preserveAspectRatio="none"
      aria-hidden="true"
    >
      <path className="air fixed-stroke" d="M0,34C80,34 100,96 170,102" />
      <path className="air fixed-stroke" d="M0,106H170" />
      <path className="air slow fixed-stroke" d="M0,178C80,178 100,116 170,110" />
    </svg>
  );
}

/** Device, platform, people: what flows between them, and who decides. */
export function HowItWorks({ text: words }: { text: HomeText }) {
  const t = useTranslate();
  return (
    <section className="site-section" id="how">
      <div className="wrap">
        <div className="hdr">
          <h2>{words("title")}</h2>
          <p className="sub">{words("text")}</p>
        </div>
        <div className="how">
          <ul>
            {devices.map(({ title, text }) => (
              <li key={title} className="from">
                <b>{t(title)}</b>
                <span>{t(text)}</span>
              </li>
            ))}
          </ul>
          <Lines />
          <div className="hub">
            <div className="brand">
              <Brand />
            </div>
            <ul>
              {platform.map((text) => (
                <li key={text}>{t(text)}</li>
              ))}
            </ul>
          </div>
          <Lines mirrored />
          <ul>
            {people.map(({ title, text }) => (
              <li key={title} className="to">
                <b>{t(title)}</b>
                <span>{t(text)}</span>
              </li>
            ))}
          </ul>
        </div>
        <ol className="how3">
          {steps.map(({ title, text }, index) => (
            <li key={title}>
              <h3>
                <span>{index + 1}</span>
                {t(title)}
              </h3>
              <p>{tied(t(text))}</p>
            </li>
          ))}
        </ol>
      </div>
    </section>
  );
}
