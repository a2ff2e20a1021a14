import {
  type AlarmRoster,
  type AlarmUnwoken,
  mostUnwoken,
  type RosterPerson,
  type SendServices,
  type UnwokenReason,
} from "@herdwise/contract";
import { refuse } from "../../http/errors.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { TenantScope } from "../../tenant-scope.ts";
import {
  type NoticeChannel,
  type ReceiverRepository,
  type WakingChannel,
  wakes,
  wakingChannels,
} from "./receiver.repository.ts";

export interface RosterDependencies {
  receivers: ReceiverRepository;
  /** State of the services for SMS and calls. */
  services(): Promise<SendServices>;
  cipher: Pick<PersonalCipher, "decrypt">;
}

/** Most farms of one tenant in a roster. */
const mostFarms = 1000;

/** Lists the people whom a critical alarm would wake now. */
export function createRoster({ receivers, services, cipher }: RosterDependencies) {
  const working = (of: SendServices): WakingChannel[] => wakingChannels.filter((channel) => of[channel] === "works");

  return {
    async unwoken(scope: TenantScope): Promise<AlarmUnwoken> {
      const state = await services();
      return { services: state, ...(await receivers.unwoken(scope, working(state), mostUnwoken)) };
    },

    /** @param farmId where it is left out, the first farm that wakes nobody, or else the first farm */
    async ofFarm(scope: TenantScope, farmId: string | undefined): Promise<AlarmRoster> {
      const state = await services();
      const works = working(state);
      const [farms, unwoken] = await Promise.all([receivers.farms(scope), receivers.unwoken(scope, works, mostFarms)]);
      const gaps = new Set(unwoken.farms.map((farm) => farm.farmId));
      const shown = farms
        .map((farm) => ({ ...farm, woken: !gaps.has(farm.farmId) }))
        .toSorted((a, b) => Number(a.woken) - Number(b.woken));
      const farm = farmId === undefined ? shown[0] : shown.find((one) => one.farmId === farmId);
      if (farm === undefined && farmId !== undefined) throw refuse("alarm.not_found");
      if (farm === undefined) return { services: state, farms: [], farmId: "", people: [] };
      const rows = Map.groupBy(await receivers.receivers(scope, [farm.farmId]), ({ accountId }) => accountId);
      const people = await receivers.people(scope, [...rows.keys()]);
      const isWoken = ({ channel }: { channel: NoticeChannel }): boolean => works.some((one) => one === channel);
      const view = ({ accountId, personName, phoneEncrypted, disabled }: (typeof people)[number]): RosterPerson => {
        const told = rows.get(accountId) ?? [];
        const reason: UnwokenReason = told.some(({ channel }) => wakes(channel))
          ? ""
          : disabled
            ? "disabled"
            : phoneEncrypted === ""
              ? "no-phone"
              : "chose-less";
        return {
          accountId,
          personName,
          phone: phoneEncrypted === "" ? "" : cipher.decrypt(phoneEncrypted),
          steps: [...Map.groupBy(told, ({ step }) => step)].map(([step, of]) => ({
            step,
            channels: of.map(({ channel }) => channel).toSorted(),
          })),
          woken: told.some(isWoken),
          reason,
        };
      };
      return {
        services: state,
        farms: shown,
        farmId: farm.farmId,
        people: people.map(view).toSorted((a, b) => Number(b.woken) - Number(a.woken)),
      };
    },
  };
}
export type Roster = ReturnType<typeof createRoster>;
