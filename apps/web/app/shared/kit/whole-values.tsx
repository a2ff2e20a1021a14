/** Clauses up to this length stay in one line of a phone. */
const shortClause = 24;

/** A number, or a range, with its unit and the word before it: "up 7.6 °C", "(limit 5 %)", "17.8–23.8". */
const valued =
  /((?:[A-Za-z(]+\s|（限\s)?[-−]?\d[\d.,]*(?:\s?[–-]\s?[-−]?\d[\d.,]*)?(?:\s[%°℃µA-Za-z][%°℃µ³²/·A-Za-z]*)?[)）]?)/;

/** The pieces of a text that must not break, between those that may. */
export const piecesOf = (text: string): { part: string; isWhole: boolean }[] =>
  text
    .split(/(?<=[;；])/)
    .flatMap((clause) =>
      clause.length <= shortClause
        ? [{ part: clause, isWhole: true }]
        : clause.split(valued).map((part, at) => ({ part, isWhole: at % 2 === 1 })),
    );

/** A text with figures, which breaks neither inside a range nor before a unit. */
export const WholeValues = ({ text }: { text: string }) =>
  piecesOf(text).map(({ part, isWhole }, at) =>
    isWhole ? (
      // Of one text, so that a place names a piece.
      <span key={`${at} ${part}`} style={{ whiteSpace: "nowrap" }}>
        {part}
      </span>
    ) : (
      part
    ),
  );
