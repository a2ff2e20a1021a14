import { accessRequests } from "./access-request-process.ts";
import { archives } from "./archives/index.ts";
import { articles } from "./articles.ts";
import { contractTemplates } from "./contract-templates.ts";
import { departments } from "./departments.ts";
import { deviceRegistry } from "./device-registry.ts";
import { businessDictionaries, dictionaryEntries } from "./dictionary-entries.ts";
import { farms, pigHouses, units } from "./farm-resources.ts";
import { medicines, treatments, vaccinationPlans } from "./herd-health.ts";
import { maintenance } from "./maintenance.ts";
import { apiScopeRules, dataScopeRules, menus, topMenus } from "./menu-admin.ts";
import { parameters } from "./parameters.ts";
import { partners } from "./partners.ts";
import { posts } from "./posts.ts";
import { productDocuments } from "./product-documents.ts";
import { productServices } from "./product-services.ts";
import type { ResourceDeclaration } from "./resource/index.ts";
import { roles } from "./roles.ts";
import { siteForms } from "./site-forms.ts";
import { tenantPackages } from "./tenant-packages.ts";
import {
  abnormalOrders,
  arrivalWeighings,
  bankLines,
  declarations,
  deposits,
  invoices,
  lotOffers,
  lots,
  notes,
  offers,
  orders,
  payAttempts,
  payments,
  plans,
  priceTerms,
  scaleTickets,
  settlements,
  transits,
  weighings,
} from "./trade/index.ts";
import { loadingSlots } from "./trade/loading-slots.ts";
import { salesModels } from "./trade/sales-models.ts";
import { weightBands } from "./trade/weight-bands.ts";
import { videos } from "./videos.ts";
import { webhooks } from "./webhooks.ts";

/** All resources; operations, permissions, menus, screens, sheets and tests are made from this list. */
export const resources = [
  departments,
  posts,
  roles,
  accessRequests,
  dictionaryEntries,
  businessDictionaries,
  parameters,
  menus,
  topMenus,
  tenantPackages,
  dataScopeRules,
  apiScopeRules,
  deviceRegistry,
  ...archives,
  plans,
  offers,
  declarations,
  lots,
  lotOffers,
  deposits,
  orders,
  abnormalOrders,
  payments,
  payAttempts,
  bankLines,
  transits,
  weighings,
  scaleTickets,
  arrivalWeighings,
  settlements,
  notes,
  invoices,
  priceTerms,
  loadingSlots,
  weightBands,
  salesModels,
  farms,
  pigHouses,
  units,
  maintenance,
  medicines,
  vaccinationPlans,
  treatments,
  articles,
  partners,
  productDocuments,
  productServices,
  videos,
  siteForms,
  contractTemplates,
  webhooks,
] as const satisfies readonly ResourceDeclaration[];

/** A resource by its name. */
export const resourceNamed = (name: string): ResourceDeclaration | undefined =>
  resources.find((held) => held.name === name);
