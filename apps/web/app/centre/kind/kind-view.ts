import type { DeviceAnalytics, UnitDetail } from "@herdwise/contract";
import type { LocalText } from "@herdwise/device-kinds";
import {
  type JudgedDevice,
  type JudgedUnit,
  type KindJudge,
  localUnit,
  type PlacedUnit,
  problemName,
} from "@herdwise/device-kinds";
import { kindList } from "@herdwise/device-kinds/kind-list";
import { type KindPage, pageAddress } from "@herdwise/device-kinds/kind-pages";
import { type ComponentType, createContext, type ReactNode, useContext } from "react";
import type { Formats } from "../../shared/language/format.ts";
import { type Translate, useFormats, useLanguage, useTranslate } from "../../shared/language/use-language.ts";
import type { DeviceNow, UnitNow } from "./use-unit.ts";

/** What lists and tiles need to know of a kind beside its declaration. */
export interface KindFacts extends KindJudge {
  /** Below the figure of a unit with which nothing is wrong. */
  calmWords?(judged: JudgedUnit, t: Translate, formats: Formats): string;
}

/** A column of the list, or a figure of a page. */
export interface FigureColumn {
  key: string;
  /** With its unit. */
  name: string;
  decimals: number;
}

export interface UnitPartProps {
  unit: UnitNow;
  judged: JudgedUnit;
  offline: boolean;
}

export interface DrawingProps {
  device: DeviceNow;
  judged: JudgedDevice;
}

/** A part of the page of a device that a kind draws itself. */
export interface OwnPartProps {
  deviceId: string;
  /** What the declaration alone comes to, for where the kind has nothing of its own to tell. */
  declared: ReactNode;
}

/** What a parameter is set by where that is not a form. */
export interface OwnControlProps {
  unit: UnitDetail;
  disabled: boolean;
  onDone: () => void;
}

export interface SettingsPreviewProps {
  device: DeviceNow;
  /** What holds now, by key of the kind's parameters. */
  before: (key: string) => unknown;
  /** What stands in the form. */
  value: (key: string) => unknown;
}

/** The pages of a kind. All of it is drawn from the declaration; a kind that has more to show puts its own part into a slot. */
export interface KindView extends KindFacts {
  /** Inside of a tile, below its name and state. */
  TileBody?: ComponentType<{ judged: JudgedUnit }>;
  /** State in the head of a tile, where the kind knows more than the values tell. */
  TileState?: ComponentType<{ judged: JudgedUnit }>;
  /** A hook for the units of the overview, where the kind knows more of their states than the values tell. */
  useStates?(units: readonly PlacedUnit[] | undefined): readonly PlacedUnit[] | undefined;
  /** Attributes of a tile, such as a tint. */
  tileAttributes?(judged: JudgedUnit): Record<string, string>;
  /** Figures above the overview. */
  Summary?: ComponentType<{ units: readonly PlacedUnit[] }>;
  /** Before the states in the legend. */
  Scale?: ComponentType;
  /** Beside the name of a house. */
  houseNote?(first: JudgedUnit, t: Translate, formats: Formats): string | undefined;
  /** Columns of the list; the declaration's figures where it is absent. */
  columns?: readonly FigureColumn[];
  /** Facts in the head of a unit. */
  UnitMeta?: ComponentType<{ unit: UnitNow; judged: JudgedUnit }>;
  /** The mode of a unit beside its name, where this kind sets it; `says` is the mode in words. */
  UnitMode?: ComponentType<{ unit: UnitNow; says: string; onDone: () => void }>;
  /** What the page of a unit shows instead of what its declaration says. */
  unitParts?: {
    Figures: ComponentType<UnitPartProps>;
    /** Values that the figures show. */
    keys: readonly string[];
    Drawing: ComponentType<UnitPartProps>;
    History: ComponentType<UnitPartProps>;
    /** Before the settings of the device. */
    Settings: ComponentType<UnitPartProps>;
  };
  /** Figures that the kind tells itself instead of the value that the device sends, by their keys. */
  ownFigures?: Readonly<Record<string, ComponentType<OwnPartProps>>>;
  /** The curve that led to now, with the declared one for where it has nothing to tell. */
  OwnTrend?: ComponentType<OwnPartProps>;
  /** A device as a drawing of its process, with its values where they are measured. */
  Drawing?: ComponentType<DrawingProps>;
  /** Controls of parameters that are not set by a form, by their keys; they need a unit. */
  ownControls?: Readonly<Record<string, ComponentType<OwnControlProps>>>;
  /** What the settings of a form will do, by the form's id, beside what is shown of all. */
  settingsPreviews?: Readonly<Record<string, ComponentType<SettingsPreviewProps>>>;
  /** Above the figures of the analysis. */
  AnalysisHead?: ComponentType<{ devices: readonly DeviceAnalytics[] }>;
  /** What a unit without a device of the kind says. */
  noDevice?: { title: string; text: string };
  /** What a unit says whose devices are silent. */
  offline?: { title: string; text: string };
}

export const KindContext = createContext<KindView | undefined>(undefined);

/** The kind whose page this is. */
export function useKind(): KindView {
  const view = useContext(KindContext);
  if (!view) throw new Error("no kind around this part");
  return view;
}

/** Address of a kind's page; "" where the kind does not have it. @param id of a unit or a device */
export function kindPath(kind: string, page: KindPage, id?: string): string {
  const pages = kindList.find((listed) => listed.kind === kind)?.pages;
  const address = pages && pageAddress(pages, page);
  if (address === undefined) return "";
  return `${address}${id === undefined ? "" : `?id=${id}`}`;
}

/** The text of a device kind in the chosen language. */
export function useLocalText(): (text: LocalText) => string {
  const language = useLanguage();
  return (text) => text[language];
}

interface Declared {
  name: string;
  unit: string;
  decimals: number;
}

/**
 * Name, unit and decimals of a channel or derived value, in the chosen language.
 * @returns takes the value that the unit follows, where it does
 */
export function useDeclared(): (key: string, value?: unknown) => Declared {
  const { kind } = useKind();
  const local = useLocalText();
  return (key, value) => {
    const found =
      kind.channels.find((channel) => channel.key === key) ?? kind.derived.find((derived) => derived.key === key);
    if (!found) return { name: key, unit: "", decimals: 1 };
    return { name: local(found.name), unit: local(localUnit(found.unit, value)), decimals: found.decimals };
  };
}

/** What a tile says below its figure: the worst problem, else what the kind says of a calm unit. */
export function useUnitWords(): (judged: JudgedUnit) => string {
  const t = useTranslate();
  const formats = useFormats();
  const local = useLocalText();
  const { calmWords, noDevice } = useKind();
  return (judged) => {
    const { state, problems, device, ageS, freshness } = judged;
    if (state === "bare") return noDevice ? t(noDevice.title) : t("没有设备");
    if (state === "silent") return t("尚无上报");
    if (state === "offline") return formats.age(ageS * 1000);
    if (state === "empty" || state === "washing") return t("告警已屏蔽");
    const [worst] = problems;
    if (worst) return local(problemName(worst));
    if (device.status === "fault") return t("自报故障");
    if (freshness === "stale") return formats.age(ageS * 1000);
    if (calmWords) return calmWords(judged, t, formats);
    return "";
  };
}
