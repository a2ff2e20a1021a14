/** Paths of the icon set: 20 px box, 1.5 px round stroke, no fill. Menu nodes name icons by these keys. */
const paths = {
  home: "M3.5 9 10 3.5 16.5 9v7.5h-4.5v-4.5H8v4.5H3.5z",
  devices: "M4 4h12v9H4zM7 16.5h6M10 13v3.5",
  environment: "M2.5 7.5H11a2.2 2.2 0 1 0-2-3M2.5 11h12.2a2.2 2.2 0 1 1-2 3M2.5 14.5h6",
  unit: "M2.5 16.5h15M4 16.5V9l4-3.5L12 9v7.5M12 16.5v-5h4v5M8 12v4.5",
  farm: "m10 2.8 6.5 3.5v7.4L10 17.2l-6.5-3.5V6.3zM3.5 6.3 10 9.9l6.5-3.6M10 9.9v7.3",
  person: "M10 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6ZM4 16.5c.6-3 3-4.5 6-4.5s5.4 1.5 6 4.5",
  people:
    "M7.5 9.5a2.8 2.8 0 1 0 0-5.5 2.8 2.8 0 0 0 0 5.5ZM2.5 16c.5-2.6 2.5-4 5-4s4.5 1.4 5 4M13 4.3a2.7 2.7 0 0 1 0 5.1M14.5 12.3c1.7.5 2.8 1.8 3 3.7",
  card: "M3 5h14v10H3zM3 8.5h14",
  chart: "M3.5 3.5v13h13M6 12.5l3-3.5 2.5 2 4.5-5.5",
  search: "M9 15a6 6 0 1 0 0-12 6 6 0 0 0 0 12ZM13.5 13.5 17 17",
  menu: "M3 5.5h14M3 10h14M3 14.5h14",
  close: "m5 5 10 10M15 5 5 15",
  bell: "M5 13.5V9a5 5 0 0 1 10 0v4.5l1.5 1.5h-13zM8.5 17.5h3",
  copy: "M7 7h9.5v9.5H7zM4.5 13H3.5V3.5H13v1",
  help: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM7.9 8.2a2.1 2.1 0 1 1 3.2 1.8c-.7.4-1.1.9-1.1 1.7M10 14v.1",
  plus: "M10 4v12M4 10h12",
  unlock: "M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 5.8-1",
  trash: "M4 5.5h12M8 5.5V3.5h4v2M5.5 5.5l.7 11h7.6l.7-11M8.5 8.5v5M11.5 8.5v5",
  check: "m4.5 10.5 3.5 3.5 7.5-8",
  down: "m5 7.5 5 5 5-5",
  right: "m7.5 5 5 5-5 5",
  left: "m12.5 5-5 5 5 5",
  arrow: "M4 10h12M11 5l5 5-5 5",
  eye: "M2.5 10S5 5 10 5s7.5 5 7.5 5-2.5 5-7.5 5-7.5-5-7.5-5ZM10 12.2a2.2 2.2 0 1 0 0-4.4 2.2 2.2 0 0 0 0 4.4Z",
  "eye-off":
    "M4 4l12 12M8 5.3A7 7 0 0 1 10 5c5 0 7.5 5 7.5 5a13 13 0 0 1-2.2 2.8M12.5 14.5A7 7 0 0 1 10 15c-5 0-7.5-5-7.5-5A13 13 0 0 1 5.5 6.5",
  sun: "M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7ZM10 2v1.5M10 16.5V18M2 10h1.5M16.5 10H18M4.3 4.3l1.1 1.1M14.6 14.6l1.1 1.1M4.3 15.7l1.1-1.1M14.6 5.4l1.1-1.1",
  moon: "M16.5 12A7 7 0 0 1 8 3.5a7 7 0 1 0 8.5 8.5Z",
  table: "M3.5 4.5h13v11h-13zM3.5 8h13M3.5 11.8h13M8 8v7.5",
  list: "M7 5.5h10M7 10h10M7 14.5h10M3.5 5.5h.01M3.5 10h.01M3.5 14.5h.01",
  board: "M3.5 4h5.5v5H3.5zM11 4h5.5v5H11zM3.5 11h5.5v5H3.5zM11 11h5.5v5H11z",
  gear: "M10 12.5a2.5 2.5 0 1 0 0-5 2.5 2.5 0 0 0 0 5ZM10 2.8v2M10 15.2v2M2.8 10h2M15.2 10h2M5 5l1.4 1.4M13.6 13.6 15 15M5 15l1.4-1.4M13.6 6.4 15 5",
  shield: "M10 2.8 16 5v5c0 3.6-2.6 6-6 7.2C6.6 16 4 13.6 4 10V5z",
  drop: "M10 3s5 5.2 5 8.8a5 5 0 0 1-10 0C5 8.2 10 3 10 3Z",
  sound: "M4 8v4M7 5.5v9M10 3.5v13M13 6.5v7M16 8.5v3",
  thermometer: "M8.2 11.5V4.8a1.8 1.8 0 0 1 3.6 0v6.7a3.4 3.4 0 1 1-3.6 0ZM10 9v5",
  needle: "M13 3l4 4M15 5l-3 3M6 10.5 9.5 7l3.5 3.5-6 6H3.5V13zM3 17l1-1",
  flask: "M8 3.5h4M9 3.5v4.5L4.5 16.5h11L11 8V3.5M7 12.5h6",
  spray: "M7 8h5v9H7zM8 8V5h3v3M14 4h.01M16.5 3h.01M16.5 6h.01",
  reload: "M16 10a6 6 0 1 1-1.8-4.3M16.5 3v3.5H13",
  swap: "M4 7.5h12M13 4.5l3 3-3 3M16 13H4M7 10l-3 3 3 3",
  exit: "M8 4H4v12h4M8 10h9M14 7l3 3-3 3",
  clock: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM10 6v4l2.5 2",
  lock: "M5 9h10v7.5H5zM7 9V6.5a3 3 0 0 1 6 0V9M10 12v1.8",
  phone: "M6.5 2.5h7a1 1 0 0 1 1 1v13a1 1 0 0 1-1 1h-7a1 1 0 0 1-1-1v-13a1 1 0 0 1 1-1ZM9 14.8h2",
  qr: "M3.5 3.5H8V8H3.5zM12 3.5h4.5V8H12zM3.5 12H8v4.5H3.5zM12 12h1.5M16.5 12v1.5M12 16.5V15M14.5 14.5v2h2",
  shop: "M3.5 7.5 5 3.5h10l1.5 4M3.5 7.5a2.2 2.2 0 0 0 4.3 0 2.2 2.2 0 0 0 4.4 0 2.2 2.2 0 0 0 4.3 0M4.5 10v6.5h11V10",
  chat: "M3.5 4.5h13v9H9l-3.5 3v-3h-2zM7 9h.01M10 9h.01M13 9h.01",
  globe: "M10 17a7 7 0 1 0 0-14 7 7 0 0 0 0 14ZM3.2 10h13.6M10 3c4 4.5 4 9.5 0 14M10 3c-4 4.5-4 9.5 0 14",
  columns: "M3.5 4h13v12h-13zM8 4v12M12 4v12",
  pin: "M7 3.5h6M8 3.5V9l-2.5 2.5h9L12 9V3.5M10 11.5V17",
  filter: "M3 5h14M5.5 10h9M8 15h4",
  upload: "M10 13V4M6 7.5 10 3.5l4 4M4 16h12",
  download: "M10 4v9M6 9.5l4 4 4-4M4 16.5h12",
  more: "M4.7 10h.6M9.7 10h.6M14.7 10h.6",
  edit: "M12.5 4.5l3 3-8.5 8.5H4v-3zM10.5 6.5l3 3",
  history: "M4 10a6.3 6.3 0 1 0 2-4.6M3.7 3.8v3h3M10 7v3.2l2.2 1.5",
  key: "M7 13a3.5 3.5 0 1 0 0-7 3.5 3.5 0 0 0 0 7ZM10.5 9.5H17V12M14 9.5V12",
  dense: "M3 4h14M3 8h14M3 12h14M3 16h14",
  grip: "M7.5 5h.01M12.5 5h.01M7.5 10h.01M12.5 10h.01M7.5 15h.01M12.5 15h.01",
  undo: "M7 4 3.5 7.5 7 11M3.5 7.5h8a4.5 4.5 0 0 1 0 9H8",
  ascending: "M10 15.5v-11M6 8.5l4-4 4 4",
  descending: "M10 4.5v11M6 11.5l4 4 4-4",
  up: "m5 12.5 5-5 5 5",
  tree: "M7 3.5h6v4H7zM3 12.5h5v4H3zM12 12.5h5v4h-5zM10 7.5V10M5.5 12.5V10h9v2.5",
  calendar: "M3.5 5h13v11.5h-13zM3.5 8.5h13M7 3v3.5M13 3v3.5",
  scale: "M3.5 16h13M5 16l1.5-7.5h7L15 16M10 8.5V5M7 4.5h6",
  sheet: "M5 3h7l3.5 3.5V17H5zM12 3v3.5h3.5M7.5 10h5M7.5 13h5",
  map: "M3 5.5 7.5 4l5 2L17 4.5v10L12.5 16l-5-2L3 15.5zM7.5 4v10M12.5 6v10",
  box: "m10 3 6.5 3v8L10 17.5 3.5 14V6zM3.5 6 10 9.5 16.5 6M10 9.5v8",
  star: "m10 3 2.2 4.5 4.9.7-3.5 3.5.8 4.9L10 14.3l-4.4 2.3.8-4.9L2.9 8.2l4.9-.7z",
  send: "M3 10 17 3.5 13 16.5l-3.5-5zM9.5 11.5 17 3.5",
  wrench: "M12.5 3.5a4 4 0 0 0-3.7 5.4L3.5 14.2l2.3 2.3 5.3-5.3a4 4 0 0 0 5.2-4.6L14 8.5 11.5 6z",
  factory: "M3 16.5V8l4.5 3V8l4.5 3V3.5h4.5v13zM6.5 13.5h1M11 13.5h1",
  receipt: "M5 3h10v14l-2.5-1.5L10 17l-2.5-1.5L5 17zM8 7h4M8 10h4",
  book: "M4 4h5a1.5 1.5 0 0 1 1 .5A1.5 1.5 0 0 1 11 4h5v11.5h-5a1 1 0 0 0-1 .8 1 1 0 0 0-1-.8H4zM10 4.5v11.5",
  badge:
    "M4 5.5h12v10.5H4zM8 5.5V3.5h4v2M10 11a1.6 1.6 0 1 0 0-3.2 1.6 1.6 0 0 0 0 3.2ZM7.2 14c.4-1.3 1.5-1.9 2.8-1.9s2.4.6 2.8 1.9",
  play: "M6.5 4v12l9-6z",
  pause: "M7 4v12M13 4v12",
  sliders: "M3 6h8M15 6h2M3 14h2M9 14h8M13 8a2 2 0 1 0 0-4 2 2 0 0 0 0 4ZM7 16a2 2 0 1 0 0-4 2 2 0 0 0 0 4Z",
} as const;

export type IconName = keyof typeof paths;

/** Every icon of the set, to choose from. */
export const iconNames = Object.keys(paths) as readonly IconName[];

const isIconName = (name: string): name is IconName => Object.hasOwn(paths, name);

/** The icon that a menu node names, or the plain one for a name of a newer server. */
export const iconOf = (name: string): IconName => (isIconName(name) ? name : "list");

/** An icon of the set, decorative: its words stand beside it or in the control's label. */
export function Icon({ name, small = false }: { name: IconName; small?: boolean }) {
  return (
    <svg className={small ? "icon small-icon" : "icon"} viewBox="0 0 20 20" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}
