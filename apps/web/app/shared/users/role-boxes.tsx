import { roleSelect } from "@herdwise/contract";
import { call } from "../api/call.ts";
import { useLoad } from "../api/use-load.ts";
import { Problem } from "../forms/problem.tsx";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import { LoadingProblem } from "../states/loading-problem.tsx";
import { Skeleton } from "../states/skeleton.tsx";

interface RoleBoxesProps {
  /** The own tenant without it. */
  tenantId: string | undefined;
  value: readonly string[];
  onChange: (roleIds: readonly string[]) => void;
  problem?: string | undefined;
}

/** The roles of a tenant to tick. A role that holds more than the caller may do can be seen, but not given. */
export function RoleBoxes({ tenantId, value, onChange, problem }: RoleBoxesProps) {
  const t = useTranslate();
  const roles = useLoad(`roles ${tenantId ?? ""}`, (signal) =>
    call(roleSelect, { query: tenantId === undefined ? {} : { tenantId }, signal, quiet: true }),
  );
  return (
    <fieldset
      className="role-boxes"
      aria-describedby="roles-problem"
      aria-invalid={problem !== undefined}
      tabIndex={-1}
    >
      <legend>{t("角色")}</legend>
      {roles.error && <LoadingProblem error={roles.error} onRetry={roles.reload} what={t("角色")} kept={false} />}
      {!roles.value && !roles.error && <Skeleton width={16} />}
      {roles.value?.map(({ id, roleName, grantable }) => (
        <label key={id} className="tick" data-on={value.includes(id) || undefined}>
          <input
            type="checkbox"
            checked={value.includes(id)}
            disabled={!grantable}
            onChange={(event) => onChange(event.target.checked ? [...value, id] : value.filter((held) => held !== id))}
          />
          <Translated text={roleName} />
        </label>
      ))}
      <Problem id="roles-problem" text={problem} />
    </fieldset>
  );
}
