import type { ReactNode } from "react";
import { useTranslate } from "../language/use-language.ts";

/** Headings of a table of vehicles: the plate, figures, and what stands behind them. */
export function VehicleHead({ names, children }: { names: readonly string[]; children?: ReactNode }) {
  const t = useTranslate();
  return (
    <thead>
      <tr>
        <th>{t("车牌")}</th>
        {names.map((name) => (
          <th key={name} className="numeric">
            {name}
          </th>
        ))}
        {children}
      </tr>
    </thead>
  );
}

interface VehicleRowProps {
  plate: string;
  names: readonly string[];
  /** In the order of their names. */
  figures: readonly string[];
  children?: ReactNode;
}

/** A vehicle with its figures, each of which tells its name where the table is stacked. */
export function VehicleRow({ plate, names, figures, children }: VehicleRowProps) {
  return (
    <tr>
      <th scope="row" lang="zh-CN">
        {plate}
      </th>
      {figures.map((figure, index) => (
        <td key={names[index]} className="numeric" data-name={names[index]}>
          {figure}
        </td>
      ))}
      {children}
    </tr>
  );
}
