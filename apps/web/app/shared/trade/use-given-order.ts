import { useSearchParams } from "react-router";
import { knownId } from "../lists/list-address.ts";

/** Begins a new row with the order that the address names. */
export function useGivenOrder(): () => { order: string } {
  const [search] = useSearchParams();
  return () => ({ order: knownId(search.get("order")) ?? "" });
}
