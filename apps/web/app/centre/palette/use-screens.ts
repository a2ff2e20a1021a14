import { alarmRuleCode, type Beginning, beginnings } from "@herdwise/contract";
import { settingList, settingSectionWords } from "@herdwise/contract/setting-declarations";
import { useEffect, useMemo, useState } from "react";
import { screenAt } from "../../screens.ts";
import { type IconName, iconOf } from "../../shared/icons/icon.tsx";
import { type Dictionary, loadDictionary } from "../../shared/language/dictionary.ts";
import { fill } from "../../shared/language/fill.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import { keepLanguage } from "../../shared/preferences/account-appearance.ts";
import { usePreferences } from "../../shared/preferences/preferences.tsx";
import { nodeOfScreen } from "../../shared/session/access.ts";
import { useAccess } from "../../shared/session/access-context.ts";
import { logOut } from "../../shared/session/log-out.ts";
import { groupsOf, visibleLeaves } from "../../shared/session/menu.ts";
import type { Names } from "./finding.ts";

/** Something that this browser knows: a screen, an action, a setting. */
export interface LocalThing {
  /** Names it among what was opened last. */
  readonly key: string;
  readonly group: "screen" | "action" | "setting";
  readonly icon: IconName;
  readonly name: string;
  /** Where it is, in words. */
  readonly note: string;
  /** What it is found by: its name first. */
  readonly names: readonly [Names, ...Names[]];
  readonly to?: string;
  readonly act?: () => void;
}

/** Letters alone may be English: then the English texts are fetched, also where the screen is Chinese. */
const mayBeEnglish = /[a-z]{3}/i;

function useEnglish(typed: string): Dictionary {
  const { language, dictionary } = usePreferences();
  const [fetched, setFetched] = useState<Dictionary>();
  const isWanted = language !== "en" && fetched === undefined && mayBeEnglish.test(typed);
  useEffect(() => {
    if (!isWanted) return;
    let isCurrent = true;
    // Without them the screens are found in Chinese and by pinyin.
    loadDictionary("en", "whole").then(
      (whole) => isCurrent && setFetched(whole),
      () => undefined,
    );
    return () => {
      isCurrent = false;
    };
  }, [isWanted]);
  return language === "en" ? dictionary : (fetched ?? {});
}

/** Forms and pages of one's own that no menu names. */
const own: readonly { name: string; path: string; icon: IconName; also?: string }[] = [
  { name: "修改密码", path: "/selfCenter/safeManage", icon: "lock", also: "安全设置" },
  { name: "更换手机号", path: "/selfCenter/safeManage", icon: "phone", also: "安全设置" },
  { name: "更换邮箱", path: "/selfCenter/safeManage", icon: "shield", also: "安全设置" },
  { name: "登录设备", path: "/selfCenter/safeManage", icon: "devices", also: "安全设置" },
  { name: "消息推送设置", path: "/selfCenter/biosafety/alarm", icon: "bell", also: "告警" },
];
/** Screens on which something is raised, which menus do not list. */
const adding = [
  "/workOrder/orderService/add",
  "/workOrder/complaintOrder/add",
  "/service/propose",
  "/customer/contract/draft",
  "/selfCenter/equipmentManage/bindDevice",
];

/** Whether the person may mute alarms. */
export const useMayMute = (): boolean => useAccess().permissions.has(alarmRuleCode);

/** Screens, actions and settings that this person may open. */
export function useScreens(typed: string): readonly LocalThing[] {
  const t = useTranslate();
  const { menu, permissions, user } = useAccess();
  const { language, setLanguage, setTheme } = usePreferences();
  const english = useEnglish(typed);
  return useMemo(() => {
    const namesOf = (zh: string): Names => ({ zh, en: english[zh] ?? "" });
    const nodeAt = (path: string) => {
      const screen = screenAt(path);
      return screen && nodeOfScreen(menu, screen);
    };
    const screens = groupsOf(menu).flatMap((group) =>
      visibleLeaves(group.nodes).map(
        (node): LocalThing => ({
          key: `screen:${node.path}`,
          group: "screen",
          icon: iconOf(node.icon),
          name: t(node.name),
          note: t(group.name),
          names: [namesOf(node.name), namesOf(group.name)],
          to: node.path,
        }),
      ),
    );
    const action = (
      id: string,
      icon: IconName,
      zh: string,
      more: Partial<LocalThing>,
      also: Names[] = [],
    ): LocalThing => ({
      key: `action:${id}`,
      group: "action",
      icon,
      name: t(zh),
      note: "",
      names: [namesOf(zh), ...also],
      ...more,
    });
    const raised = adding.flatMap((path) => {
      const screen = screenAt(path);
      if (screen === undefined || !nodeAt(path)) return [];
      const order = path.startsWith("/workOrder") ? " work order" : "";
      return [action(path, "plus", screen.title, { to: path }, [{ zh: "新建", en: `${english.新建 ?? ""}${order}` }])];
    });
    const ofGroup = user.tenant_type === "group";
    const isOpen = ({ right, by }: Beginning): boolean =>
      permissions.has(right) && (by === undefined || (by === "group") === ofGroup);
    const added = beginnings.filter(isOpen).flatMap((of): LocalThing[] => {
      const path = of.paths.find(nodeAt);
      if (path === undefined) return [];
      const one = { zh: fill("新增{one}", { one: of.one }), en: `${english.新建 ?? ""} ${english[of.one] ?? ""}` };
      return [
        {
          key: `action:new-${of.name}`,
          group: "action",
          icon: "plus",
          name: of.button ? t(of.button) : t("新增{one}", { one: t(of.one) }),
          note: t(nodeAt(path)?.name ?? ""),
          names: of.button ? [namesOf(of.button), one] : [one, namesOf(of.one)],
          to: `${path}?row=new`,
        },
      ];
    });
    const isDark = document.documentElement.dataset.theme === "dark";
    const other = language === "zh" ? "en" : "zh";
    const always = [
      action(
        "theme",
        isDark ? "sun" : "moon",
        isDark ? "切换到浅色" : "切换到深色",
        { act: () => setTheme(isDark ? "light" : "dark") },
        [namesOf("深色与浅色主题")],
      ),
      {
        ...action(
          "language",
          "globe",
          "切换语言",
          {
            act: () => {
              void setLanguage(other);
              void keepLanguage(other);
            },
          },
          [namesOf("切换到英文或中文")],
        ),
        name: other === "en" ? "Switch to English" : "切换到中文",
      },
      action("log-out", "exit", "退出登录", { act: () => void logOut() }, [namesOf("登出账号")]),
    ];
    const settings = nodeAt("/system/setting")
      ? settingList.map(
          ({ key, words, section }): LocalThing => ({
            key: `setting:${key}`,
            group: "setting",
            icon: "gear",
            name: words[language],
            note: settingSectionWords[section][language],
            names: [words, settingSectionWords[section], { zh: "", en: key }],
            to: `/system/setting#setting-${section}`,
          }),
        )
      : [];
    const ownSettings = own.flatMap(({ name, path, icon, also }): LocalThing[] =>
      nodeAt(path)
        ? [
            {
              key: `setting:${path}#${own.findIndex((one) => one.name === name)}`,
              group: "setting",
              icon,
              name: t(name),
              note: t(nodeAt(path)?.name ?? ""),
              names: [namesOf(name), ...(also ? [namesOf(also)] : [])],
              to: path,
            },
          ]
        : [],
    );
    return [...screens, ...raised, ...added, ...always, ...ownSettings, ...settings];
  }, [menu, permissions, user, t, language, setLanguage, setTheme, english]);
}
