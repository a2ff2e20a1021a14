/** Status shapes, 12 px, filled: told apart without colour. A word always stands beside them. */
export const markPaths = {
  ok: "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Zm-.7 6.9 3.3-3.5-.9-.8-2.5 2.6-1-1-.9.9z",
  notice:
    "M2.5 1h7A1.5 1.5 0 0 1 11 2.5v7A1.5 1.5 0 0 1 9.5 11h-7A1.5 1.5 0 0 1 1 9.5v-7A1.5 1.5 0 0 1 2.5 1Zm2.9 4.2v4h1.2v-4zm0-2.2v1.3h1.2V3z",
  minor: "M6 1 11.5 11H.5zM5.4 4.6v3.2h1.2V4.6zm0 4v1.1h1.2V8.6z",
  major: "M6 .2 11.8 6 6 11.8.2 6zM5.4 3v3.9h1.2V3zm0 4.7v1.2h1.2V7.7z",
  critical: "M3.7.5h4.6l3.2 3.2v4.6l-3.2 3.2H3.7L.5 8.3V3.7zM5.3 2.8v4h1.4v-4zm0 4.9V9h1.4V7.7z",
  aside: "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Zm0 1.3a3.7 3.7 0 1 0 0 7.4 3.7 3.7 0 0 0 0-7.4ZM3.8 5.4h4.4v1.2H3.8z",
  off: "M6 1a5 5 0 1 1 0 10A5 5 0 0 1 6 1Zm0 1.3a3.7 3.7 0 0 0-3 5.9l5.2-5.2A3.7 3.7 0 0 0 6 2.3Zm3 1.5L3.8 9A3.7 3.7 0 0 0 9 3.8Z",
  empty: "M2 1.5h8v9H2zM3.3 2.8v6.4h5.4V2.8z",
  washing: "M6 .8s3.9 4 3.9 6.5a3.9 3.9 0 0 1-7.8 0C2.1 4.8 6 .8 6 .8Z",
} as const;

export type MarkName = keyof typeof markPaths;

/** A status shape in the current colour. */
export function Mark({ name }: { name: MarkName }) {
  return (
    <svg className="mark" viewBox="0 0 12 12" aria-hidden="true">
      <path fillRule="evenodd" d={markPaths[name]} />
    </svg>
  );
}
