import type { ReactElement, ReactNode } from "react";
import { Menu, MenuItem, MenuTrigger } from "react-aria-components/Menu";
import { Popover } from "react-aria-components/Popover";
import { Separator } from "react-aria-components/Separator";
import { Icon, type IconName } from "../icons/icon.tsx";
import styles from "./menu.module.css";

export interface MenuAction {
  id: string;
  icon: IconName;
  /** In the chosen language. */
  name: string;
  /** A line below the name, for example the reason why the action is not possible. */
  note?: ReactNode;
  /** Keyboard shortcut of the same action. */
  shortcut?: string;
  danger?: boolean;
  onAction: () => void;
}

interface MenuListProps {
  /** Name of the menu in the chosen language. */
  label: string;
  actions: readonly MenuAction[];
  onClose?: () => void;
}

/** The list of actions, for components that position it themselves. */
export function MenuList({ label, actions, onClose }: MenuListProps) {
  const firstDanger = actions.findIndex(({ danger }) => danger);
  return (
    <Menu className={styles.menu ?? ""} aria-label={label} autoFocus="first" {...(onClose ? { onClose } : {})}>
      {actions.flatMap(({ id, icon, name, note, shortcut, danger, onAction }, index) => [
        ...(index === firstDanger && index > 0 ? [<Separator key="line" className={styles.line ?? ""} />] : []),
        <MenuItem
          key={id}
          id={id}
          textValue={name}
          className={styles.item ?? ""}
          data-danger={danger || undefined}
          onAction={onAction}
        >
          <Icon name={icon} small />
          <span>
            {name}
            {note && <small>{note}</small>}
          </span>
          {shortcut && <kbd>{shortcut}</kbd>}
        </MenuItem>,
      ])}
    </Menu>
  );
}

interface MenuButtonProps {
  /** Button of the kit that opens the menu. */
  button: ReactElement;
  /** Name of the menu in the chosen language. */
  label: string;
  actions: readonly MenuAction[];
  onOpenChange?: (open: boolean) => void;
  isOpen?: boolean;
}

/** A button that opens a menu of actions. */
export function MenuButton({ button, label, actions, onOpenChange, isOpen }: MenuButtonProps) {
  return (
    <MenuTrigger {...(isOpen === undefined ? {} : { isOpen })} {...(onOpenChange ? { onOpenChange } : {})}>
      {button}
      <Popover className={styles.popover ?? ""} placement="bottom end" offset={4}>
        <MenuList label={label} actions={actions} />
      </Popover>
    </MenuTrigger>
  );
}
