import { type ReactNode, useEffect, useRef } from "react";
import { Dialog as AriaDialog } from "react-aria-components/Dialog";
import { Modal, ModalOverlay } from "react-aria-components/Modal";
import { useTranslate } from "../language/use-language.ts";
import { DrawerHandle, useDrawerSize } from "../lists/drawer-size.tsx";
import { IconButton } from "./button.tsx";
import styles from "./drawer.module.css";
import { useMedia } from "./use-media.ts";

interface DrawerProps {
  /** In the chosen language. */
  title: ReactNode;
  /** Under the title, for example the row's code. */
  note?: ReactNode;
  /** Beside the cross, for example the way to the next row. */
  tools?: ReactNode;
  children: ReactNode;
  /** Stays in sight below what scrolls. */
  footer?: ReactNode;
  onClose: () => void;
}

/** Room for a drawer beside the list. */
const wide = "(min-width: 1241px)";

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

/** One row's own page: beside its list where there is room, else in front of it, from the bottom on a phone. */
export function Drawer(props: DrawerProps) {
  // Beside the list it leaves most of the page to it.
  const size = useDrawerSize(30);
  const isWide = useMedia(wide);
  const aside = useRef<HTMLElement>(null);
  const { onClose } = props;
  // It opens by a row or a button that may be far away in the order of the page.
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
