import type { Platform, ServerModule } from "../../module.ts";
import { systemScope } from "../../tenant-scope.ts";
import type { RecordEvent } from "../account-log/index.ts";
import type { FileService } from "../files/index.ts";
import type { IdentityService } from "../identity/index.ts";
import type { RealNameService } from "../real-name/index.ts";
import type { RequireCaptcha } from "../verification/index.ts";
import { contactRepository } from "./contact.repository.ts";
import { type ContactDependencies, type ContactService, createContactService } from "./contact.service.ts";
import { profileRepository } from "./profile.repository.ts";
import { profileRoutes } from "./profile.routes.ts";
import { createProfileService } from "./profile.service.ts";

export { type ContactRepository, contactRepository } from "./contact.repository.ts";
export type { ContactService } from "./contact.service.ts";

export interface ProfileModule extends ServerModule {
  readonly contact: ContactService;
}

export interface ProfileModuleDependencies
  extends Pick<ContactDependencies, "verification" | "mail" | "brand" | "notify" | "endSessions"> {
  identity: Pick<IdentityService, "requireConfirmed">;
  files: Pick<FileService, "sharedPicture">;
  realName: Pick<RealNameService, "idNumberOf">;
  record: RecordEvent;
  requireCaptcha: RequireCaptcha;
}

const proven = systemScope(
  "changes of a phone take effect by the clock, and the owner of an old number is not signed in",
);

/** Basic information and contact data of the signed-in person. */
export function createProfileModule(
  { kysely, personalCipher, secretKey, store, nextId, now, warn, inTransaction }: Platform,
  { identity, files, realName, requireCaptcha, ...rest }: ProfileModuleDependencies,
): ProfileModule {
  const profile = createProfileService({
    repository: profileRepository(kysely),
    cipher: personalCipher,
    pictureOf: files.sharedPicture,
  });
  const contact = createContactService({
    ...rest,
    repository: contactRepository(kysely),
    inTransaction: inTransaction((db) => contactRepository(db)),
    proven,
    store,
    secretKey,
    cipher: personalCipher,
    nextId,
    now,
    requireConfirmed: identity.requireConfirmed,
    idNumberOf: realName.idNumberOf,
    onError: warn("a change of contact data was not told everywhere"),
  });
  return {
    contact,
    routes: (router) => profileRoutes(router, { profile, contact, requireCaptcha }),
    jobs: [
      {
        name: "profile.contact-changes",
        schedule: "* * * * *",
        retries: 0,
        timeoutS: 120,
        run: () => contact.applyDue(),
      },
    ],
  };
}
