import { type ReactNode, useEffect, useRef } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useTranslate } from "../language/use-language.ts";
import { DrawerHandle, useDrawerSize } from "../lists/drawer-size.tsx";
import { IconButton } from "./button.tsx";
import styles from "./drawer.module.css";
import { drawerAside } from "./drawer-aside.ts";
import { useMedia } from "./use-media.ts";

interface DrawerProps {
  /** In the chosen language. */
  title: ReactNode;
  /** Note under the title, for example the row's code. */
  note?: ReactNode;
  /** Buttons beside the close button, for example to go to the next row. */
  tools?: ReactNode;
  children: ReactNode;
  /** Stays visible below the scrolling content. */
  footer?: ReactNode;
  /** Percent of the page that it takes beside its list before somebody drags its edge; 30 by default, by which the list keeps most. */
  share?: number;
  onClose: () => void;
}

function Content({ title, note, tools, children, footer, onClose }: DrawerProps) {
  const t = useTranslate();
  return (
    <>
      <header className={styles.header}>
        <div>
          <h2>{title}</h2>
          {note && <p>{note}</p>}
        </div>
        <span className={styles.space} />
        {tools}
        <IconButton icon="close" label={t("关闭")} onPress={onClose} />
      </header>
      <div className={styles.body}>{children}</div>
      {footer && <footer className={styles.footer}>{footer}</footer>}
    </>
  );
}

/** The page of one row: beside its list where it fits, otherwise above it, and from the bottom on a phone. */
export function Drawer(props: DrawerProps) {
  const size = useDrawerSize(props.share ?? 30);
  const isWide = useMedia(drawerAside);
  const aside = useRef<HTMLElement>(null);
  const { onClose } = props;
  // Focuses the drawer, because the row or button that opened it may be far away in tab order.
  useEffect(() => {
    if (isWide) aside.current?.focus({ preventScroll: true });
  }, [isWide]);
  const label = typeof props.title === "string" ? props.title : undefined;
  if (isWide)
    return (
      <aside
        ref={aside}
        className={styles.aside}
        style={{ width: `${size.share}vw` }}
        aria-label={label}
        tabIndex={-1}
        onKeyDown={(event) => {
          if (event.key !== "Escape" || event.defaultPrevented) return;
          event.preventDefault();
          onClose();
        }}
      >
        <Content {...props} />
        <DrawerHandle size={size} />
      </aside>
    );
  return (
    <ModalOverlay className={styles.overlay ?? ""} isOpen isDismissable onOpenChange={(open) => !open && onClose()}>
      <Modal className={styles.modal ?? ""} style={size.style}>
        <AriaDialog className={styles.dialog ?? ""} {...(label === undefined ? {} : { "aria-label": label })}>
          <Content {...props} />
          <DrawerHandle size={size} />
        </AriaDialog>
      </Modal>
    </ModalOverlay>
  );
}
