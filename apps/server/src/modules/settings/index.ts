import { type LogoTheme, logoSize, type PublicSettings } from "@herdwise/contract";
import { settingDeclarations } from "@herdwise/contract/setting-declarations";
import type { Platform, ServerModule } from "../../module.ts";
import { openStorage } from "../../providers/files/storage.ts";
import { noMail, smtpMail } from "../../providers/mail/mail.ts";
import { httpPayment } from "../../providers/payment/http.ts";
import { smsService } from "../../providers/sms/service.ts";
import { noSms } from "../../providers/sms/sms.ts";
import { translatorOf } from "../../providers/translation/translator.ts";
import { noVoice, voiceService } from "../../providers/voice/voice.ts";
import { createWebhookSender } from "../../providers/webhook/webhook.ts";
import { officialAccount, wechatEndpoint } from "../../providers/wechat/official-account.ts";
import { repeat } from "../../repeat.ts";
import { createSecretCipher } from "../../secret-cipher.ts";
import { auditRepository } from "../audit/index.ts";
import { createServiceCalendarOn, createWorkedDays } from "../service-calendar/index.ts";
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
  /** After a commit: this server reads the settings again before it goes on, and the others are told. */
  changed(): Promise<void>;
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

/** Addresses of the brand's own logos; one that is missing is the other. */
const logosOf = (hashOf: (theme: LogoTheme) => string): PublicSettings["logos"] => {
  const theme = { light: hashOf("light") ? "light" : "dark", dark: hashOf("dark") ? "dark" : "light" } as const;
  const address = (of: "light" | "dark", what: "image" | "icon"): string =>
    hashOf(theme[of]) && `/logos/${theme[of]}-${what}-${hashOf(theme[of])}.png`;
  return { light: address("light", "image"), dark: address("dark", "image"), icon: address("light", "icon") };
};

/** A colour of the brand; "" for the portal's own. */
const colourOf = (held: HeldSettings, key: "brand.colour" | "brand.colourDark"): string =>
  held.text(key) === settingDeclarations[key].fallback ? "" : held.text(key);

/** What a phone needs to keep the barn mode as an app. @param icon address of a PNG; "" for the portal's mark */
const barnManifest = (brand: string, icon: string) => ({
  name: [brand, "舍内模式"].join(" "),
  short_name: [brand, "舍内"].join(""),
  id: "/barn",
  start_url: "/barn",
  scope: "/barn",
  display: "standalone",
  orientation: "portrait",
  background_color: "#0b1411",
  theme_color: "#0b1411",
  icons: [
    icon === ""
      ? { src: "/favicon.svg", sizes: "any", type: "image/svg+xml", purpose: "any" }
      : { src: icon, sizes: `${logoSize.icon}x${logoSize.icon}`, type: "image/png", purpose: "any" },
  ],
});

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
  const changed = async (): Promise<void> => {
    await refresh();
    bus.publish("settingsChanged", {});
  };
  const service = createSettingsService({
    repository,
    held,
    cipher,
    nextId,
    inTransaction: inTransaction((db) => ({ settings: settingsRepository(db), audit: auditRepository(db) })),
    heldWith: (entered) => settingsFrom(config, () => entered),
    opened: (rows) => openedTexts(rows, cipher, onUnreadable),
    changed,
    now,
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
      voice() {
        const choice = held.voice();
        return choice === undefined ? noVoice : voiceService(choice);
      },
      translation: () => translatorOf(held.translation()),
      webhook: () => createWebhookSender({ allowedNetworks: networksOf(held) }),
      wechat() {
        const account = held.wechat();
        return account && officialAccount({ ...account, endpoint: account.endpoint ?? wechatEndpoint, now });
      },
      payment() {
        const gateway = held.payment();
        return gateway && httpPayment({ ...gateway, portal: config.publicUrl, now });
      },
      files: () => openStorage(config),
    },
    held,
    now,
  );
  const workedDays = createWorkedDays(createServiceCalendarOn(platform), now);
  const readPublic = async (): Promise<PublicSettings> => {
    const brand = brandOf(held);
    return {
      brandName: `${brand.zh} ${brand.en}`.trim(),
      brand,
      logos: logosOf(memory.logo),
      companySuffix: held.text("brand.companySuffix"),
      colours: { light: colourOf(held, "brand.colour"), dark: colourOf(held, "brand.colourDark") },
      icpNumber: held.text("site.icpNumber"),
      policeNumber: held.text("site.policeNumber"),
      contact: {
        company: { zh: held.text("group.name"), en: held.text("group.nameEn") },
        serviceNumber: held.text("site.phone"),
        salesNumber: held.text("site.salesPhone"),
        hours: {
          weekday: held.text("site.hours"),
          weekend: held.text("site.weekendHours"),
          worked: await workedDays(),
        },
        place: { zh: held.text("site.address"), en: held.text("site.addressEn") },
      },
      mallUrl: (held.text("mall.url") || config.mallUrl) ?? "",
      passwordRule: held.passwordRule(),
      demo: config.demo,
    };
  };
  let stop: (() => Promise<void>) | undefined;
  return {
    service,
    held,
    changed,
    brand: held.brand,
    routes(router, http) {
      settingsRoutes(router, { readPublic, settings: service, trials });
      http.get("/barn.webmanifest", { config: { openBecause: "a browser reads it without a session" } }, (_, reply) =>
        reply.type("application/manifest+json").send(barnManifest(held.brand(), logosOf(memory.logo).icon)),
      );
    },
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
