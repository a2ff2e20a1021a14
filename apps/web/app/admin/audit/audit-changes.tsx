import type { AuditEntry } from "@herdwise/contract";
import type { Field } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery } from "@tanstack/react-query";
import { ChangeList } from "../../shared/resource/change-list.tsx";
import { formFieldsOf } from "../../shared/resource/form-values.ts";

const mostShown = 3;

/** Labels and kinds of a resource's fields, from its declaration. */
function useFields(resource: string): ReadonlyMap<string, Field> {
  const { data } = useQuery({
    queryKey: ["declaration", resource],
    queryFn: async () => (await loadResource(resource)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return new Map(data ? formFieldsOf(data) : []);
}

/** The changes of an entry under the labels of their fields; the first few, the others on demand. */
export function AuditChanges({ entry: { resource, action, changes } }: { entry: AuditEntry }) {
  const fields = useFields(resource);
  if (changes.length === 0) return <span className="mut">--</span>;
  return <ChangeList fields={fields} action={action} changes={changes} shown={mostShown} />;
}
