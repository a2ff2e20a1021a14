import { signedYuan } from "./price-words.ts";
import "./change.css";

/** A change with an arrow beside its sign; nothing where one of the two is not known. */
export function Change({ now, before }: { now: number | undefined; before: number | undefined }) {
  if (now === undefined || before === undefined) return <span className="dl none">—</span>;
  const change = now - before;
  return (
    <span className="dl">
      <svg className="arrow" viewBox="0 0 12 12" aria-hidden="true">
        <path d={change > 0 ? "M6 2 10.500 9h-9z" : change < 0 ? "M6 10 1.500 3h9z" : "M2 5.250h8v1.500H2z"} />
      </svg>
      {signedYuan(change)}
    </span>
  );
}
