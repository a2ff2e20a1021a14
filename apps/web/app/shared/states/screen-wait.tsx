import { useTranslate } from "../language/use-language.ts";
import { Crumbs } from "../lists/crumbs.tsx";
import { SectionWait } from "./section-wait.tsx";

/** A whole screen that is still to come: its way, its name and its shape, each where it will stand. */
export function ScreenWait({ title }: { title: string }) {
  const t = useTranslate();
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(title)}</h1>
      </div>
      <SectionWait />
    </>
  );
}
