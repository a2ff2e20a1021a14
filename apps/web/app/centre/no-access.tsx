import { type AccessRequestReply, accessRequest, type UserInfo, userInfo } from "@herdwise/contract";
import { useEffect, useState } from "react";
import type { Screen } from "../screens.ts";
import { ApiError } from "../shared/api/api-error.ts";
import { call } from "../shared/api/call.ts";
import { Mark } from "../shared/icons/mark.tsx";
import { Translated } from "../shared/language/translated.tsx";
import { useJoin } from "../shared/language/use-join.ts";
import { useTranslate } from "../shared/language/use-language.ts";
import { AccessReasons } from "../shared/roles/access-reasons.tsx";
import { useAccess } from "../shared/session/access-context.ts";
import { ExceptionView } from "../shared/states/exception-view.tsx";

/** How often it is asked whether somebody granted the screen meanwhile, ms. */
const lookEveryMs = 5000;

interface Props {
  screen: Screen;
  user: UserInfo;
  /** The menu holds no screen at all. */
  noScreens: boolean;
  /** Loads the menu anew: somebody may have granted it meanwhile. */
  onCheck: () => void;
  checking: boolean;
}

/** What a known screen shows to people whose menu lacks it: what is missing, who gives it, and a way to ask them. */
export function NoAccess({ screen, user, noScreens, onCheck, checking }: Props) {
  const t = useTranslate();
  const join = useJoin();
  const { permissions } = useAccess();
  const [wondering, setWondering] = useState(false);
  const [busy, setBusy] = useState(false);
  const [reply, setReply] = useState<AccessRequestReply>();
  const [problem, setProblem] = useState<string>();
  useEffect(() => {
    // Each answer names what the roles grant; the frame follows when that is another.
    const look = (): void => {
      if (document.visibilityState === "visible") call(userInfo, { quiet: true }).catch(() => undefined);
    };
    const timer = setInterval(look, lookEveryMs);
    return () => clearInterval(timer);
  }, []);
  const ask = async (): Promise<void> => {
    setBusy(true);
    setProblem(undefined);
    try {
      setReply(await call(accessRequest, { body: { menuCode: screen.menuCode }, quiet: true }));
    } catch (error) {
      setProblem(error instanceof ApiError ? error.message : "未知错误");
    } finally {
      setBusy(false);
    }
  };
  const ofGroup = user.tenant_type === "group";
  // Nobody in a customer's organization could grant what the group's staff works with.
  const staffOnly = !ofGroup && screen.staffOnly === true;
  const granter = ofGroup || staffOnly ? "管理员" : "企业主";
  const asked = join(reply?.roles.map((name) => t(name)) ?? []);
  return (
    <ExceptionView
      type="403"
      wholePage
      text={
        noScreens
          ? t("个人中心未配置路由，请联系管理员")
          : user.preview
            ? t("这个角色里没有这个菜单，或者您自己没有。")
            : staffOnly
              ? t("这个页面供集团员工使用，您的组织不能开通。")
              : t("您的角色里没有这个菜单。开通后请退出并重新登录，或点下面的重新检查。")
      }
      details={
        <>
          <dl className="missing">
            <div>
              <dt>{t("菜单")}</dt>
              <dd>{t(screen.title)}</dd>
            </div>
            <div>
              <dt>{t("菜单编码")}</dt>
              <dd>
                <code>{screen.menuCode}</code>
              </dd>
            </div>
            <div>
              <dt>{t("谁来开通")}</dt>
              <dd>
                {t(granter)}
                <small>{staffOnly ? t("集团") : <Translated text={user.tenant_name} />}</small>
              </dd>
            </div>
          </dl>
          <p className="asked" role="status">
            {reply ? (
              <span className="state ok">
                <Mark name="ok" />
                {reply.asked
                  ? t("一天内已经申请过，等待{roles}处理。", { roles: asked })
                  : t("已经发消息给{roles}，请等待开通。", { roles: asked })}
              </span>
            ) : (
              problem && (
                <span className="state critical">
                  <Mark name="critical" />
                  {t(problem)}
                </span>
              )
            )}
          </p>
        </>
      }
    >
      {!staffOnly && !user.preview && (
        <button type="button" className="btn primary" disabled={busy || reply !== undefined} onClick={() => void ask()}>
          {t(reply ? "已申请" : "申请权限")}
        </button>
      )}
      <button type="button" className="btn" disabled={checking} onClick={onCheck}>
        {t("重新检查")}
      </button>
      {permissions.has("role_view") && !user.preview && (
        <button type="button" className="btn" onClick={() => setWondering(true)}>
          {t("为什么看不到")}
        </button>
      )}
      {wondering && (
        <AccessReasons
          person={{ accountId: user.user_id, tenantId: user.tenant_id, name: user.real_name || user.account }}
          menu={{ code: screen.menuCode, title: t(screen.title) }}
          onClose={() => setWondering(false)}
        />
      )}
    </ExceptionView>
  );
}
