import { useEffect, useState } from "react";
import { mallAddress } from "./mall.ts";

/** Address of the mall; "" until it is known and where there is none. */
export function useMallAddress(): string {
  const [address, setAddress] = useState("");
  useEffect(() => {
    let current = true;
    void mallAddress().then((known) => current && setAddress(known));
    return () => {
      current = false;
    };
  }, []);
  return address;
}
