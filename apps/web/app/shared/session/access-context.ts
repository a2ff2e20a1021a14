import { createContext, useContext } from "react";
import type { Access } from "./access.ts";

export const AccessContext = createContext<Access | undefined>(undefined);

/** Who is signed in and what they may see. */
export function useAccess(): Access {
  const access = useContext(AccessContext);
  if (!access) throw new Error("AccessContext is missing above this component");
  return access;
}
