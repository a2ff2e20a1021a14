import { useQueryClient } from "@tanstack/react-query";
import { useState } from "react";
import { asApiError } from "../../shared/api/api-error.ts";
import { tellIn } from "../../shared/language/tell.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { keysOf } from "../../shared/resource/resource-api.ts";
import { showToast } from "../../shared/states/toast-store.ts";

/**
 * Work on the files of a row of the site's desks: one at a time, told when it is done or refused; the list is read anew.
 * @param resource whose list it is
 */
export function useSiteFileWork(resource: { name: string }) {
  const t = useTranslate();
  const client = useQueryClient();
  const [busy, setBusy] = useState(false);
  const [refused, setRefused] = useState<string>();
  return {
    busy,
    /** In the chosen language; undefined when the last work was done. */
    refused,
    refuse: setRefused,
    /** @param done Chinese; left out where what happens is seen @returns whether it was done */
    async run(work: () => Promise<unknown>, done?: string): Promise<boolean> {
      setRefused(undefined);
      setBusy(true);
      try {
        await work();
        if (done !== undefined) {
          showToast({ kind: "ok", text: done });
          await client.invalidateQueries({ queryKey: keysOf(resource) });
        }
        return true;
      } catch (problem) {
        setRefused(tellIn(t, asApiError(problem)));
        return false;
      } finally {
        setBusy(false);
      }
    },
  };
}
