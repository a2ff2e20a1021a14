import {
  type Address,
  addressLength,
  type BodyOf,
  isPersonName,
  nickNameLength,
  normalizePersonName,
  plainText,
  type updateInfo,
} from "@herdwise/contract";
import { isDay } from "@herdwise/contract/real-name-checks";
import { refuse } from "../../http/errors.ts";
import { writePersonal } from "../../http/personal.ts";
import type { PersonalCipher } from "../../personal-cipher.ts";
import type { AccountScope, MemberScope } from "../../tenant-scope.ts";
import type { ProfileRepository } from "./profile.repository.ts";

export interface ProfileDependencies {
  repository: ProfileRepository;
  cipher: PersonalCipher;
  /** Address of an own shared picture by its address or name; undefined for anything else. */
  pictureOf(owner: MemberScope, text: string): Promise<string | undefined>;
}

/** What the signed-in person tells of themselves. */
export function createProfileService({ repository, cipher, pictureOf }: ProfileDependencies) {
  const open = (encrypted: string) => (encrypted === "" ? "" : cipher.decrypt(encrypted));

  const found = async (owner: MemberScope) => {
    const row = await repository.find(owner);
    if (row === undefined) throw refuse("identity.person_gone");
    return row;
  };
  const detail = async (owner: MemberScope) => {
    const { phoneEncrypted, phoneVerifiedAt, emailEncrypted, emailVerifiedAt, createdAt, passwordChangedAt, ...row } =
      await found(owner);
    return {
      ...row,
      birthday: row.birthday ?? "",
      phone: open(phoneEncrypted),
      phoneProven: phoneVerifiedAt !== null,
      email: open(emailEncrypted),
      emailProven: emailVerifiedAt !== null,
      createTime: createdAt,
      passwordTime: passwordChangedAt,
    };
  };
  const addressOf = async (owner: AccountScope): Promise<Address> => {
    const row = await repository.address(owner);
    const [provinceName = "", cityName = "", areaName = ""] = row?.names ?? [];
    return {
      id: row?.accountId ?? "",
      regionCode: row?.regionCode ?? "",
      provinceName,
      cityName,
      areaName,
      address: open(row?.addressEncrypted ?? ""),
    };
  };

  return {
    detail,

    /** @throws {Refusal} 400 with the field */
    async save(owner: MemberScope, given: BodyOf<typeof updateInfo>) {
      const { id = "", name, realName, avatar, sex, birthday, phone, email } = given;
      if (id !== "" && id !== owner.accountId) throw refuse("profile.not_own");
      const held = await detail(owner);
      const contact = [
        { field: "phone", given: phone, held: held.phone, mask: "mask-phone" },
        { field: "email", given: email, held: held.email, mask: "mask-email" },
      ] as const;
      for (const { field, given: sent, held: kept, mask } of contact)
        if (sent !== undefined && sent !== kept && sent !== writePersonal(mask, kept))
          throw refuse("profile.contact_needs_proof", { field });
      const change: Parameters<ProfileRepository["save"]>[1] = {};
      if (name !== undefined) {
        const text = plainText(name.normalize("NFKC"));
        const length = [...text].length;
        if (length < nickNameLength.min || length > nickNameLength.max)
          throw refuse("profile.nick_name", { field: "name", values: nickNameLength });
        change.nickName = text;
      }
      if (realName !== undefined && realName !== held.realName) {
        const person = normalizePersonName(realName);
        if (person !== "" && !isPersonName(person)) throw refuse("users.real_name", { field: "realName" });
        if (person !== held.realName) change.realName = person;
      }
      if (sex !== undefined) change.sex = sex;
      if (birthday !== undefined) {
        const day = birthday.slice(0, 10);
        if (day !== "" && (!isDay(day) || Date.parse(day) > Date.now()))
          throw refuse("users.birthday", { field: "birthday" });
        change.birthday = day === "" ? null : day;
      }
      if (avatar !== undefined && avatar !== held.avatar) {
        const picture = avatar === "" ? "" : await pictureOf(owner, avatar);
        if (picture === undefined) throw refuse("profile.avatar", { field: "avatar" });
        change.avatar = picture;
      }
      if (Object.keys(change).length > 0) await repository.save(owner, change);
      return detail(owner);
    },

    address: (owner: AccountScope, id: string | undefined): Promise<Address> => {
      if (id !== undefined && id !== "" && id !== owner.accountId) throw refuse("profile.no_address");
      return addressOf(owner);
    },

    /** @throws {Refusal} 400 with the field */
    async saveAddress(
      owner: AccountScope,
      given: {
        id?: string;
        regionCode?: string;
        provinceName?: string;
        cityName?: string;
        areaName?: string;
        address?: string;
      },
    ): Promise<Address> {
      const { id = "", provinceName = "", cityName = "", areaName = "" } = given;
      if (id !== "" && id !== owner.accountId) throw refuse("profile.no_address");
      const names = [provinceName, cityName, areaName].map((text) => text.trim()).filter((text) => text !== "");
      const code = given.regionCode ?? (await repository.codeOf(names));
      const known = code === "" ? names.length === 0 : (await repository.namesOf(code)).length === code.length / 2;
      if (!known) throw refuse("profile.region", { field: "regionCode" });
      const text = plainText(given.address ?? "");
      if ([...text].length > addressLength)
        throw refuse("profile.address", { field: "address", values: { most: addressLength } });
      await repository.saveAddress(owner, {
        regionCode: code,
        addressEncrypted: text === "" ? "" : cipher.encrypt(text),
      });
      return addressOf(owner);
    },
  };
}
export type ProfileService = ReturnType<typeof createProfileService>;
