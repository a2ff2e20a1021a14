import { randomBytes } from "node:crypto";
import { type PassportBody, passportClimate, passportDetail } from "@herdwise/contract";
import { exactSum, halfEven } from "@herdwise/contract/money";
import { environment, isUsual, isWithinLimits, rangeOf } from "@herdwise/device-kinds";
import { refuse } from "../../http/errors.ts";
import { transactionRunner } from "../../jobs/queue.repository.ts";
import type { ServerModule } from "../../module.ts";
import type { DatabaseHandle } from "../../resources/index.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { TradeContext } from "./context.ts";
import { type ClimateHour, type Origin, passportRepository } from "./passport.repository.ts";
import { createPassportSeal } from "./passport-seal.ts";

const issuer = systemScope("the passport of a lot is made of the group's books, and read by whoever has its code");
const dayMs = 86_400_000;
/** Days of climate where nobody wrote down when the batch came. */
const unknownHousedDays = 30;

const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * dayMs).toISOString().slice(0, 10);

type WithoutNulls<Row> = { [Key in keyof Row as null extends Row[Key] ? never : Key]: Row[Key] } & {
  [Key in keyof Row as null extends Row[Key] ? Key : never]?: Exclude<Row[Key], null>;
};
/** A row without the fields that are null, as the contract leaves them out. */
const withoutNulls = <Row extends object>(row: Row): WithoutNulls<Row> =>
  Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as WithoutNulls<Row>;

/** Hours of a channel by where they lie in the range that the unit's pages show, with the weight and pigsty of the unit. */
function climateRow(
  key: (typeof passportClimate)[number],
  of: Pick<Origin, "pigstyType" | "weightGrams">,
  hours: readonly ClimateHour[],
  total: number,
): NonNullable<PassportBody["climate"]>["rows"][number] {
  const weightKg = of.weightGrams === null ? undefined : of.weightGrams / 1000;
  const range = rangeOf(environment, key, {}, { ageS: 0, pigstyType: of.pigstyType ?? "fattening", weightKg });
  const band = range.comfort ?? range.usual ?? [];
  const [low, high] = band;
  const row = {
    key,
    ...(low !== undefined && high !== undefined && { low, high }),
    fine: 0,
    near: 0,
    beyond: 0,
    missing: total,
  };
  for (const hour of hours) {
    if (hour.key !== key || row.missing === 0) continue;
    row.missing -= 1;
    // Of the water meter: whether any was drawn in the hour.
    const fine = key === "water" ? hour.max > hour.min : isUsual(range, hour.min) && isUsual(range, hour.max);
    if (fine) row.fine += 1;
    else if (key !== "water" && isWithinLimits(range, hour.min) && isWithinLimits(range, hour.max)) row.near += 1;
    else row.beyond += 1;
  }
  return row;
}

const job = "passports.issue";

/** Asks for a version in the step that loads a lot or ends a journey; a job issues it, so that no fault of it holds up the step. */
export async function askForPassport(
  { platform }: TradeContext,
  db: DatabaseHandle,
  order: string,
  since: "loaded" | "arrived",
): Promise<void> {
  await passportRepository(db).ask(issuer, order, since, randomBytes(16).toString("base64url"));
  await platform.jobs.enqueue(job, {}, transactionRunner(db));
}

/** Passports of loaded lots: signed versions, issued after the weighing and after each arrival. */
export function passportModule({ platform }: TradeContext): ServerModule {
  const seal = createPassportSeal(platform.secretKey);
  const within = platform.inTransaction((db) => passportRepository(db));

  const climateOf = async (repository: ReturnType<typeof passportRepository>, of: Origin) => {
    if (of.unitId === null || !(await repository.isMonitored(issuer, of.unitId))) return undefined;
    const from = of.housedOn ?? dayBefore(of.loadedOn, unknownHousedDays);
    const total = Math.max(0, (Date.parse(of.loadedOn) - Date.parse(from)) / (dayMs / 24));
    const hours = await repository.climate(issuer, of.unitId, passportClimate, from, of.loadedOn);
    return { hours: total, rows: passportClimate.map((key) => climateRow(key, of, hours, total)) };
  };

  /** @returns the text to sign */
  const compose = async (
    repository: ReturnType<typeof passportRepository>,
    order: string,
    of: Origin,
    version: number,
    earlier: PassportBody | undefined,
  ): Promise<PassportBody> => {
    const vehicles = (await repository.vehicles(issuer, order)).map(withoutNulls);
    const issuedMs = platform.now();
    if (of.asked === "arrived" && earlier !== undefined) return { ...earlier, version, issuedMs, vehicles };
    const { lot, code, field, region, unit, category, loadedOn, housedOn, housedDays, ageDays, unitId } = of;
    const medicines = unitId === null ? [] : await repository.medicines(issuer, unitId, housedOn, loadedOn);
    const withdrawalUntil =
      medicines
        .flatMap((one) => (one.withdrawalDays > 0 ? [one.withdrawalUntil] : []))
        .sort()
        .at(-1) ?? null;
    const climate = await climateOf(repository, of);
    const [heads, netGrams] = [
      exactSum(vehicles.map((one) => one.heads)),
      exactSum(vehicles.map((one) => one.netGrams)),
    ];
    return {
      format: 1,
      code,
      version,
      lot,
      issuedMs,
      field,
      region,
      unit,
      category,
      loadedOn,
      heads,
      netGrams,
      meanGrams: heads === 0 ? 0 : halfEven(netGrams, heads),
      ...withoutNulls({ ageDays, housedOn, housedDays, withdrawalUntil }),
      medicines: medicines.map(withoutNulls),
      ...(climate && { climate }),
      vehicles,
    };
  };

  const issue = (order: string): Promise<void> =>
    within(async (repository) => {
      const of = await repository.take(issuer, order);
      if (of === undefined) return;
      const last = await repository.newest(issuer, order);
      const version = (last?.version ?? 0) + 1;
      // What was altered is not signed again: the lot is written down anew from the books.
      const isSound = last !== undefined && seal.check(last) !== "altered";
      const earlier = isSound ? (JSON.parse(last.text) as PassportBody) : undefined;
      const body = await compose(repository, order, of, version, earlier);
      const signed = seal.sign(JSON.stringify(body));
      await repository.issue(issuer, order, { ...signed, version, issuedAt: new Date(body.issuedMs) });
    });

  return {
    routes: (router) =>
      router.on(passportDetail, async ({ query: { passport: code } }) => {
        const found = await passportRepository(platform.kysely).byCode(issuer, code);
        if (found === undefined) throw refuse("passport.not_found");
        const { version, issuedAt, ...signed } = found;
        const checked = seal.check(signed);
        const body = checked === "altered" ? undefined : (JSON.parse(signed.text) as PassportBody);
        // A whole row that was put in another one's place is signed, too.
        const isOwn = body?.code === code && body.version === version;
        return {
          seal: isOwn ? checked : ("altered" as const),
          version,
          issueTime: issuedAt,
          ...(body && isOwn && { body }),
          signed: {
            text: signed.text,
            signature: signed.signature.toString("base64"),
            publicKey: signed.publicKey.toString("base64"),
          },
        };
      }),
    jobs: [
      {
        name: job,
        schedule: "* * * * *",
        retries: 3,
        timeoutS: 300,
        async run(_payload, { signal }) {
          for (const order of await passportRepository(platform.kysely).due(issuer)) {
            if (signal.aborted) return;
            await issue(order).catch(platform.warn(`the passport of order ${order} was not issued`));
          }
        },
      },
    ],
  };
}
