import { useTranslate } from "../language/use-language.ts";

/**
 * What a page that is nothing without scripts says where they are off. The server alone draws it: where scripts run, nobody looks into a
 * `noscript`, and an empty one stands in its place.
 */
export function NeedsScripts() {
  const t = useTranslate();
  return (
    <noscript>
      <p className="needs-scripts">
        {t("这一页要用浏览器的 JavaScript，请打开后刷新。")} <a href="/service/productApply">{t("申请服务")}</a>
      </p>
    </noscript>
  );
}
