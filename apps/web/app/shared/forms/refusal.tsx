import { Mark } from "../icons/mark.tsx";

/** Beside a form's button: why what was sent was refused. The place exists before, so that screen readers announce it. */
export function Refusal({ text }: { text: string | undefined }) {
  return (
    <span role="alert">
      {text !== undefined && (
        <span className="state critical">
          <Mark name="critical" />
          {text}
        </span>
      )}
    </span>
  );
}
