import { Mark } from "../icons/mark.tsx";
import "./forms.css";

/** What is wrong with a field, in words under it. The place exists before, so that screen readers announce the change. */
export function Problem({ id, text }: { id: string; text: string | undefined }) {
  return (
    <p id={id} className="prob" role="alert" hidden={text === undefined}>
      <Mark name="major" />
      <span>{text}</span>
    </p>
  );
}
