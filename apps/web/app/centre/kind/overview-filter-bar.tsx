import type { UnitState } from "@herdwise/contract/unit-states";
import type { ReactNode } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { filterableStates, type OverviewFilter } from "./overview-filter.ts";
import { StateMark } from "./state-mark.tsx";

interface OverviewFilterBarProps {
  filter: OverviewFilter;
  /** What the states are counted of: all that the other conditions leave. */
  counted: readonly { readonly state: UnitState }[];
  onChange: (change: Record<string, string | undefined>) => void;
  /** What the search is called, and what it looks at. */
  searchName: string;
  placeholder: string;
  /** Conditions of one overview alone. */
  children: ReactNode;
}

/** The conditions above the units or devices of a kind: a search, the states with how many there are, and what else is asked. */
export function OverviewFilterBar({
  filter,
  counted,
  onChange,
  searchName,
  placeholder,
  children,
}: OverviewFilterBarProps) {
  const toggle = (state: UnitState): string =>
    (filter.states.includes(state) ? filter.states.filter((other) => other !== state) : [...filter.states, state]).join(
      ",",
    );
  return (
    <search className="filters">
      <div className="search">
        <Icon name="search" small />
        <input
          className="input"
          type="search"
          aria-label={searchName}
          placeholder={placeholder}
          value={filter.word}
          onChange={(event) => onChange({ q: event.target.value })}
        />
      </div>
      {filterableStates.map((state) => (
        <button
          key={state}
          type="button"
          className="chip"
          aria-pressed={filter.states.includes(state)}
          onClick={() => onChange({ state: toggle(state) })}
        >
          <StateMark state={state} />
          <em>{counted.filter((judged) => judged.state === state).length}</em>
        </button>
      ))}
      {children}
    </search>
  );
}
