import { lazy, Suspense, useEffect, useRef } from "react";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";

const Palette = lazy(async () => ({ default: (await import("./palette.tsx")).Palette }));

interface OpenerProps {
  onClose: () => void;
}

/** The palette's box until its scripts are here: it takes what is typed. */
function Box({ onClose, onType }: OpenerProps & { onType: (text: string) => void }) {
  const t = useTranslate();
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current?.showModal(), []);
  return (
    <dialog ref={dialog} className="palette" aria-label={t("查找")} aria-busy="true" onClose={onClose}>
      <div className="palette-in">
        <Icon name="search" />
        <input aria-label={t("查找一切")} onChange={({ target }) => onType(target.value)} />
      </div>
    </dialog>
  );
}

/** Opens the palette, which no first page carries. */
export function PaletteOpener({ onClose }: OpenerProps) {
  const typed = useRef("");
  return (
    <Suspense
      fallback={
        <Box
          onClose={onClose}
          onType={(text) => {
            typed.current = text;
          }}
        />
      }
    >
      <Palette typed={typed} onClose={onClose} />
    </Suspense>
  );
}
