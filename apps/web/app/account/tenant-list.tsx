import type { TenantChoice } from "@herdwise/contract";
import { useEffect, useRef } from "react";
import { Icon } from "../shared/icons/icon.tsx";
import { Translated } from "../shared/language/translated.tsx";
import { useTranslate } from "../shared/language/use-language.ts";

const tenantTypeNames = { group: "集团", enterprise: "企业", personal: "个人" } as const;

interface Props {
  tenants: readonly TenantChoice[];
  onChoose: (id: string) => void;
  onBack: () => void;
}

/** Which organization to enter, for an account that belongs to several. */
export function TenantList({ tenants, onChoose, onBack }: Props) {
  const t = useTranslate();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => heading.current?.focus(), []);
  return (
    <>
      <h2 ref={heading} tabIndex={-1}>
        {t("选择要进入的组织")}
      </h2>
      <p>{t("您的账号属于多个组织，登录后还可以随时切换。")}</p>
      <div className="tenants">
        {tenants.map(({ tenantId, tenantName, type }) => (
          <button key={tenantId} type="button" onClick={() => onChoose(tenantId)}>
            <Icon name={type === "personal" ? "person" : "unit"} />
            <span>
              <b>
                <Translated text={tenantName} />
              </b>
              <small>{t(tenantTypeNames[type])}</small>
            </span>
            <Icon name="right" small />
          </button>
        ))}
      </div>
      <button type="button" className="btn ghost back" onClick={onBack}>
        <Icon name="left" small />
        {t("换个账号")}
      </button>
    </>
  );
}
