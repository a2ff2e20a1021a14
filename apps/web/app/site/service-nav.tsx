import { useTranslate } from "../shared/language/use-language.ts";

/** Pages of service, in the order in which people need them. */
export const servicePages = [
  ["/service/productService", "售后服务"],
  ["/service/productServiceList", "服务项目"],
  ["/service/productApply", "申请服务"],
  ["/service/productInfo", "产品资料"],
  ["/service/videos", "视频"],
  ["/service/network", "服务网点"],
  ["/service/workOrder", "售后与投诉"],
  ["/service/feedback", "建议反馈"],
  ["/service/notice", "通知公告"],
] as const;

/** The way between the pages of service. */
export function ServiceNav({ path }: { path: string }) {
  const t = useTranslate();
  return (
    <nav className="solution-nav" aria-label={t("服务支持各页")}>
      <div className="wrap">
        {servicePages.map(([href, name]) => (
          <a key={href} href={href} aria-current={href === path ? "page" : undefined}>
            {t(name)}
          </a>
        ))}
      </div>
    </nav>
  );
}
