/**
 * What a fleet costs, from costs that were measured: bytes are held against the database by tests/capacity.test.ts, processor times
 * come from `npm run bench` and `npm run bench:fleet` (docs/performance.md). Decision 0750 says where the figures end.
 */

/** A fleet and the people who look at it. */
export interface Fleet {
  readonly devices: number;
  /** Seconds between two messages of a device. */
  readonly everyS: number;
  /** Numbers in a message. */
  readonly values: number;
  /** People with an open page, each with a live stream and a question every two seconds. */
  readonly people: number;
  /** Days for which raw values, minutes and hours are kept. */
  readonly keptDays: { readonly raw: number; readonly minute: number; readonly hour: number };
}

/** Retention that an installation begins with. */
export const usualKeptDays: Fleet["keptDays"] = { raw: 90, minute: 365, hour: 1826 };

/** Bytes on disk with indexes. */
const bytes = {
  /** A raw message: its row and index entry, and each number in it. */
  message: 80,
  messageNumber: 4.1,
  /** An hour of a key's minutes: its row, each minute with one message, and each with several, whose ends and sum are kept. */
  minuteHour: 107,
  minuteOfOne: 5.4,
  minuteOfSeveral: 25.5,
  /** An hour and a day of a key. */
  hour: 180,
  day: 200,
} as const;

/** Processor time, µs. */
const processorUs = {
  /** A batch of messages: transaction, judgement of what changed, news for streams. Two lanes begin one each 50 ms at most. */
  batch: { mostPerS: 40, server: 2500, database: 2600 },
  /** A message in a batch, with its share of the roll-up. */
  message: { server: 45, database: 25 },
  /** A person in a second, who asks something every two seconds. */
  person: { server: 2500, database: 2500 },
} as const;

/** Resident memory, MB. */
const memoryMb = { server: 260, database: 120, perThousandDevices: 6, perHundredPeople: 10 } as const;

/** Share of a core that a plan may use: what is left takes the hours after an outage, backups and imports. */
const plannedShare = 0.5;

export interface Cost {
  readonly messagesPerS: number;
  readonly serverCores: number;
  readonly databaseCores: number;
  readonly memoryMb: number;
  /** Growth of a day, before anything is dropped. */
  readonly diskMbPerDay: number;
  /** Once everything has come to its age, without days, which are kept for ever. */
  readonly diskGb: number;
  /** Server processes: the JavaScript of one runs on one core. */
  readonly servers: number;
}

/** Bytes that a device's day takes in each resolution. */
export function bytesOfDay({ everyS, values }: Pick<Fleet, "everyS" | "values">): {
  raw: number;
  minute: number;
  hour: number;
  day: number;
} {
  const messages = 86_400 / everyS;
  const minutesOfHour = Math.min(60, 3600 / everyS);
  const hoursOfDay = Math.min(24, messages);
  return {
    raw: messages * (bytes.message + bytes.messageNumber * values),
    minute:
      values * hoursOfDay * (bytes.minuteHour + minutesOfHour * bytes[everyS < 60 ? "minuteOfSeveral" : "minuteOfOne"]),
    hour: values * hoursOfDay * bytes.hour,
    day: values * bytes.day,
  };
}

/** What a fleet costs. */
export function costOf(fleet: Fleet): Cost {
  const { devices, everyS, people, keptDays } = fleet;
  const messagesPerS = devices / everyS;
  const coresOf = (part: "server" | "database"): number => {
    const { batch, message, person } = processorUs;
    const batches = Math.min(messagesPerS, batch.mostPerS);
    return (batches * batch[part] + messagesPerS * message[part] + people * person[part]) / 1e6;
  };
  const [serverCores, databaseCores] = [coresOf("server"), coresOf("database")];
  const { raw, minute, hour, day } = bytesOfDay(fleet);
  return {
    messagesPerS,
    serverCores,
    databaseCores,
    memoryMb:
      memoryMb.server +
      memoryMb.database +
      (devices / 1000) * memoryMb.perThousandDevices +
      (people / 100) * memoryMb.perHundredPeople,
    diskMbPerDay: (devices * (raw + minute + hour + day)) / 1e6,
    diskGb: (devices * (raw * keptDays.raw + minute * keptDays.minute + hour * keptDays.hour)) / 1e9,
    servers: Math.max(1, Math.ceil(serverCores / plannedShare)),
  };
}

/** Fleets of the guide to sizing. */
const usualFleets: readonly Fleet[] = [
  [100, 5],
  [1000, 20],
  [10_000, 100],
  [100_000, 500],
  [1_000_000, 2000],
].map(([devices = 0, people = 0]) => ({ devices, everyS: 60, values: 10, people, keptDays: usualKeptDays }));

const rounded = (value: number): string => {
  const digits = 10 ** Math.max(0, Math.floor(Math.log10(Math.max(value, 1e-9))) - 1);
  return (value >= 10 ? Math.round(value / digits) * digits : Number(value.toPrecision(2))).toLocaleString("en");
};

/** A fleet and what it costs as a row of a table, with two digits that say something. */
export function sizingRow(fleet: Fleet): string {
  const cost = costOf(fleet);
  const figures = [
    cost.messagesPerS,
    cost.serverCores,
    cost.databaseCores,
    cost.memoryMb / 1000,
    cost.diskMbPerDay / 1000,
    cost.diskGb / 1000,
  ];
  return `| ${[fleet.devices.toLocaleString("en"), fleet.people.toLocaleString("en"), ...figures.map(rounded), cost.servers].join(" | ")} |`;
}

export const sizingRows = (): string[] => usualFleets.map(sizingRow);
