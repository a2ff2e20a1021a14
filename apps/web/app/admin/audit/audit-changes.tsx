import type { AuditEntry } from "@herdwise/contract";
import type { Field } from "@herdwise/contract/resource";
import { loadResource } from "@herdwise/contract/resource-loader";
import { useQuery } from "@tanstack/react-query";
import { Button } from "../../shared/kit/button.tsx";
import { Dialog } from "../../shared/kit/dialog.tsx";
import { Translated } from "../../shared/language/translated.tsx";
import { useJoin } from "../../shared/language/use-join.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { ChangeList } from "../../shared/resource/change-list.tsx";
import { formFieldsOf } from "../../shared/resource/form-values.ts";

/** Labels and kinds of a resource's fields, from its declaration. */
function useFields(resource: string): ReadonlyMap<string, Field> {
  const { data } = useQuery({
    queryKey: ["declaration", resource],
    queryFn: async () => (await loadResource(resource)) ?? null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  return new Map(data ? formFieldsOf(data) : []);
}

/** Which fields an entry changed, by their labels. */
export function ChangedFields({ entry: { resource, changes } }: { entry: AuditEntry }) {
  const t = useTranslate();
  const join = useJoin();
  const fields = useFields(resource);
  if (changes.length === 0) return <span className="mut">--</span>;
  return join(changes.map(({ field }) => t(fields.get(field)?.label ?? field)));
}

/** What an entry changed, each field with what it was and became. */
export function ChangesDialog({ entry, onClose }: { entry: AuditEntry; onClose: () => void }) {
  const t = useTranslate();
  const fields = useFields(entry.resource);
  return (
    <Dialog
      title={entry.rowTitle === "" ? entry.rowId : <Translated text={entry.rowTitle} />}
      onClose={onClose}
      footer={<Button onPress={onClose}>{t("关闭")}</Button>}
    >
      {entry.changes.length === 0 ? (
        <p className="mut">--</p>
      ) : (
        <ChangeList fields={fields} action={entry.action} changes={entry.changes} shown={entry.changes.length} />
      )}
    </Dialog>
  );
}
