import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from "prom-client";

/** Figures for Prometheus. Names follow its conventions: base units, `_total` for counters. */
export function createMetrics() {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  const registers = [registry];
  return {
    registry,
    messages: new Counter({
      name: "herdwise_device_messages_total",
      help: "Messages of devices by what became of them: stored, or the reason why they were dropped",
      labelNames: ["outcome"],
      registers,
    }),
    values: new Counter({ name: "herdwise_telemetry_values_total", help: "Values committed", registers }),
    ingestFaults: new Counter({
      name: "herdwise_ingest_faults_total",
      help: "Batches that failed and were tried again",
      registers,
    }),
    waitingRows: new Gauge({
      name: "herdwise_ingest_waiting_rows",
      help: "Rows that wait for their commit",
      registers,
    }),
    liveStreams: new Gauge({ name: "herdwise_live_streams", help: "Open live streams", registers }),
    requests: new Histogram({
      name: "herdwise_http_request_seconds",
      help: "Time to answer, by route",
      labelNames: ["method", "route", "status"],
      buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
      registers,
    }),
  };
}
export type Metrics = ReturnType<typeof createMetrics>;
