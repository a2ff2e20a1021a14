import { useRef } from "react";
import { Button, type ButtonProps } from "./button.tsx";

interface FileButtonProps extends Omit<ButtonProps, "onPress"> {
  /** What is chosen, in the chosen language, for screen readers. */
  label: string;
  /** File extensions and media types, as the attribute `accept` takes them. */
  accept: string;
  multiple?: boolean;
  /** Called with at least one file; the same file may be chosen again. */
  onPick: (files: [File, ...File[]]) => void;
}

/** A button that opens the browser's dialog for files. */
export function FileButton({ label, accept, multiple = false, onPick, ...button }: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <>
      <input
        ref={input}
        className="visually-hidden"
        type="file"
        multiple={multiple}
        tabIndex={-1}
        aria-label={label}
        accept={accept}
        onChange={({ target }) => {
          const [first, ...others] = target.files ?? [];
          target.value = "";
          if (first) onPick([first, ...others]);
        }}
      />
      <Button {...button} onPress={() => input.current?.click()} />
    </>
  );
}
