import type { ReactElement, ReactNode } from "react";
import { Dialog, DialogTrigger } from "react-aria-components/Dialog";
import { Popover } from "react-aria-components/Popover";
import styles from "./popover.module.css";

interface PopoverButtonProps {
  /** Button of the kit that opens the popover. */
  button: ReactElement;
  /** Purpose of the popover in the chosen language. */
  label: string;
  /** Content, rendered when the popover opens; `close` closes it. */
  children: (close: () => void) => ReactNode;
  placement?: "bottom start" | "bottom end";
  isOpen?: boolean;
  onOpenChange?: (open: boolean) => void;
}

/** A button with a popover that stays open until it is dismissed. */
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
