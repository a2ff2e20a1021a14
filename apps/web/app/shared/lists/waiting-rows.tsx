import { useTranslate } from "../language/use-language.ts";
import { Skeleton } from "../states/skeleton.tsx";

/** What stands for the rows of a list until they come. */
export function WaitingRows({ rows = 8 }: { rows?: number }) {
  const t = useTranslate();
  return (
    <div aria-busy="true">
      <span className="visually-hidden" role="status">
        {t("正在加载")}
      </span>
      {Array.from({ length: rows }, (_, index) => (
        // These lines have no identity.
        <div key={index} className="wait-row">
          <Skeleton width={8} />
          <Skeleton width={8} />
          <Skeleton width={12} />
        </div>
      ))}
    </div>
  );
}
