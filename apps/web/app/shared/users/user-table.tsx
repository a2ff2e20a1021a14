import type { User } from "@herdwise/contract";
import { Mark } from "../icons/mark.tsx";
import { parseWireDateTime } from "../language/format.ts";
import { Translated } from "../language/translated.tsx";
import { useFormats, useTranslate } from "../language/use-language.ts";
import { standingOf } from "./user-words.ts";

/** A row of the list: an account may stand in it once for each of its tenants. */
export const rowKey = ({ id, tenantId }: Pick<User, "id" | "tenantId">): string => `${id}@${tenantId}`;

function StandingMark({ user }: { user: User }) {
  const t = useTranslate();
  const { mark, word } = standingOf(user);
  return (
    <span className={`state ${mark}`}>
      <Mark name={mark} />
      {t(word)}
    </span>
  );
}

function Roles({ user }: { user: User }) {
  const names = user.roleName.split(",").filter(Boolean);
  return (
    <span className="role-tags">
      {names.map((name) => (
        <span key={name} className="tag">
          <Translated text={name} />
        </span>
      ))}
      {names.length === 0 && <span className="mut">--</span>}
    </span>
  );
}

interface UserTableProps {
  users: readonly User[];
  chosen: ReadonlySet<string>;
  onChoose: (keys: ReadonlySet<string>) => void;
  onOpen: (user: User) => void;
  /** Shows whose users they are. */
  withTenant: boolean;
  /** Nothing can be done with a choice without a right. */
  choosable: boolean;
}

/** Users as a table, as cards on a phone. */
export function UserTable({ users, chosen, onChoose, onOpen, withTenant, choosable }: UserTableProps) {
  const t = useTranslate();
  const { dayTime } = useFormats();
  const all = users.length > 0 && users.every((user) => chosen.has(rowKey(user)));
  const toggle = (keys: readonly string[], on: boolean): void => {
    const next = new Set(chosen);
    for (const key of keys) {
      if (on) next.add(key);
      else next.delete(key);
    }
    onChoose(next);
  };
  const nameOf = ({ realName, name, account }: User): string => realName || name || account;
  const box = (user: User) => (
    <label className="tap">
      <input
        type="checkbox"
        aria-label={t("选择 {name}", { name: nameOf(user) })}
        checked={chosen.has(rowKey(user))}
        onChange={(event) => toggle([rowKey(user)], event.target.checked)}
      />
    </label>
  );
  return (
    <>
      <div className="tbl-wrap wide-only">
        <table className="tbl rows-open">
          <thead>
            <tr>
              {choosable && (
                <th scope="col" className="pick">
                  <input
                    type="checkbox"
                    aria-label={t("选择本页全部")}
                    checked={all}
                    onChange={(event) => toggle(users.map(rowKey), event.target.checked)}
                  />
                </th>
              )}
              <th scope="col">{t("姓名与登录名")}</th>
              {withTenant && <th scope="col">{t("租户")}</th>}
              <th scope="col">{t("角色")}</th>
              <th scope="col">{t("用户编号")}</th>
              <th scope="col">{t("手机")}</th>
              <th scope="col">{t("状态")}</th>
              <th scope="col">{t("更新时间")}</th>
            </tr>
          </thead>
          <tbody>
            {users.map((user) => (
              // The button in the row is the control; the whole row but its box answers the pointer as a convenience.
              <tr
                key={rowKey(user)}
                onClick={({ target }) => !(target as Element).closest(".pick") && onOpen(user)}
                data-chosen={chosen.has(rowKey(user)) || undefined}
              >
                {choosable && <td className="pick">{box(user)}</td>}
                <th scope="row">
                  <button type="button" className="link plain">
                    {nameOf(user)}
                  </button>
                  <span className="mut">{user.account}</span>
                </th>
                {withTenant && (
                  <td>
                    <Translated text={user.tenantName} />
                  </td>
                )}
                <td>
                  <Roles user={user} />
                </td>
                <td className="num">{user.code || "--"}</td>
                <td className="num">{user.phone || "--"}</td>
                <td>
                  <StandingMark user={user} />
                </td>
                <td className="num">{dayTime(parseWireDateTime(user.updateTime))}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <ul className="cards narrow-only">
        {users.map((user) => (
          <li key={rowKey(user)} className="user-card">
            {choosable && box(user)}
            <button type="button" onClick={() => onOpen(user)}>
              <b>{nameOf(user)}</b>
              <StandingMark user={user} />
              <span className="mut">
                {user.account}
                {user.phone && `　${user.phone}`}
              </span>
              <span className="words">{user.code}</span>
              <Roles user={user} />
              {withTenant && (
                <span className="words">
                  <Translated text={user.tenantName} />
                </span>
              )}
            </button>
          </li>
        ))}
      </ul>
    </>
  );
}
