import mqtt from "mqtt";
import type { Portal } from "./portal.ts";

/** A device of the demo as its own client. */
export const connectDevice = ({ mqttPort }: Portal, serialNumber: string) =>
  mqtt.connectAsync(`mqtt://127.0.0.1:${mqttPort}`, { username: `demo-${serialNumber}` });

/** Sends one message as a device of the demo; it has been acknowledged at the end. */
export async function publish(
  portal: Portal,
  serialNumber: string,
  topic: "telemetry" | "events" | "attributes",
  payload: unknown,
): Promise<void> {
  const client = await connectDevice(portal, serialNumber);
  await client.publishAsync(`v1/devices/me/${topic}`, JSON.stringify(payload), { qos: 1 });
  await client.endAsync();
}
