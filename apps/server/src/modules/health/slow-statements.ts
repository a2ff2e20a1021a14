import { type HealthStatements, mostStatements, type statementOrders } from "@herdwise/contract";
import type { Platform } from "../../module.ts";

type Statements = Platform["statements"];
type StatementFigure = ReturnType<Statements["read"]>[number];
type Order = (typeof statementOrders)[number];

const figureBy: Readonly<Record<Order, (one: StatementFigure) => number>> = {
  total: ({ totalMs }) => totalMs,
  p95: ({ p95Ms }) => p95Ms,
  max: ({ maxMs }) => maxMs,
  faults: ({ faults }) => faults,
};

/** Tells what the statements of this server cost. @param server names it among those on the database */
export const createSlowStatements =
  ({ read, sinceMs }: Pick<Statements, "read" | "sinceMs">, server: string) =>
  (order: Order): HealthStatements => {
    const all = read();
    const sum = (of: (one: StatementFigure) => number): number => all.reduce((total, one) => total + of(one), 0);
    const totalMs = sum(figureBy.total);
    const by = figureBy[order];
    return {
      sinceMs,
      server,
      calls: sum(({ calls }) => calls),
      totalMs,
      statements: all
        .filter((one) => by(one) > 0)
        .toSorted((a, b) => by(b) - by(a))
        .slice(0, mostStatements)
        .map((one) => ({ ...one, share: totalMs === 0 ? 0 : one.totalMs / totalMs, meanMs: one.totalMs / one.calls })),
    };
  };
export type SlowStatements = ReturnType<typeof createSlowStatements>;
