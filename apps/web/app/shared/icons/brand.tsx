import { usePreferences } from "../preferences/preferences.tsx";

/** The brand with its name: its own logo, or roof and air. @param night on a part of the page that is dark by day, too */
export function Brand({ latin = false, night = false }: { latin?: boolean; night?: boolean }) {
  const { brand, language } = usePreferences();
  const inEnglish = language === "en" && brand.en !== "";
  const { light, dark } = brand.logos;
  if (light !== "")
    return (
      <>
        {!night && <img className="logo by-day" src={light} alt="" />}
        <img className={night ? "logo" : "logo by-night"} src={dark} alt="" />
        <span className="visually-hidden">{inEnglish ? brand.en : brand.zh}</span>
      </>
    );
  return (
    <>
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <rect width="28" height="28" rx="7" className="brand-tile" />
        <g fill="none" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <path d="M5.5 13.2 14 6.3l8.5 6.9" stroke="#fff" />
          <path d="M6 18.3c2.7-2.9 5.3-2.9 8 0s5.3 2.9 8 0" stroke="#7ED09A" />
        </g>
      </svg>
      {inEnglish ? <span lang="en">{brand.en}</span> : <span lang="zh-CN">{brand.zh}</span>}
      {latin && !inEnglish && brand.en !== "" && <small lang="en">{brand.en}</small>}
    </>
  );
}
