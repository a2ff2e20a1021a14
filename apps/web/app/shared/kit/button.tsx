import type { ReactNode, Ref } from "react";
import { Button as AriaButton, type ButtonProps as AriaButtonProps } from "react-aria-components/Button";
import { Icon, type IconName } from "../icons/icon.tsx";
import styles from "./button.module.css";

/** `primary`: the main action of a region. `quiet`: without a frame. `danger`: removes something. */
export type ButtonKind = "primary" | "plain" | "quiet" | "danger" | "link";

export interface ButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children"> {
  kind?: ButtonKind;
  icon?: IconName;
  /** 32 px high instead of the density's height, for toolbars. */
  small?: boolean;
  children: ReactNode;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a text. */
export function Button({ kind = "plain", icon, small = false, children, ...props }: ButtonProps) {
  return (
    <AriaButton {...props} className={styles.button ?? ""} data-kind={kind} data-small={small || undefined}>
      {icon && <Icon name={icon} small />}
      {children}
    </AriaButton>
  );
}

interface IconButtonProps extends Omit<AriaButtonProps, "className" | "style" | "children" | "aria-label"> {
  icon: IconName;
  /** Action of the button in the chosen language, for its tooltip and screen readers. */
  label: string;
  small?: boolean;
  ref?: Ref<HTMLButtonElement>;
}

/** A button with a well-known icon; its text is only a label. */
export function IconButton({ icon, label, small = false, ...props }: IconButtonProps) {
  return (
    <AriaButton {...props} aria-label={label} className={styles.icon ?? ""} data-small={small || undefined}>
      <Icon name={icon} small />
    </AriaButton>
  );
}
