import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { FileService } from "../files/index.ts";
import type { IdentityService } from "../identity/index.ts";
import { createMyDataService } from "./my-data.service.ts";
import { personalDataRepository, renewEncrypted } from "./personal-data.repository.ts";
import { personalDataRoutes } from "./personal-data.routes.ts";

export { type PersonalDataRepository, personalDataRepository, type Touched } from "./personal-data.repository.ts";

export interface PersonalDataModuleDependencies {
  identity: Pick<IdentityService, "activeSessions">;
  files: FileService;
  /** Name of the brand in a language. */
  brand: (language: "zh" | "en") => string;
  notify: (accountId: string, title: string, content: string) => Promise<void>;
  record: RecordEvent;
}

const making = systemScope("exports of a person's data are made and fetched without a session, for that person alone");
const keys = systemScope("what an earlier key encrypted is encrypted anew at the start, whosever it is");
const makeOne = "my-data.make-one";

/** What is held on people: exports for themselves, and the keys that close it. */
export function createPersonalDataModule(
  { kysely, log, store, jobs, personalCipher, nextId, now, warn }: Platform,
  { identity, files, brand, notify, record }: PersonalDataModuleDependencies,
): ServerModule {
  const myData = createMyDataService({
    repository: personalDataRepository(kysely),
    files,
    cipher: personalCipher,
    store,
    making,
    brand,
    nextId,
    now,
    record,
    notify,
    activeSessions: identity.activeSessions,
    onAsked(id) {
      // What is not begun now is begun by the clock.
      jobs
        .enqueue(makeOne, { id })
        .then(() => jobs.wake())
        .catch(warn("an export waits for the clock"));
    },
    onError: warn("an export of a person's data does not open"),
  });
  return {
    routes: (router, http) => personalDataRoutes(router, http, myData),
    jobs: [
      {
        name: makeOne,
        retries: 2,
        timeoutS: 600,
        run: (payload, { signal }) => myData.makeWaiting(signal, (payload as { id: string }).id),
      },
      {
        name: "my-data.make",
        schedule: "*/5 * * * *",
        retries: 0,
        timeoutS: 600,
        run: (_payload, { signal }) => myData.makeWaiting(signal),
      },
      { name: "my-data.sweep", schedule: "40 3 * * *", retries: 1, timeoutS: 300, run: () => myData.sweep() },
    ],
    async start() {
      const renewed = await renewEncrypted(kysely, keys, personalCipher);
      if (renewed > 0) log.info({ renewed }, "personal data was encrypted with the newest key");
    },
  };
}
