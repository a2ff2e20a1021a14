import { useContext } from "react";
import { Link } from "react-router";
import type { ApiError } from "../api/api-error.ts";
import { useTranslate } from "../language/use-language.ts";
import { AccessContext } from "../session/access-context.ts";

/** The number under which the server's logs have a failed call; a link to them for who may read them. */
export function RequestNumber({ of: { code, requestId } }: { of: Pick<ApiError, "code" | "requestId"> }) {
  const t = useTranslate();
  const mayRead = useContext(AccessContext)?.permissions.has("log_view") === true;
  if (requestId === "") return null;
  const words = t("编号 {id}", { id: requestId });
  return (
    <p className="mut num">
      {mayRead && code >= 500 ? (
        <Link to={`/system/log/error?request=${encodeURIComponent(requestId)}`}>{words}</Link>
      ) : (
        words
      )}
    </p>
  );
}
