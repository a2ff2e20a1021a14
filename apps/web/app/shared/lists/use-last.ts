import { useEffect, useState } from "react";

/**
 * The newest value that there was. While the next page of a list loads the last one stays, dimmed: a list that collapses at
 * every click can't be read.
 */
export function useLast<Value>(value: Value | undefined): Value | undefined {
  const [last, setLast] = useState<Value>();
  useEffect(() => {
    if (value !== undefined) setLast(value);
  }, [value]);
  return last;
}
