import type { ReactElement, ReactNode } from "react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import styles from "./popover.module.css";

interface PopoverButtonProps {
  /** What opens it: a button of the kit. */
  button: ReactElement;
  /** In the chosen language: what it is for. */
  label: string;
  /** Content, made when it opens. `close` ends it. */
  children: (close: () => void) => ReactNode;
  placement?: "bottom start" | "bottom end";
  isOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** Something small that floats at its button until it is dismissed. */
export function PopoverButton({
  button,
  label,
  children,
  placement = "bottom start",
  isOpen,
  onOpenChange,
}: PopoverButtonProps) {
  return (
    <DialogTrigger {...(isOpen === undefined ? {} : { isOpen })} {...(onOpenChange ? { onOpenChange } : {})}>
      {button}
      <Popover className={styles.popover ?? ""} placement={placement} offset={6} containerPadding={8}>
        <Dialog className={styles.dialog ?? ""} aria-label={label}>
          {({ close }) => children(close)}
        </Dialog>
      </Popover>
    </DialogTrigger>
  );
}
