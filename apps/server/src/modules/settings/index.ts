import type { PublicSettings } from "@herdwise/contract";
import { settingDeclarations } from "@herdwise/contract/setting-declarations";
import type { Platform, ServerModule } from "../../module.ts";
import { noMail, smtpMail } from "../../providers/mail/mail.ts";
import { smsService } from "../../providers/sms/service.ts";
import { noSms } from "../../providers/sms/sms.ts";
import { translatorOf } from "../../providers/translation/translator.ts";
import { createWebhookSender } from "../../providers/webhook/webhook.ts";
import { repeat } from "../../repeat.ts";
import { createSecretCipher } from "../../secret-cipher.ts";
import { auditRepository } from "../audit/index.ts";
import { createSettingsMemory, type HeldSettings, openedTexts, rereadMs, settingsFrom } from "./held-settings.ts";
import { createSettingTrials } from "./setting-trials.ts";
import { settingsRepository } from "./settings.repository.ts";
import { settingsRoutes } from "./settings.routes.ts";
import { createSettingsService, type SettingsService } from "./settings.service.ts";

export { createSettingsMemory, type HeldSettings, withServices } from "./held-settings.ts";
export { settingsRepository } from "./settings.repository.ts";
export { type SettingsService, settingRefusal } from "./settings.service.ts";

export interface SettingsModule extends ServerModule {
  readonly service: Pick<SettingsService, "numbers">;
  /** Settings as they hold on this server now. */
  readonly held: HeldSettings;
  /** Name of the brand in a language, Chinese by default. */
  brand(language?: "zh" | "en"): string;
}

/** What the key of the settings' secrets is for. */
export const settingSecrets = "setting secrets";

/** The networks of a setting as a list. */
export const networksOf = (held: HeldSettings): string[] =>
  held
    .text("webhook.networks")
    .split(",")
    .map((network) => network.trim())
    .filter((network) => network !== "");

/** The brand as titles have it: its names behind each other. */
const brandOf = (held: HeldSettings) => ({ zh: held.text("brand.name"), en: held.text("brand.nameEn") });

/** A colour of the brand; "" for the portal's own. */
const colourOf = (held: HeldSettings, key: "brand.colour" | "brand.colourDark"): string =>
  held.text(key) === settingDeclarations[key].fallback ? "" : held.text(key);

/** The settings of the installation, which hold on every server without a restart. */
export function createSettingsModule(platform: Platform): SettingsModule {
  const { config, kysely, bus, secretKey, nextId, inTransaction, warn, now } = platform;
  const repository = settingsRepository(kysely);
  const cipher = createSecretCipher(secretKey, settingSecrets);
  const onUnreadable = warn("a secret of the settings was encrypted with another SECRET_KEY and does not hold");
  const memory = createSettingsMemory({
    config,
    repository,
    cipher,
    // Pages show settings: each server has them rendered anew once it has read the change itself.
    onChanged: () => bus.publish("contentChanged", {}),
    onUnreadable,
  });
  const { settings: held, refresh } = memory;
  const onError = warn("settings were not read and are read again");
  const hear = (): void => void refresh().catch(onError);
  const service = createSettingsService({
    repository,
    held,
    cipher,
    nextId,
    inTransaction: inTransaction((db) => ({ settings: settingsRepository(db), audit: auditRepository(db) })),
    heldWith: (entered) => settingsFrom(config, () => entered),
    opened: (rows) => openedTexts(rows, cipher, onUnreadable),
    async changed() {
      await refresh();
      bus.publish("settingsChanged", {});
    },
  });
  const trials = createSettingTrials(
    {
      mail() {
        const server = held.mail();
        return server === undefined ? noMail : smtpMail(server.url, server.from);
      },
      sms() {
        const choice = held.sms();
        return choice === undefined ? noSms : smsService(choice);
      },
      translation: () => translatorOf(held.translation()),
      webhook: () => createWebhookSender({ allowedNetworks: networksOf(held) }),
    },
    held,
    now,
  );
  const readPublic = (): PublicSettings => {
    const brand = brandOf(held);
    return {
      brandName: `${brand.zh} ${brand.en}`.trim(),
      brand,
      companySuffix: held.text("brand.companySuffix"),
      colours: { light: colourOf(held, "brand.colour"), dark: colourOf(held, "brand.colourDark") },
      icpNumber: held.text("site.icpNumber"),
      policeNumber: held.text("site.policeNumber"),
      contact: {
        company: { zh: held.text("group.name"), en: held.text("group.nameEn") },
        serviceNumber: held.text("site.phone"),
        salesNumber: held.text("site.salesPhone"),
        hours: { zh: held.text("site.hours"), en: held.text("site.hoursEn") },
        place: { zh: held.text("site.address"), en: held.text("site.addressEn") },
      },
      mallUrl: (held.text("mall.url") || config.mallUrl) ?? "",
      demo: config.demo,
    };
  };
  let stop: (() => Promise<void>) | undefined;
  return {
    service,
    held,
    brand: (language = "zh") => (language === "en" && brandOf(held).en) || brandOf(held).zh,
    routes: (router) => settingsRoutes(router, { readPublic, settings: service, trials }),
    async start() {
      bus.subscribe("settingsChanged", hear);
      bus.onGap(hear);
      await refresh();
      stop = repeat(refresh, rereadMs, onError);
    },
    async stop() {
      await stop?.();
    },
  };
}
