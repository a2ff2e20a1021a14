/** A number, or a range, with its unit and the word before it: "up 7.6 °C", "(limit 5 %)", "usually 17.8–23.8". */
const valued = /((?:[A-Za-z(]+ |（限 )?-?\d[\d.,]*(?: ?– ?-?[\d.,]+)?(?: [%°℃A-Za-zµ][^\s()（）,;；，]*)?[)）]?)/;

/** A text in pieces: those at odd places have figures and must not break. */
export const piecesOf = (text: string): string[] => text.split(valued);

/** A text with figures, which breaks neither inside a range nor before a unit. */
export const WholeValues = ({ text }: { text: string }) =>
  piecesOf(text).map((part, at) =>
    at % 2 ? (
      // Of one text, so that a place names a piece.
      <span key={`${at} ${part}`} style={{ whiteSpace: "nowrap" }}>
        {part}
      </span>
    ) : (
      part
    ),
  );
