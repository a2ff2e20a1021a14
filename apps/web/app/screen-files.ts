import { kindList } from "@herdwise/device-kinds/kind-list";
import { pagesOf } from "@herdwise/device-kinds/kind-pages";
import type { Screen } from "./screens.ts";

/** Route modules of screens by the code of their menu node, relative to app/. Vite gives each its own chunk. */
const files: Readonly<Record<string, string>> = {
  self_home: "centre/home/console.route.tsx",
  self_basic_info: "centre/profile/basic-info.route.tsx",
  self_real_name: "centre/real-name/real-name.route.tsx",
  self_safe: "centre/security/security.route.tsx",
  cancellation: "admin/cancellations/desk.route.tsx",
  cancellation_detail: "admin/cancellations/desk.route.tsx",
  bank_card: "admin/bank-cards/cards.route.tsx",
  self_news: "centre/messages/messages.route.tsx",
  customer: "admin/customers/list.route.tsx",
  customer_detail: "admin/customers/detail.route.tsx",
  agreement: "admin/agreements/agreements.route.tsx",
  announcement: "admin/announcements/announcements.route.tsx",
  work_order_desk_screen: "admin/work-orders/desk.route.tsx",
  work_order_desk_detail: "admin/work-orders/order.route.tsx",
  contract_manage: "centre/contracts/contracts.route.tsx",
  contract_history: "centre/contracts/contracts.route.tsx",
  contract_detail: "centre/contracts/contracts.route.tsx",
  contract_desk_screen: "admin/contracts/contracts.route.tsx",
  contract_desk_detail: "admin/contracts/contracts.route.tsx",
  contract_draft: "admin/contracts/contracts.route.tsx",
  contract_batch: "admin/contracts/contracts.route.tsx",
  contract_template_editor: "admin/contracts/contracts.route.tsx",
  self_jobs: "centre/jobs/jobs.route.tsx",
  price_alert: "centre/prices/alerts.route.tsx",
  self_members: "centre/members/members.route.tsx",
  farm_structure: "centre/farms/structure.route.tsx",
  device_bind: "centre/devices/bind.route.tsx",
  commissioning: "centre/commissioning/commissioning.route.tsx",
  alarm: "centre/alarms/alarms.route.tsx",
  alarm_rule: "centre/alarms/rules.route.tsx",
  alarm_push: "centre/alarms/push.route.tsx",
  farm_report: "centre/reports/report.route.tsx",
  data_analysis: "centre/compare/compare.route.tsx",
  contact_trace: "centre/trace/trace.route.tsx",
  sell_days: "centre/sell-days/sell-days.route.tsx",
  user: "admin/users/users.route.tsx",
  setting: "admin/settings/settings.route.tsx",
  health: "admin/health/health.route.tsx",
  simulator: "admin/simulator/simulator.route.tsx",
  visit: "admin/visits/visits.route.tsx",
  translation: "admin/translations/translations.route.tsx",
  audit: "admin/audit/audit-screen.route.tsx",
  log_error: "admin/logs/error.route.tsx",
  log_usual: "admin/logs/usual.route.tsx",
  log_api: "admin/logs/api.route.tsx",
  attachment: "admin/attachments/attachments.route.tsx",
  session: "admin/sessions/sessions.route.tsx",
  real_name_desk: "admin/real-name/review.route.tsx",
  price_desk: "admin/prices/desk-screen.route.tsx",
  trade_report: "admin/sale-report/report.route.tsx",
  statement: "centre/statements/statement.route.tsx",
  self_statement: "centre/statements/statement.route.tsx",
  firmware: "admin/firmware/firmware.route.tsx",
  oauth_client: "admin/clients/clients.route.tsx",
  home_page: "admin/home-page/home-page.route.tsx",
  article_editor: "admin/articles/editor.route.tsx",
  tenant: "admin/tenants/tenants.route.tsx",
  tenant_package_menus: "admin/tenants/package-menus.route.tsx",
  region: "admin/regions/regions.route.tsx",
  role_grants: "admin/roles/role-grants.route.tsx",
  self_role_grants: "admin/roles/role-grants.route.tsx",
  ...Object.fromEntries(
    kindList.flatMap(({ pages }) =>
      pages ? pagesOf(pages).map((page) => [`${pages.code}_${page}`, `centre/kind/${page}.route.tsx`]) : [],
    ),
  ),
  ...Object.fromEntries(
    ["after_sales", "complaint", "suggestion"].flatMap((code) => [
      [code, "centre/work-orders/list.route.tsx"],
      [`${code}_add`, "centre/work-orders/add.route.tsx"],
      [`${code}_detail`, "centre/work-orders/detail.route.tsx"],
    ]),
  ),
};

/** @throws for a screen without a module: the build stops */
export function fileOf({ menuCode, resource }: Screen): string {
  const file = resource === undefined ? files[menuCode] : "centre/resources/resource.route.tsx";
  if (file === undefined) throw new Error(`screen-files.ts names no module for the screen of ${menuCode}`);
  return file;
}
