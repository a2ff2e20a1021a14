import {
  nationCode,
  type PriceTrend,
  priceBreeds,
  pricedProvinces,
  priceTrend,
  type Quotations,
  quotations,
  type ReplyOf,
  translate,
  trendDays,
} from "@herdwise/contract";
import { data, type LoaderFunctionArgs, useLoaderData } from "react-router";
import { apiContext } from "../shared/api/server-context.ts";
import { askedLanguage, parseCookies, readPreferences } from "../shared/preferences/read-preferences.ts";
import "./content.css";
import "./market.css";
import { MarketPage } from "./market-page.tsx";

/** Provinces that a trend begins with, beside the nation. */
const firstAreas = ["41", "51", "44", "23"];
const mostChosen = 4;

/** Prices, their trend and corrections. What an address says that is not known is as if it said nothing. */
export async function loader({ request, context }: LoaderFunctionArgs) {
  const { searchParams, origin } = new URL(request.url);
  const language =
    askedLanguage(request) ?? readPreferences(parseCookies(request.headers.get("Cookie") ?? "")).language;
  const api = context.get(apiContext);
  const breed = priceBreeds.find(([known]) => known === searchParams.get("breed"))?.[0] ?? "outer";
  const days = trendDays.find((known) => String(known) === searchParams.get("days")) ?? 90;
  const asked = [...new Set(searchParams.getAll("area"))].filter((code) =>
    pricedProvinces.some((province) => province.code === code),
  );
  const chosen = asked.length > 0 ? asked.slice(0, mostChosen) : firstAreas;
  const areas = [nationCode, ...chosen];
  const [held, trend] = await Promise.all([
    api(`${quotations.path}?breed=${breed}`) as Promise<Quotations>,
    api(
      `${priceTrend.path}?${new URLSearchParams({ breed, days: String(days), areas: areas.join(",") })}`,
    ) as Promise<PriceTrend>,
  ]);
  const reasons = [...new Set(held.corrections.map(({ reason }) => reason.replaceAll("\n", " ")))];
  const english =
    language === "zh" || reasons.length === 0
      ? undefined
      : await api(translate.path, { src: reasons.join("\n"), to: language })
          .then((payload) => (payload as ReplyOf<typeof translate>).data.dst.split("\n"))
          // Chinese that says so is better than no reason.
          .catch(() => undefined);
  return data({
    origin,
    prices: held,
    trend,
    chosen: asked.length > 0 ? chosen : [],
    reasons: Object.fromEntries(reasons.map((reason, at) => [reason, english?.[at] ?? reason])),
  });
}

export default function Market() {
  return <MarketPage {...useLoaderData<typeof loader>()} />;
}
