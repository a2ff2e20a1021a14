/** A text in both languages of the product. */
export type LocalText = { readonly zh: string; readonly en: string };

/**
 * The screens that are made from a declaration: an overview, a page of one unit, a page of one device and one
 * of its settings; where a kind asks for them a page of its figures over time, one of a register by the hour, and one of its alarms.
 */
export type KindPage = "overview" | "unit" | "device" | "parameters" | MorePage;

/** Pages that not every kind has. */
export const morePages = ["analysis", "register", "log"] as const;
export type MorePage = (typeof morePages)[number];

/** Where the screens of a kind are and how menus call them. */
export type KindPages = {
  /** Where they are below /selfCenter, such as "vet/cough": the overview of it is /selfCenter/vet/cough/overview. */
  readonly path: string;
  /** Beginning of their menu codes: cough, cough_overview, cough_unit, cough_device. */
  readonly code: string;
  /** Icon of the menu, from the set of the web app. */
  readonly icon: string;
  /** Title of the overview. */
  readonly title: LocalText;
  /** Last parts of the addresses of pages that are not called as the page is: an overview at "bathRoomEquipment". */
  readonly at?: Partial<Readonly<Record<"overview" | "device" | "parameters", string>>>;
  /** Devices serve a farm or a house as a whole: the overview is one of devices, and units have no page. */
  readonly ofFarm?: true;
  /** The pages that not every kind has, each with the last part of its address and its title. */
  readonly more?: Partial<Readonly<Record<MorePage, { readonly at: string; readonly title: LocalText }>>>;
};

/** What the pages of a kind show. */
export type KindContent = {
  /** The channels and derived values that an overview shows, most telling first; the first one is the figure of a tile. */
  readonly figures: readonly string[];
  /** Analytics that stand beside the figures of an overview of devices, by their ids; the first is the loudest. */
  readonly keyAnalytics?: readonly string[];
  /** Cards of a device below its figures, in this order. */
  readonly parts?: readonly KindPart[];
  /** How its parameters are put together to forms; without it `parameterGroups` does. */
  readonly settings?: readonly ParameterGroup[];
};

/** Parameters that are entered, previewed and sent together. */
export type ParameterGroup = {
  /** Part of the address of its form. */
  readonly id: string;
  readonly name: LocalText;
  /** Keys of parameters, in the order of the form. */
  readonly keys: readonly string[];
};

/** A card of a device. */
export type KindPart =
  /** Tanks by their levels, with what is left and how long it may be used. */
  | {
      readonly type: "tanks";
      readonly title: LocalText;
      readonly tanks: readonly {
        readonly name: LocalText;
        /** Channel with the level in %. */
        readonly level: string;
        /** Channel with the amount. */
        readonly amount?: string;
        /** Channel with the days until the agent expires. */
        readonly daysLeft?: string;
      }[];
    }
  /** The words of a channel over a day as a strip. */
  | {
      readonly type: "strip";
      readonly title: LocalText;
      /** A channel with words, or one that is on or off. */
      readonly of: string;
      /** Words that are not as they should be. */
      readonly bad?: readonly string[];
    }
  /** An analytic that has a grid: days and hours, units and vaccines, or the pens of a barn day by day. */
  | {
      readonly type: "grid";
      readonly title: LocalText;
      /** Id of the analytic. */
      readonly analytic: string;
      readonly as: "hours" | "coverage" | "pens" | "table";
    }
  /** Records that last from one time to another, one above the other: the stays of people. */
  | {
      readonly type: "stays";
      readonly title: LocalText;
      readonly event: string;
      /** Fields with the begin and the end (ISO 8601), and with begin and seconds of the part that counts. */
      readonly from: string;
      readonly to: string;
      readonly partFrom: string;
      readonly partS: string;
      /** Field that names whose it is. */
      readonly of: string;
      /** Parameter with the seconds that the part should at least take. */
      readonly leastS: string;
      readonly good: { readonly field: string; readonly words: readonly string[] };
    }
  /** Records of one type: how many in each hour of the day, and the newest of them as a table. */
  | {
      readonly type: "records";
      readonly title: LocalText;
      readonly event: string;
      /** Fields of the columns, in this order. */
      readonly columns: readonly string[];
      /** A field whose other words mean that the record is bad. */
      readonly good?: { readonly field: string; readonly words: readonly string[] };
      /** A number field of which this share, in % and either way, is still good. */
      readonly within?: { readonly field: string; readonly percent: number };
      /** A number field that must not be below this. */
      readonly least?: { readonly field: string; readonly value: number };
    };

/** What the page with the settings of a kind is called: on a phone all entries of the menu stand in one list. */
export const parametersTitle = ({ zh, en }: LocalText): LocalText => ({ zh: `${zh}参数`, en: `${en} settings` });

/** All the pages that a kind has. */
export const pagesOf = ({ ofFarm, more }: Pick<KindPages, "ofFarm" | "more">): KindPage[] => [
  "overview",
  ...(ofFarm ? [] : (["unit"] as const)),
  "device",
  "parameters",
  ...morePages.filter((page) => more?.[page] !== undefined),
];

/** Whether a page is one that not every kind has. */
export const isMore = (page: KindPage): page is MorePage => morePages.some((more) => more === page);

/** Address of a page of a kind; undefined for one that the kind does not have. */
export const pageAddress = (
  pages: Pick<KindPages, "path" | "at" | "ofFarm" | "more">,
  page: KindPage,
): string | undefined => {
  if (!pagesOf(pages).includes(page)) return undefined;
  const named = isMore(page) ? pages.more?.[page]?.at : page === "unit" ? page : pages.at?.[page];
  return `/selfCenter/${pages.path}/${named ?? page}`;
};
