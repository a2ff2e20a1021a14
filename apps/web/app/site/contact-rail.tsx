import { Icon, type IconName } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import { usePreferences } from "../shared/preferences/preferences.tsx";
import { useHoursWords, useServiceStanding } from "./standing.tsx";

/** The digits of a telephone number, as a link dials them. */
export const dialled = (number: string): string => number.replace(/[^+\d]/g, "");

/** How to reach people from any page of the site: beside it on a wide screen, below it on a phone. */
export function ContactRail() {
  const t = useTranslate();
  const { contact } = usePreferences();
  const hoursWords = useHoursWords();
  const standing = useServiceStanding();
  const ways: readonly (readonly [icon: IconName, name: string, href: string])[] = [
    ...(contact.service === "" ? [] : ([["phone", t("打电话"), `tel:${dialled(contact.service)}`]] as const)),
    ["receipt", t("询价"), "/service/productApply?wish=quote#form"],
    ["calendar", t("上门勘测"), "/service/productApply?wish=survey#form"],
    ["map", t("服务网点"), "/service/network"],
    ["person", t("注册"), "/register"],
  ];
  return (
    <nav className="contact-rail" aria-label={t("联系我们")}>
      {ways.map(([icon, name, href]) => (
        <a
          key={icon}
          href={href}
          {...(icon === "phone" && { title: `${contact.service}\n${hoursWords}` })}
          {...(icon === "person" && { "data-guest": "" })}
        >
          <Icon name={icon} />
          {name}
          {icon === "phone" && standing && <small>{t(standing.kind === "open" ? "有人接" : "已下班")}</small>}
        </a>
      ))}
    </nav>
  );
}
