export interface ReadmePicture {
  /** File name, before `-light.webp` and `-dark.webp`. */
  name: string;
  /** Where it is taken. */
  path: string;
  signedIn: boolean;
  width: number;
  height: number;
  /** What is pressed on that page before the picture is taken. */
  follow?: string;
  /** What must be there. */
  shows?: string;
}

/** Pictures of the README, each in light and dark. */
export const readmePictures: readonly ReadmePicture[] = [
  { name: "home", path: "/index", signedIn: false, width: 1440, height: 900 },
  {
    name: "overview",
    path: "/selfCenter/vet/environment/overview",
    signedIn: true,
    width: 1440,
    height: 900,
    shows: "a.tile",
  },
  {
    name: "unit",
    path: "/selfCenter/vet/environment/overview",
    signedIn: true,
    width: 1440,
    height: 900,
    follow: "a.tile",
    shows: ".unit-body",
  },
  {
    name: "phone",
    path: "/selfCenter/vet/environment/overview",
    signedIn: true,
    width: 390,
    height: 844,
    follow: "a.tile",
    shows: ".unit-body",
  },
];
