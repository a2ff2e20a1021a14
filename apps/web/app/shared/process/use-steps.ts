import type { ProcessSteps } from "@herdwise/contract";
import type { ResourceDeclaration } from "@herdwise/contract/resource";
import { useQuery } from "@tanstack/react-query";
import { callDeclared, keysOf } from "../resource/resource-api.ts";

/** What happened to a row of a process, and what may be done now. */
export const useSteps = (of: Pick<ResourceDeclaration, "name" | "path">, id: string) =>
  useQuery({
    queryKey: [...keysOf(of), "steps", id],
    queryFn: ({ signal }) =>
      callDeclared<ProcessSteps>(
        { method: "GET", path: `${of.path}/steps`, form: "envelope" },
        { query: { id }, signal, quiet: true },
      ),
    staleTime: 0,
  });
