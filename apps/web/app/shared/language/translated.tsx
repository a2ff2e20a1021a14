import { Fragment } from "react";
import { useTranslate } from "./use-language.ts";
import { useTranslated } from "./use-translated.ts";

/** Names up to this length are not broken inside where others stand beside them. */
const tiedLength = 25;

/** A text that comes as data, in the chosen language; what a machine made says so on its title. */
export function Translated({ text: source, tied }: { text: string; tied?: boolean }) {
  const t = useTranslate();
  const { text, machine, hidden } = useTranslated(source);
  if (text === source && !hidden) return source;
  return (
    // Not a span: places style their spans.
    <bdi
      // Unseen, not gone: what it names keeps its name for who listens.
      style={hidden ? { opacity: 0 } : undefined}
      title={machine ? t("机器翻译，原文：{source}", { source }) : undefined}
    >
      {tied && text.length < tiedLength ? text.replaceAll(" ", "\u00a0") : text}
    </bdi>
  );
}

/** Where something stands, from the farm inwards: names that come as data, those that are empty left out. */
export function TranslatedPlace({ names }: { names: readonly string[] }) {
  return names.filter(Boolean).map((name, index) => (
    <Fragment key={index + name}>
      {index > 0 && "\u00a0· "}
      <Translated text={name} />
    </Fragment>
  ));
}

/** What stands between the parts of a line that the server put together from names. */
const betweenParts = /( [·/] )/;

/** A line of names that the server put together (an alarm's notice): each part in the chosen language and in one piece. */
export function TranslatedLine({ text }: { text: string }) {
  return text
    .split(betweenParts)
    .map((part, index) => (index % 2 ? part : <Translated key={index + part} text={part} tied />));
}

/** A choice whose name comes as data, in the chosen language. */
export function TranslatedOption({ value, text: source }: { value: string | number; text: string }) {
  const { text } = useTranslated(source);
  return <option value={value}>{text}</option>;
}
