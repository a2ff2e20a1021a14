import { usePreferences } from "../preferences/preferences.tsx";

/** The brand: roof and air, with the name. */
export function Brand({ latin = false }: { latin?: boolean }) {
  const { brand } = usePreferences();
  return (
    <>
      <svg viewBox="0 0 28 28" aria-hidden="true">
        <rect width="28" height="28" rx="7" className="brand-tile" />
        <g fill="none" strokeWidth="2" strokeLinecap="round" strokeLinejoin="round">
          <path d="M5.5 13.2 14 6.3l8.5 6.9" stroke="#fff" />
          <path d="M6 18.3c2.7-2.9 5.3-2.9 8 0s5.3 2.9 8 0" stroke="#7ED09A" />
        </g>
      </svg>
      <span lang="zh-CN">{brand.zh}</span>
      {latin && brand.en !== "" && <small lang="en">{brand.en}</small>}
    </>
  );
}
