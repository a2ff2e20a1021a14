import type { DriverEntry } from "@herdwise/contract";
import { useCallback, useEffect, useState } from "react";

type Position = NonNullable<DriverEntry["position"]>;
/** Whether the driver lets the page know where the phone is; `asked` before anybody answered, `none` where the browser can't. */
export type Leave = "asked" | "granted" | "denied" | "none";

const patienceMs = 10_000;
/** A position of a moment ago is as good. */
const freshMs = 30_000;

/** Where the phone is, as far as its driver allows. */
export function usePosition() {
  const [leave, setLeave] = useState<Leave>("asked");
  useEffect(() => {
    if (!("geolocation" in navigator)) {
      setLeave("none");
      return;
    }
    let status: PermissionStatus | undefined;
    const tell = (): void => status && setLeave(status.state === "prompt" ? "asked" : status.state);
    navigator.permissions?.query({ name: "geolocation" }).then(
      (found) => {
        status = found;
        tell();
        status.addEventListener("change", tell);
      },
      () => undefined,
    );
    return () => status?.removeEventListener("change", tell);
  }, []);

  /** Asks the browser, which asks the driver the first time. */
  const locate = useCallback(
    (): Promise<Position | undefined> =>
      new Promise((resolve) => {
        if (!("geolocation" in navigator)) resolve(undefined);
        else
          navigator.geolocation.getCurrentPosition(
            ({ coords: { latitude, longitude, accuracy } }) => {
              setLeave("granted");
              resolve({ latitude, longitude, accuracyM: Math.round(accuracy) });
            },
            ({ code, PERMISSION_DENIED }) => {
              if (code === PERMISSION_DENIED) setLeave("denied");
              resolve(undefined);
            },
            { enableHighAccuracy: true, timeout: patienceMs, maximumAge: freshMs },
          );
      }),
    [],
  );
  return { leave, locate };
}
