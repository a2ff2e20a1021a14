import { useEffect } from "react";
import { markUnsaved } from "./unsaved.ts";

/** While `dirty`, leaving the page asks first, and an ended session asks to log in again instead of leaving. */
export function useUnsaved(dirty: boolean): void {
  useEffect(() => {
    if (!dirty) return;
    const clean = markUnsaved();
    const onLeave = (event: BeforeUnloadEvent): void => event.preventDefault();
    window.addEventListener("beforeunload", onLeave);
    return () => {
      clean();
      window.removeEventListener("beforeunload", onLeave);
    };
  }, [dirty]);
}
