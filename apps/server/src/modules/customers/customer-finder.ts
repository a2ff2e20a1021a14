import { customerDetail, customerPage } from "@herdwise/contract";
import type { Finder } from "../../finder.ts";
import type { CustomerRepository } from "./customer.repository.ts";

/** Finds customers, as the list of customers has them. */
export const customerFinder = (customers: Pick<CustomerRepository, "page">): Finder => ({
  kind: "customer",
  name: "客户",
  icon: "people",
  page: customerPage,
  detail: customerDetail,
  read: async (scope, ids) =>
    (await customers.page(scope, { view: "all", ids }, { offset: 0, limit: ids.length })).rows.map((row) => ({
      key: row.id,
      id: row.id,
      name: row.name,
      code: row.id,
      state: "",
      opens: [`/customer/detail?id=${row.id}`],
    })),
});
