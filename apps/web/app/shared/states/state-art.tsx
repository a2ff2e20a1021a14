/** What a state page tells of (product.md 2, exception view). */
export type ExceptionType = "403" | "404" | "500" | "empty" | "noSearchData";

/** Small axonometric house for states: a closed door where nothing may be seen, an open gate where nothing is. */
export function emptyHouseArt(type: ExceptionType) {
  return (
    <svg className="drawing state-art" viewBox="0 0 200 132" aria-hidden="true">
      <ellipse className="ground" cx="104" cy="98" rx="92" ry="27" />
      <path className="shade" d="M44 96 84 118 178 88 150 66z" />
      <path className="face-side outline" d="M38 86V58L58 40 76 70v36z" />
      <path className="face-front outline" d="M76 106V74l86-26v31z" />
      <path className="roof outline" d="M58 40 144 14 168 46 82 73z" />
      <path className="stroke-3" d="M70 36 94 69M86 31 110 64M102 26 126 59M118 22 142 55" opacity=".5" />
      <path className="glass outline-2" d="M92 90V80l12-3.6v10zM116 83V73l12-3.6v10z" />
      {type === "403" ? (
        <g>
          <path className="face-deep outline" d="M138 88V66l14-4.3v22z" />
          <path className="stroke" d="M136 72 154 66M142 70v8h7v-10" />
        </g>
      ) : (
        <path className="face-top outline-2" d="M138 88V66l14-4.3v22z" />
      )}
      {type === "404" && <path className="stroke dash" d="M20 112c22 10 44-8 64 2s40 4 62-4" />}
      {type === "500" && <path className="air" d="M60 34c-6-10 8-12 2-24" />}
      {type === "noSearchData" && (
        <g className="stroke">
          <circle cx="170" cy="96" r="12" className="face-top outline" />
          <path d="m179 105 9 9" />
        </g>
      )}
    </svg>
  );
}
