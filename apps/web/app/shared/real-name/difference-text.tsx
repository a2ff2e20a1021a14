import { differenceOf, type Stretch } from "./difference.ts";
import styles from "./real-name.module.css";

function Side({ stretches, side }: { stretches: readonly Stretch[]; side: "left" | "right" }) {
  let at = 0;
  return (
    // As it stands on the document, whatever language the page has.
    <dd lang="zh-CN">
      {stretches.map(({ text, differs }) => {
        at += text.length;
        return differs ? (
          <mark key={at} data-side={side}>
            {text}
          </mark>
        ) : (
          <span key={at}>{text}</span>
        );
      })}
    </dd>
  );
}

/** Two readings of an item, one above the other, with what differs marked. Labels are in the chosen language. */
export function DifferenceText({
  typed,
  document,
  typedLabel,
  documentLabel,
}: {
  typed: string;
  document: string;
  typedLabel: string;
  documentLabel: string;
}) {
  const { left, right } = differenceOf(typed, document);
  return (
    <dl className={styles.pair}>
      <dt>{typedLabel}</dt>
      <Side stretches={left} side="left" />
      <dt>{documentLabel}</dt>
      <Side stretches={right} side="right" />
    </dl>
  );
}
