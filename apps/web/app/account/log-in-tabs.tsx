import { type KeyboardEvent, useRef } from "react";
import { Icon, type IconName } from "../shared/icons/icon.tsx";
import { useTranslate } from "../shared/language/use-language.ts";
import type { Evidence } from "../shared/session/log-in.ts";

export type Way = Evidence["way"];

const ways: readonly { way: Way; name: string; icon: IconName }[] = [
  { way: "password", name: "密码登录", icon: "lock" },
  { way: "sms", name: "短信登录", icon: "phone" },
  { way: "qrcode", name: "扫码登录", icon: "qr" },
];

/** The ways to log in, as tabs: arrow keys move between them. */
export function LogInTabs({ way, onChange }: { way: Way; onChange: (way: Way) => void }) {
  const t = useTranslate();
  const list = useRef<HTMLDivElement>(null);
  const onKey = (event: KeyboardEvent): void => {
    const at = ways.findIndex((candidate) => candidate.way === way);
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    const next = ways[(at + step + ways.length) % ways.length];
    if (step === 0 || !next) return;
    event.preventDefault();
    onChange(next.way);
    list.current?.querySelector<HTMLElement>(`#tab-${next.way}`)?.focus();
  };
  return (
    <div className="tabs" role="tablist" aria-label={t("登录方式")} ref={list} onKeyDown={onKey}>
      {ways.map(({ way: own, name, icon }) => (
        <button
          key={own}
          type="button"
          role="tab"
          id={`tab-${own}`}
          aria-selected={own === way}
          aria-controls="way"
          tabIndex={own === way ? 0 : -1}
          onClick={() => onChange(own)}
        >
          <Icon name={icon} small />
          {t(name)}
        </button>
      ))}
    </div>
  );
}
