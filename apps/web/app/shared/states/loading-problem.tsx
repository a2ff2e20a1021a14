import type { ApiError } from "../api/api-error.ts";
import { tellIn } from "../language/tell.ts";
import { useTranslate } from "../language/use-language.ts";
import { ExceptionView } from "./exception-view.tsx";
import { FaultBanner } from "./fault-banner.tsx";
import { RequestNumber } from "./request-number.tsx";

interface ProblemProps {
  error: ApiError;
  onRetry: () => void;
  /** What was to be loaded, in words. */
  what: string;
  /** Earlier values are still on the screen. */
  kept?: boolean;
}

/** Says what failed, what still holds, and offers to try again: a line above kept values, else in their place. */
export function LoadingProblem({ error, onRetry, what, kept = false }: ProblemProps) {
  const t = useTranslate();
  const retry = (
    <button type="button" className="btn" onClick={onRetry}>
      {t("重试")}
    </button>
  );
  if (error.code === 403) return <ExceptionView type="403" />;
  if (error.code === 404) return <ExceptionView type="404" text={t("没有找到，可能已经删除，或属于另一个组织。")} />;
  const text = t("没有取到{what}：{reason}", { what, reason: tellIn(t, error) });
  if (!kept) {
    return (
      <ExceptionView
        type="500"
        title={t("没有取到{what}", { what })}
        text={tellIn(t, error)}
        details={error.code >= 500 && <RequestNumber of={error} />}
      >
        {retry}
      </ExceptionView>
    );
  }
  return (
    <FaultBanner text={text}>
      <span className="mut">{t("下面是之前取到的数值。")}</span>
      {retry}
    </FaultBanner>
  );
}
