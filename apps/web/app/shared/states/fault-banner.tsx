import type { ReactNode } from "react";
import { Mark } from "../icons/mark.tsx";

interface FaultBannerProps {
  /** What went wrong. */
  text: string;
  severity?: "major" | "critical";
  /** What still holds, and what can be done. */
  children?: ReactNode;
}

/** A line above what still stands, read out when it comes. */
export function FaultBanner({ text, severity = "major", children }: FaultBannerProps) {
  return (
    <div className="banner" role="alert">
      <span className={`state ${severity}`}>
        <Mark name={severity} />
        {text}
      </span>
      {children}
    </div>
  );
}
