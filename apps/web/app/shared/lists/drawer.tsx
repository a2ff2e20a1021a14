import { type ReactNode, useEffect, useRef } from "react";
import { Icon } from "../icons/icon.tsx";
import { useTranslate } from "../language/use-language.ts";
import { DrawerHandle, useDrawerSize } from "./drawer-size.tsx";

interface DrawerProps {
  title: ReactNode;
  /** Beside the title, for example a status. */
  mark?: ReactNode;
  onClose: () => void;
  children: ReactNode;
  /** Stays in sight below what scrolls: the actions of a form. */
  footer?: ReactNode;
}

/** One row's own page beside its list; at the bottom of the screen on a phone. Escape, the cross and the page behind close it. */
export function Drawer({ title, mark, onClose, children, footer }: DrawerProps) {
  const t = useTranslate();
  const drawer = useRef<HTMLDialogElement>(null);
  const size = useDrawerSize();
  useEffect(() => {
    const opened = drawer.current;
    opened?.showModal();
    return () => opened?.close();
  }, []);
  return (
    <dialog
      ref={drawer}
      className="drawer"
      aria-labelledby="drawer-title"
      onCancel={(event) => {
        // Whoever opened it closes it; a form with unsent text may ask first.
        event.preventDefault();
        onClose();
      }}
      onClick={(event) => event.target === event.currentTarget && onClose()}
      onKeyDown={() => undefined}
      style={size.style}
    >
      <div className={footer ? "drawer-in footed" : "drawer-in"}>
        <header>
          <h2 id="drawer-title">{title}</h2>
          {mark}
          <span className="spacer" />
          <button type="button" className="icon-button" aria-label={t("关闭")} onClick={onClose}>
            <Icon name="close" />
          </button>
        </header>
        {footer ? <div className="drawer-body">{children}</div> : children}
        {footer && <footer>{footer}</footer>}
      </div>
      {/* Last, so that the focus begins at the button that closes. */}
      <DrawerHandle size={size} />
    </dialog>
  );
}
