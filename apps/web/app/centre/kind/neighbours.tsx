import { useEffect } from "react";
import { Link, useNavigate } from "react-router";
import { useAddressValues } from "../../shared/address/use-address.ts";
import { Icon } from "../../shared/icons/icon.tsx";
import { isTyping } from "../../shared/kit/is-typing.ts";
import { useTranslate } from "../../shared/language/use-language.ts";
import type { UnitNow } from "./use-unit.ts";

/** The units before and after, by their buttons or the keys [ and ]; tab, span and shown values stay as they are. */
export function Neighbours({ unit }: { unit: UnitNow }) {
  const t = useTranslate();
  const navigate = useNavigate();
  const [search] = useAddressValues();
  const addressOf = (id: string): string => {
    const next = new URLSearchParams(search);
    next.set("id", id);
    next.delete("device");
    return `?${next}`;
  };
  const sides = [
    { key: "[", id: unit.previousUnitId, label: t("上一单元"), icon: "left" },
    { key: "]", id: unit.nextUnitId, label: t("下一单元"), icon: "right" },
  ] as const;
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      if (document.querySelector("dialog[open], [role=dialog]")) return;
      const side = sides.find(({ key, id }) => key === event.key && id !== "");
      if (side) void navigate(addressOf(side.id), { preventScrollReset: true });
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  });
  return (
    <span className="neighbours">
      {sides.map(({ key, id, label, icon }) =>
        id === "" ? (
          <span key={key} className="none" aria-hidden="true">
            <Icon name={icon} small />
          </span>
        ) : (
          <Link
            key={key}
            to={addressOf(id)}
            aria-label={label}
            aria-keyshortcuts={key}
            title={`${label} ${key}`}
            preventScrollReset
          >
            <Icon name={icon} small />
          </Link>
        ),
      )}
    </span>
  );
}
