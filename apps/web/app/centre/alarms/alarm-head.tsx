import { alarmPath } from "@herdwise/contract";
import { Link } from "react-router";
import { Icon } from "../../shared/icons/icon.tsx";
import { useTranslate } from "../../shared/language/use-language.ts";
import { Crumbs } from "../../shared/lists/crumbs.tsx";

/** Above a screen of alarms: its title, Chinese, and the way to the alarms themselves. */
export function AlarmHead({ title }: { title: string }) {
  const t = useTranslate();
  return (
    <>
      <Crumbs />
      <div className="page-head">
        <h1>{t(title)}</h1>
        <span className="spacer" />
        <Link className="btn" to={alarmPath}>
          <Icon name="bell" small />
          {t("告警中心")}
        </Link>
      </div>
    </>
  );
}
