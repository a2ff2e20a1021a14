import { Fragment } from "react";
import { Link, useOutletContext } from "react-router";
import { Translated } from "../language/translated.tsx";
import { useTranslate } from "../language/use-language.ts";
import type { Standing } from "../session/menu.ts";

/** Where this screen stands. `more` replaces the last step by places of its own, such as farm and house. */
export function Crumbs({ more }: { more?: readonly { name: string; to?: string }[] }) {
  const t = useTranslate();
  const { trail } = useOutletContext<Standing>();
  const steps = [
    ...(more ? trail.slice(0, -1).filter(({ path }) => !path || !more.some(({ to }) => to === path)) : trail).map(
      ({ name, path }) => ({ name: t(name), to: path }),
    ),
    ...(more ?? []).map(({ name, to }) => ({ name, to })),
  ];
  return (
    <nav className="crumb" aria-label={t("位置")}>
      {steps.map(({ name, to }, index) => (
        <Fragment key={`${name}-${to}`}>
          {index > 0 && <i aria-hidden="true">/</i>}
          {index === steps.length - 1 ? (
            <b aria-current="page">
              <Translated text={name} />
            </b>
          ) : to ? (
            <Link to={to}>
              <Translated text={name} />
            </Link>
          ) : (
            <span>{name}</span>
          )}
        </Fragment>
      ))}
    </nav>
  );
}
