import { resourceScreens } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { type ComponentType, lazy, Suspense } from "react";
import { useLoaderData } from "react-router";
import { ResourceScreen } from "../../shared/resource/resource-screen.tsx";
import { RoleScreen } from "../../shared/roles/role-screen.tsx";
import { ScreenWait } from "../../shared/states/screen-wait.tsx";
import { DictionaryScreen } from "./dictionary-screen.tsx";
import { ParameterScreen } from "./parameter-screen.tsx";

/** Screens with parts of their own, by the name of the resource; all others need no code. */
const own: Readonly<Record<string, ComponentType<{ of: ResourceDeclaration }>>> = {
  role: RoleScreen,
  dict: DictionaryScreen,
  dict_biz: DictionaryScreen,
  param: ParameterScreen,
  menu: lazy(async () => ({ default: (await import("../../shared/menus/menu-screen.tsx")).MenuScreen })),
  tenant_package: lazy(async () => ({
    default: (await import("../../shared/tenants/package-screen.tsx")).PackageScreen,
  })),
  farm: lazy(async () => ({ default: (await import("../farms/place-screens.tsx")).FarmScreen })),
  pig_house: lazy(async () => ({ default: (await import("../farms/place-screens.tsx")).PigHouseScreen })),
  unit: lazy(async () => ({ default: (await import("../farms/place-screens.tsx")).UnitScreen })),
  contract_template: lazy(async () => ({
    default: (await import("../../shared/contracts/template-screen.tsx")).ContractTemplateScreen,
  })),
  article: lazy(async () => ({ default: (await import("../../shared/articles/article-screen.tsx")).ArticleScreen })),
  webhook: lazy(async () => ({ default: (await import("../webhooks/webhook-screen.tsx")).WebhookScreen })),
  maintenance: lazy(async () => ({
    default: (await import("../maintenance/maintenance-screen.tsx")).MaintenanceScreen,
  })),
  vaccination_plan: lazy(async () => ({
    default: (await import("../vaccinations/vaccination-screen.tsx")).VaccinationScreen,
  })),
  treatment: lazy(async () => ({ default: (await import("../treatments/treatment-screen.tsx")).TreatmentScreen })),
  product_document: lazy(async () => ({
    default: (await import("../site-desk/document-screen.tsx")).DocumentScreen,
  })),
  site_form: lazy(async () => ({ default: (await import("../site-desk/site-form-screen.tsx")).SiteFormScreen })),
  video: lazy(async () => ({ default: (await import("../site-desk/video-screen.tsx")).VideoScreen })),
  sale_plan: lazy(async () => ({ default: (await import("../sale-plans/plan-screen.tsx")).PlanScreen })),
  offer: lazy(async () => ({ default: (await import("../../shared/trade/trade-screens.tsx")).OfferScreen })),
  declaration: lazy(async () => ({
    default: (await import("../../shared/trade/trade-screens.tsx")).DeclarationScreen,
  })),
  price_term: lazy(async () => ({
    default: (await import("../../shared/trade/price-term-screen.tsx")).PriceTermScreen,
  })),
  sales_model: lazy(async () => ({
    default: (await import("../../shared/trade/setting-screens.tsx")).SalesModelScreen,
  })),
  weight_band: lazy(async () => ({
    default: (await import("../../shared/trade/setting-screens.tsx")).WeightBandScreen,
  })),
  note: lazy(async () => ({ default: (await import("../../shared/trade/trade-screens.tsx")).NoteScreen })),
  sale_order: lazy(async () => ({ default: (await import("../../shared/trade/trade-screens.tsx")).OrderScreen })),
  abnormal_order: lazy(async () => ({
    default: (await import("../../shared/trade/trade-screens.tsx")).AbnormalOrderScreen,
  })),
  transit: lazy(async () => ({ default: (await import("../../shared/trade/driver-link.tsx")).TransitScreen })),
  weighing: lazy(async () => ({ default: (await import("../../shared/trade/weight-parts.tsx")).WeighingScreen })),
  scale_ticket: lazy(async () => ({
    default: (await import("../../shared/trade/weight-parts.tsx")).ScaleTicketScreen,
  })),
  arrival_weighing: lazy(async () => ({
    default: (await import("../../shared/trade/weight-parts.tsx")).ArrivalScreen,
  })),
  settlement: lazy(async () => ({ default: (await import("../../shared/trade/trade-screens.tsx")).SettlementScreen })),
  lot: lazy(async () => ({ default: (await import("../../shared/trade/lot-screens.tsx")).LotScreen })),
  lot_offer: lazy(async () => ({ default: (await import("../../shared/trade/lot-screens.tsx")).LotOfferScreen })),
  payment: lazy(async () => ({ default: (await import("../../shared/trade/pay-online.tsx")).PaymentScreen })),
  pay_attempt: lazy(async () => ({ default: (await import("../../shared/trade/pay-online.tsx")).PayAttemptScreen })),
  invoice: lazy(async () => ({ default: (await import("../../shared/trade/invoice-screen.tsx")).InvoiceScreen })),
  loading_slot: lazy(async () => ({
    default: (await import("../../shared/trade/setting-screens.tsx")).LoadingSlotScreen,
  })),
  deposit: lazy(async () => ({ default: (await import("../../shared/trade/pay-online.tsx")).DepositScreen })),
  bank_line: lazy(async () => ({ default: (await import("../../shared/trade/bank-line-screen.tsx")).BankLineScreen })),
  calendar_period: lazy(async () => ({ default: (await import("./told-screens.tsx")).CalendarScreen })),
  service_department: lazy(async () => ({ default: (await import("./told-screens.tsx")).OutletScreen })),
  product_service: lazy(async () => ({ default: (await import("./told-screens.tsx")).ServiceScreen })),
  device: lazy(async () => ({ default: (await import("../devices/device-screen.tsx")).DeviceScreen })),
};

/** Finds the declaration whose menu leads here. */
export async function clientLoader({ request }: { request: Request }): Promise<ResourceDeclaration> {
  const path = new URL(request.url).pathname.replace(/\/+$/, "");
  const entry = resourceScreens.find((screen) => screen.path === path);
  const declaration = entry && (await loadResource(entry.name));
  if (!declaration) throw new Response("", { status: 404 });
  return declaration;
}

/** The declaration is the same whatever the address holds behind its path. */
export const shouldRevalidate = ({ currentUrl, nextUrl }: { currentUrl: URL; nextUrl: URL }): boolean =>
  currentUrl.pathname !== nextUrl.pathname;

/** The screen of any resource. */
export default function Resource() {
  const of = useLoaderData<typeof clientLoader>() as ResourceDeclaration;
  const Own = own[of.name];
  return (
    <Suspense fallback={<ScreenWait title={of.words.many} />}>
      {Own ? <Own key={of.name} of={of} /> : <ResourceScreen key={of.name} of={of} />}
    </Suspense>
  );
}
