/** A text in both languages of the product. */
export type LocalText = { readonly zh: string; readonly en: string };

/**
 * Screens that are made from a declaration: overview, unit, device and parameters; and, where a kind declares them, analysis
 * over time, an hourly register, and an alarm log.
 */
export type KindPage = "overview" | "unit" | "device" | "parameters" | MorePage;

/** Pages that not every kind has. */
export const morePages = ["analysis", "register", "log"] as const;
export type MorePage = (typeof morePages)[number];

/** Addresses and menu entries of a kind's screens. */
export type KindPages = {
  /** Path below /selfCenter, such as "vet/cough", whose overview is /selfCenter/vet/cough/overview. */
  readonly path: string;
  /** Prefix of their menu codes: cough, cough_overview, cough_unit, cough_device. */
  readonly code: string;
  /** Icon of the menu, from the set of the web app. */
  readonly icon: string;
  /** Title of the overview. */
  readonly title: LocalText;
  /**
   * Last part of the address of pages whose address differs from the page's name, such as "bathRoomEquipment" for an overview.
   */
  readonly at?: Partial<Readonly<Record<"overview" | "device" | "parameters", string>>>;
  /** Devices serve a farm or a house as a whole, so the overview lists devices and units have no page. */
  readonly ofFarm?: true;
  /** Optional pages of the kind, each with the last part of its address and its title. */
  readonly more?: Partial<Readonly<Record<MorePage, { readonly at: string; readonly title: LocalText }>>>;
};

/** Contents of a kind's pages. */
export type KindContent = {
  /** Channels and derived values of the overview, the most important first; the first is the figure of a tile. */
  readonly figures: readonly string[];
  /**
   * What the summary of an overview shows of a figure: the end that is worse, or the sum for what adds up; for others the mean and
   * the highest.
   */
  readonly summary?: Readonly<Record<string, "lowest" | "highest" | "sum">>;
  /** Ids of the analytics beside the figures of an overview of devices; the first is the most prominent. */
  readonly keyAnalytics?: readonly string[];
  /** Cards of a device below its figures, in this order. */
  readonly parts?: readonly KindPart[];
  /** Groups of its parameters, one form each; `parameterGroups` makes them where this is left out. */
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
  /** Tanks with their levels, the remaining amount and the days until expiry. */
  | {
      readonly type: "tanks";
      readonly title: LocalText;
      /** For how many days the stock lasts: the analytic whose rows tell it by the number of the tank, or one analytic a tank. */
      readonly stock?: string | readonly string[];
      readonly tanks: readonly {
        readonly name: LocalText;
        /** Channel with the level in %. */
        readonly level: string;
        /** Channel with the amount. */
        readonly amount?: string;
        /** Channel with the days until the agent expires. */
        readonly daysLeft?: string;
        /** Channel with the lot of the agent. */
        readonly lot?: string;
      }[];
    }
  /** The words of a channel over a day, as a strip. */
  | {
      readonly type: "strip";
      readonly title: LocalText;
      /** A channel with words, or one that is on or off. */
      readonly of: string;
      /** Words that mean a fault. */
      readonly bad?: readonly string[];
    }
  /** An analytic with a grid: days and hours, units and vaccines, or pens by day. */
  | {
      readonly type: "grid";
      readonly title: LocalText;
      /** Id of the analytic. */
      readonly analytic: string;
      readonly as: "hours" | "coverage" | "pens" | "table";
    }
  /** Records with a begin and an end, one above the other, such as stays of people. */
  | {
      readonly type: "stays";
      readonly title: LocalText;
      readonly event: string;
      /** Fields with the begin and the end (ISO 8601), and with begin and length in seconds of the part that counts. */
      readonly from: string;
      readonly to: string;
      readonly partFrom: string;
      readonly partS: string;
      /** Field that names the person or thing of a record. */
      readonly of: string;
      /** Parameter with the minimum seconds of that part. */
      readonly leastS: string;
      readonly good: { readonly field: string; readonly words: readonly string[] };
    }
  /** Records of one type: their number in each hour of the day, and a table of the newest. */
  | {
      readonly type: "records";
      /** Field with the time at which what is told ended, where the record itself comes later. */
      readonly endsAt?: string;
      readonly title: LocalText;
      readonly event: string;
      /** They also stand on the overview, below the devices. */
      readonly onOverview?: true;
      /** Fields of the columns, in this order. */
      readonly columns: readonly string[];
      /** A field and its good words; any other word marks the record as bad. */
      readonly good?: { readonly field: string; readonly words: readonly string[] };
      /** A number field that may differ by this share in % in either direction. */
      readonly within?: { readonly field: string; readonly percent: number };
      /** A number field that must not be below this. */
      readonly least?: { readonly field: string; readonly value: number };
    };

/** Title of the settings page of a kind; it names the kind because a phone shows all menu entries in one list. */
export const parametersTitle = ({ zh, en }: LocalText): LocalText => ({ zh: `${zh}参数`, en: `${en} settings` });

/** All the pages that a kind has. */
export const pagesOf = ({ ofFarm, more }: Pick<KindPages, "ofFarm" | "more">): KindPage[] => [
  "overview",
  ...(ofFarm ? [] : (["unit"] as const)),
  "device",
  "parameters",
  ...morePages.filter((page) => more?.[page] !== undefined),
];

/** Whether a page is optional. */
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
