import { type NumberSettingKey, numberSettings, readNumberSetting } from "./number-settings.ts";
import type { SettingsRepository } from "./settings.repository.ts";

export function createSettingsService(repository: SettingsRepository) {
  return {
    /** Settings as they are now; what nobody entered, or what can't be, is as it is by default. */
    async numbers<Key extends NumberSettingKey>(keys: readonly Key[]): Promise<Record<Key, number>> {
      const texts = await repository.texts(keys);
      return Object.fromEntries(
        keys.map((key) => [key, readNumberSetting(key, texts.get(key) ?? "") ?? numberSettings[key].fallback]),
      ) as Record<Key, number>;
    },
  };
}
export type SettingsService = ReturnType<typeof createSettingsService>;
