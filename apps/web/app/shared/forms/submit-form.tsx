import type { ReactNode, RefObject } from "react";

interface SubmitFormProps {
  /** Of `useSubmission`. */
  form: RefObject<HTMLFormElement | null>;
  id?: string;
  className?: string | undefined;
  autoComplete?: "off";
  send: () => unknown;
  children: ReactNode;
}

/** A form that says itself what is wrong with its fields, sent by its button or Enter. */
export function SubmitForm({ form, send, ...rest }: SubmitFormProps) {
  return (
    <form
      ref={form}
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        // It may stand in a dialog that was opened from within another form.
        event.stopPropagation();
        send();
      }}
      {...rest}
    />
  );
}
