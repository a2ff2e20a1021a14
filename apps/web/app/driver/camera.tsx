/** The sign of the camera, which no other page has. */
export function Camera() {
  return (
    <svg className="icon" viewBox="0 0 20 20" aria-hidden="true">
      <path d="M3 6.5h3l1.5-2.5h5L14 6.5h3V16H3zM10 13.8a2.8 2.8 0 1 0 0-5.6 2.8 2.8 0 0 0 0 5.6Z" />
    </svg>
  );
}
