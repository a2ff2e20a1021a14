import type { AuditEntry } from "@herdwise/contract";
import { Fragment } from "react";
import { Translated } from "../language/translated.tsx";
import { useLanguage } from "../language/use-language.ts";

/** The sentence of an entry in the chosen language; names that come as data are set apart and translated where that is known. */
export function Sentence({ of }: { of: AuditEntry["sentence"] }) {
  const language = useLanguage();
  return of[language].split(/\{(\d+)\}/).map((part, index) => {
    const key = `${index} ${part}`;
    if (index % 2 === 0) return <Fragment key={key}>{part}</Fragment>;
    return (
      <b key={key}>
        <Translated text={of.names[Number(part)] ?? ""} />
      </b>
    );
  });
}

type Words = AuditEntry["details"][number]["label"];

/** A word of the interface, or data. */
export function Said({ text }: { text: Words }) {
  const language = useLanguage();
  return language === "en" && text.en !== undefined ? text.en : <Translated text={text.zh} />;
}
