import type { ReactNode } from "react";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Skeleton } from "../../shared/states/skeleton.tsx";

/** A card that is still to come, so that those below it do not jump. */
export function WaitingCard() {
  return (
    <section className="card console-wait" aria-hidden="true">
      {[18, 14, 20].map((width) => (
        <Skeleton key={width} width={width} />
      ))}
    </section>
  );
}

/**
 * What stands at the top until the first values are here; the server draws it, so it is read while the scripts come.
 * @param children what the values themselves are put into as soon as they are here
 */
export function WaitingLead({ children }: { children?: ReactNode }) {
  const t = useTranslate();
  return (
    <div className="card console-lead" aria-busy="true">
      <p className="calm" role="status">
        {t("正在看有什么需要您处理：要办的会先列在这里，其余的在下面。")}
      </p>
      {children}
    </div>
  );
}
