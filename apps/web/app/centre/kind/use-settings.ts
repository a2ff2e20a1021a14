import { type DeviceParameters, deviceParameters, type ParameterSetting, parameterStatus } from "@herdwise/contract";
import { call } from "../../shared/api/call.ts";
import { type Loading, useLoad } from "../../shared/api/use-load.ts";
import { useDeviceSignals } from "./device-signals.ts";

export interface Settings extends DeviceParameters {
  /** What has become of each setting that somebody set, by its key. */
  states: Readonly<Record<string, ParameterSetting>>;
}

/** The settings of a device, kept up to date by what the stream of the page tells. */
export function useSettings(deviceId: string): Loading<Settings> {
  const loaded = useLoad(deviceId === "" ? undefined : `settings ${deviceId}`, async (signal): Promise<Settings> => {
    const query = { id: deviceId };
    const [values, states] = await Promise.all([
      call(deviceParameters, { query, signal, quiet: true }),
      call(parameterStatus, { query, signal, quiet: true }),
    ]);
    return { ...values, states: Object.fromEntries(states.map((state) => [state.key, state])) };
  });
  useDeviceSignals(deviceId, ({ type }) => type === "parameter" && loaded.reload());
  return loaded;
}
